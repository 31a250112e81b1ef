// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

// frame is what a program does each frame, with the closure made once.
type frame struct {
	in   *interop.GLInterop
	s    *interop.Stream
	bs   []*interop.GLBuffer
	k    *interop.Kernel
	e    *interop.Event
	body func([]interop.Buffer) error
	one  func(interop.Buffer) error
	err  error
}

type frameParams struct {
	out driver.DevicePtr
	n   int64
}

func newFrame(t testing.TB, c *interop.Context, in *interop.GLInterop, names []uint32, size int) *frame {
	t.Helper()
	f := &frame{in: in}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	f.s, err = c.NewStream(interop.StreamOptions{})
	must(err)
	f.e, err = c.NewEvent(interop.EventOptions{})
	must(err)
	for _, name := range names {
		b, err := in.RegisterBuffer(name, size, interop.WriteDiscard)
		must(err)
		f.bs = append(f.bs, b)
	}
	m, err := c.LoadModule(driver.Image{Name: "nop", PTX: []byte(nopPTX), Host: map[string]driver.HostKernel{"nop": func(unsafe.Pointer, driver.Work) {}}})
	must(err)
	f.k, err = m.Kernel("nop")
	must(err)
	f.body = func(ms []interop.Buffer) error {
		for _, m := range ms {
			if err := f.one(m); err != nil {
				return err
			}
		}
		return nil
	}
	f.one = func(m interop.Buffer) error {
		p := frameParams{out: m.DevicePtr(), n: int64(m.Size())} // on the stack
		return interop.Launch(f.k, f.s, 1000, &p)
	}
	t.Cleanup(func() {
		must(in.Close())
		must(m.Close())
		must(f.e.Close())
		must(f.s.Close())
	})
	return f
}

// nopPTX is a kernel that does nothing, for the lowest target that today's
// drivers take.
const nopPTX = `.version 6.3
.target sm_52
.address_size 64
.visible .entry nop(.param .align 8 .b8 p[16])
{
	ret;
}
`

func (f *frame) run() {
	if f.err == nil {
		f.err = f.in.WithMappedAll(f.s, f.bs, f.body)
	}
	if f.err == nil {
		f.err = f.bs[0].WithMapped(f.s, f.one)
	}
	if f.err == nil {
		f.err = f.e.Record(f.s)
	}
	if f.err == nil {
		_, f.err = f.e.Done()
	}
	if f.err == nil {
		_, f.err = f.s.Query()
	}
}

// rigs runs f for every tier that this machine can try without OpenGL.
func rigs(t *testing.T, run func(t *testing.T, f *frame)) {
	for _, c := range []struct {
		name   string
		d      func(testing.TB) driver.Driver
		copied bool
	}{
		{"host", testenv.Host, false},
		{"host copied", testenv.Host, true},
		{"stand-in shared", func(t testing.TB) driver.Driver { return testenv.FakeCUDA(t) }, false},
		{"stand-in copied", func(t testing.TB) driver.Driver { return testenv.FakeCUDA(t) }, true},
		{"cuda copied", testenv.CUDA, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			gl := testenv.NewFakeGL()
			ctx := testenv.Context(t, c.d(t))
			open := ctx.OpenGL
			if c.copied {
				open = ctx.OpenGLCopied
			}
			in, err := open(gl)
			if err != nil {
				t.Fatal(err)
			}
			run(t, newFrame(t, ctx, in, []uint32{gl.NewBuffer(4096), gl.NewBuffer(4096), gl.NewBuffer(4096)}, 4096))
		})
	}
}

func TestFrameAllocatesNothing(t *testing.T) {
	rigs(t, func(t *testing.T, f *frame) {
		allocs := testing.AllocsPerRun(200, f.run)
		if f.err != nil {
			t.Fatal(f.err)
		}
		if allocs != 0 && !raceEnabled {
			t.Errorf("%v allocations a frame, want 0", allocs)
		}
	})
}

func benchmarkFrame(b *testing.B, d driver.Driver, copied bool) {
	gl := testenv.NewFakeGL()
	ctx := testenv.Context(b, d)
	open := ctx.OpenGL
	if copied {
		open = ctx.OpenGLCopied
	}
	in, err := open(gl)
	if err != nil {
		b.Fatal(err)
	}
	f := newFrame(b, ctx, in, []uint32{gl.NewBuffer(4096)}, 4096)
	nop := func(interop.Buffer) error { return nil }
	b.Run("map and unmap", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f.bs[0].WithMapped(f.s, nop); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("launch", func(b *testing.B) {
		b.ReportAllocs()
		var p frameParams
		for b.Loop() {
			if err := interop.Launch(f.k, f.s, 1, &p); err != nil {
				b.Fatal(err)
			}
		}
		if err := f.s.Synchronize(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkHost(b *testing.B)    { benchmarkFrame(b, testenv.Host(b), false) }
func BenchmarkStandIn(b *testing.B) { benchmarkFrame(b, testenv.FakeCUDA(b), false) }
func BenchmarkCUDACopied(b *testing.B) {
	benchmarkFrame(b, testenv.CUDA(b), true)
}
