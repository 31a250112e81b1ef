// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"particles/internal/imagecmp"
	"particles/render/gl"
	"particles/render/look"
	"particles/sim/param"
)

// portrait draws a swirl of n particles.
func portrait(t *testing.T, r *Renderer, n int, colors string, pixel bool) *image.NRGBA {
	t.Helper()
	r.SetSubject(Subject{Radius: 1.2, Scalar: param.Quantity{Min: 0.2, Max: 2.8}})
	r.Look().ResetAll()
	if _, err := r.Look().SetPart(look.OnePixel, 0, float64(truth(pixel))); err != nil {
		t.Fatal(err)
	}
	setColors(t, r, colors)
	s := publish(t, swirl(n))
	r.Begin(NewCamera(1.5))
	r.DrawPoints(s, 0, n)
	img, err := r.ReadImage()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// tolerance is wider where no software renderer is to be had: the references are llvmpipe's, and the edge of a sprite falls
// on other pixels on a GPU.
func tolerance() imagecmp.Tolerance {
	if gl.Describe().Software {
		return imagecmp.Default
	}
	return imagecmp.Tolerance{Max: 128, Mean: 1}
}

func TestPicturesMatchTheirReferences(t *testing.T) {
	r := newRenderer(t, 320, 180)
	for name, c := range map[string]struct {
		n      int
		colors string
		pixel  bool
	}{
		"sprites":     {3_000, "ember", false},
		"small":       {40_000, "glacier", false},
		"pixels":      {20_000, "viridis", true},
		"few-sprites": {200, "", false},
	} {
		// No subtests: each would run on a thread of its own, without the context.
		imagecmp.Check(t, "testdata/"+name+".png", portrait(t, r, c.n, c.colors, c.pixel), tolerance())
	}
}

func TestPicturesAreTheSameEachTime(t *testing.T) {
	r := newRenderer(t, 320, 180)
	first := portrait(t, r, 20_000, "ember", false)
	again := portrait(t, r, 20_000, "ember", false)
	if !bytes.Equal(first.Pix, again.Pix) {
		d, _ := imagecmp.Compare(again, first)
		t.Error(d)
	}
}

func TestThePictureOfNothingIsADarkGradient(t *testing.T) {
	r := newRenderer(t, 200, 100)
	r.Begin(straight())
	img, err := r.ReadImage()
	if err != nil {
		t.Fatal(err)
	}
	centre, corner := img.NRGBAAt(100, 50), img.NRGBAAt(1, 98)
	if centre.B <= corner.B || centre.B > 40 || centre.B <= centre.R {
		t.Errorf("centre %v, corner %v: want a dark blue that falls off", centre, corner)
	}
	if err := r.Look().Put("background", []float64{0.6, 0.3, 0.1}); err != nil {
		t.Fatal(err)
	}
	bright, err := r.ReadImage()
	if err != nil {
		t.Fatal(err)
	}
	// The centre shows the colour as given: 255 times 0.6, 0.3 and 0.1, within the dither.
	if p := bright.NRGBAAt(100, 50); !near(float32(p.R), 153, 2) || !near(float32(p.G), 76.5, 2) || !near(float32(p.B), 25.5, 2) {
		t.Errorf("centre %v, want 153, 76, 25", p)
	}
	if corner := bright.NRGBAAt(1, 98); corner.R > 140 {
		t.Errorf("corner %v is not darker", corner)
	}
	if _, err := r.Look().SetPart(look.Vignette, 0, 0); err != nil {
		t.Fatal(err)
	}
	if even, err := r.ReadImage(); err != nil || !near(float32(even.NRGBAAt(199, 50).R), 153, 2) {
		t.Errorf("without a vignette the edge is %v, want 153: %v", even.NRGBAAt(199, 50), err)
	}
	// Dithering: the mean of 20 pixels of a column lies between whole values as a rule, not at one of them.
	between := 0
	for x := range 200 {
		sum := 0
		for y := 40; y < 60; y++ {
			sum += int(img.NRGBAAt(x, y).B)
		}
		if sum%20 != 0 {
			between++
		}
	}
	if between < 100 {
		t.Errorf("%d of 200 columns lie between two values: the gradient has steps", between)
	}
	values := map[uint8]bool{}
	for x := range 200 {
		values[img.NRGBAAt(x, 50).B] = true
	}
	if len(values) < 3 {
		t.Errorf("the middle row has %d values only", len(values))
	}
}

func TestResizingLeavesNoErrorAndTheRightPicture(t *testing.T) {
	r := newRenderer(t, 0, 0) // any OpenGL error fails the test, see newGL
	s := publish(t, swirl(500))
	cam := NewCamera(1.2)
	draw := func() { r.Begin(cam); r.DrawPoints(s, 0, 500); r.Resolve(r.Target()) }
	draw()
	if _, err := r.ReadImage(); err == nil || !strings.Contains(err.Error(), "0 x 0") {
		t.Errorf("a picture of no size: error %v", err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 200 {
		w, h := 1+rng.IntN(700), 1+rng.IntN(500)
		switch i % 20 {
		case 3:
			w, h = 0, 0
		case 7:
			h = 0
		case 11:
			w = -5
		}
		if err := r.Resize(w, h); err != nil {
			t.Fatal(err)
		}
		draw()
		if gw, gh := r.Size(); w > 0 && h > 0 && (gw != w || gh != h) || (w <= 0 || h <= 0) && (gw != 0 || gh != 0 || r.Target() != 0) {
			t.Fatalf("size %d x %d after Resize(%d, %d)", gw, gh, w, h)
		}
	}
	if err := r.Resize(320, 180); err != nil {
		t.Fatal(err)
	}
	imagecmp.Check(t, "testdata/sprites.png", portrait(t, r, 3_000, "ember", false), tolerance())
	if e := gl.GetError(); e != gl.NoError {
		t.Errorf("OpenGL error %#x", e)
	}
}

func TestTooLargeAPictureIsRefusedAndTheRendererGoesOn(t *testing.T) {
	r := newRenderer(t, 64, 64)
	if err := r.Resize(1<<20, 8); err == nil || !strings.Contains(err.Error(), "1048576 x 8") {
		t.Errorf("error %v", err)
	}
	if err := r.Resize(64, 64); err != nil {
		t.Fatal(err)
	}
	portrait(t, r, 100, "", false)
}

func TestPNGIsOpaqueAndKeepsEveryPixel(t *testing.T) {
	r := newRenderer(t, 64, 48)
	img := portrait(t, r, 500, "", false)
	var file bytes.Buffer
	if err := WritePNG(&file, img); err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 48 {
		for x := range 64 {
			if img.At(x, y) != img.ColorModel().Convert(back.At(x, y)) || img.NRGBAAt(x, y).A != 255 {
				t.Fatalf("pixel %d, %d: %v, read back %v", x, y, img.At(x, y), back.At(x, y))
			}
		}
	}
}

func TestAFrameAllocatesNothing(t *testing.T) {
	r := newRenderer(t, 64, 64)
	s, err := NewSlots(2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	gl.Debug(nil) // messages are Go strings
	fill(s, 0, swirl(1000))
	timers := &Timers{}
	timers.start(64) // also where the numbers mean nothing
	t.Cleanup(timers.Close)
	cam, stamps, seq := NewCamera(1), GPUStamps{}, uint64(0)
	cam.Damping = 0.1
	if n := testing.AllocsPerRun(50, func() {
		seq++
		cam.Drag(3, 1, 64)
		cam.Update(0.016)
		if err := r.Resize(64, 64); err != nil {
			t.Error(err)
		}
		r.SetSubject(Subject{Radius: float32(seq)})
		timers.Begin(seq)
		if slot, ok := s.Acquire(); ok {
			s.Publish(slot, 1000)
		}
		timers.Stamp()
		if slot, n, ok := s.Next(); ok {
			r.Begin(cam)
			r.DrawPoints(s, slot, n)
		}
		r.Resolve(r.Target())
		timers.End()
		for timers.Collect(&stamps) {
		}
	}); n != 0 && !raceEnabled {
		t.Errorf("%v allocations a frame, want 0", n)
	}
	if e := gl.GetError(); e != gl.NoError {
		t.Errorf("OpenGL error %#x", e)
	}
}
