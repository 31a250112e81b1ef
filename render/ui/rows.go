// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"
	"unsafe"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/sim/param"
)

// rowName finds a row without putting a string together.
type rowName struct {
	space string // "" for the panel's own rows, "param" for the model's parameters, else the group's name
	key   string
	part  int8 // component, from 1; 0: the row as a whole
}

// own names a row of the panel's own.
func own(key string) rowName { return rowName{key: key} }

// row keeps the strings of one row from frame to frame.
type row struct {
	key   string // "param/gravity" or "clock/dt": name in the state file
	id    string // ImGui's, "##" and the key
	label string // as given
	cut   string // shortened to width
	width float32
}

func (u *UI) row(name rowName, label string) *row {
	r := u.rows[name]
	if r == nil {
		full := name.key
		if name.space != "" {
			full = name.space + "/" + full
		}
		if name.part > 0 {
			full += "/" + strconv.Itoa(int(name.part)-1)
		}
		r = &row{key: full, id: "##" + full}
		u.rows[name] = r
	}
	if r.label != label {
		r.label, r.width = label, 0
	}
	return r
}

// hover times how long the mouse has rested on one thing, as tooltips at once are restless.
type hover struct {
	key  string
	time float32
	seen bool
}

const tipDelay = 0.35 // seconds

func (h *hover) end(dt float32) {
	if !h.seen {
		*h = hover{}
	}
	h.seen = false
	h.time += dt
}

// tip reports that it is time to show the tooltip of key, whose item the mouse is on.
func (u *UI) tip(key string) bool {
	if u.hover.key != key {
		u.hover = hover{key: key}
	}
	u.hover.seen = true
	return u.hover.time >= tipDelay && u.edit.key == ""
}

// str views scratch bytes as a string for a call that copies it.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// px scales a length to window units.
func (u *UI) px(v float32) float32 { return round(v * u.scale) }

func textColored(c color, s string) {
	imgui.PushStyleColor(imgui.StyleColorText, c)
	imgui.Text(s)
	imgui.PopStyleColor()
}

func textWrapped(c color, s string) {
	imgui.PushTextWrapPos()
	textColored(c, s)
	imgui.PopTextWrapPos()
}

// label begins a row: its text at the left, in another colour when the value is not the default, and the cursor at the
// control. It reports whether the mouse is on the text.
func (u *UI) label(r *row, changed bool) bool {
	x := u.layout.labelX
	if w := x - u.px(8); r.width != w {
		r.cut, r.width = shorten(r.label, w), w
	}
	imgui.AlignTextToFramePadding()
	if changed {
		textColored(colChanged, r.cut)
	} else {
		imgui.Text(r.cut)
	}
	on := imgui.IsItemHovered()
	imgui.SameLineV(x, 0)
	imgui.SetNextItemWidth(-1)
	return on
}

// shorten cuts s to a width, with an ellipsis.
func shorten(s string, w float32) string {
	if imgui.CalcTextSize(s, false, 0).X <= w {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if t := string(runes[:n]) + "…"; imgui.CalcTextSize(t, false, 0).X <= w {
			return t
		}
	}
	return "…"
}

// number builds a slider row for u.num and returns the wish for a new value, or for the default.
func (u *UI) number() (v float64, reset, ok bool) {
	n := &u.num
	r := u.row(n.name, n.label)
	fixed := n.fixed()
	on := u.label(r, n.changed && !fixed)
	v = n.v
	switch {
	case fixed:
		beginDisabled()
		u.slider(r, n)
		endDisabled()
	case u.edit.key == r.key || u.startEdit(r, n):
		v, ok = u.editNumber(r, n)
	default:
		v, ok = u.slider(r, n)
	}
	on = imgui.IsItemHoveredV(imgui.HoveredFlagsAllowWhenDisabled) || on
	u.state.item(u, r.key, "slider", n.v, str(n.appendText(u.text[:0])), n.min, n.max, fixed)
	if on {
		reset = n.changed && u.platform.clicked[1] && !fixed
		if u.tip(r.key) {
			u.numberTip(n, fixed)
		}
	}
	return v, reset, ok && (v != n.v || n.auto)
}

// slider draws the slider itself: a bar filled up to the value, under ImGui's translucent frame and with its grab
// invisible, so that nothing hides the text. The text is ImGui's "format", so that it carries the unit.
func (u *UI) slider(r *row, n *number) (float64, bool) {
	t := float32(n.toT(n.v))
	if w := round(u.layout.controlW * t); w >= 1 {
		at := imgui.CursorScreenPos()
		imgui.WindowDrawList().AddRectFilledV(at, imgui.Vec2{X: at.X + w, Y: at.Y + imgui.FrameHeight()}, u.fill,
			u.px(4), imgui.DrawFlagsNone)
	}
	u.text = escape(n.appendText(u.text[:0]))
	if imgui.SliderFloatV(r.id, &t, 0, 1, str(u.text), imgui.SliderFlagsNoInput|imgui.SliderFlagsNoRoundToFormat) {
		return n.fromT(float64(t)), true
	}
	return n.v, false
}

// escape doubles the per cent signs of a text that goes where ImGui expects a format.
func escape(b []byte) []byte {
	for i := 0; i < len(b); i++ {
		if b[i] == '%' {
			b = append(b, 0)
			copy(b[i+1:], b[i:])
			i++
		}
	}
	return b
}

// numberTip shows what a number means.
func (u *UI) numberTip(n *number, fixed bool) {
	spec := n.spec
	u.beginTip(n.label, spec.Doc)
	b := n.appendValue(append(u.text[:0], "range "...), n.lo, "")
	b = n.appendValue(append(b, " to "...), n.hi, n.unit)
	if n.max < n.hi || n.min > n.lo {
		b = n.appendValue(append(b, " (dragged: "...), n.min, "")
		b = append(n.appendValue(append(b, " to "...), n.max, n.unit), ')')
	}
	b = append(b, ", default "...)
	switch def := spec.DefaultAt(max(int(n.name.part)-1, 0)); {
	case spec.Auto:
		b = append(b, "automatic"...)
	case spec.Zero != "" && def == 0:
		b = append(b, spec.Zero...)
	default:
		b = n.appendValue(b, def, n.unit)
	}
	textColored(colDim, str(b))
	u.text = b
	if fixed {
		textColored(colDim, "There is only one possible value.")
	} else {
		textColored(colDim, "Ctrl+click to type, right click for the default")
	}
	u.endTip(spec.NeedsReset)
}

// beginTip opens a tooltip with a title and what it says.
func (u *UI) beginTip(title, doc string) {
	imgui.BeginTooltip()
	imgui.PushTextWrapPosV(u.px(320))
	imgui.PushFont(u.fonts.bold)
	imgui.Text(title)
	imgui.PopFont()
	if doc != "" {
		imgui.Text(doc)
	}
}

func (u *UI) endTip(needsReset bool) {
	if needsReset {
		textColored(colAmber, "Takes effect at the next reset (R).")
	}
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// note shows a plain tooltip for the last item when the mouse rests on it.
func (u *UI) note(key, text string) {
	if text == "" || !imgui.IsItemHoveredV(imgui.HoveredFlagsAllowWhenDisabled) || !u.tip(key) {
		return
	}
	imgui.BeginTooltip()
	imgui.PushTextWrapPosV(u.px(320))
	imgui.Text(text)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// check builds a check-box row and returns the wish for a new value, or for the default.
func (u *UI) check(name rowName, spec *param.Spec, on, changed bool) (now, reset, ok bool) {
	r := u.row(name, labelOf(spec))
	hovered := u.label(r, changed)
	now = on
	ok = imgui.Checkbox(r.id, &now)
	hovered = imgui.IsItemHovered() || hovered
	u.state.item(u, r.key, "check", float64(boolInt(on)), "", 0, 1, false)
	return now, u.choiceReset(r, spec, hovered, changed), ok
}

// choiceReset shows the tooltip of a row that the mouse is on, and reports a right click for its default.
func (u *UI) choiceReset(r *row, spec *param.Spec, hovered, changed bool) bool {
	if hovered && u.tip(r.key) {
		u.choiceTip(labelOf(spec), spec.Doc, true, spec.NeedsReset)
	}
	return hovered && changed && u.platform.clicked[1]
}

func (u *UI) choiceTip(label, doc string, hasDef, needsReset bool) {
	u.beginTip(label, doc)
	if hasDef {
		textColored(colDim, "Right click for the default")
	}
	u.endTip(needsReset)
}

// combo builds a row that picks one of choices and returns the one wished for. One choice or none is shown disabled. beside is called
// after each choice of the open list and may be nil. hovered tells that the mouse is on the closed row.
func (u *UI) combo(r *row, changed bool, choices []string, i int, beside func(i int)) (now int, hovered bool) {
	fixed := len(choices) < 2
	on := u.label(r, changed && !fixed)
	now = i
	preview := "–"
	if i >= 0 && i < len(choices) {
		preview = choices[i]
	}
	if fixed {
		beginDisabled()
	}
	open := imgui.BeginCombo(r.id, preview)
	on = (imgui.IsItemHoveredV(imgui.HoveredFlagsAllowWhenDisabled) && !open) || on
	u.state.item(u, r.key, "combo", float64(i), preview, 0, float64(len(choices)-1), fixed)
	if open {
		for k, c := range choices {
			imgui.PushIDInt(k)
			if imgui.SelectableV(c, k == i, 0, imgui.Vec2{}) {
				now = k
			}
			imgui.PopID()
			u.state.choice(u, r.key, k, c)
			if beside != nil {
				beside(k)
			}
		}
		imgui.EndCombo()
	}
	if fixed {
		endDisabled()
		now = i
	}
	return now, on
}

// button builds a button of a width (0: as the text needs), and records it under key.
func (u *UI) button(key, label, doc string, w float32) bool {
	ok := imgui.ButtonV(label, imgui.Vec2{X: w})
	u.state.item(u, key, "button", 0, label, 0, 0, false)
	u.note(key, doc)
	return ok
}

// segments builds a row of buttons of which one is chosen.
func (u *UI) segments(r *row, changed bool, choices []string, i int) (now int, hovered bool) {
	on := u.label(r, changed)
	w := imgui.ContentRegionAvail().X
	gap := u.px(3)
	each := (w - gap*float32(len(choices)-1)) / float32(len(choices))
	now = i
	imgui.PushID(r.id)
	for k, c := range choices {
		if k > 0 {
			imgui.SameLineV(0, gap)
		}
		if k == i {
			imgui.PushStyleColor(imgui.StyleColorButton, colFill)
			imgui.PushStyleColor(imgui.StyleColorButtonHovered, colFill)
		}
		imgui.PushIDInt(k)
		if imgui.ButtonV(c, imgui.Vec2{X: each}) {
			now = k
		}
		imgui.PopID()
		if k == i {
			imgui.PopStyleColorV(2)
		}
		on = imgui.IsItemHovered() || on
		u.state.choice(u, r.key, k, c)
	}
	imgui.PopID()
	return now, on
}

// beginDisabled greys and blocks what follows until endDisabled. (imgui-go leaves out ImGui's own pair.)
func beginDisabled() {
	imgui.PushItemFlag(imgui.ItemFlagsDisabled, true)
	imgui.PushStyleVarFloat(imgui.StyleVarAlpha, disabledAlpha)
}

func endDisabled() {
	imgui.PopStyleVar()
	imgui.PopItemFlag()
}

const disabledAlpha = 0.45
