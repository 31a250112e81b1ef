// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// uiState is what the program writes of its panel each frame.
type uiState struct {
	Frame   uint64     `json:"frame"`
	Width   int        `json:"width"`
	Height  int        `json:"height"`
	Hidden  bool       `json:"hidden"`
	Mouse   [2]float64 `json:"mouse"`
	Pending int        `json:"pending"`
	Editing string     `json:"editing"`
	Keys    uint64     `json:"keys"`
	Panel   [4]float64 `json:"panel"`
	Widgets []widget   `json:"widgets"`
}

type widget struct {
	Key        string
	Kind       string
	X, Y, W, H float64
	Value      float64
	Min, Max   float64
	Text       string
	Hovered    bool
	Active     bool
	Visible    bool
}

func (s *uiState) widget(key string) *widget {
	for i := range s.Widgets {
		if s.Widgets[i].Key == key {
			return &s.Widgets[i]
		}
	}
	return nil
}

// program is a run of the program in a window.
type program struct {
	t       *testing.T
	desk    *desktop
	cmd     *exec.Cmd
	dir     string
	state   string
	out     bytes.Buffer
	errs    bytes.Buffer
	done    chan error
	window  string
	left    float64 // of the window's contents on the screen
	top     float64
	stopped bool
}

// start runs the program in a folder of its own and waits until its panel is drawn.
func (d *desktop) start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{t: t, desk: d, dir: t.TempDir(), done: make(chan error, 1)}
	p.state = filepath.Join(p.dir, "ui-state.json")
	args = append([]string{"run"}, args...)
	args = append(args, "--ui-state", p.state, "--out-dir", p.dir, "--gl-debug")
	p.cmd = d.command(binary(t), args...)
	p.cmd.Dir = p.dir
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		if !p.stopped {
			_ = p.cmd.Process.Kill()
			<-p.done
		}
		if t.Failed() {
			t.Logf("the program said:\n%s%s", p.out.String(), p.errs.String())
		}
	})
	p.waitFor("the panel is drawn", func(s *uiState) bool { return s.Frame > 20 && len(s.Widgets) > 5 })
	p.window = strings.Fields(d.xdo(t, "search", "--onlyvisible", "--pid", itoa(p.cmd.Process.Pid)))[0]
	p.locate()
	return p
}

// locate finds where the window's contents are, once they have stopped moving.
func (p *program) locate() {
	p.t.Helper()
	last, same := "", 0
	for range 400 {
		text, err := p.desk.command("xwininfo", "-id", p.window).Output()
		if err != nil {
			p.t.Fatalf("xwininfo: %v", err)
		}
		out := string(text)
		if out == last {
			if same++; same >= 8 {
				break
			}
		} else {
			last, same = out, 0
		}
		time.Sleep(15 * time.Millisecond)
	}
	for _, line := range strings.Split(last, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "Absolute upper-left X":
			p.left = atof(value)
		case "Absolute upper-left Y":
			p.top = atof(value)
		}
	}
}

// read gives the panel's state, nil while there is none.
func (p *program) read() *uiState {
	data, err := os.ReadFile(p.state)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		p.t.Fatal(err)
	}
	var s uiState
	if err := json.Unmarshal(data, &s); err != nil {
		p.t.Fatalf("the panel's state is not JSON: %v\n%s", err, data)
	}
	return &s
}

// patience is how long a step may take before the test gives up. Nothing is asserted about time.
const patience = 60 * time.Second

// waitFor waits until the panel's state is as wanted.
func (p *program) waitFor(what string, ok func(*uiState) bool) *uiState {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		select {
		case err := <-p.done:
			p.stopped = true
			p.t.Fatalf("the program ended (%v) before %s", err, what)
		default:
		}
		if s := p.read(); s != nil && ok(s) {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("waited in vain until %s", what)
	return nil
}

// find waits for a widget to be there and in sight, scrolling the panel down to it.
func (p *program) find(key string) widget {
	p.t.Helper()
	var found widget
	visible := func(s *uiState) bool {
		w := s.widget(key)
		head := s.Panel[1] // the part above the sections does not scroll
		if b := s.widget("record/toggle"); b != nil && key != b.Key && !strings.HasPrefix(key, "clock/") {
			head = b.Y + b.H
		}
		if w == nil || !w.Visible || w.Y < head || w.Y+w.H > s.Panel[1]+s.Panel[3] {
			return false
		}
		found = *w
		return true
	}
	for range 60 {
		s := p.waitFor("the panel is at rest", func(s *uiState) bool { return s.Pending == 0 })
		if visible(s) {
			return found
		}
		p.point(s.Panel[0]+s.Panel[2]/2, s.Panel[1]+s.Panel[3]*0.7)
		button := "5"
		if w := s.widget(key); w != nil && w.Y < s.Panel[1]+s.Panel[3]/2 {
			button = "4"
		}
		p.desk.xdo(p.t, "click", button)
		frame := s.Frame
		p.waitFor("the panel scrolled", func(s *uiState) bool { return s.Frame > frame+3 && s.Pending == 0 })
	}
	s := p.read()
	var keys []string
	for _, w := range s.Widgets {
		keys = append(keys, w.Key)
	}
	p.t.Fatalf("no widget %q in the panel; there are: %s", key, strings.Join(keys, " "))
	return found
}

// point moves the mouse to a place in the window and waits until the program has it there.
func (p *program) point(x, y float64) {
	p.t.Helper()
	p.desk.move(p.t, p.left+x, p.top+y)
	p.waitFor("the mouse arrived", func(s *uiState) bool {
		return abs(s.Mouse[0]-x) < 2 && abs(s.Mouse[1]-y) < 2 && s.Pending == 0
	})
}

// click presses and releases the left button in the middle of a widget.
func (p *program) click(key string) {
	p.t.Helper()
	w := p.find(key)
	p.point(w.X+w.W/2, w.Y+w.H/2)
	p.desk.down(p.t)
	p.settle()
	p.desk.up(p.t)
	p.settle()
}

// settle waits until some more frames have been drawn and no input is waiting.
func (p *program) settle() *uiState {
	p.t.Helper()
	s := p.read()
	frame := s.Frame
	return p.waitFor("some frames passed", func(s *uiState) bool { return s.Frame > frame+3 && s.Pending == 0 })
}

// key types a key into the window.
func (p *program) key(name string) {
	p.t.Helper()
	p.desk.xdo(p.t, "key", "--window", p.window, name)
}

// close asks the window manager to close the window, as its button does, and waits for a clean end.
func (p *program) close() {
	p.t.Helper()
	p.closeRequest()
	p.ended()
}

// ended waits for the program's end and fails unless it was a success.
func (p *program) ended() {
	p.t.Helper()
	select {
	case err := <-p.done:
		p.stopped = true
		if err != nil {
			p.t.Fatalf("the program ended with %v\n%s%s", err, p.out.String(), p.errs.String())
		}
	case <-time.After(patience):
		p.t.Fatal("the program did not end")
	}
}

// closeRequest is the window manager's close button.
func (p *program) closeRequest() {
	p.t.Helper()
	if out, err := p.desk.command("wmctrl", "-i", "-c", p.window).CombinedOutput(); err != nil {
		p.t.Fatalf("wmctrl: %v\n%s", err, out)
	}
}
