// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"particles/trace"
)

func itoa(i int) string { return strconv.Itoa(i) }

func atof(s string) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v
}

func abs(v float64) float64 { return math.Abs(v) }

// screenshot presses the panel's own key and gives the picture that it saved.
func (p *program) screenshot() image.Image {
	p.t.Helper()
	before, _ := filepath.Glob(filepath.Join(p.dir, "*.png"))
	p.key("F12")
	var path string
	p.waitFor("the screenshot is saved", func(*uiState) bool {
		now, _ := filepath.Glob(filepath.Join(p.dir, "*.png"))
		for _, file := range now {
			if !contains(before, file) || len(now) > len(before) {
				path = file
			}
		}
		return len(now) > len(before)
	})
	var img image.Image
	p.waitFor("the screenshot is complete", func(*uiState) bool {
		f, err := os.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		img, err = png.Decode(f)
		return err == nil
	})
	return img
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

// light is the mean of the picture's brightest channel, 0 to 255.
func light(img image.Image) float64 {
	b := img.Bounds()
	var sum float64
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			sum += float64(max(r, g, bl)) / 257
		}
	}
	return sum / float64(b.Dx()*b.Dy())
}

// bright counts the pixels with a channel near white.
func bright(img image.Image) int {
	b, n := img.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := img.At(x, y).RGBA(); max(r, g, bl) > 220*257 {
				n++
			}
		}
	}
	return n
}

// TestSessionWithMouseAndKeyboard is a person's session: look, drag a slider, record
// for two seconds, close the window, find the trace.
func TestSessionWithMouseAndKeyboard(t *testing.T) {
	d := newDesktop(t, 1280, 800)
	p := d.start(t, "ribbons", "--count", "5000", "--size", "900x640", "--driver", "host")

	// Paused, so that nothing but the exposure changes between the two pictures.
	p.waitFor("the scene has begun to fill", func(s *uiState) bool {
		w := s.widget("clock/time")
		return w != nil && w.Value > 1
	})
	p.key("space")
	before := p.screenshot()
	if light(before) < 1 {
		t.Errorf("the picture is blank: mean light %.2f", light(before))
	}

	// Drag the exposure slider to the right: its value and the picture follow.
	p.click("section/Look")
	w := p.find("look/exposure")
	start := w.Value
	y := w.Y + w.H/2
	p.point(w.X+w.W*0.5, y)
	d.down(t)
	p.settle()
	p.point(w.X+w.W*0.7, y)
	p.point(w.X+w.W*0.85, y)
	d.up(t)
	s := p.waitFor("exposure has changed", func(s *uiState) bool {
		w := s.widget("look/exposure")
		return w != nil && w.Value > start+0.5 && !w.Active
	})
	brighter := p.screenshot()
	if bright(brighter) < 2*bright(before)+100 {
		t.Errorf("exposure went from %.2f to %.2f, but the picture's bright pixels from %d to %d only",
			start, s.widget("look/exposure").Value, bright(before), bright(brighter))
	}

	p.key("space")

	// The same for a parameter of the model, which the trace will name.
	w = p.find("param/amplitude")
	p.point(w.X+w.W*0.3, w.Y+w.H/2)
	d.down(t)
	p.settle()
	p.point(w.X+w.W*0.9, w.Y+w.H/2)
	d.up(t)
	p.waitFor("the parameter has changed", func(s *uiState) bool {
		now := s.widget("param/amplitude")
		return now != nil && now.Value != w.Value && !now.Active
	})

	// Record for two seconds with the panel's button, and close the window while it records.
	p.click("section/Recording")
	p.click("record/toggle")
	p.waitFor("two seconds are recorded", func(s *uiState) bool {
		w := s.widget("record/state")
		return w != nil && w.Value >= 2
	})
	p.close()

	files, _ := filepath.Glob(filepath.Join(p.dir, "*.json"))
	var found *trace.ChromeTrace
	for _, file := range files {
		if file == p.state {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if found, err = trace.ReadChrome(f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if found == nil {
		t.Fatalf("no trace was left; files: %v", files)
	}
	if found.Truncated {
		t.Error("the window was closed in the usual way, and the trace lacks its end")
	}
	if err := found.Check(); err != nil {
		t.Errorf("the trace is not in order: %v", err)
	}
	if len(found.Frames) < 10 {
		t.Errorf("two seconds gave %d frames", len(found.Frames))
	}
	span := found.Frames[len(found.Frames)-1].End() - found.Frames[0].Start
	if span < 1.5e9 {
		t.Errorf("the trace spans %.2f s", float64(span)/1e9)
	}
	if left, _ := filepath.Glob(filepath.Join(p.dir, "imgui.ini")); len(left) > 0 {
		t.Error("imgui.ini was written into the working directory")
	}
}
