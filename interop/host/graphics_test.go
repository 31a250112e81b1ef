// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"testing"
	"time"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop/driver"
	"particles/interop/host"
)

// graphics is a context of the driver with OpenGL in memory.
type graphics struct {
	*testing.T
	d   *host.Driver
	ctx driver.Ctx
	s   driver.Stream
	gl  *testenv.FakeGL
}

func newGraphics(t *testing.T) *graphics {
	t.Helper()
	g := &graphics{T: t, d: host.New(host.Options{}), gl: testenv.NewFakeGL()}
	var code driver.Code
	g.ctx, code = g.d.DevicePrimaryCtxRetain(0)
	g.want("retain", code, driver.Success)
	t.Cleanup(func() { g.want("release", g.d.DevicePrimaryCtxRelease(0), driver.Success) })
	g.s, code = g.d.StreamCreateWithPriority(g.ctx, 0)
	g.want("stream", code, driver.Success)
	return g
}

func (g *graphics) want(what string, got, want driver.Code) {
	g.Helper()
	if got != want {
		g.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (g *graphics) register(size int) driver.Resource {
	g.Helper()
	r, code := g.d.GraphicsGLRegisterBuffer(g.ctx, g.gl, g.gl.NewBuffer(size), driver.WriteDiscard)
	g.want("register", code, driver.Success)
	return r
}

func code[T any](_ T, c driver.Code) driver.Code { return c }

func TestGraphicsRulesAreThoseOfCUDA(t *testing.T) {
	g := newGraphics(t)
	a, b := g.register(64), g.register(128)
	both := []driver.Resource{a, b}
	pointer := func(r driver.Resource) driver.Code {
		_, _, c := g.d.GraphicsResourceGetMappedPointer(g.ctx, r)
		return c
	}
	g.want("pointer while unmapped", pointer(a), driver.NotMapped)
	g.want("pointer of nothing", pointer(99), driver.InvalidHandle)
	g.want("unmap while unmapped", g.d.GraphicsUnmapResources(g.ctx, both, g.s), driver.NotMapped)
	g.want("map the same twice in one call", g.d.GraphicsMapResources(g.ctx, []driver.Resource{a, a}, g.s), driver.AlreadyMapped)
	g.want("map with an unknown one", g.d.GraphicsMapResources(g.ctx, []driver.Resource{a, 99}, g.s), driver.InvalidHandle)
	g.want("map nothing", g.d.GraphicsMapResources(g.ctx, nil, g.s), driver.InvalidValue)
	g.want("map on stream 0", g.d.GraphicsMapResources(g.ctx, both, 0), driver.InvalidHandle)
	g.want("pointer after refused maps", pointer(a), driver.NotMapped)
	g.want("map", g.d.GraphicsMapResources(g.ctx, []driver.Resource{b}, g.s), driver.Success)
	g.want("a batch with one already mapped", g.d.GraphicsMapResources(g.ctx, both, g.s), driver.AlreadyMapped)
	g.want("the other one of it", pointer(a), driver.NotMapped)
	g.want("unregister while mapped", g.d.GraphicsUnregisterResource(g.ctx, b), driver.AlreadyMapped)
	p, size, c := g.d.GraphicsResourceGetMappedPointer(g.ctx, b)
	if c != driver.Success || p == 0 || size != 128 {
		t.Errorf("pointer %#x, size %d, %v", p, size, c)
	}
	g.want("fill past its end", g.d.MemsetD8Async(g.ctx, p, 1, 129, g.s), driver.InvalidValue)
	g.want("fill", g.d.MemsetD8Async(g.ctx, p, 1, 128, g.s), driver.Success)
	g.gl.Current = 0
	g.want("unmap without OpenGL", g.d.GraphicsUnmapResources(g.ctx, []driver.Resource{b}, g.s), driver.InvalidGraphicsContext)
	g.want("map without OpenGL", g.d.GraphicsMapResources(g.ctx, []driver.Resource{a}, g.s), driver.InvalidGraphicsContext)
	g.want("unregister without OpenGL", g.d.GraphicsUnregisterResource(g.ctx, a), driver.InvalidGraphicsContext)
	g.want("register without OpenGL", code(g.d.GraphicsGLRegisterBuffer(g.ctx, g.gl, 1, 0)), driver.InvalidGraphicsContext)
	g.want("devices without OpenGL", code(g.d.GLGetDevices(g.ctx, g.gl, nil)), driver.InvalidGraphicsContext)
	g.gl.Current = 1
	g.want("devices", code(g.d.GLGetDevices(g.ctx, g.gl, make([]driver.Device, 1))), driver.Success)
	g.want("unmap", g.d.GraphicsUnmapResources(g.ctx, []driver.Resource{b}, g.s), driver.Success)
	g.want("fill after unmap", g.d.MemsetD8Async(g.ctx, p, 1, 1, g.s), driver.InvalidValue)
	g.want("unregister", g.d.GraphicsUnregisterResource(g.ctx, b), driver.Success)
	g.want("unregister again", g.d.GraphicsUnregisterResource(g.ctx, b), driver.InvalidHandle)
	g.want("register an unknown name", code(g.d.GraphicsGLRegisterBuffer(g.ctx, g.gl, 99, 0)), driver.InvalidHandle)
	g.want("register with unknown flags", code(g.d.GraphicsGLRegisterBuffer(g.ctx, g.gl, 1, 3)), driver.InvalidValue)
	if g.gl.Broken != 0 {
		t.Errorf("%d of OpenGL's rules broken", g.gl.Broken)
	}
}

func TestRefusedMapOfABatchLeavesNoneMapped(t *testing.T) {
	g := newGraphics(t)
	small := g.register(64)
	name := g.gl.NewBuffer(128)
	shrunk, c := g.d.GraphicsGLRegisterBuffer(g.ctx, g.gl, name, driver.WriteDiscard)
	g.want("register", c, driver.Success)
	g.gl.BufferData(name, 16) // OpenGL refuses to map 128 bytes of it
	g.want("map", g.d.GraphicsMapResources(g.ctx, []driver.Resource{small, shrunk}, g.s), driver.MapFailed)
	if g.gl.Mapped(1) || g.gl.Mapped(2) {
		t.Error("half a batch stayed mapped")
	}
	g.want("map the good one", g.d.GraphicsMapResources(g.ctx, []driver.Resource{small}, g.s), driver.Success)
	g.gl.Lose = true
	g.want("unmap that loses", g.d.GraphicsUnmapResources(g.ctx, []driver.Resource{small}, g.s), driver.ContentsLost)
	g.want("it is unmapped", g.d.GraphicsUnregisterResource(g.ctx, small), driver.Success)
}

func TestUnmapWaitsForTheStreamItIsGiven(t *testing.T) {
	g := newGraphics(t)
	r := g.register(64)
	m, _, c := g.d.ModuleLoadDataEx(g.ctx, driver.Image{Host: map[string]driver.HostKernel{
		"slow": func(p unsafe.Pointer, _ driver.Work) {
			time.Sleep(10 * time.Millisecond)
			u := *(*uintptr)(p)
			**(**byte)(unsafe.Pointer(&u)) = 9
		},
	}})
	g.want("load", c, driver.Success)
	f, c := g.d.ModuleGetFunction(g.ctx, m, "slow")
	g.want("function", c, driver.Success)
	rs := []driver.Resource{r}
	g.want("map", g.d.GraphicsMapResources(g.ctx, rs, g.s), driver.Success)
	p, _, _ := g.d.GraphicsResourceGetMappedPointer(g.ctx, r)
	g.want("launch", g.d.LaunchKernel(g.ctx, f, driver.Shape{N: 1, Block: 256}, g.s, unsafe.Pointer(&p), 8), driver.Success)
	g.want("unmap", g.d.GraphicsUnmapResources(g.ctx, rs, g.s), driver.Success)
	if got := g.gl.Bytes(1)[0]; got != 9 {
		t.Errorf("OpenGL has %d before the kernel's 9", got)
	}
	g.want("unload", g.d.ModuleUnload(g.ctx, m), driver.Success)
	g.want("launch after unload", g.d.LaunchKernel(g.ctx, f, driver.Shape{N: 1, Block: 256}, g.s, unsafe.Pointer(&p), 8), driver.InvalidHandle)
}
