// SPDX-License-Identifier: Apache-2.0

package window

import (
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// Poll takes in what happened since the last call and returns it, oldest first. The slice is used again by the next call.
func (w *Window) Poll() (events []Event, err error) {
	defer catch(&err)
	glfw.PollEvents()
	return w.take(), nil
}

// Wait is Poll for a program that has nothing to do: it sleeps until something happens, Wake is called, or the time is over.
func (w *Window) Wait(timeout time.Duration) (events []Event, err error) {
	defer catch(&err)
	if timeout <= 0 {
		glfw.PollEvents()
	} else {
		glfw.WaitEventsTimeout(timeout.Seconds())
	}
	return w.take(), nil
}

// take gives the events that have come, those between two polls included, and begins a new list.
func (w *Window) take() []Event {
	w.events, w.taken = w.taken[:0], w.events
	return w.taken
}

// Wake ends a Wait. It may be called from any goroutine while the window is open.
func (w *Window) Wake() { _ = try(glfw.PostEmptyEvent) }

func (w *Window) emit(e Event) { w.events = append(w.events, e) }

// listen sets the callbacks, once. They run within Poll and Wait, some within calls that change the window.
func (w *Window) listen() {
	w.win.SetKeyCallback(w.onKey)
	w.win.SetCharCallback(func(_ *glfw.Window, c rune) { w.emit(Event{Kind: Char, Char: c}) })
	w.win.SetMouseButtonCallback(w.onButton)
	w.win.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		w.x, w.y = x, y
		w.emit(Event{Kind: Move, X: x, Y: y})
	})
	w.win.SetCursorEnterCallback(func(_ *glfw.Window, in bool) { w.emit(Event{Kind: Enter, On: in}) })
	w.win.SetScrollCallback(func(_ *glfw.Window, x, y float64) { w.emit(Event{Kind: Scroll, X: x, Y: y}) })
	w.win.SetFocusCallback(w.onFocus)
	w.win.SetIconifyCallback(func(_ *glfw.Window, on bool) {
		w.iconified = on
		w.emit(Event{Kind: Iconify, On: on})
		width, height := w.FramebufferSize()
		w.emit(Event{Kind: Resize, W: width, H: height})
	})
	w.win.SetMaximizeCallback(func(_ *glfw.Window, on bool) { w.maximized = on })
	w.win.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) {
		w.fbWidth, w.fbHeight = width, height
		width, height = w.FramebufferSize()
		w.emit(Event{Kind: Resize, W: width, H: height})
	})
	w.win.SetPosCallback(func(*glfw.Window, int, int) { w.note() })
	w.win.SetSizeCallback(func(_ *glfw.Window, width, height int) {
		w.width, w.height = width, height
		w.note()
	})
	w.win.SetContentScaleCallback(func(_ *glfw.Window, x, _ float32) {
		w.scale = x
		w.emit(Event{Kind: ScaleChanged, X: float64(w.Scale())})
	})
	w.win.SetDropCallback(func(_ *glfw.Window, names []string) { w.emit(Event{Kind: Drop, X: w.x, Y: w.y, Paths: names}) })
	w.win.SetCloseCallback(func(*glfw.Window) { w.emit(Event{Kind: CloseRequest}) })
}

func (w *Window) onKey(_ *glfw.Window, key glfw.Key, scancode int, action glfw.Action, mods glfw.ModifierKey) {
	e := Event{Kind: KeyDown, Key: int(key), Scancode: scancode, Mods: modifiers(mods), Repeat: action == glfw.Repeat}
	known := e.Key >= 0 && e.Key < len(w.keys)
	if action == glfw.Release {
		e.Kind = KeyUp
		if known && !w.keys[e.Key] {
			return // released already when the focus left
		}
	}
	if known {
		w.keys[e.Key] = e.Kind == KeyDown
	}
	w.emit(e)
}

func (w *Window) onButton(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, mods glfw.ModifierKey) {
	e := Event{Kind: ButtonDown, Button: int(b), Mods: modifiers(mods), X: w.x, Y: w.y}
	known := e.Button >= 0 && e.Button < len(w.mouse)
	if action == glfw.Release {
		e.Kind = ButtonUp
		if known && !w.mouse[e.Button] {
			return
		}
	}
	if known {
		w.mouse[e.Button] = e.Kind == ButtonDown
	}
	w.emit(e)
}

// onFocus releases all that is held when the focus leaves: the releases themselves go to another window.
func (w *Window) onFocus(_ *glfw.Window, on bool) {
	w.focused = on
	if !on {
		for k, down := range w.keys {
			if down {
				w.keys[k] = false
				w.emit(Event{Kind: KeyUp, Key: k})
			}
		}
		for b, down := range w.mouse {
			if down {
				w.mouse[b] = false
				w.emit(Event{Kind: ButtonUp, Button: b, X: w.x, Y: w.y})
			}
		}
	}
	w.emit(Event{Kind: Focus, On: on})
}

func modifiers(m glfw.ModifierKey) (out Mod) {
	for _, p := range [...]struct {
		from glfw.ModifierKey
		to   Mod
	}{{glfw.ModShift, ModShift}, {glfw.ModControl, ModControl}, {glfw.ModAlt, ModAlt}, {glfw.ModSuper, ModSuper}} {
		if m&p.from != 0 {
			out |= p.to
		}
	}
	return out
}
