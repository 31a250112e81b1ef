// SPDX-License-Identifier: Apache-2.0

package imagecmp

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func grey(w, h int, v uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
		}
	}
	return img
}

func TestCompareFindsTheWorstPixelAndTheMean(t *testing.T) {
	got, want := grey(4, 2, 100), grey(4, 2, 100)
	got.SetNRGBA(1, 0, color.NRGBA{101, 100, 100, 255})
	got.SetNRGBA(3, 1, color.NRGBA{100, 90, 100, 255})
	d, err := Compare(got, want)
	if err != nil {
		t.Fatal(err)
	}
	// 1 + 10 over 8 pixels of 4 channels.
	if d.Max != 10 || d.At != image.Pt(3, 1) || d.Pixels != 2 || d.Mean != 11.0/32 {
		t.Errorf("%v", d)
	}
	if !d.Within(Tolerance{10, 11.0 / 32}) || d.Within(Tolerance{9, 1}) || d.Within(Tolerance{10, 0.3}) {
		t.Error("tolerance is not kept to")
	}
	if !strings.Contains(d.String(), "(3, 1)") {
		t.Errorf("%q does not name the pixel", d)
	}
}

func TestSizesMustBeTheSame(t *testing.T) {
	if _, err := Compare(grey(4, 2, 0), grey(2, 4, 0)); err == nil {
		t.Error("pictures of different sizes compare")
	}
}

// recorder stands in for a test that Check is to fail.
type recorder struct {
	testing.TB
	dir  string
	said []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return "TestOther" }
func (r *recorder) ArtifactDir() string       { return r.dir }
func (r *recorder) Error(a ...any)            { r.said = append(r.said, fmt.Sprint(a...)) }
func (r *recorder) Errorf(f string, a ...any) { r.said = append(r.said, fmt.Sprintf(f, a...)) }
func (r *recorder) Logf(f string, a ...any)   {}
func (r *recorder) check(name string, i *image.NRGBA, t Tolerance) string {
	r.said = nil
	Check(r, name, i, t)
	return strings.Join(r.said, "\n")
}

func TestCheckFailsWithADifferencePicture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ref.png")
	r := &recorder{TB: t, dir: t.TempDir()}
	img := grey(8, 8, 50)
	img.SetNRGBA(2, 3, color.NRGBA{60, 50, 50, 255})
	if said := r.check(name, img, Exact); !strings.Contains(said, "-update") {
		t.Errorf("without a reference: %q", said)
	}
	if err := Write(name, img); err != nil {
		t.Fatal(err)
	}
	if said := r.check(name, img, Exact); said != "" {
		t.Errorf("the same picture fails: %s", said)
	}
	img.SetNRGBA(5, 6, color.NRGBA{50, 70, 50, 255})
	if said := r.check(name, img, Tolerance{19, 1}); !strings.Contains(said, "(5, 6)") {
		t.Errorf("a pixel off by 20: %q", said)
	}
	d, err := Read(filepath.Join(r.dir, "ref-diff.png"))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.NRGBAAt(5, 6); got != (color.NRGBA{0, 160, 0, 255}) {
		t.Errorf("difference there is %v, want 0 160 0", got)
	}
	if said := r.check(name, img, Tolerance{20, 1}); said != "" {
		t.Errorf("within the tolerance, yet: %s", said)
	}
	if said := r.check(name, grey(8, 8, 50), Default); !strings.Contains(said, "blank") {
		t.Errorf("a blank picture: %q", said)
	}
	if err := os.WriteFile(name, []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a damaged file: %v", err)
	}
}
