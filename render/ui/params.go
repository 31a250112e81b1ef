// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/sim/param"
)

// A row for each parameter of a group follows from its description alone.

// group builds the rows of a set, the expert ones under a heading of their own. special may build a row itself and say so.
func (u *UI) group(set *param.Set, special func(i int) bool) {
	if set == nil {
		return
	}
	specs := set.Specs()
	experts := 0
	for i := range specs {
		if specs[i].Expert {
			experts++
		} else {
			u.paramOr(set, i, special)
		}
	}
	if experts == 0 {
		return
	}
	name := own("section/Expert")
	if set != u.m.Params {
		name = rowName{"section/Expert", set.Group().Name, 0}
	}
	r := u.row(name, "Expert")
	if r.cut == "" {
		r.cut = "Expert" + r.id
	}
	imgui.SetNextItemOpen(u.layout.expert, imgui.ConditionAlways)
	imgui.PushStyleColor(imgui.StyleColorText, colDim)
	open := imgui.TreeNodeV(r.cut, imgui.TreeNodeFlagsNoTreePushOnOpen|imgui.TreeNodeFlagsSpanAvailWidth)
	imgui.PopStyleColor()
	u.state.item(u, r.key, "section", float64(boolInt(open)), "", 0, 1, false)
	if open != u.layout.expert {
		u.layout.expert, u.layout.dirty = open, true
	}
	for i := range specs {
		if open && specs[i].Expert {
			u.paramOr(set, i, special)
		}
	}
}

func (u *UI) paramOr(set *param.Set, i int, special func(int) bool) {
	if special == nil || !special(i) {
		u.param(set, i)
	}
}

// labelOf is what the panel calls a parameter.
func labelOf(spec *param.Spec) string {
	if spec.Label != "" {
		return spec.Label
	}
	return spec.Name
}

// name is the row of a parameter.
func (u *UI) name(set *param.Set, i int) rowName {
	space := set.Group().Name
	if set == u.m.Params {
		space = "param"
	}
	return rowName{space, set.Specs()[i].Name, 0}
}

// wish asks for a new value, or for the default.
func (u *UI) wish(set *param.Set, i, part int, v float64, reset, ok bool) {
	if reset || ok {
		u.cmds.setParam(ParamChange{Set: set, Index: i, Part: part, Value: v, Reset: reset})
	}
}

// param builds the row or rows of a parameter.
func (u *UI) param(set *param.Set, i int) {
	spec, name, changed := &set.Specs()[i], u.name(set, i), set.Changed(i)
	switch spec.Kind {
	case param.Bool:
		on, reset, ok := u.check(name, spec, set.On(i), changed)
		u.wish(set, i, 0, float64(boolInt(on)), reset, ok)
	case param.Enum:
		r := u.row(name, labelOf(spec))
		now, hovered := u.combo(r, changed, spec.Choices, int(set.At(i)), nil)
		u.wish(set, i, 0, float64(now), u.choiceReset(r, spec, hovered, changed), now != int(set.At(i)))
	case param.Color:
		u.color(set, i, name)
	case param.Array, param.Matrix:
		u.grid(set, i, name)
	case param.Vector:
		for part := range spec.Parts {
			u.component(set, i, part, rowName{name.space, name.key, int8(part + 1)})
		}
	default:
		if least, most := spec.Range(); spec.Kind == param.Int && most-least < numSegments && !spec.Log {
			u.few(set, i, name)
			return
		}
		u.component(set, i, 0, name)
	}
}

// component builds the slider of one number.
func (u *UI) component(set *param.Set, i, part int, name rowName) {
	spec := &set.Specs()[i]
	least, _ := spec.Range()
	low, high := spec.Slider()
	n := &u.num
	*n = number{
		name: name, label: labelOf(spec), spec: spec, unit: set.AutoUnit(i), v: set.InForce(i, part),
		min: low, max: min(high, set.Most(i)), lo: least, hi: set.Most(i), changed: set.Changed(i), auto: set.Auto(i),
	}
	if spec.ShowUnit != "" {
		n.unit = spec.ShowUnit
	}
	if spec.Kind == param.Vector {
		n.label = u.partLabel(name, spec, part)
		if spec.Auto { // the slider spans what the program chose, generously
			from, to := set.InForce(i, 0), set.InForce(i, len(spec.Parts)-1)
			reach := 2 * max(math.Abs(from), math.Abs(to), u.m.Scalar.Max)
			n.min, n.max = max(min(from, 0, u.m.Scalar.Min), low), min(reach, n.max)
		}
	}
	v, reset, ok := u.number()
	u.wish(set, i, part, v, reset, ok)
}

// partLabel is "Colour from", put together once.
func (u *UI) partLabel(name rowName, spec *param.Spec, part int) string {
	if r := u.rows[name]; r != nil {
		return r.label
	}
	return labelOf(spec) + " " + spec.Parts[part]
}

// numSegments is how many whole numbers are shown as buttons instead of a slider.
const numSegments = 4

var segmentNames = func() (names [100]string) {
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}()

// few builds a row of buttons for some whole numbers from 0 to 99.
func (u *UI) few(set *param.Set, i int, name rowName) {
	spec := &set.Specs()[i]
	least, most := int(spec.Min), int(set.Most(i))
	if least < 0 || most >= len(segmentNames) || most <= least {
		u.component(set, i, 0, name)
		return
	}
	r, changed := u.row(name, labelOf(spec)), set.Changed(i)
	now, hovered := u.segments(r, changed, segmentNames[least:most+1], int(set.At(i))-least)
	u.wish(set, i, 0, float64(now+least), u.choiceReset(r, spec, hovered, changed), now+least != int(set.At(i)))
}

// color builds a row with a swatch that opens a picker.
func (u *UI) color(set *param.Set, i int, name rowName) {
	spec, v, changed := &set.Specs()[i], set.Parts(i), set.Changed(i)
	r := u.row(name, labelOf(spec))
	hovered := u.label(r, changed)
	c := &u.swatch
	*c = [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
	if imgui.ColorEdit3V(r.id, c, imgui.ColorEditFlagsNoOptions|imgui.ColorEditFlagsNoLabel) {
		for part := range c {
			u.wish(set, i, part, roundDigits(float64(c[part]), 4), false, c[part] != float32(v[part]))
		}
	}
	hovered = imgui.IsItemHovered() || hovered
	u.state.item(u, r.key, "color", v[0], "", 0, 1, false)
	u.wish(set, i, 0, 0, u.choiceReset(r, spec, hovered, changed), false)
}

// grid builds an array or a matrix: a field of cells, coloured by value, each dragged up and down.
func (u *UI) grid(set *param.Set, i int, name rowName) {
	spec, v := &set.Specs()[i], set.Parts(i)
	r := u.row(name, labelOf(spec))
	if u.label(r, set.Changed(i)) && u.tip(r.key) {
		u.choiceTip(labelOf(spec), spec.Doc, true, spec.NeedsReset)
	}
	imgui.Dummy(imgui.Vec2{})
	least, most := spec.Range()
	side := max(min(imgui.ContentRegionAvail().X/float32(spec.Cols), u.px(22)), 4)
	list := imgui.WindowDrawList()
	from := imgui.CursorScreenPos()
	imgui.PushID(r.id)
	for cell := range v {
		at := imgui.Vec2{X: from.X + float32(cell%spec.Cols)*side, Y: from.Y + float32(cell/spec.Cols)*side}
		imgui.SetCursorScreenPos(at)
		imgui.PushIDInt(cell)
		imgui.InvisibleButton("cell", imgui.Vec2{X: side, Y: side})
		imgui.PopID()
		list.AddRectFilled(imgui.Vec2{X: at.X, Y: at.Y}, imgui.Vec2{X: at.X + side - 1, Y: at.Y + side - 1}, packed(cellColor(v[cell], least, most)))
		if u.state.on {
			u.state.item(u, r.key+"/"+strconv.Itoa(cell), "cell", v[cell], "", least, most, false)
		}
		if imgui.IsItemActive() {
			moved := -float64(u.io.MouseDelta().Y) * (most - least) / 200
			u.wish(set, i, cell, roundTo(v[cell]+moved, (most-least)/1000), false, moved != 0)
		}
		if !imgui.IsItemHovered() {
			continue
		}
		if def := spec.DefaultAt(cell); u.platform.clicked[1] && v[cell] != def {
			u.wish(set, i, cell, def, false, true)
		}
		if u.tip(r.key) {
			u.beginTip(labelOf(spec), "")
			b := append(strconv.AppendInt(append(u.text[:0], "row "...), int64(cell/spec.Cols+1), 10), ", column "...)
			b = append(strconv.AppendInt(b, int64(cell%spec.Cols+1), 10), ": "...)
			b = appendUnit(appendNumber(b, v[cell]), spec.Unit)
			u.text = b
			imgui.Text(str(b))
			textColored(colDim, "Drag up and down; right click for the default")
			u.endTip(spec.NeedsReset)
		}
	}
	imgui.PopID()
	imgui.SetCursorScreenPos(imgui.Vec2{X: from.X, Y: from.Y + float32((len(v)+spec.Cols-1)/spec.Cols)*side})
	imgui.Dummy(imgui.Vec2{})
}

// cellColor goes from blue below the middle of 0 over grey to red above.
func cellColor(v, least, most float64) color {
	c := color{X: 0.18, Y: 0.20, Z: 0.24, W: 1}
	if v > 0 && most > 0 {
		t := float32(v / most)
		c.X, c.Y = c.X+0.65*t, c.Y+0.15*t
	} else if v < 0 && least < 0 {
		t := float32(v / least)
		c.Z, c.Y = c.Z+0.6*t, c.Y+0.25*t
	}
	return c
}
