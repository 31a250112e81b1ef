// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

// edit is the one text field that may be open: a number being typed in a slider's place. ImGui's own input of sliders is
// not used: it applies half-typed numbers, lets values out of the range and drops a decimal comma without a word.
type edit struct {
	key    string // row being edited, "" none
	text   string
	focus  bool // give it the keyboard
	active bool // it has had the keyboard
	shown  bool // built in this frame
	first  string
}

// end closes a field whose row has gone (section closed, other model).
func (e *edit) end() {
	if !e.shown {
		*e = edit{}
	}
	e.shown = false
}

// startEdit opens the field when the slider that would come next is clicked with Ctrl held.
func (u *UI) startEdit(r *row, n *number) bool {
	if !u.platform.clicked[0] || !u.platform.ctrl || !u.cursorRow() {
		return false
	}
	v := n.v * n.shown()
	text := string(strconv.AppendFloat(nil, roundDigits(v, 12), 'g', -1, 64))
	if n.integer() {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	u.openEdit(r, text)
	return true
}

// cursorRow reports whether the mouse is on the control that would be built next.
func (u *UI) cursorRow() bool {
	if !imgui.IsWindowHovered() {
		return false
	}
	at, w, h := imgui.CursorScreenPos(), imgui.ContentRegionAvail().X, imgui.FrameHeight()
	x, y := u.platform.x, u.platform.y
	return x >= at.X && x < at.X+w && y >= at.Y && y < at.Y+h
}

func (u *UI) openEdit(r *row, text string) {
	u.edit = edit{key: r.key, text: text, first: text, focus: true}
}

// field builds the open text field. done is true once, when it is left by Enter or a click elsewhere; Escape and an
// unchanged text leave it without.
func (u *UI) field(r *row) (done bool) {
	e := &u.edit
	e.shown = true
	if e.focus {
		imgui.SetKeyboardFocusHere()
		e.focus = false
	}
	imgui.SetNextItemWidth(-1)
	imgui.PushStyleColor(imgui.StyleColorFrameBg, colActive)
	imgui.InputTextV(r.id, &e.text, imgui.InputTextFlagsAutoSelectAll, nil)
	imgui.PopStyleColor()
	if imgui.IsItemActive() {
		e.active = true
		return false
	}
	if !e.active {
		return false
	}
	done = e.text != e.first // Escape has given the first text back
	if !done {
		u.closeEdit()
	}
	return done
}

func (u *UI) closeEdit() { u.edit = edit{shown: true} }

// editNumber builds the open field of a number and returns the value typed, within the limits.
func (u *UI) editNumber(r *row, n *number) (float64, bool) {
	if !u.field(r) {
		return n.v, false
	}
	text := u.edit.text
	u.closeEdit()
	shown, err := parseNumber(text, n.unit)
	if err != nil {
		u.say(Warning, n.label+": "+err.Error())
		return n.v, false
	}
	v, moved := n.typed(shown)
	if moved {
		u.say(Warning, n.label+": "+text+" cannot be, "+string(n.appendValue(nil, v, n.unit))+" taken")
	}
	return v, true
}
