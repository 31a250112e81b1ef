// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/kernels"
	"particles/render/gl"
)

// null answers the three graphics calls of a mapping at once, so that what is
// measured is this package's own work.
type null struct {
	driver.Driver
	memory [caseSize]byte
}

func (n *null) GraphicsMapResources(driver.Ctx, []driver.Resource, driver.Stream) driver.Code {
	return driver.Success
}

func (n *null) GraphicsUnmapResources(driver.Ctx, []driver.Resource, driver.Stream) driver.Code {
	return driver.Success
}

func (n *null) GraphicsResourceGetMappedPointer(driver.Ctx, driver.Resource) (driver.DevicePtr, int, driver.Code) {
	return driver.DevicePtr(uintptr(unsafe.Pointer(&n.memory))), caseSize, driver.Success
}

// BenchmarkGoCost is the cost of WithMapped above the driver's calls: a driver
// that does nothing.
func BenchmarkGoCost(b *testing.B) {
	ctx, g := testenv.Context(b, &null{Driver: testenv.Host(b)}), testenv.NewFakeGL()
	in, err := ctx.OpenGL(g)
	if err != nil {
		b.Fatal(err)
	}
	f := newFrame(b, ctx, in, []uint32{g.NewBuffer(caseSize), g.NewBuffer(caseSize), g.NewBuffer(caseSize)}, caseSize)
	one, all := func(interop.Buffer) error { return nil }, func([]interop.Buffer) error { return nil }
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f.bs[0].WithMapped(f.s, one); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("three", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := in.WithMappedAll(f.s, f.bs, all); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// onReal runs a benchmark on real OpenGL, for each driver.
func onReal(b *testing.B, f func(b *testing.B, c *interop.Context, g *testenv.GL, in *interop.GLInterop)) {
	for _, d := range []struct {
		name string
		d    func(testing.TB) driver.Driver
	}{{"host", testenv.Host}, {"cuda", testenv.CUDA}} {
		b.Run(d.name, func(b *testing.B) {
			drv, g := d.d(b), testenv.EGL(b)
			ctx := testenv.Context(b, drv)
			in, err := ctx.OpenGL(g)
			if err != nil {
				b.Skipf("needs OpenGL on the CUDA device: %v", err)
			}
			f(b, ctx, g, in)
		})
	}
}

// sub is b.Run with OpenGL's context on the sub-benchmark's own thread.
func sub(b *testing.B, g *testenv.GL, name string, f func(b *testing.B)) {
	b.Helper()
	if err := g.Context.Release(); err != nil {
		b.Fatal(err)
	}
	b.Run(name, func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := g.Context.MakeCurrent(); err != nil {
			b.Fatal(err)
		}
		defer g.Context.Release()
		b.ReportAllocs()
		f(b)
	})
	if err := g.Context.MakeCurrent(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMap is one buffer of 16 MiB: the driver's calls alone, then WithMapped
// with nothing and with a prepared kernel in it, then as one buffer of eight.
func BenchmarkMap(b *testing.B) {
	onReal(b, func(b *testing.B, c *interop.Context, g *testenv.GL, in *interop.GLInterop) {
		const size, n = 16 << 20, 8
		var names []uint32
		for range n {
			names = append(names, g.NewBuffer(b, size))
		}
		f := newFrame(b, c, in, names, size)
		d, s, rs := c.Driver(), f.s.Handle(), []driver.Resource{f.bs[0].Handle()}
		nop, nops := func(interop.Buffer) error { return nil }, func([]interop.Buffer) error { return nil }
		sub(b, g, "driver calls alone", func(b *testing.B) {
			for b.Loop() {
				code := d.GraphicsMapResources(c.Handle(), rs, s)
				_, _, code2 := d.GraphicsResourceGetMappedPointer(c.Handle(), rs[0])
				if code3 := d.GraphicsUnmapResources(c.Handle(), rs, s); code|code2|code3 != 0 {
					b.Fatal(code, code2, code3)
				}
			}
		})
		run := func(name string, once func() error) {
			sub(b, g, name, func(b *testing.B) {
				for b.Loop() {
					if err := once(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("WithMapped", func() error { return f.bs[0].WithMapped(f.s, nop) })
		run("WithMapped and launch", func() error { return f.bs[0].WithMapped(f.s, f.one) })
		run("eight in one call", func() error { return in.WithMappedAll(f.s, f.bs, nops) })
		run("eight one by one", func() error {
			for _, x := range f.bs {
				if err := x.WithMapped(f.s, nop); err != nil {
					return err
				}
			}
			return nil
		})
		if err := f.s.Synchronize(); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkMapMutable is what asking OpenGL at each map costs.
func BenchmarkMapMutable(b *testing.B) {
	onReal(b, func(b *testing.B, c *interop.Context, g *testenv.GL, in *interop.GLInterop) {
		const size = 1 << 20
		s, err := c.NewStream(interop.StreamOptions{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		name := gl.CreateBuffer()
		defer gl.DeleteBuffer(name)
		gl.NamedBufferData(name, size, nil, gl.StreamDraw)
		defer in.Close()
		for access, name := range map[interop.Access]uint32{
			interop.WriteDiscard: g.NewBuffer(b, size), interop.WriteDiscard | interop.Mutable: name,
		} {
			x, err := in.RegisterBuffer(name, size, access)
			if err != nil {
				b.Fatal(err)
			}
			nop := func(interop.Buffer) error { return nil }
			sub(b, g, access.String(), func(b *testing.B) {
				for b.Loop() {
					if err := x.WithMapped(s, nop); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		sub(b, g, "the question alone", func(b *testing.B) {
			for b.Loop() {
				g.BufferInfo(name)
			}
		})
	})
}

// BenchmarkRegister is a register and close, which a program should do once.
func BenchmarkRegister(b *testing.B) {
	onReal(b, func(b *testing.B, _ *interop.Context, g *testenv.GL, in *interop.GLInterop) {
		for _, size := range []int{1 << 20, 256 << 20} {
			name := g.NewBuffer(b, size)
			sub(b, g, fmt.Sprintf("%d MiB", size>>20), func(b *testing.B) {
				for b.Loop() {
					x, err := in.RegisterBuffer(name, size, interop.WriteDiscard)
					if err == nil {
						err = x.Close()
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

// BenchmarkImage is mapping a texture, and a kernel that draws all of it.
func BenchmarkImage(b *testing.B) {
	onReal(b, func(b *testing.B, c *interop.Context, g *testenv.GL, in *interop.GLInterop) {
		const w, h = 1920, 1080
		s, err := c.NewStream(interop.StreamOptions{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		k := fill(b, c)
		img, err := in.RegisterImage(g.NewTexture(b, driver.Texture2D, glRGBA8, w, h, 1, 1), driver.Texture2D, interop.ImageSurface|interop.ImageWriteDiscard)
		if err != nil {
			b.Fatal(err)
		}
		defer in.Close()
		p := kernels.ImageFill{Width: w, Height: h, N: w * h}
		for name, body := range map[string]func(interop.Array) error{
			"WithMapped": func(interop.Array) error { return nil },
			"WithMapped and launch": func(a interop.Array) error {
				p.Surface = a.Surface()
				return interop.Launch(k, s, w*h, &p)
			},
		} {
			sub(b, g, name, func(b *testing.B) {
				for b.Loop() {
					if err := img.WithMapped(s, 0, 0, body); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}
