// SPDX-License-Identifier: Apache-2.0

package interoptest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// raw is a driver with a context and a stream, used without interop: only so can
// rules be broken.
type raw struct {
	*testing.T
	d   *interoptest.Driver
	gl  *interoptest.GL
	ctx driver.Ctx
	s   driver.Stream
}

func newRaw(t *testing.T) *raw {
	r := &raw{T: t, d: interoptest.New(interoptest.Options{}), gl: interoptest.NewGL()}
	var a, b driver.Code
	r.ctx, a = r.d.DevicePrimaryCtxRetain(0)
	r.s, b = r.d.StreamCreateWithPriority(r.ctx, 0)
	if a != 0 || b != 0 {
		t.Fatal(a, b)
	}
	t.Cleanup(func() { r.d.DevicePrimaryCtxRelease(0) })
	r.d.Take()
	return r
}

func (r *raw) buffer() driver.Resource {
	r.Helper()
	x, code := r.d.GraphicsGLRegisterBuffer(r.ctx, r.gl, r.gl.NewBuffer(64), 0)
	if code != 0 {
		r.Fatal(code)
	}
	return x
}

func TestEveryBrokenRuleIsRefusedAndNoted(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(r *raw) driver.Code
		code driver.Code
		word string
	}{
		"default stream": {func(r *raw) driver.Code { return r.d.StreamSynchronize(r.ctx, 0) }, driver.InvalidHandle, "default stream"},
		"destroyed stream": {func(r *raw) driver.Code {
			r.d.StreamDestroy(r.ctx, r.s)
			return r.d.StreamQuery(r.ctx, r.s)
		}, driver.InvalidHandle, "not there"},
		"no context": {func(r *raw) driver.Code { return r.d.CtxSynchronize(99) }, driver.InvalidContext, "not retained"},
		"freed twice": {func(r *raw) driver.Code {
			p, _ := r.d.MemAlloc(r.ctx, 64)
			r.d.MemFree(r.ctx, p)
			return r.d.MemFree(r.ctx, p)
		}, driver.InvalidValue, "was freed"},
		"past the end": {func(r *raw) driver.Code {
			p, _ := r.d.MemAlloc(r.ctx, 64)
			return r.d.MemsetD8Async(r.ctx, p+32, 1, 33, r.s)
		}, driver.InvalidValue, "33 bytes"},
		"not pinned": {func(r *raw) driver.Code {
			p, _ := r.d.MemAlloc(r.ctx, 64)
			var x [64]byte
			return r.d.MemcpyHtoDAsync(r.ctx, p, unsafe.Pointer(&x), 64, r.s)
		}, driver.InvalidValue, "pinned"},
		"mapped twice": {func(r *raw) driver.Code {
			x := r.buffer()
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			return r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
		}, driver.AlreadyMapped, "is mapped"},
		"twice in one call": {func(r *raw) driver.Code {
			x := r.buffer()
			return r.d.GraphicsMapResources(r.ctx, []driver.Resource{x, x}, r.s)
		}, driver.AlreadyMapped, "given twice"},
		"unmapped twice": {func(r *raw) driver.Code {
			return r.d.GraphicsUnmapResources(r.ctx, []driver.Resource{r.buffer()}, r.s)
		}, driver.NotMapped, "not mapped"},
		"unregistered while mapped": {func(r *raw) driver.Code {
			x := r.buffer()
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			return r.d.GraphicsUnregisterResource(r.ctx, x)
		}, driver.AlreadyMapped, "is mapped"},
		"address while not mapped": {func(r *raw) driver.Code {
			_, _, c := r.d.GraphicsResourceGetMappedPointer(r.ctx, r.buffer())
			return c
		}, driver.NotMapped, "not mapped"},
		"array of a buffer": {func(r *raw) driver.Code {
			x := r.buffer()
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			_, c := r.d.GraphicsSubResourceGetMappedArray(r.ctx, x, 0, 0)
			return c
		}, driver.NotMappedAsArray, "is a buffer"},
		"address of a texture": {func(r *raw) driver.Code {
			x, _ := r.d.GraphicsGLRegisterImage(r.ctx, r.gl, r.gl.NewTexture(driver.Texture2D, 0x8058, 4, 4, 1, 1), driver.Texture2D, 0)
			_, _, c := r.d.GraphicsResourceGetMappedPointer(r.ctx, x)
			return c
		}, driver.NotMappedAsPointer, "is a texture"},
		"without OpenGL": {func(r *raw) driver.Code {
			x := r.buffer()
			r.gl.Current = 0
			return r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
		}, driver.InvalidGraphicsContext, "no OpenGL context"},
		"another OpenGL context": {func(r *raw) driver.Code {
			x := r.buffer()
			r.gl.Current = 7
			return r.d.GraphicsUnregisterResource(r.ctx, x)
		}, driver.InvalidGraphicsContext, "another OpenGL context"},
		"unmapped on a stream that does not wait": {func(r *raw) driver.Code {
			x := r.buffer()
			other, _ := r.d.StreamCreateWithPriority(r.ctx, 0)
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			return r.d.GraphicsUnmapResources(r.ctx, []driver.Resource{x}, other)
		}, driver.InvalidValue, "does not wait"},
		"used on a stream that does not wait for the map": {func(r *raw) driver.Code {
			x := r.buffer()
			other, _ := r.d.StreamCreateWithPriority(r.ctx, 0)
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			p, _, _ := r.d.GraphicsResourceGetMappedPointer(r.ctx, x)
			return r.d.MemsetD8Async(r.ctx, p, 1, 8, other)
		}, driver.InvalidValue, "uses a mapping"},
		"unmapped while another stream uses it": {func(r *raw) driver.Code {
			x := r.buffer()
			other, _ := r.d.StreamCreateWithPriority(r.ctx, 0)
			e, _ := r.d.EventCreate(r.ctx, driver.EventDisableTiming)
			m, _, _ := r.d.ModuleLoadDataEx(r.ctx, driver.Image{Host: map[string]driver.HostKernel{"k": func(unsafe.Pointer, driver.Work) {}}})
			f, _ := r.d.ModuleGetFunction(r.ctx, m, "k")
			r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
			p, _, _ := r.d.GraphicsResourceGetMappedPointer(r.ctx, x)
			r.d.EventRecord(r.ctx, e, r.s)
			r.d.StreamWaitEvent(r.ctx, other, e)
			params := [2]uint64{7, uint64(p) + 8} // a kernel that is given an address in it
			if c := r.d.LaunchKernel(r.ctx, f, driver.Shape{N: 1, Block: 256}, other, unsafe.Pointer(&params), 16); c != 0 {
				return c
			}
			return r.d.GraphicsUnmapResources(r.ctx, []driver.Resource{x}, r.s)
		}, driver.InvalidValue, "work on stream"},
		"surface destroyed twice": {func(r *raw) driver.Code { return r.d.SurfObjectDestroy(r.ctx, 5) }, driver.InvalidHandle, "not there"},
		"unloaded function": {func(r *raw) driver.Code {
			var p [2]uint64
			return r.d.LaunchKernel(r.ctx, 3, driver.Shape{N: 1, Block: 256}, r.s, unsafe.Pointer(&p), 16)
		}, driver.InvalidHandle, "no loaded module"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRaw(t)
			if got := c.do(r); got != c.code {
				t.Errorf("answer %v, want %v", got, c.code)
			}
			if v := r.d.Violations(); len(v) != 1 || !strings.Contains(v[0], c.word) {
				t.Errorf("violations %q; want one with %q", v, c.word)
			}
		})
	}
}

func TestUnmappingOnAStreamThatWaitsIsLawful(t *testing.T) {
	r := newRaw(t)
	x := r.buffer()
	other, _ := r.d.StreamCreateWithPriority(r.ctx, 0)
	e, _ := r.d.EventCreate(r.ctx, driver.EventDisableTiming)
	for _, wait := range []func(){
		func() { r.d.EventRecord(r.ctx, e, r.s); r.d.StreamWaitEvent(r.ctx, other, e) },
		func() { r.d.StreamSynchronize(r.ctx, r.s) },
		func() { r.d.CtxSynchronize(r.ctx) },
		func() { r.d.EventRecord(r.ctx, e, r.s); r.d.EventSynchronize(r.ctx, e) },
	} {
		r.d.GraphicsMapResources(r.ctx, []driver.Resource{x}, r.s)
		wait()
		if c := r.d.GraphicsUnmapResources(r.ctx, []driver.Resource{x}, other); c != 0 {
			t.Error(c)
		}
	}
	r.d.Lawful(t)
}

func TestFailuresComeWhenAskedFor(t *testing.T) {
	r := newRaw(t)
	sync := func() driver.Code { return r.d.StreamSynchronize(r.ctx, r.s) }
	query := func() driver.Code { return r.d.StreamQuery(r.ctx, r.s) }
	r.d.FailAt(2, driver.Unknown)
	if got := []driver.Code{sync(), sync(), sync()}; !slices.Equal(got, []driver.Code{0, driver.Unknown, 0}) {
		t.Errorf("the second of any: %v", got)
	}
	r.d.FailCall("cuStreamQuery", 2, driver.OutOfMemory)
	if got := []driver.Code{query(), sync(), query(), query()}; !slices.Equal(got, []driver.Code{0, 0, driver.OutOfMemory, 0}) {
		t.Errorf("the second of a name: %v", got)
	}
	r.d.FailCall("cuStreamQuery", 0, driver.Unknown)
	if got := []driver.Code{query(), sync(), query()}; !slices.Equal(got, []driver.Code{driver.Unknown, 0, driver.Unknown}) {
		t.Errorf("every one of a name: %v", got)
	}
	r.d.Heal()
	r.d.FailFrom(2, driver.LaunchFailed)
	if got := []driver.Code{query(), sync(), query()}; !slices.Equal(got, []driver.Code{0, driver.LaunchFailed, driver.LaunchFailed}) {
		t.Errorf("from the second on: %v", got)
	}
	r.d.Heal()
	if sync() != 0 {
		t.Error("healed, and still failing")
	}
	if n := len(r.d.Injected()); n != 6 {
		t.Errorf("%d injected, want 6", n)
	}
	calls := r.d.Take()
	if s := calls[1].String(); !strings.Contains(s, "cuStreamSynchronize(stream 0x") || !strings.Contains(s, "CUDA_ERROR_UNKNOWN, injected") {
		t.Errorf("text %q", s)
	}
	if names := interoptest.Names(calls); names[3] != "cuStreamQuery" || len(r.d.Take()) != 0 {
		t.Errorf("names %q", names)
	}
	r.d.Lawful(t)
}

// failures stands for a *testing.T.
type failures []string

func (f *failures) Helper()                           {}
func (f *failures) Errorf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func TestCleanNamesWhatIsHeld(t *testing.T) {
	d := interoptest.New(interoptest.Options{})
	ctx, err := interop.NewContext(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ctx.Alloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	var f failures
	d.Clean(&f)
	if len(f) != 1 || !strings.Contains(f[0], "1 contexts, 1 buffers, 4096 bytes in buffers") {
		t.Errorf("said %q", f)
	}
	if err := errors.Join(b.Close(), ctx.Close()); err != nil {
		t.Fatal(err)
	}
	d.Clean(t)
	// Released with something left.
	raw, _ := d.DevicePrimaryCtxRetain(0)
	d.StreamCreateWithPriority(raw, 0)
	d.DevicePrimaryCtxRelease(0)
	if v := d.Violations(); len(v) != 1 || !strings.Contains(v[0], "took with it: 1 streams") {
		t.Errorf("violations %q", v)
	}
}

func TestGLCountsBrokenRules(t *testing.T) {
	g := interoptest.NewGL()
	tex := g.NewTexture(driver.TextureCubeMap, 0x8058, 8, 8, 1, 2)
	b := make([]byte, 4*4*4)
	b[3] = 9
	p := unsafe.Pointer(&b[0])
	if !g.WriteTexture(tex, driver.TextureCubeMap, 1, 5, p, len(b)) || g.Texels(tex, 5, 1)[3] != 9 || g.Texels(tex, 4, 1)[3] != 0 {
		t.Error("a face was not written, or another was")
	}
	for _, c := range [][3]int{{2, 0, 64}, {1, 6, 64}, {1, 0, 60}, {-1, 0, 64}} {
		if g.ReadTexture(tex, driver.TextureCubeMap, c[0], c[1], p, c[2]) {
			t.Errorf("level %d, layer %d, %d bytes: read", c[0], c[1], c[2])
		}
	}
	if g.Broken != 2 { // the levels that are not there
		t.Errorf("%d broken", g.Broken)
	}
}

// Example is a user's test of a program that must not lose its buffer when
// mapping fails once.
func Example() {
	d := interoptest.New(interoptest.Options{Shared: true})
	gl := interoptest.NewGL()
	ctx, _ := interop.NewContext(d, 0)
	stream, _ := ctx.NewStream(interop.StreamOptions{})
	in, _ := ctx.OpenGL(gl)
	slot, _ := in.RegisterBuffer(gl.NewBuffer(64), 64, interop.WriteDiscard)

	frame := func() error {
		return slot.WithMapped(stream, func(b interop.Buffer) error { return b.Fill(stream, 1, 4) })
	}
	d.FailCall("cuGraphicsMapResources", 1, driver.OutOfMemory)
	d.Take()
	fmt.Println(errors.Is(frame(), interop.ErrOutOfMemory), frame())
	fmt.Println(interoptest.Names(d.Take()))

	fmt.Println(errors.Join(in.Close(), stream.Close(), ctx.Close()), d.State(), len(d.Violations()))
	// Output:
	// true <nil>
	// [cuGraphicsMapResources cuGraphicsMapResources cuGraphicsResourceGetMappedPointer cuMemsetD32Async cuGraphicsUnmapResources]
	// <nil> nothing 0
}
