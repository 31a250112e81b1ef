// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"particles/trace"

	"particles/internal/testenv"
)

// summary is what --json prints, as far as the tests look at it.
type summary struct {
	Driver, Device, Interop, Reason, Renderer, Leaks string
	Count                                            int
	Frames, Steps                                    uint64
	FrameMS                                          struct{ Median, P99, P999 float64 } `json:"frame_ms"`
	Allocs                                           float64                             `json:"allocs_per_frame"`
	GPU                                              []struct {
		Name   string
		Median float64
	}
	Phases []struct {
		Name   string
		Median float64
	}
}

// run runs the program to its end and reads its summary.
func run(t *testing.T, args ...string) summary {
	t.Helper()
	cmd := exec.Command(binary(t), append(append([]string{"run"}, args...), "--json", "--gl-debug")...)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		var said []byte
		if exit, ok := err.(*exec.ExitError); ok {
			said = exit.Stderr
		}
		t.Fatalf("%v: %v\n%s%s", args, err, out, said)
	}
	var s summary
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("the summary is not one JSON object: %v\n%s", err, out)
	}
	if s.Leaks != "" {
		t.Errorf("%v: not given back: %s", args, s.Leaks)
	}
	return s
}

// needGPU skips where the automatic choice is not CUDA.
func needGPU(t *testing.T) {
	t.Helper()
	if s := run(t, "--headless", "--frames", "2", "--count", "100"); s.Driver != "cuda" {
		testenv.Missing(t, "gpu", "no usable NVIDIA GPU on this machine: %s", s.Reason)
	}
}

// TestGPURunsAreSharedAndWhole runs through EGL and in a GLX window, and reads the trace.
func TestGPURunsAreSharedAndWhole(t *testing.T) {
	needGPU(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"EGL", []string{"--headless"}},
		{"GLX window", []string{"--no-vsync"}},
		{"GLX window without panel", []string{"--no-vsync", "--hide-ui"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name != "EGL" && os.Getenv("DISPLAY") == "" {
				testenv.Missing(t, "display", "no display on this machine (DISPLAY is not set)")
			}
			file := filepath.Join(t.TempDir(), "trace.json")
			s := run(t, append(c.args, "ribbons", "--frames", "600", "--count", "1000000", "--trace", file)...)
			if s.Driver != "cuda" || s.Interop != "shared" || s.Reason != "" {
				t.Errorf("driver %s, tier %s (%s); want cuda and shared", s.Driver, s.Interop, s.Reason)
			}
			if s.Frames != 600 || s.Count != 1_000_000 {
				t.Errorf("%d frames of %d particles", s.Frames, s.Count)
			}
			if len(s.GPU) < 5 {
				t.Errorf("GPU times of %d spans only: %+v", len(s.GPU), s.GPU)
			}
			if c.name != "GLX window" && s.Allocs >= 1 {
				t.Errorf("%.2f heap objects a frame", s.Allocs)
			}
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			read, err := trace.ReadChrome(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := read.Check(); err != nil {
				t.Error(err)
			}
			if len(read.Frames) != 600 || len(read.GPU) < 600*5 {
				t.Errorf("the trace has %d frames and %d GPU slices", len(read.Frames), len(read.GPU))
			}
			t.Logf("median %.3f ms, p99 %.3f ms; phases %v; GPU %v", s.FrameMS.Median, s.FrameMS.P99, s.Phases, s.GPU)
		})
	}
}

// TestDefaultCountOnAGPU: a million where nothing slower than a GPU is in the way.
func TestDefaultCountOnAGPU(t *testing.T) {
	needGPU(t)
	s := run(t, "--headless", "--frames", "60")
	if s.Interop == "shared" && s.Count != 1_000_000 {
		t.Errorf("%d particles by default, want a million", s.Count)
	}
}
