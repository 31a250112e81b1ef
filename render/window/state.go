// SPDX-License-Identifier: Apache-2.0

package window

import "github.com/go-gl/glfw/v3.3/glfw"

// ShouldClose tells whether the person or the program asked for the window to close.
func (w *Window) ShouldClose() bool { return w.win.ShouldClose() }

// RequestClose sets what ShouldClose returns.
func (w *Window) RequestClose(on bool) { w.win.SetShouldClose(on) }

// SetTitle changes the title; the same one again costs nothing.
func (w *Window) SetTitle(title string) (err error) {
	if title == w.title {
		return nil
	}
	defer catch(&err)
	w.win.SetTitle(title)
	w.title = title
	return nil
}

// Size returns the window's size in window units, as of the last Poll.
func (w *Window) Size() (width, height int) { return w.width, w.height }

// FramebufferSize returns the size to draw in pixels, as of the last Poll: 0 x 0 while minimised.
func (w *Window) FramebufferSize() (width, height int) {
	if w.iconified {
		return 0, 0
	}
	return w.fbWidth, w.fbHeight
}

// SetSize changes the size in window units.
func (w *Window) SetSize(width, height int) error {
	return try(func() { w.win.SetSize(max(width, 1), max(height, 1)) })
}

// Position returns where the window's contents start on the desktop; ok is false on systems that do not tell.
func (w *Window) Position() (x, y int, ok bool) {
	if !hasPosition {
		return 0, 0, false
	}
	_ = try(func() { x, y = w.win.GetPos() })
	return x, y, true
}

// Scale returns the content scale: 1 on an ordinary monitor, 2 on a dense one; never 0.
func (w *Window) Scale() float32 {
	if !(w.scale > 0) || w.scale > 16 {
		return 1
	}
	return w.scale
}

// Iconified tells whether the window is minimised.
func (w *Window) Iconified() bool { return w.iconified }

// Focused tells whether the window has the keyboard.
func (w *Window) Focused() bool { return w.focused }

// Pointer returns where the pointer was last, in window units.
func (w *Window) Pointer() (x, y float64) { return w.x, w.y }

// Iconify minimises the window.
func (w *Window) Iconify() error { return try(w.win.Iconify) }

// Restore ends being minimised or maximised.
func (w *Window) Restore() error { return try(w.win.Restore) }

// Maximize makes the window fill its desktop.
func (w *Window) Maximize() error { return try(w.win.Maximize) }

// Show makes the window visible.
func (w *Window) Show() error { return try(w.win.Show) }

// Text returns the clipboard's text, empty when it holds none.
func (w *Window) Text() (text string) {
	_ = try(func() { text = glfw.GetClipboardString() })
	return text
}

// SetText puts text on the clipboard.
func (w *Window) SetText(text string) { _ = try(func() { glfw.SetClipboardString(text) }) }
