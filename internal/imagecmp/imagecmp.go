// SPDX-License-Identifier: Apache-2.0

package imagecmp

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tolerance says how much two pictures may differ, in steps of 1/255.
type Tolerance struct {
	Max  int     // most for one channel of one pixel
	Mean float64 // most for the mean over all pixels and channels
}

// Default allows what other processors and Mesa versions do to the same picture: rounding, and a sprite's edge here or there.
var Default = Tolerance{Max: 24, Mean: 0.25}

// Exact allows nothing.
var Exact = Tolerance{}

var update = flag.Bool("update", false, "write the reference pictures instead of comparing with them")

// Difference is how two pictures differ.
type Difference struct {
	Max           int         // greatest difference of a channel
	At            image.Point // where that is
	Got, Want     color.NRGBA // the two pixels there
	Mean          float64     // over all pixels and the channels red, green, blue and alpha
	Pixels, Total int         // pixels that differ at all, of how many
}

// Within tells whether the pictures match.
func (d Difference) Within(t Tolerance) bool { return d.Max <= t.Max && d.Mean <= t.Mean }

// String reports the worst pixel and the mean.
func (d Difference) String() string {
	return fmt.Sprintf("%d of %d pixels differ, by %.4f/255 in the mean and %d/255 at worst, at (%d, %d): got %v, want %v",
		d.Pixels, d.Total, d.Mean, d.Max, d.At.X, d.At.Y, d.Got, d.Want)
}

// Compare compares two pictures of one size; different sizes are an error that names them.
func Compare(got, want *image.NRGBA) (d Difference, err error) {
	if got.Rect.Size() != want.Rect.Size() {
		return d, fmt.Errorf("imagecmp: the picture is %v, the reference %v", got.Rect.Size(), want.Rect.Size())
	}
	size, sum := got.Rect.Size(), 0
	d.Total = size.X * size.Y
	for y := range size.Y {
		a := got.Pix[y*got.Stride:][:4*size.X]
		b := want.Pix[y*want.Stride:][:4*size.X]
		for x := range size.X {
			worst := 0
			for k := 4 * x; k < 4*x+4; k++ {
				e := absDiff(a[k], b[k])
				worst = max(worst, e)
				sum += e
			}
			if worst > 0 {
				d.Pixels++
			}
			if worst > d.Max {
				d.Max, d.At = worst, image.Pt(x, y)
				d.Got = got.NRGBAAt(got.Rect.Min.X+x, got.Rect.Min.Y+y)
				d.Want = want.NRGBAAt(want.Rect.Min.X+x, want.Rect.Min.Y+y)
			}
		}
	}
	if d.Total > 0 {
		d.Mean = float64(sum) / float64(4*d.Total)
	}
	return d, nil
}

func absDiff(a, b uint8) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}

// Check compares a picture with the PNG file of a name, or writes that file with -update. A blank picture, all of one
// colour, fails in either case.
func Check(t testing.TB, name string, got *image.NRGBA, tol Tolerance) {
	t.Helper()
	if Blank(got) {
		t.Errorf("%s: the picture is blank", name)
		return
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(name, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		leave(t, name, got, nil)
		t.Errorf("no reference picture: %v; look at the picture and write it with, in this folder: go test -run %s . -update", err, t.Name())
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	d, err := Compare(got, want)
	if err != nil {
		leave(t, name, got, want)
		t.Error(err)
		return
	}
	if !d.Within(tol) {
		leave(t, name, got, want)
		t.Errorf("%s: %v; allowed are %.4f and %d", name, d, tol.Mean, tol.Max)
	}
}

// Blank tells whether a picture has one colour only.
func Blank(img *image.NRGBA) bool {
	first := img.NRGBAAt(img.Rect.Min.X, img.Rect.Min.Y)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if img.NRGBAAt(x, y) != first {
				return false
			}
		}
	}
	return true
}

// leave puts picture, reference and difference (eight times as strong) where the test's artifacts go.
func leave(t testing.TB, name string, got, want *image.NRGBA) {
	t.Helper()
	base := filepath.Join(t.ArtifactDir(), strings.TrimSuffix(filepath.Base(name), ".png"))
	save := func(suffix string, img *image.NRGBA) {
		if err := Write(base+suffix, img); err != nil {
			t.Error(err)
			return
		}
		t.Logf("see %s (kept with go test -artifacts)", base+suffix)
	}
	save("-got.png", got)
	if want == nil {
		return
	}
	save("-want.png", want)
	if got.Rect.Size() == want.Rect.Size() {
		save("-diff.png", diff(got, want))
	}
}

func diff(got, want *image.NRGBA) *image.NRGBA {
	size := got.Rect.Size()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			k, g, w := y*out.Stride+4*x, y*got.Stride+4*x, y*want.Stride+4*x
			for c := range 3 {
				out.Pix[k+c] = uint8(min(8*absDiff(got.Pix[g+c], want.Pix[w+c]), 255))
			}
			out.Pix[k+3] = 255
		}
	}
	return out
}

// Read reads a PNG file.
func Read(name string) (*image.NRGBA, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := image.NewNRGBA(img.Bounds())
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		for x := out.Rect.Min.X; x < out.Rect.Max.X; x++ {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out, nil
}

// Write writes a PNG file, as small as it gets.
func Write(name string, img *image.NRGBA) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	return errors.Join(enc.Encode(f, img), f.Close())
}
