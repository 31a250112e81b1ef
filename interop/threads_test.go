// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

// In CUDA a registration belongs to one context; this package refuses to mix them.
func TestThingsOfAnotherContextAreRefusedByMappings(t *testing.T) {
	everywhere(t, func(b *bed) {
		other, err := interop.NewContext(b.d, 0)
		b.must(err)
		s2, err := other.NewStream(interop.StreamOptions{})
		b.must(err)
		buf, err := other.Alloc(32 * 16 * 4)
		b.must(err)
		g, i := b.register(0), b.image(0)
		b.d.Take()
		_, err = g.Map(s2)
		wantErr(b.T, err, interop.ErrWrongContext)
		_, err = i.Map(s2, 0, 0)
		wantErr(b.T, err, interop.ErrWrongContext)
		_, err = b.in.MapBuffer(s2, g.Name(), 64, 0)
		wantErr(b.T, err, interop.ErrWrongContext)
		b.none()
		b.must(i.WithMapped(b.s, 0, 0, func(a interop.Array) error {
			wantErr(b.T, a.CopyTo(b.s, buf), interop.ErrWrongContext)
			return nil
		}))
		m, err := g.Map(b.s)
		b.must(err)
		wantErr(b.T, m.SetReleaseStream(s2), interop.ErrWrongContext)
		b.must(m.Close())
		b.must(errors.Join(buf.Close(), s2.Close(), other.Close()))
		b.must(g.WithMapped(b.s, func(interop.Buffer) error { return nil }))
	})
}

// Another OpenGL context on the same thread is as wrong as none, and switching back cures it.
func TestAnotherGLContextIsRefusedAndSwitchingBackWorks(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, i := b.register(0), b.image(interop.ImageSurface)
		m, err := g.Map(b.s)
		b.must(err)
		a, err := i.Map(b.s, 0, 0)
		b.must(err)
		free, freeImage := b.register(0), b.image(interop.ImageSurface)
		second := testenv.SecondGL(b.T)
		b.d.Take()
		_, err = free.Map(b.s)
		wantErr(b.T, err, interop.ErrWrongGLContext)
		_, err = freeImage.Map(b.s, 0, 0)
		wantErr(b.T, err, interop.ErrWrongGLContext)
		_, err = b.in.MapBuffer(b.s, 1, 64, 0)
		wantErr(b.T, err, interop.ErrWrongGLContext)
		for _, err := range []error{m.Close(), a.Close(), g.Close(), i.Close(), b.in.Close(), b.c.Close()} {
			wantErr(b.T, err, interop.ErrWrongGLContext)
		}
		_, err = b.in.RegisterBuffer(1, 64, 0)
		wantErr(b.T, err, interop.ErrWrongGLContext)
		b.none()
		b.must(second.Close())
		b.must(b.g.Context.MakeCurrent())
		if m.Size() != caseSize || a.Bytes() == 0 {
			b.Error("a refused close changed something")
		}
		b.must(m.Close())
		b.must(a.Close())
		b.must(free.WithMapped(b.s, func(interop.Buffer) error { return nil }))
		b.must(freeImage.WithMapped(b.s, 0, 0, func(interop.Array) error { return nil }))
	})
}

func TestSeveralMappingsLiveOnDifferentStreams(t *testing.T) {
	everywhere(t, func(b *bed) {
		const n = 4
		var ss [n]*interop.Stream
		var bs [n]*interop.GLBuffer
		var ms [n]interop.Buffer
		var err error
		for k := range n {
			ss[k], bs[k] = b.stream(), b.register(interop.WriteDiscard)
			ms[k], err = bs[k].Map(ss[k])
			b.must(err)
		}
		i := b.image(interop.ImageSurface | interop.ImageWriteDiscard)
		src, err := b.c.Alloc(32 * 16 * 4)
		b.must(err)
		a, err := i.Map(ss[1], 0, 0)
		b.must(err)
		for k := range n {
			b.must(ms[k].Fill(ss[k], uint32(40+k), 1))
		}
		b.must(src.Fill(ss[1], 0x77, 1))
		b.must(a.CopyFrom(ss[1], src))
		for _, k := range []int{2, 0, 3, 1} { // in another order
			b.must(ms[k].Close())
		}
		b.must(a.Close())
		for k := range n {
			if got := b.g.Bytes(bs[k].Name(), caseSize); !bytes.Equal(got, bytes.Repeat([]byte{byte(40 + k)}, caseSize)) {
				b.Errorf("buffer %d holds another stream's bytes", k)
			}
			b.must(ss[k].Close())
		}
		if got := b.g.Texels(b.T, i.Name(), driver.Texture2D, 0, 0, 32*16*4); !bytes.Equal(got, bytes.Repeat([]byte{0x77}, 32*16*4)) {
			b.Error("the texture holds other texels")
		}
		b.must(src.Close())
	})
}

// Case 75 with a mapping: one stream computes, another publishes what it computed.
func TestCase75EventsOrderStreamsAroundAMapping(t *testing.T) {
	everywhere(t, func(b *bed) {
		compute, g := b.stream(), b.register(interop.WriteDiscard)
		state, err := b.c.Alloc(caseSize)
		b.must(err)
		done, err := b.c.NewEvent(interop.EventOptions{})
		b.must(err)
		for k := range 50 {
			b.must(state.Fill(compute, uint32(k), 1))
			b.must(done.Record(compute))
			b.must(b.s.WaitEvent(done))
			b.must(g.WithMapped(b.s, func(m interop.Buffer) error { return m.CopyFrom(b.s, state) }))
			if got := b.g.Bytes(g.Name(), caseSize); got[0] != byte(k) || got[caseSize-1] != byte(k) {
				b.Fatalf("round %d: OpenGL has %d and %d", k, got[0], got[caseSize-1])
			}
			b.must(compute.Synchronize()) // the next fill must not run into this copy
		}
		b.must(errors.Join(done.Close(), state.Close(), compute.Close()))
	})
}
