// SPDX-License-Identifier: Apache-2.0

// Package glxtest tries sharing with the OpenGL of a window (GLX in an X server),
// where the other tests use one without a window (EGL): drivers take other paths.
package glxtest

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
	"particles/kernels"
	"particles/render/gl"
	"particles/render/window"
)

const rgba8 = 0x8058

// display gives the test an X server: the one of the session, or one without a screen.
func display(t *testing.T) {
	t.Helper()
	if os.Getenv("DISPLAY") != "" {
		return
	}
	t.Setenv("DISPLAY", testenv.XServer(t, "640x480"))
}

// bed is a window's OpenGL shared with a driver.
type bed struct {
	*testing.T
	c    *interop.Context
	glx  *gl.Sharing
	in   *interop.GLInterop
	s    *interop.Stream
	d    *interoptest.Driver
	name string
}

func (b *bed) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// everywhere runs f on a window's OpenGL for every driver and tier.
func everywhere(t *testing.T, f func(b *bed)) {
	display(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w, err := window.New(window.Options{W: 64, H: 64, Title: "interop"})
	if errors.Is(err, window.ErrNoDisplay) {
		testenv.Missing(t, "display", "needs an X display: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	sharing := gl.NewSharing(w.Current)
	_, renderer, version := sharing.Describe()
	t.Logf("OpenGL %s on %s", version, renderer)
	for _, c := range []struct {
		name   string
		d      func(testing.TB) (driver.Driver, error)
		copied bool
	}{
		{"host", host, false}, {"host copied", host, true}, {"cuda", testenv.OpenCUDA, false}, {"cuda copied", testenv.OpenCUDA, true},
	} {
		// Not as subtests: those have threads of their own, and the window has this one.
		inner, err := c.d(t)
		if err != nil {
			t.Logf("%s left out: needs an NVIDIA GPU: %v", c.name, err)
			continue
		}
		b := &bed{T: t, glx: sharing, d: interoptest.New(interoptest.Options{Inner: inner}), name: c.name}
		b.c, err = interop.NewContext(b.d, 0)
		b.must(err)
		open := b.c.OpenGL
		if c.copied {
			open = b.c.OpenGLCopied
		}
		if b.in, err = open(sharing); errors.Is(err, interop.ErrUnavailable) {
			t.Logf("%s left out: needs OpenGL on the CUDA device: %v", c.name, err)
			b.must(b.c.Close())
			continue
		}
		b.must(err)
		b.s, err = b.c.NewStream(interop.StreamOptions{})
		b.must(err)
		f(b)
		b.must(errors.Join(b.in.Close(), b.s.Close(), b.c.Close()))
		b.d.Clean(t)
		if e := gl.GetError(); e != gl.NoError {
			t.Errorf("%s: OpenGL error %#x", c.name, e)
		}
	}
}

func host(t testing.TB) (driver.Driver, error) { return testenv.Host(t), nil }

func TestCase71WindowReadsWhatWasFilled(t *testing.T) {
	everywhere(t, func(b *bed) {
		const size = 1 << 16
		name := gl.CreateBuffer()
		defer gl.DeleteBuffer(name)
		gl.NamedBufferStorage(name, size, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
		g, err := b.in.RegisterBuffer(name, size, interop.WriteDiscard)
		b.must(err)
		for round := range 20 {
			b.must(g.WithMapped(b.s, func(m interop.Buffer) error { return m.Fill(b.s, uint32(0x42+round), 1) }))
			got := make([]byte, size)
			b.glx.ReadBuffer(name, unsafe.Pointer(&got[0]), size)
			if !bytes.Equal(got, bytes.Repeat([]byte{byte(0x42 + round)}, size)) {
				b.Fatalf("%s, round %d: OpenGL reads other bytes", b.name, round)
			}
		}
		b.must(g.Close())
	})
}

func TestKernelDrawsIntoAWindowsTexture(t *testing.T) {
	everywhere(t, func(b *bed) {
		set, err := kernels.Load(b.c, kernels.Auto)
		b.must(err)
		defer set.Close()
		k, err := set.Kernel("imagefill", "image_fill")
		b.must(err)
		const w, h = 130, 70
		name := gl.CreateTexture(driver.Texture2D)
		defer gl.DeleteTexture(name)
		gl.TextureStorage2D(name, 1, rgba8, w, h)
		img, err := b.in.RegisterImage(name, driver.Texture2D, interop.ImageSurface|interop.ImageWriteDiscard)
		b.must(err)
		p := kernels.ImageFill{Width: w, Height: h, N: w * h}
		for phase := range uint32(20) {
			p.Phase = phase
			b.must(img.WithMapped(b.s, 0, 0, func(a interop.Array) error {
				p.Surface = a.Surface()
				return interop.Launch(k, b.s, int(p.N), &p)
			}))
			got := make([]uint32, w*h)
			if !b.glx.ReadTexture(name, driver.Texture2D, 0, 0, unsafe.Pointer(&got[0]), 4*w*h) {
				b.Fatal("OpenGL does not read the texture")
			}
			for i, v := range got {
				if want := p.Texel(uint32(i%w), uint32(i/w)); v != want {
					b.Fatalf("%s, phase %d: texel %d is %#x, want %#x", b.name, phase, i, v, want)
				}
			}
		}
		b.must(img.Close())
		b.must(set.Close())
	})
}

func TestCase41And49BatchesAndClosingWhileMapped(t *testing.T) {
	everywhere(t, func(b *bed) {
		var bs []*interop.GLBuffer
		for range 3 {
			name := gl.CreateBuffer()
			defer gl.DeleteBuffer(name)
			gl.NamedBufferStorage(name, 4096, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
			g, err := b.in.RegisterBuffer(name, 4096, interop.ReadWrite)
			b.must(err)
			bs = append(bs, g)
		}
		b.must(b.in.WithMappedAll(b.s, bs, func(ms []interop.Buffer) error {
			for i, m := range ms {
				if err := m.Fill(b.s, uint32(i+1), 4); err != nil {
					return err
				}
			}
			return nil
		}))
		m, err := bs[1].Map(b.s)
		b.must(err)
		done := make(chan error)
		go func() { done <- m.Close() }() // another thread has no window context
		if err := <-done; !errors.Is(err, interop.ErrNoGLContext) {
			b.Errorf("%s: closing on another thread: %v", b.name, err)
		}
		b.must(b.in.Close())
		if m.Size() != 0 {
			b.Error("the mapping outlived the interop")
		}
	})
}

func TestCase64FailedWindowLeavesTheContextCurrent(t *testing.T) {
	everywhere(t, func(b *bed) {
		before := b.glx.CurrentContext()
		if w, err := window.New(window.Options{W: 64, H: 64}); err == nil { // there is one already
			w.Close()
			b.Fatal("a second window was made")
		}
		if after := b.glx.CurrentContext(); after != before || after == 0 {
			b.Errorf("%s: context %#x before, %#x after", b.name, before, after)
		}
	})
}
