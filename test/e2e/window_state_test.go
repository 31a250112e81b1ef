// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWindowTakesEverySizeAndState resizes, minimises, fills the screen and comes
// back. The program runs with --gl-debug, so an OpenGL error would end it.
func TestWindowTakesEverySizeAndState(t *testing.T) {
	d := newDesktop(t, 1280, 800)
	p := d.start(t, "fountain", "--count", "3000", "--size", "700x500", "--driver", "host")

	for _, size := range [][2]string{{"900", "300"}, {"320", "240"}, {"1001", "601"}, {"640", "700"}} {
		d.xdo(t, "windowsize", p.window, size[0], size[1])
		p.waitFor("the size is "+size[0]+"x"+size[1], func(s *uiState) bool {
			return itoa(s.Width) == size[0] && itoa(s.Height) == size[1]
		})
	}

	d.xdo(t, "windowminimize", p.window)
	p.waitFor("the window is minimised", func(*uiState) bool {
		out, _ := d.command("xprop", "-id", p.window, "WM_STATE").CombinedOutput()
		return strings.Contains(string(out), "Iconic")
	})
	d.xdo(t, "windowmap", p.window)
	d.xdo(t, "windowactivate", "--sync", p.window)
	p.settle()

	p.key("F11")
	p.waitFor("the window fills the screen", func(s *uiState) bool { return s.Width == 1280 && s.Height == 800 })
	p.key("F11")
	p.waitFor("the window has its size back", func(s *uiState) bool { return s.Width == 640 && s.Height == 700 })

	p.key("h")
	p.waitFor("the panel is hidden", func(s *uiState) bool { return s.Hidden })
	p.key("h")
	p.waitFor("the panel is back", func(s *uiState) bool { return !s.Hidden })

	if img := p.screenshot(); light(img) < 0.5 {
		t.Errorf("the picture is blank at the end: mean light %.2f", light(img))
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ended()
	if !strings.Contains(p.out.String(), "frames") {
		t.Errorf("no summary after SIGTERM: %q", p.out.String())
	}
}

// TestKeysPauseStepAndReset works with the keyboard alone.
func TestKeysPauseStepAndReset(t *testing.T) {
	d := newDesktop(t, 1000, 700)
	p := d.start(t, "fountain", "--count", "3000", "--size", "800x600", "--driver", "host")
	steps := func(s *uiState) float64 {
		if w := s.widget("clock/time"); w != nil {
			return w.Value
		}
		return -1
	}
	p.waitFor("time runs", func(s *uiState) bool { return steps(s) > 0 })
	p.key("space")
	var at float64
	p.waitFor("time stands still", func(s *uiState) bool {
		same := steps(s) == at
		at = steps(s)
		w := s.widget("clock/pause")
		return same && w != nil && w.Text == "Run"
	})
	p.key("n")
	p.waitFor("one step was made", func(s *uiState) bool { return steps(s) > at })
	p.key("r")
	p.waitFor("it starts again", func(s *uiState) bool { return steps(s) < at })
	p.key("space")
	p.close()
	if files, _ := filepath.Glob(filepath.Join(p.dir, "*.ini")); len(files) > 0 {
		t.Errorf("files in the working directory: %v", files)
	}
}

// TestWithoutADisplay: the program says so in one line and leaves a picture, a trace and a summary.
func TestWithoutADisplay(t *testing.T) {
	dir := t.TempDir()
	cmd := (&desktop{env: withoutDisplay()}).command(binary(t), "run", "--seconds", "1", "--size", "320x180", "--count", "2000")
	cmd.Dir = dir
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	if n := strings.Count(errs.String(), "no display"); n != 1 {
		t.Errorf("said %d times that there is no display:\n%s", n, errs.String())
	}
	for _, file := range []string{"particles-ribbons.png", "particles-ribbons.json"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() < 500 {
			t.Errorf("%s was not left: %v", file, err)
		}
	}
	if !strings.Contains(out.String(), "frame time") {
		t.Errorf("no summary:\n%s", out.String())
	}
}

// TestEveryRunHasASummary: the shortest run too prints one JSON object, of one frame.
func TestEveryRunHasASummary(t *testing.T) {
	s := run(t, "--headless", "--seconds", "0.00001", "--count", "1000", "--size", "64x64", "--driver", "host")
	if s.Frames != 1 || s.Driver != "host" {
		t.Errorf("summary %+v", s)
	}
}

func withoutDisplay() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "DISPLAY=") && !strings.HasPrefix(variable, "WAYLAND_DISPLAY=") {
			env = append(env, variable)
		}
	}
	return env
}
