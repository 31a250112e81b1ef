// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/render/gl"
)

// withGL runs f for each driver and tier on a real OpenGL context.
func withGL(t *testing.T, f func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop)) {
	for _, copied := range []bool{false, true} {
		name := "direct"
		if copied {
			name = "copied"
		}
		t.Run(name, func(t *testing.T) {
			testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
				g := testenv.EGL(t)
				w := newWork(t, d, 1<<16)
				open := w.c.OpenGL
				if copied {
					open = w.c.OpenGLCopied
				}
				in, err := open(g)
				if errors.Is(err, interop.ErrUnavailable) {
					testenv.Missing(t, "gpu", "needs OpenGL on the CUDA device: %v", err)
				}
				w.must(err)
				defer func() {
					w.must(in.Close())
					g.NoErrors(t)
				}()
				f(t, w, g, in)
			})
		})
	}
}

func TestCase71OpenGLReadsWhatWasFilled(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		const n = 1 << 16
		var bs []*interop.GLBuffer
		for range 3 {
			b, err := in.RegisterBuffer(g.NewBuffer(t, n), n, interop.WriteDiscard)
			w.must(err)
			bs = append(bs, b)
		}
		for round := range 3 {
			w.must(in.WithMappedAll(w.s, bs, func(ms []interop.Buffer) error {
				for i, m := range ms {
					if err := m.Fill(w.s, uint32(0x42+i+round), 1); err != nil {
						return err
					}
				}
				return nil
			}))
			for i, b := range bs {
				if got := g.Bytes(b.Name(), n); !bytes.Equal(got, bytes.Repeat([]byte{byte(0x42 + i + round)}, n)) {
					t.Fatalf("round %d, buffer %d of tier %v: OpenGL reads other bytes", round, i, b.Tier())
				}
			}
		}
	})
}

func TestKernelSideReadsWhatOpenGLWrote(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		const n = 1 << 16
		b, err := in.RegisterBuffer(g.NewBuffer(t, n), n, interop.ReadWrite)
		w.must(err)
		src := make([]byte, n)
		for i := range src {
			src[i] = byte(i * 31)
		}
		g.WriteBuffer(b.Name(), unsafe.Pointer(&src[0]), n)
		w.must(b.WithMapped(w.s, func(m interop.Buffer) error {
			if err := m.CopyToHost(w.s, w.h, 0, n); err != nil {
				return err
			}
			part, err := m.Slice(0, 16)
			if err != nil {
				return err
			}
			return part.Fill(w.s, 7, 1)
		}))
		w.must(w.s.Synchronize())
		if !bytes.Equal(w.h.Bytes(), src) {
			t.Fatal("the kernel's side reads other bytes than OpenGL wrote")
		}
		copy(src, bytes.Repeat([]byte{7}, 16))
		if !bytes.Equal(g.Bytes(b.Name(), n), src) {
			t.Fatal("what was not written did not stay")
		}
	})
}

func TestMutableStorageOfRealOpenGLIsWatched(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		name := gl.CreateBuffer()
		defer gl.DeleteBuffer(name)
		gl.NamedBufferData(name, 4096, nil, gl.StreamDraw)
		_, err := in.RegisterBuffer(name, 4096, interop.WriteDiscard)
		wantErr(t, err, interop.ErrMutableStorage)
		b, err := in.RegisterBuffer(name, 4096, interop.WriteDiscard|interop.Mutable)
		w.must(err)
		w.must(b.WithMapped(w.s, func(m interop.Buffer) error { return m.Fill(w.s, 1, 1) }))
		gl.NamedBufferData(name, 8192, nil, gl.StreamDraw)
		wantErr(t, b.WithMapped(w.s, func(interop.Buffer) error { return nil }), interop.ErrSizeChanged)
		w.must(b.Close())
		b, err = in.RegisterBuffer(name, 8192, interop.WriteDiscard|interop.Mutable)
		w.must(err)
		w.must(b.WithMapped(w.s, func(m interop.Buffer) error { return m.Fill(w.s, 1, 1) }))
		w.must(b.Close())
	})
}

func TestWithoutACurrentContextNothingChanges(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		b, err := in.RegisterBuffer(g.NewBuffer(t, 4096), 4096, interop.WriteDiscard)
		w.must(err)
		m, err := b.Map(w.s)
		w.must(err)
		w.must(g.Context.Release())
		wantErr(t, m.Close(), interop.ErrNoGLContext)
		wantErr(t, b.Close(), interop.ErrNoGLContext)
		wantErr(t, w.c.Close(), interop.ErrNoGLContext)
		w.must(g.Context.MakeCurrent())
		w.must(m.Close())
		w.must(b.Close())
	})
}

func TestFrameOnRealOpenGLAllocatesNothing(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		f := newFrame(t, w.c, in, []uint32{g.NewBuffer(t, 4096), g.NewBuffer(t, 4096), g.NewBuffer(t, 4096)}, 4096)
		allocs := testing.AllocsPerRun(50, f.run)
		if f.err != nil {
			t.Fatal(f.err)
		}
		if allocs != 0 && !raceEnabled {
			t.Errorf("%v allocations a frame, want 0", allocs)
		}
	})
}

// BenchmarkMapUnmapShared is the cost to the drawing thread of one slot.
func BenchmarkMapUnmapShared(b *testing.B) {
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
			const size = 16 << 20
			f := newFrame(b, ctx, in, []uint32{g.NewBuffer(b, size)}, size)
			nop := func(interop.Buffer) error { return nil }
			b.ReportAllocs()
			for b.Loop() {
				if err := f.bs[0].WithMapped(f.s, nop); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
