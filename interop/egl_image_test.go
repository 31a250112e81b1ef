// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/kernels"
	"particles/render/egl"
	"particles/render/gl"
)

// fill loads the kernel that draws into a texture.
func fill(t testing.TB, c *interop.Context) *interop.Kernel {
	t.Helper()
	set, err := kernels.Load(c, kernels.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	k, err := set.Kernel("imagefill", "image_fill")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// picture is what the kernel draws.
func picture(p kernels.ImageFill) []byte {
	b := make([]byte, 0, 4*p.N)
	for y := range p.Height {
		for x := range p.Width {
			b = binary.LittleEndian.AppendUint32(b, p.Texel(x, y))
		}
	}
	return b
}

func TestKernelDrawsIntoAGLTexture(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		const width, height = 333, 201 // not a multiple of anything
		k := fill(t, w.c)
		name := g.NewTexture(t, driver.Texture2D, glRGBA8, width, height, 1, 1)
		img, err := in.RegisterImage(name, driver.Texture2D, interop.ImageSurface|interop.ImageWriteDiscard)
		w.must(err)
		for phase := range uint32(4) {
			p := kernels.ImageFill{Width: width, Height: height, N: width * height, Phase: phase}
			w.must(img.WithMapped(w.s, 0, 0, func(a interop.Array) error {
				p.Surface = a.Surface()
				return interop.Launch(k, w.s, int(p.N), &p)
			}))
			if got := g.Texels(t, name, driver.Texture2D, 0, 0, 4*width*height); !bytes.Equal(got, picture(p)) {
				t.Fatalf("phase %d, tier %s: OpenGL has another picture", phase, img.Tier())
			}
		}
		w.must(img.Close())
	})
}

func TestCase40LayersAndLevelsOfRealTextures(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		k := fill(t, w.c)
		for _, c := range []struct {
			target      uint32
			depth       int
			layer       int
			level       int
			layers      int
			width, side int
		}{
			{driver.Texture2D, 1, 0, 1, 1, 64, 32},
			{driver.Texture2DArray, 5, 3, 0, 5, 64, 32},
			{driver.Texture2DArray, 5, 4, 1, 5, 64, 32},
			{driver.TextureCubeMap, 1, 5, 0, 6, 32, 32},
		} {
			name := g.NewTexture(t, c.target, glRGBA8, c.width, c.side, c.depth, 2)
			img, err := in.RegisterImage(name, c.target, interop.ImageSurface)
			w.must(err)
			width, height := uint32(c.width>>c.level), uint32(c.side>>c.level)
			p := kernels.ImageFill{Width: width, Height: height, N: width * height, Phase: 9}
			other := (c.layer + 1) % c.layers
			before := bytes.Repeat([]byte{7}, int(4*p.N))
			g.SetTexels(t, name, c.target, other, c.level, before)
			w.must(img.WithMapped(w.s, c.layer, c.level, func(a interop.Array) error {
				p.Surface = a.Surface()
				return interop.Launch(k, w.s, int(p.N), &p)
			}))
			if got := g.Texels(t, name, c.target, c.layer, c.level, int(4*p.N)); !bytes.Equal(got, picture(p)) {
				t.Errorf("target %#x, layer %d, level %d: another picture", c.target, c.layer, c.level)
			}
			if got := g.Texels(t, name, c.target, other, c.level, int(4*p.N)); other != c.layer && !bytes.Equal(got, before) {
				t.Errorf("target %#x: layer %d was written too", c.target, other)
			}
			wantErr(t, img.WithMapped(w.s, c.layers, 0, noArray(t)), interop.ErrArgument)
			wantErr(t, img.WithMapped(w.s, 0, 2, noArray(t)), interop.ErrArgument)
			w.must(img.Close())
		}
	})
}

func TestTexelsOfRealTexturesGoBothWays(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		for _, c := range []struct {
			target, format uint32
			w, h, d, size  int
		}{
			{driver.Texture2D, glR8, 13, 7, 1, 13 * 7}, // rows of no multiple of four
			{driver.TextureRectangle, glRGBA8, 13, 7, 1, 13 * 7 * 4},
			{driver.Texture2D, glRGBA16F, 16, 5, 1, 16 * 5 * 8},
			{driver.Texture3D, glR32F, 8, 4, 6, 8 * 4 * 6 * 4},
		} {
			name := g.NewTexture(t, c.target, c.format, c.w, c.h, c.d, 1)
			img, err := in.RegisterImage(name, c.target, interop.ImageReadWrite)
			w.must(err)
			a, err := w.c.Alloc(c.size)
			w.must(err)
			want := make([]byte, c.size)
			for i := range want {
				want[i] = byte(i * 5 % 60) // no float is a NaN
			}
			g.SetTexels(t, name, c.target, 0, 0, want)
			w.must(img.WithMapped(w.s, 0, 0, func(x interop.Array) error { return x.CopyTo(w.s, a) }))
			w.must(a.CopyToHost(w.s, w.h, 0, c.size))
			w.must(w.s.Synchronize())
			if !bytes.Equal(w.h.Bytes()[:c.size], want) {
				t.Errorf("target %#x format %#x: kernels see other texels", c.target, c.format)
			}
			for i := range want {
				want[i] = byte((i + 3) * 11 % 60)
			}
			copy(w.h.Bytes(), want)
			w.must(a.CopyFromHost(w.s, w.h, 0, c.size))
			w.must(img.WithMapped(w.s, 0, 0, func(x interop.Array) error { return x.CopyFrom(w.s, a) }))
			if !bytes.Equal(g.Texels(t, name, c.target, 0, 0, c.size), want) {
				t.Errorf("target %#x format %#x: OpenGL sees other texels", c.target, c.format)
			}
			w.must(img.Close())
			w.must(a.Close())
		}
	})
}

// Transfers of texels must neither follow nor change how the program reads and
// writes its own pictures.
func TestTransfersLeaveThePixelStateAlone(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		name := g.NewTexture(t, driver.Texture2D, glR8, 5, 3, 1, 1)
		img, err := in.RegisterImage(name, driver.Texture2D, interop.ImageReadWrite)
		w.must(err)
		a, err := w.c.Alloc(15)
		w.must(err)
		gl.PixelStore(gl.UnpackRowLength, 64)
		gl.PixelStore(gl.UnpackAlignment, 8)
		gl.PixelStore(gl.PackAlignment, 8)
		w.must(a.Fill(w.s, 9, 1))
		w.must(img.WithMapped(w.s, 0, 0, func(x interop.Array) error { return x.CopyFrom(w.s, a) }))
		if got := g.Texels(t, name, driver.Texture2D, 0, 0, 15); !bytes.Equal(got, bytes.Repeat([]byte{9}, 15)) {
			t.Errorf("texels %v", got)
		}
		// One row of 5 as the program's own state has it: 64 apart.
		rows := make([]byte, 3*64)
		for y := range 3 {
			rows[64*y] = byte(y + 1)
		}
		gl.TextureSubImage2D(name, 0, 0, 5, 3, gl.Red, gl.UnsignedByte, unsafe.Pointer(&rows[0]))
		if got := g.Texels(t, name, driver.Texture2D, 0, 0, 15); got[0] != 1 || got[5] != 2 || got[10] != 3 {
			t.Errorf("the program's row length was lost: %v", got)
		}
		gl.PixelStore(gl.UnpackRowLength, 0)
		gl.PixelStore(gl.UnpackAlignment, 4)
		gl.PixelStore(gl.PackAlignment, 4)
		w.must(img.Close())
		w.must(a.Close())
	})
}

func TestCase63HeadlessContextIsOnTheCUDADeviceAskedFor(t *testing.T) {
	d := testenv.CUDA(t)
	testenv.EGL(t) // skips without OpenGL, and locks the thread
	devs, err := interop.Devices(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, ordinal := range []int{0, len(devs) - 1, 1000} {
		c, err := egl.New(egl.Options{CUDADevice: ordinal})
		if err != nil {
			t.Fatalf("device %d: %v", ordinal, err) // unknown: the default device
		}
		if err := c.MakeCurrent(); err != nil {
			t.Fatal(err)
		}
		drawing, err := interop.GLDevices(d, gl.NewSharing(c.Current))
		if err != nil && !errors.Is(err, interop.ErrUnavailable) {
			t.Error(err)
		}
		if err == nil && ordinal < len(devs) && drawing[0].Ordinal != ordinal {
			t.Errorf("asked for device %d, OpenGL draws on %d", ordinal, drawing[0].Ordinal)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What OpenGL deletes while it is registered is reported at the next map, and can
// still be closed.
func TestDeletedObjectsOfRealOpenGLAreReported(t *testing.T) {
	withGL(t, func(t *testing.T, w *work, g *testenv.GL, in *interop.GLInterop) {
		name := gl.CreateBuffer()
		gl.NamedBufferData(name, 4096, nil, gl.StreamDraw)
		b, err := in.RegisterBuffer(name, 4096, interop.ReadWrite|interop.Mutable)
		w.must(err)
		tex := gl.CreateTexture(driver.Texture2D)
		gl.TextureStorage2D(tex, 1, glRGBA8, 16, 16)
		i, err := in.RegisterImage(tex, driver.Texture2D, interop.ImageSurface|interop.ImageMutable)
		w.must(err)
		w.must(b.WithMapped(w.s, func(m interop.Buffer) error { return m.Fill(w.s, 1, 1) }))
		w.must(i.WithMapped(w.s, 0, 0, func(interop.Array) error { return nil }))
		gl.DeleteBuffer(name)
		gl.DeleteTexture(tex)
		wantErr(t, b.WithMapped(w.s, func(interop.Buffer) error { t.Error("body ran"); return nil }), interop.ErrSizeChanged, "deleted")
		wantErr(t, i.WithMapped(w.s, 0, 0, noArray(t)), interop.ErrSizeChanged, "deleted")
		w.must(b.Close())
		w.must(i.Close())
	})
}
