// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"particles/render/egl"
	"particles/trace"
)

// needEGL skips where nothing can be drawn without a display.
func needEGL(t *testing.T) {
	t.Helper()
	ctx, err := egl.New(egl.Options{})
	if err != nil {
		t.Skipf("needs an EGL that draws without a display: %v", err)
	}
	if err := ctx.Close(); err != nil {
		t.Fatal(err)
	}
}

// readTrace reads and checks a trace.
func readTrace(t *testing.T, path string) *trace.ChromeTrace {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ct, err := trace.ReadChrome(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := ct.Check(); err != nil {
		t.Error(err)
	}
	return ct
}

func TestHeadlessRunLeavesPictureTraceAndSummary(t *testing.T) {
	needEGL(t)
	dir := filepath.Join(t.TempDir(), "łódź with  spaces")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	image, file := filepath.Join(dir, "a.png"), filepath.Join(dir, "a.json")
	args := []string{
		"fountain", "--headless", "--driver", "host", "--host-isa", "baseline", "--frames", "40", "--count", "3000", "--seed", "-1",
		"--size", "320x200", "--set", "emitter.speed=8", "--image", image, "--trace", file, "--json",
	}
	for round := range 2 { // the second must keep what the first left
		cmd := child(t, "program", args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		var s struct {
			Driver, Interop, Reason, Scene string
			Count, Frames                  int
			Seed                           int64
			FrameMS                        struct{ Median float64 } `json:"frame_ms"`
		}
		if err := json.Unmarshal(out.Bytes(), &s); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		if s.Driver != "host" || s.Interop != "host" || s.Scene != "fountain" || s.Count != 3000 || s.Frames != 40 || s.Seed != -1 || s.FrameMS.Median <= 0 {
			t.Errorf("summary %s", out.String())
		}
		if kept := strings.Contains(errs.String(), "a.1.png") && strings.Contains(errs.String(), "a.1.json"); kept != (round == 1) {
			t.Errorf("round %d: earlier files told %v: %s", round, kept, errs.String())
		}
	}
	for _, name := range []string{"a.png", "a.1.png"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		if err != nil || img.Bounds().Dx() != 320 || img.Bounds().Dy() != 200 {
			t.Errorf("%s: %v, %v", name, err, img)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"a.json", "a.1.json"} {
		ct := readTrace(t, filepath.Join(dir, name))
		if len(ct.Frames) != 40 || ct.Truncated {
			t.Errorf("%s: %d frames, truncated %v", name, len(ct.Frames), ct.Truncated)
		}
		p, _ := ct.Session["params"].(map[string]any)
		if ct.Session["driver"] != "host" || ct.Session["seed"] != "18446744073709551615" || ct.Session["scene"] != "fountain" || p["emitter.speed"] != 8.0 ||
			p["look.one_pixel"] != false || p["look.color_map"] != "glacier" || p["clock.dt"] != 1.0/60 || p["pacing.frames_in_flight"] != 2.0 ||
			ct.Session["commit"] == nil {
			t.Errorf("%s: header %v", name, ct.Session)
		}
	}
}

func TestInterruptedRunLeavesACompleteTraceAndSummary(t *testing.T) {
	needEGL(t)
	file := filepath.Join(t.TempDir(), "t.json")
	cmd := child(t, "program", "--headless", "--driver", "host", "--seconds", "120", "--count", "2000", "--size", "160x100", "--trace", file, "--json")
	_, wait := startChild(t, cmd)
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil && bytes.Count(b, []byte(`"name":"frame"`)) > 5 {
			break
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	out := wait()
	if code := cmd.ProcessState.ExitCode(); code != 0 || !json.Valid([]byte(out)) || strings.Count(out, "\n") != 1 {
		t.Errorf("exit code %d, output %q", code, out)
	}
	if ct := readTrace(t, file); ct.Truncated || len(ct.Frames) < 6 {
		t.Errorf("truncated %v, %d frames", ct.Truncated, len(ct.Frames))
	}
}

func TestCUDAWithoutADriverFailsWithReasonAndCure(t *testing.T) {
	needEGL(t)
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		t.Skip("needs a machine without an NVIDIA GPU")
	}
	cmd := child(t, "program", "--headless", "--driver", "cuda", "--frames", "2", "--json")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is looked at
	if code := cmd.ProcessState.ExitCode(); code != exitFailure || out.Len() != 0 {
		t.Errorf("exit code %d, output %q", code, out.String())
	}
	for _, want := range []string{"libcuda.so.1", "install"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q does not say %q", errs.String(), want)
		}
	}
}

func TestFullDiskStopsTheTraceAndNotTheRun(t *testing.T) {
	needEGL(t)
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("needs /dev/full: %v", err)
	}
	cmd := child(t, "program", "--headless", "--driver", "host", "--frames", "30", "--count", "1000", "--size", "160x100", "--trace", "/dev/full", "--json")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is looked at
	if cmd.ProcessState.ExitCode() != exitFailure || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("exit code %d, %q", cmd.ProcessState.ExitCode(), errs.String())
	}
	var s struct{ Frames int }
	if err := json.Unmarshal(out.Bytes(), &s); err != nil || s.Frames != 30 {
		t.Errorf("%v: %q", err, out.String())
	}
}
