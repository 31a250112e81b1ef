// SPDX-License-Identifier: Apache-2.0

package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"particles/internal/imagecmp"
	"particles/internal/scene"
	"particles/render/egl"
)

// fixedRun runs a built-in scene headless for so many frames and gives its summary and last picture.
func fixedRun(t *testing.T, name string, count, frames int, change func(*Options)) (Summary, string) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s, err := scene.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Count = count
	picture := filepath.Join(t.TempDir(), "picture.png")
	o := Options{
		Scene: s, Headless: true, Frames: frames, Width: 480, Height: 270, Driver: "host", ISA: "baseline",
		Image: picture, GLDebug: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(&o)
	}
	summary, err := Run(context.Background(), o)
	if errors.Is(err, egl.ErrUnavailable) {
		t.Skipf("headless OpenGL is missing on this machine: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if summary.Leaks != "" {
		t.Errorf("not given back: %s", summary.Leaks)
	}
	return summary, picture
}

// TestScenesMatchTheirReferencePictures pins count, seed, step and instruction set.
// References are made by llvmpipe; another renderer draws sprites' edges otherwise.
func TestScenesMatchTheirReferencePictures(t *testing.T) {
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			summary, picture := fixedRun(t, name, 6000, 150, nil)
			if summary.Steps != 150 || summary.Frames != 150 || summary.Count != 6000 || summary.Driver != "host" || summary.HostISA != "baseline" {
				t.Errorf("another run than asked for: %+v", summary)
			}
			img, err := imagecmp.Read(picture)
			if err != nil {
				t.Fatal(err)
			}
			tolerance := imagecmp.Default
			if !strings.Contains(summary.Renderer, "llvmpipe") {
				tolerance = imagecmp.Tolerance{Max: 255, Mean: 0.5} // the edges of single sprites differ as they like
			}
			imagecmp.Check(t, filepath.Join("testdata", name+".png"), img, tolerance)
		})
	}
}

// TestRunsAreRepeatable: the same run gives the same picture, bit for bit.
func TestRunsAreRepeatable(t *testing.T) {
	_, first := fixedRun(t, "fountain", 3000, 40, nil)
	_, second := fixedRun(t, "fountain", 3000, 40, nil)
	samePicture(t, first, second, imagecmp.Exact)
}

// TestStepsNotFramesDecideTheState: one step a frame for 60 frames is three steps a frame for 20.
func TestStepsNotFramesDecideTheState(t *testing.T) {
	_, one := fixedRun(t, "ribbons", 3000, 60, nil)
	_, three := fixedRun(t, "ribbons", 3000, 20, func(o *Options) { o.Scene.Values["clock.steps_per_frame"] = []float64{3} })
	samePicture(t, one, three, imagecmp.Exact)
}

// TestInstructionSetsDrawAlike compares the host's kernels with each other.
func TestInstructionSetsDrawAlike(t *testing.T) {
	_, baseline := fixedRun(t, "ribbons", 3000, 40, nil)
	_, best := fixedRun(t, "ribbons", 3000, 40, func(o *Options) { o.ISA = "auto" })
	samePicture(t, baseline, best, imagecmp.Default)
}

func samePicture(t *testing.T, a, b string, tol imagecmp.Tolerance) {
	t.Helper()
	first, err := imagecmp.Read(a)
	if err != nil {
		t.Fatal(err)
	}
	second, err := imagecmp.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	d, err := imagecmp.Compare(first, second)
	if err != nil {
		t.Fatal(err)
	}
	if !d.Within(tol) {
		t.Errorf("the pictures differ: %s", d)
	}
	if imagecmp.Blank(first) {
		t.Error("the pictures are blank")
	}
}
