// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/kernels"
	"particles/render/egl"
	"particles/render/gl"
)

// Each frame a kernel draws on the mapping stream, nobody waits for it, and OpenGL
// must show this frame's pixels, not the last one's: mapping and unmapping are all
// that orders the two.
func TestThousandFramesShowTheirOwnPixels(t *testing.T) {
	everywhere(t, func(b *bed) {
		frames := 1000
		if testing.Short() || b.d.Properties().HostMemory {
			frames = 200 // the CPU draws these, and OpenGL in software reads them
		}
		const side = 128
		k := fill(b.T, b.c)
		tex := b.g.NewTexture(b.T, driver.Texture2D, glRGBA8, side, side, 1, 1)
		img, err := b.in.RegisterImage(tex, driver.Texture2D, interop.ImageSurface|interop.ImageWriteDiscard)
		b.must(err)
		buf := b.register(interop.WriteDiscard)
		p := kernels.ImageFill{Width: side, Height: side, N: side * side}
		draw := func(a interop.Array) error {
			p.Surface = a.Surface()
			return interop.Launch(k, b.s, int(p.N), &p)
		}
		stamp := func(m interop.Buffer) error { return m.Fill(b.s, p.Phase, 4) }
		for frame := range uint32(frames) {
			p.Phase = frame
			b.must(img.WithMapped(b.s, 0, 0, draw))
			b.must(buf.WithMapped(b.s, stamp))
			if got := b.g.Texels(b.T, tex, driver.Texture2D, 0, 0, 4*side*side); !bytes.Equal(got, picture(p)) {
				b.Fatalf("frame %d: OpenGL shows other pixels", frame)
			}
			got := b.g.Bytes(buf.Name(), caseSize)
			if first, last := *(*uint32)(unsafe.Pointer(&got[0])), *(*uint32)(unsafe.Pointer(&got[caseSize-4])); first != frame || last != frame {
				b.Fatalf("frame %d: OpenGL's buffer is of frames %d and %d", frame, first, last)
			}
		}
		for _, c := range b.d.Calls() {
			if b.shared() && (c.Name == "cuStreamSynchronize" || c.Name == "cuCtxSynchronize" || c.Name == "cuEventSynchronize") {
				b.Fatalf("the host waited: %s", c)
			}
		}
	})
}

// TestDeviceMemoryStaysFlat: nothing is kept by mapping often or registering often.
func TestDeviceMemoryStaysFlat(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		maps, cycles := 10_000, 1000
		if testing.Short() || raceEnabled {
			maps, cycles = 1000, 100
		}
		const size = 1 << 20
		name, again := g.NewBuffer(t, size), g.NewBuffer(t, size)
		tex := g.NewTexture(t, driver.Texture2D, glRGBA8, 64, 64, 1, 1)
		b, err := in.RegisterBuffer(name, size, interop.WriteDiscard)
		w.must(err)
		i, err := in.RegisterImage(tex, driver.Texture2D, interop.ImageSurface)
		w.must(err)
		nop, nopA := func(interop.Buffer) error { return nil }, func(interop.Array) error { return nil }
		// What the first uses keep (a driver's pools) is no leak.
		cycle := func() {
			x, err := in.MapBuffer(w.s, again, size, interop.WriteDiscard)
			w.must(err)
			w.must(x.Close())
		}
		round := func() {
			w.must(b.WithMapped(w.s, nop))
			w.must(i.WithMapped(w.s, 0, 0, nopA))
		}
		for range 20 {
			cycle()
			round()
		}
		w.must(w.c.Synchronize())
		before, stats := free(t, w.c), w.c.Stats()
		for range maps {
			round()
		}
		w.must(w.c.Synchronize())
		after := free(t, w.c)
		for range cycles {
			cycle()
		}
		w.must(w.c.Synchronize())
		last := free(t, w.c)
		if got := w.c.Stats(); got.Registrations != stats.Registrations || got.Mappings != 0 || got.Events != stats.Events {
			t.Errorf("stats %+v, before %+v", got, stats)
		}
		// A leak of a cycle's buffer would be a gibibyte. Others may use the device too.
		const room = 64 << 20
		if w.c.Device().Driver == "cuda" && (before > after+room || after > last+room) {
			t.Errorf("free memory %d, after mapping %d, after registering %d", before, after, last)
		}
	})
}

func free(t *testing.T, c *interop.Context) uint64 {
	t.Helper()
	n, _, err := c.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The five things of a mapping, and every order of closing them.
var closers = []string{"buffer", "resource", "stream", "interop", "context"}

func permutations(list []string) [][]string {
	if len(list) == 1 {
		return [][]string{list}
	}
	var out [][]string
	for i := range list {
		rest := append(append([]string{}, list[:i]...), list[i+1:]...)
		for _, p := range permutations(rest) {
			out = append(out, append([]string{list[i]}, p...))
		}
	}
	return out
}

func TestClosingInEveryOrderDoesWhatTheContractSays(t *testing.T) {
	for _, copied := range []bool{false, true} {
		t.Run(map[bool]string{false: "direct", true: "copied"}[copied], func(t *testing.T) {
			testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
				testenv.EGL(t)        // skips without OpenGL
				testenv.Context(t, d) // so that CUDA's context is made once, and outlives what is abandoned in it
				for _, order := range permutations(closers) {
					closeIn(t, d, copied, order)
				}
			})
		})
	}
}

func closeIn(t *testing.T, d driver.Driver, copied bool, order []string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v: %v", order, err)
		}
	}
	window, err := egl.New(egl.Options{})
	must(err)
	defer window.Close()
	must(window.MakeCurrent())
	must(gl.Init(window.ProcAddr))
	c, err := interop.NewContext(d, 0)
	must(err)
	open := c.OpenGL
	if copied {
		open = c.OpenGLCopied
	}
	in, err := open(gl.NewSharing(window.Current))
	if errors.Is(err, interop.ErrUnavailable) {
		must(c.Close())
		testenv.Missing(t, "gpu", "needs OpenGL on the CUDA device: %v", err)
	}
	must(err)
	s, err := c.NewStream(interop.StreamOptions{})
	must(err)
	name := gl.CreateBuffer()
	gl.NamedBufferStorage(name, caseSize, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
	b, err := in.RegisterBuffer(name, caseSize, interop.ReadWrite)
	must(err)
	m, err := b.Map(s)
	must(err)
	must(m.Fill(s, 1, 1))
	must(s.Synchronize()) // a kernel must not write into what OpenGL frees

	there, mapped, registered, open2 := true, true, true, true
	check := func(what string, err, want error) {
		t.Helper()
		if (err == nil) != (want == nil) || !errors.Is(err, want) {
			t.Errorf("%v: closing the %s answers %v, want %v", order, what, err, want)
		}
	}
	gone := func(needs bool) error { // what needs OpenGL is refused without it
		if needs && !there {
			return interop.ErrNoGLContext
		}
		return nil
	}
	for _, what := range order {
		switch what {
		case "buffer":
			check(what, m.Close(), gone(mapped))
			mapped = mapped && !there
		case "resource":
			check(what, b.Close(), gone(registered))
			registered, mapped = registered && !there, mapped && !there
		case "stream":
			check(what, s.Close(), nil)
		case "interop":
			check(what, in.Close(), gone(registered))
			open2 = registered && !there
			registered, mapped = registered && !there, mapped && !there
		case "context":
			must(window.Close())
			there = false
		}
		if (m.DevicePtr() != 0) != mapped || b.IsMapped() != mapped || c.Stats().Mappings != count(mapped) || c.Stats().Registrations != count(registered) {
			t.Errorf("%v, after the %s: %v of %v, %+v; mapped should be %t, registered %t", order, what, m, b, c.Stats(), mapped, registered)
		}
	}
	// With OpenGL gone first, the contract's way out.
	if registered {
		wantErr(t, c.Close(), interop.ErrNoGLContext)
		must(in.Abandon())
	}
	if open2 {
		must(in.Close())
	}
	if m.DevicePtr() != 0 || m.Close() != nil || b.Close() != nil {
		t.Errorf("%v: %v and %v live on", order, m, b)
	}
	if st := c.Stats(); !st.Zero() {
		t.Errorf("%v: left %+v", order, st)
	}
	must(c.Close())
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestAbandonIsRefusedWhileTheContextIsThere(t *testing.T) {
	r := newRig(t)
	i := r.image(4, 4, interop.ImageSurface)
	a, err := i.Map(r.s, 0, 0)
	r.must(err)
	m, err := r.in.MapBuffer(r.s, r.gl.NewBuffer(64), 64, interop.ReadWrite)
	r.must(err)
	wantErr(t, r.in.Abandon(), interop.ErrArgument, "use Close")
	if m.Size() != 64 || a.Surface() == 0 {
		t.Error("a refused Abandon changed something")
	}
	r.gl.Current = 0
	r.must(r.in.Abandon())
	r.must(r.in.Abandon())
	if m.Size() != 0 || a.Surface() != 0 || i.IsMapped() || r.c.Stats().Registrations != 0 || r.c.Stats().Mappings != 0 {
		t.Errorf("abandoned: %v, %v, %v, %+v", m, a, i, r.c.Stats())
	}
	r.must(m.Close())
	r.must(a.Close())
	r.must(i.Close())
	_, err = r.in.RegisterBuffer(1, 64, 0)
	wantErr(t, err, interop.ErrClosed)
	if got := fmt.Sprint(r.in.Close()); got != "<nil>" {
		t.Errorf("close after: %s", got)
	}
}
