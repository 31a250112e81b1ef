// SPDX-License-Identifier: Apache-2.0

package window

import "github.com/go-gl/glfw/v3.3/glfw"

// Cursor is a shape of the pointer.
type Cursor uint8

// The shapes.
const (
	CursorArrow Cursor = iota
	CursorText
	CursorCross
	CursorHand
	CursorLeftRight
	CursorUpDown
	CursorHidden

	cursorCount = int(CursorHidden)
)

var shapes = [cursorCount]glfw.StandardCursor{
	glfw.ArrowCursor, glfw.IBeamCursor, glfw.CrosshairCursor, glfw.HandCursor, glfw.HResizeCursor, glfw.VResizeCursor,
}

// SetCursor changes the pointer's shape; unknown ones are the arrow. The same one again costs nothing, and each shape is
// made once.
func (w *Window) SetCursor(c Cursor) (err error) {
	if c > CursorHidden {
		c = CursorArrow
	}
	if c == w.cursor {
		return nil
	}
	defer catch(&err)
	hide := c == CursorHidden
	if !hide {
		if w.cursors[c] == nil {
			w.cursors[c] = glfw.CreateStandardCursor(shapes[c])
		}
		w.win.SetCursor(w.cursors[c])
	}
	if hide != w.hidden {
		mode := glfw.CursorNormal
		if hide {
			mode = glfw.CursorHidden
		}
		w.win.SetInputMode(glfw.CursorMode, mode)
		w.hidden = hide
	}
	w.cursor = c
	return nil
}
