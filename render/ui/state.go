// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/inkyblackness/imgui-go/v4"
)

// Widget is one control as it stands in the state file. The rectangle is in window units from the window's upper left;
// a row's label is not part of it.
type Widget struct {
	Key      string  `json:"key"`
	Kind     string  `json:"kind"` // slider, check, combo, choice, button, field, section, plot, text
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	W        float32 `json:"w"`
	H        float32 `json:"h"`
	Value    float64 `json:"value"`
	Text     string  `json:"text,omitempty"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Hovered  bool    `json:"hovered,omitempty"`
	Active   bool    `json:"active,omitempty"`
	Disabled bool    `json:"disabled,omitempty"`
	Visible  bool    `json:"visible"` // not scrolled out of sight
}

// State is what WriteState writes, as JSON: the UI as of the last Frame.
type State struct {
	Frame        uint64     `json:"frame"`
	Width        int        `json:"width"`
	Height       int        `json:"height"`
	Scale        float32    `json:"scale"`
	Hidden       bool       `json:"hidden"`
	Panel        [4]float32 `json:"panel"` // x, y, w, h
	Scroll       float32    `json:"scroll"`
	ScrollMax    float32    `json:"scroll_max"`
	Mouse        [2]float32 `json:"mouse"` // where ImGui has it
	WantMouse    bool       `json:"want_mouse"`
	WantKeyboard bool       `json:"want_keyboard"`
	Editing      string     `json:"editing,omitempty"` // key of the open text field
	Keys         uint64     `json:"keys"`              // presses taken in since the start
	Pending      int        `json:"pending"`           // input events that later frames will take
	Widgets      []Widget   `json:"widgets"`
}

// state gathers State while a frame is built. Off until it is first asked for, as it costs allocations.
type state struct {
	on  bool
	now State
}

func (s *state) begin(u *UI) {
	if !s.on {
		return
	}
	w := s.now.Widgets[:0]
	s.now = State{
		Frame: u.m.Frame, Width: u.size.W, Height: u.size.H, Scale: u.scale, Hidden: u.m.Hidden,
		Mouse: [2]float32{u.platform.x, u.platform.y}, Pending: len(u.platform.queue), Keys: u.platform.pressed, Widgets: w,
	}
}

// item records ImGui's last item.
func (s *state) item(u *UI, key, kind string, value float64, text string, lo, hi float64, disabled bool) {
	if !s.on {
		return
	}
	a, b := imgui.ItemRectMin(), imgui.ItemRectMax()
	s.now.Widgets = append(s.now.Widgets, Widget{
		Key: key, Kind: kind, X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y, Value: finite(value), Text: string([]byte(text)),
		Min: finite(lo), Max: finite(hi), Hovered: imgui.IsItemHovered(), Active: imgui.IsItemActive(), Disabled: disabled,
		Visible: imgui.IsItemVisible(),
	})
}

// choice records one choice of an open combo or a row of buttons as key/index.
func (s *state) choice(u *UI, key string, i int, text string) {
	if s.on {
		s.item(u, fmt.Sprintf("%s/%d", key, i), "choice", float64(i), text, 0, 0, false)
	}
}

func (s *state) scrolled(y, most float32) { s.now.Scroll, s.now.ScrollMax = y, most }

// finite makes a value that JSON can hold.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}

// State returns the UI as of the last Frame, for tests. It is good until the next Frame. Widgets are recorded only with
// Options.Track or after a first call.
func (u *UI) State() *State {
	s := &u.state
	s.on = true
	s.now.Panel = [4]float32{u.layout.pos.X, u.layout.pos.Y, u.layout.dim.X, u.layout.dim.Y}
	s.now.WantMouse, s.now.WantKeyboard, s.now.Editing = u.WantMouse(), u.WantKeyboard(), u.edit.key
	return &s.now
}

// Find returns the widget with a key, nil if it was not built.
func (s *State) Find(key string) *Widget {
	for i := range s.Widgets {
		if s.Widgets[i].Key == key {
			return &s.Widgets[i]
		}
	}
	return nil
}

// WriteState writes State to a file as JSON, whole or not at all: a reader never sees half a file. It is for tests that
// drive the window from outside.
func (u *UI) WriteState(path string) error {
	data, err := json.Marshal(u.State())
	if err != nil {
		return fmt.Errorf("ui state: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".ui-state-*")
	if err != nil {
		return fmt.Errorf("ui state: %w", err)
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that matters is the first
		return fmt.Errorf("ui state: %w", err)
	}
	return nil
}
