// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

// Internal formats, as OpenGL numbers them (glcorearb.h).
const (
	glRGB8    = 0x8051
	glRGBA8   = 0x8058
	glR32F    = 0x822E
	glRGBA16F = 0x881A
	glR8      = 0x8229
)

func (r *rig) image(w, h int, u interop.ImageUse) *interop.GLImage {
	r.Helper()
	i, err := r.in.RegisterImage(r.gl.NewTexture(driver.Texture2D, glRGBA8, w, h, 1, 1), driver.Texture2D, u)
	r.must(err)
	return i
}

func noArray(t *testing.T) func(interop.Array) error {
	return func(interop.Array) error { t.Error("body ran"); return nil }
}

func TestCase03ImageFlagsThatReachTheDriver(t *testing.T) {
	r := newRig(t)
	for u, want := range map[interop.ImageUse]string{
		interop.ImageReadWrite:                              "flags 0",
		interop.ImageReadOnly:                               "flags 1",
		interop.ImageWriteDiscard:                           "flags 2",
		interop.ImageSurface | interop.ImageReadOnly:        "flags 5",
		interop.ImageSurface | interop.ImageWriteDiscard:    "flags 6",
		interop.ImageGather:                                 "flags 8",
		interop.ImageSurface | interop.ImageMutable:         "flags 4",
		interop.ImageSurface | interop.ImageGather:          "flags 12",
		interop.ImageWriteDiscard | interop.ImageMutable:    "flags 2",
		interop.ImageReadOnly | interop.ImageSurface | 0x80: "flags 5",
	} {
		r.image(4, 4, u)
		if got := r.d.take(); len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%s: driver calls %q, want %s", u, got, want)
		}
	}
}

func TestCase04UnknownImageFlagIsNamedAndTheValidOnesListed(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewTexture(driver.Texture2D, glRGBA8, 4, 4, 1, 1)
	for _, u := range []interop.ImageUse{16, 3, 64} {
		_, err := r.in.RegisterImage(name, driver.Texture2D, u)
		wantErr(t, err, interop.ErrArgument, "0x", "ImageReadOnly", "ImageWriteDiscard", "ImageSurface")
	}
	_, err := r.in.RegisterImage(name, 0x0DE0, interop.ImageReadWrite) // GL_TEXTURE_1D
	wantErr(t, err, interop.ErrArgument, "0xde0", "GL_TEXTURE_2D")
	r.calls()
}

func TestCase09And13ImageRegistrationIsNotAMapping(t *testing.T) {
	r := newRig(t)
	i := r.image(16, 8, interop.ImageReadWrite)
	if i.Handle() == 0 || i.IsMapped() || i.Tier() != interop.TierHost {
		t.Errorf("registered: %v", i)
	}
	if s := i.String(); !strings.Contains(s, "GLImage") || !strings.Contains(s, "16x8") || !strings.Contains(s, "0x") {
		t.Errorf("text %q", s)
	}
	r.must(i.Close())
	if s := i.String(); !strings.Contains(s, "closed") || i.Handle() != 0 {
		t.Errorf("after close: %q", s)
	}
	r.must(i.Close())
	wantErr(t, i.WithMapped(r.s, 0, 0, noArray(t)), interop.ErrClosed)
}

func TestCase10WhatIsNoTextureIsNotRegistered(t *testing.T) {
	r := newRig(t)
	_, err := r.in.RegisterImage(99, driver.Texture2D, interop.ImageReadWrite)
	wantErr(t, err, driver.InvalidHandle, "texture 99", "GL_TEXTURE_2D")
	cube := r.gl.NewTexture(driver.TextureCubeMap, glRGBA8, 4, 4, 1, 1)
	_, err = r.in.RegisterImage(cube, driver.Texture2D, interop.ImageReadWrite)
	wantErr(t, err, driver.InvalidHandle)
	_, err = r.in.RegisterImage(r.gl.NewTexture(driver.Texture2D, glRGB8, 4, 4, 1, 1), driver.Texture2D, 0)
	wantErr(t, err, interop.ErrArgument, "0x8051", "GL_RGBA8") // three components
	r.calls()
	name := r.gl.NewTexture(driver.Texture2D, glRGBA8, 4, 4, 1, 1)
	_, err = r.in.RegisterImage(name, driver.Texture2D, 0)
	r.must(err)
	_, err = r.in.RegisterImage(name, driver.Texture2D, 0)
	wantErr(t, err, interop.ErrDuplicate)
	r.gl.Current = 0
	_, err = r.in.RegisterImage(cube, driver.TextureCubeMap, 0)
	wantErr(t, err, interop.ErrNoGLContext)
}

func TestCase40ArrayOfALayerAndLevel(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewTexture(driver.Texture2DArray, glRGBA16F, 16, 8, 3, 4)
	i, err := r.in.RegisterImage(name, driver.Texture2DArray, interop.ImageSurface)
	r.must(err)
	var last interop.Array
	r.must(i.WithMapped(r.s, 2, 1, func(a interop.Array) error {
		w, h, d := a.Size()
		if w != 8 || h != 4 || d != 1 || a.TexelBytes() != 8 || a.Bytes() != 8*4*8 || a.Handle() == 0 || a.Surface() == 0 {
			t.Errorf("array %v, handle %#x", a, a.Handle())
		}
		last = a
		return nil
	}))
	if w, _, _ := last.Size(); w != 0 || last.Surface() != 0 || last.Handle() != 0 || i.IsMapped() {
		t.Errorf("given back: %v of %v", last, i)
	}
	r.d.take()
	for _, bad := range [][2]int{{3, 0}, {0, 4}, {-1, 0}, {0, -1}} {
		wantErr(t, i.WithMapped(r.s, bad[0], bad[1], noArray(t)), interop.ErrArgument)
	}
	r.calls()
	if i.IsMapped() {
		t.Error("mapped after a refusal")
	}
}

func TestCase44To50ImageStates(t *testing.T) {
	r := newRig(t)
	i := r.image(4, 4, interop.ImageSurface)
	a, err := i.Map(r.s, 0, 0)
	r.must(err)
	wantErr(t, i.WithMapped(r.s, 0, 0, noArray(t)), interop.ErrAlreadyMapped)
	if a.Surface() == 0 {
		t.Error("the first mapping did not survive")
	}
	r.must(a.Close())
	r.must(a.Close())
	wantErr(t, i.WithMapped(nil, 0, 0, noArray(t)), interop.ErrNilStream)
	b, err := i.Map(r.s, 0, 0)
	r.must(err)
	if a.Surface() != 0 {
		t.Error("an old array came to life")
	}
	r.gl.Current = 2
	wantErr(t, b.Close(), interop.ErrWrongGLContext)
	wantErr(t, i.Close(), interop.ErrWrongGLContext)
	r.gl.Current = 1
	if b.Surface() == 0 || r.c.Stats().Mappings != 1 {
		t.Error("a refused close changed something")
	}
	r.must(i.Close())
	if b.Surface() != 0 || !strings.Contains(b.String(), "closed") {
		t.Errorf("the array outlived its image: %v", b)
	}
	mine := errors.New("mine")
	j := r.image(4, 4, 0)
	if err := j.WithMapped(r.s, 0, 0, func(interop.Array) error { return mine }); err != mine {
		t.Errorf("got %v, want the body's error itself", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = j.WithMapped(r.s, 0, 0, func(interop.Array) error { panic("panicked") })
	}()
	if j.IsMapped() {
		t.Error("still mapped after a panic")
	}
}

func TestChangedTextureIsReportedAtTheNextMap(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewTexture(driver.Texture2D, glRGBA8, 8, 8, 1, 1)
	r.gl.TexImage(name, glRGBA8, 8, 8)
	_, err := r.in.RegisterImage(name, driver.Texture2D, 0)
	wantErr(t, err, interop.ErrMutableStorage, "glTexStorage")
	i, err := r.in.RegisterImage(name, driver.Texture2D, interop.ImageMutable)
	r.must(err)
	r.must(i.WithMapped(r.s, 0, 0, func(interop.Array) error { return nil }))
	for _, change := range []func(){
		func() { r.gl.TexImage(name, glRGBA8, 16, 8) },
		func() { r.gl.TexImage(name, glR32F, 8, 8) },
		func() { r.gl.DeleteTexture(name) },
	} {
		change()
		r.d.take()
		wantErr(t, i.WithMapped(r.s, 0, 0, noArray(t)), interop.ErrSizeChanged)
		r.calls()
	}
}

func TestCopiesOfAnArrayAreChecked(t *testing.T) {
	r := newRig(t)
	buf, err := r.c.Alloc(4 * 4 * 4)
	r.must(err)
	small, err := r.c.Alloc(60)
	r.must(err)
	i := r.image(4, 4, interop.ImageReadOnly)
	var old interop.Array
	r.must(i.WithMapped(r.s, 0, 0, func(a interop.Array) error {
		old = a
		wantErr(t, a.CopyTo(r.s, small), interop.ErrArgument, "60", "64")
		wantErr(t, a.CopyFrom(r.s, buf), interop.ErrArgument, "read-only")
		wantErr(t, a.CopyTo(nil, buf), interop.ErrNilStream)
		return a.CopyTo(r.s, buf)
	}))
	wantErr(t, old.CopyTo(r.s, buf), interop.ErrClosed)
	r.must(buf.Close())
	wantErr(t, i.WithMapped(r.s, 0, 0, func(a interop.Array) error { return a.CopyTo(r.s, buf) }), interop.ErrClosed)
	r.must(small.Close())
}

func TestTexelsGoBothWaysInEveryTargetAndTier(t *testing.T) {
	for _, target := range []struct {
		target         uint32
		format         uint32
		w, h, d        int
		layers, levels int
	}{
		{driver.Texture2D, glRGBA8, 13, 7, 1, 1, 3},
		{driver.TextureRectangle, glR8, 13, 7, 1, 1, 1},
		{driver.Texture2DArray, glRGBA16F, 8, 8, 5, 5, 2},
		{driver.TextureCubeMap, glR32F, 8, 8, 1, 6, 2},
		{driver.Texture3D, glRGBA8, 8, 4, 6, 1, 2},
	} {
		for _, copied := range []bool{false, true} {
			r := newRig(t)
			if copied {
				r = copiedRig(t)
			}
			name := r.gl.NewTexture(target.target, target.format, target.w, target.h, target.d, target.levels)
			i, err := r.in.RegisterImage(name, target.target, interop.ImageReadWrite)
			r.must(err)
			for layer := range target.layers {
				for level := range target.levels {
					want := r.gl.Texels(name, layer, level)
					for k := range want {
						want[k] = byte(k*7 + layer + 3*level)
					}
					want = bytes.Clone(want)
					buf, err := r.c.Alloc(len(want))
					r.must(err)
					r.must(i.WithMapped(r.s, layer, level, func(a interop.Array) error {
						if a.Bytes() != len(want) {
							t.Fatalf("%v for %d bytes", a, len(want))
						}
						return a.CopyTo(r.s, buf)
					}))
					h, err := r.c.AllocHost(len(want))
					r.must(err)
					r.must(buf.CopyToHost(r.s, h, 0, len(want)))
					r.must(r.s.Synchronize())
					if !bytes.Equal(h.Bytes(), want) {
						t.Fatalf("target %#x layer %d level %d: kernels see other texels", target.target, layer, level)
					}
					r.must(buf.Fill(r.s, 0xa5, 1))
					r.must(i.WithMapped(r.s, layer, level, func(a interop.Array) error { return a.CopyFrom(r.s, buf) }))
					if got := r.gl.Texels(name, layer, level); !bytes.Equal(got, bytes.Repeat([]byte{0xa5}, len(want))) {
						t.Fatalf("target %#x layer %d level %d: OpenGL sees other texels", target.target, layer, level)
					}
					r.must(buf.Close())
					r.must(h.Close())
				}
			}
			r.must(r.in.Close())
			if st := r.c.Stats(); st.BufferBytes != 0 || st.HostBytes != 0 || st.Registrations != 0 {
				t.Errorf("left %+v", st)
			}
			if r.gl.Broken != 0 {
				t.Errorf("%d of OpenGL's rules broken", r.gl.Broken)
			}
		}
	}
}

func TestHostKernelWritesThroughTheSurface(t *testing.T) {
	for _, copied := range []bool{false, true} {
		r := newRig(t)
		if copied {
			r = copiedRig(t)
		}
		i := r.image(5, 3, interop.ImageSurface|interop.ImageWriteDiscard)
		k := r.kernel(func(p unsafe.Pointer, w driver.Work) {
			s := *(**driver.HostSurface)(p)
			for x := w.Begin; x < w.End; x++ {
				*(*uint32)(unsafe.Add(s.Texels, uint64(x/int(s.Width))*s.RowBytes+4*uint64(x%int(s.Width)))) = uint32(x)
			}
		})
		for range 3 {
			r.must(i.WithMapped(r.s, 0, 0, func(a interop.Array) error {
				p := a.Surface()
				return k.Launch(r.s, 15, unsafe.Pointer(&p), 8)
			}))
		}
		for x, b := range r.gl.Texels(i.Name(), 0, 0) {
			if want := byte(uint32(x/4) >> (8 * (x % 4))); b != want {
				t.Fatalf("byte %d is %d, want %d", x, b, want)
			}
		}
	}
}

func TestMappingAnImageAllocatesNothing(t *testing.T) {
	for name, d := range map[string]func(testing.TB) driver.Driver{
		"host":     testenv.Host,
		"stand-in": func(t testing.TB) driver.Driver { return testenv.FakeCUDA(t) },
	} {
		for _, copied := range []bool{false, true} {
			ctx, gl := testenv.Context(t, d(t)), testenv.NewFakeGL()
			open := ctx.OpenGL
			if copied {
				open = ctx.OpenGLCopied
			}
			in, err := open(gl)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ctx.NewStream(interop.StreamOptions{})
			if err != nil {
				t.Fatal(err)
			}
			i, err := in.RegisterImage(gl.NewTexture(driver.Texture2D, glRGBA8, 64, 32, 1, 1), driver.Texture2D, interop.ImageSurface)
			if err != nil {
				t.Fatal(err)
			}
			nop := func(interop.Array) error { return nil }
			allocs := testing.AllocsPerRun(100, func() {
				if e := i.WithMapped(s, 0, 0, nop); e != nil {
					err = e
				}
			})
			if err != nil || (allocs != 0 && !raceEnabled) {
				t.Errorf("%s, copied %v: %v allocations, error %v", name, copied, allocs, err)
			}
			if err := errors.Join(in.Close(), s.Close()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestRefusedImageFallsBackOnce(t *testing.T) {
	d, gl := interoptest.New(interoptest.Options{Shared: true}), interoptest.NewGL()
	ctx := testenv.Context(t, d)
	in, err := ctx.OpenGL(gl)
	if err != nil {
		t.Fatal(err)
	}
	var why []error
	in.SetFallback(func(err error) { why = append(why, err) })
	d.FailCall("cuGraphicsGLRegisterImage", 1, driver.OperatingSystem)
	tiers := make([]interop.Tier, 0, 3)
	for range 3 {
		i, err := in.RegisterImage(gl.NewTexture(driver.Texture2D, glRGBA8, 4, 4, 1, 1), driver.Texture2D, 0)
		if err != nil {
			t.Fatal(err)
		}
		tiers = append(tiers, i.Tier())
	}
	if len(why) != 1 || !errors.Is(why[0], interop.ErrUnavailable) || tiers[0] != interop.TierCopied || tiers[2] != interop.TierCopied || in.Tier() != interop.TierCopied {
		t.Errorf("tiers %v, told %v", tiers, why)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	d.Lawful(t)
}

// A surface must live until the kernels of its mapping are done, which giving back
// does not wait for.
func TestSurfaceOutlivesTheKernelsOfItsMapping(t *testing.T) {
	d, gl := interoptest.New(interoptest.Options{Shared: true}), interoptest.NewGL()
	ctx := testenv.Context(t, d)
	in, err := ctx.OpenGL(gl)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ctx.NewStream(interop.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	img, err := in.RegisterImage(gl.NewTexture(driver.Texture2D, glRGBA8, 4, 4, 1, 1), driver.Texture2D, interop.ImageSurface)
	if err != nil {
		t.Fatal(err)
	}
	nop := func(interop.Array) error { return nil }
	frame := func() {
		t.Helper()
		if err := img.WithMapped(s, 0, 0, nop); err != nil {
			t.Fatal(err)
		}
	}
	frame()
	if n := d.State().Surfaces; n != 1 {
		t.Fatalf("%d surfaces after giving back, want the one that kernels may use", n)
	}
	d.FailCall("cuEventQuery", 2, driver.NotReady) // the stream has not passed
	d.Take()
	frame() // destroys the first
	frame() // keeps the second
	if n := d.State().Surfaces; n != 2 {
		t.Errorf("%d surfaces, want 2 in use", n)
	}
	frame()
	if n := d.State().Surfaces; n != 1 {
		t.Errorf("%d surfaces, want 1", n)
	}
	if err := errors.Join(img.Close(), in.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if st := d.State(); st.Surfaces != 0 || st.Events != 0 {
		t.Errorf("held %s", st)
	}
	d.Lawful(t)
}
