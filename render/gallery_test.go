// SPDX-License-Identifier: Apache-2.0

//go:build gallery

package render

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"particles/render/gl"
)

// TestGallery writes pictures to look at into the folder that GALLERY names, with the time of a frame:
//
//	GALLERY=/tmp/gallery go test -tags gallery -run Gallery -v ./render
func TestGallery(t *testing.T) {
	dir := os.Getenv("GALLERY")
	if dir == "" {
		t.Fatal("set GALLERY to a folder")
	}
	r := newRenderer(t, 1280, 720)
	for _, n := range []int{2_000, 20_000, 100_000, 1_000_000} {
		s := publish(t, swirl(n))
		for _, c := range []struct {
			colors string
			pixel  bool
		}{{"ember", false}, {"glacier", false}, {"ember", true}} {
			portrait(t, r, n, c.colors, c.pixel) // puts the look in force
			cam := NewCamera(1.2)
			frame := func() { r.Begin(cam); r.DrawPoints(s, 0, n); r.Resolve(r.Target()); gl.Finish() }
			frame()
			start := time.Now()
			frame()
			took := time.Since(start)
			img, err := r.ReadImage()
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, fmt.Sprintf("%s-%v-%d.png", c.colors, c.pixel, n))
			f, err := os.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := WritePNG(f, img); err != nil {
				t.Fatal(err)
			}
			f.Close()
			t.Logf("%s: %v", name, took)
		}
	}
}
