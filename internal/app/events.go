// SPDX-License-Identifier: Apache-2.0

package app

import (
	"strings"

	"particles/render/window"
	"particles/trace"
)

// cameraDamping is the time constant with which the camera follows the mouse, in seconds.
const cameraDamping = 0.06

// mouse is what the camera needs to remember between events.
type mouse struct {
	x, y        float64
	left, right bool // held, and the press was on the picture, not on the panel
}

// pollEvents takes in what happened to the window.
func (r *run) pollEvents() error {
	events, err := r.screen.poll()
	if err != nil {
		return err
	}
	return r.takeEvents(events)
}

// takeEvents passes the events on: to the panel, to the camera what the panel does
// not want, and what concerns the window itself.
func (r *run) takeEvents(events []window.Event) error {
	if len(events) == 0 {
		return nil
	}
	r.idle = busyAfterEvent // also while paused: the panel spreads input over several frames
	if r.ui != nil {
		r.ui.Feed(events)
	}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case window.Resize:
			r.rec.Annotate(trace.Note{Kind: trace.NoteResize, Value: float64(e.W), Value2: float64(e.H)})
		case window.ScaleChanged:
			if r.ui != nil {
				r.ui.SetScale(float32(e.X))
			}
		case window.Drop:
			r.openDropped(e.Paths)
		case window.Focus:
			if !e.On {
				r.mouse.left, r.mouse.right = false, false
			}
		case window.ButtonDown, window.ButtonUp, window.Move, window.Scroll:
			r.moveCamera(e)
		}
	}
	return nil
}

// moveCamera turns (left button), pans (right or middle button) and zooms (wheel).
func (r *run) moveCamera(e *window.Event) {
	height := r.screen.size().H
	onPanel := r.ui != nil && r.ui.WantMouse()
	switch e.Kind {
	case window.ButtonDown:
		if onPanel {
			return
		}
		r.mouse.x, r.mouse.y = e.X, e.Y
		switch e.Button {
		case window.ButtonLeft:
			r.mouse.left = true
		case window.ButtonRight, window.ButtonMiddle:
			r.mouse.right = true
		}
	case window.ButtonUp:
		switch e.Button {
		case window.ButtonLeft:
			r.mouse.left = false
		case window.ButtonRight, window.ButtonMiddle:
			r.mouse.right = false
		}
	case window.Move:
		dx, dy := float32(e.X-r.mouse.x), float32(e.Y-r.mouse.y)
		r.mouse.x, r.mouse.y = e.X, e.Y
		switch {
		case r.mouse.right:
			r.camera.Pan(dx, dy, height)
		case r.mouse.left:
			r.camera.Drag(dx, dy, height)
		}
	case window.Scroll:
		if !onPanel {
			r.camera.Wheel(float32(e.Y))
		}
	}
}

// openDropped loads a scene file that was dropped on the window.
func (r *run) openDropped(paths []string) {
	for _, path := range paths {
		if strings.HasSuffix(strings.ToLower(path), ".toml") {
			r.loadScene(path)
			return
		}
	}
	r.tell("only scene files (.toml) can be dropped here")
}
