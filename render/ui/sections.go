// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/sim/param"
)

// countSpec describes the number of particles, whose limits are the machine's.
var countSpec = param.Spec{
	Name: "count", Kind: param.Int, Log: true, Doc: "Number of particles. Changes live: those alive stay where they are.",
}

// sceneSection builds the scene picker, the count and the seed.
func (u *UI) sceneSection() {
	m := u.m
	u.scenePicker()
	c := &m.Count
	u.num = number{
		name: own("count"), label: "Particles", spec: &countSpec, v: float64(c.Value),
		min: float64(c.Min), max: float64(c.Max), lo: float64(c.Min), hi: float64(c.Max),
	}
	if v, _, ok := u.number(); ok {
		u.cmds.SetCount.to(int(v))
	}
	if c.Alive >= 0 && c.Alive != c.Value {
		b := appendGrouped(append(u.text[:0], "alive "...), int64(c.Alive))
		u.text = b
		imgui.Dummy(imgui.Vec2{})
		imgui.SameLineV(u.layout.labelX, 0)
		textColored(colDim, str(b))
	}
	u.seedRow()
}

func (u *UI) scenePicker() {
	m := u.m
	r := u.row(own("scene"), "Scene")
	u.label(r, false)
	preview := m.Title
	if m.Scene >= 0 && m.Scene < len(m.Scenes) {
		preview = m.Scenes[m.Scene].title()
	}
	open := imgui.BeginComboV(r.id, preview, imgui.ComboFlagsHeightLarge)
	u.state.item(u, r.key, "combo", float64(m.Scene), preview, 0, float64(len(m.Scenes)-1), false)
	if !open {
		u.note(r.key, m.Doc)
		return
	}
	for i := range m.Scenes {
		s := &m.Scenes[i]
		imgui.PushIDInt(i)
		if imgui.SelectableV(s.title(), i == m.Scene, 0, imgui.Vec2{}) {
			u.cmds.SelectScene.to(i)
		}
		imgui.PopID()
		u.state.choice(u, r.key, i, s.title())
		u.note(s.Name, s.Doc)
		if s.Model != "" {
			imgui.SameLineV(0, u.px(12))
			textColored(colDim, s.Model)
		}
	}
	imgui.EndCombo()
}

func (s *Scene) title() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Name
}

// seedRow shows the seed: a click on it types another, and New takes the next. Both reset.
func (u *UI) seedRow() {
	r := u.row(own("seed"), "Seed")
	u.label(r, false)
	if u.edit.key == r.key {
		if u.field(r) {
			text := u.edit.text
			u.closeEdit()
			if v, err := strconv.ParseUint(text, 10, 64); err != nil {
				u.say(Warning, "Seed: "+strconv.Quote(text)+" is not a whole number from 0 to 18446744073709551615")
			} else {
				u.cmds.SetSeed.to(v)
				u.cmds.Reset = true
			}
		}
		u.state.item(u, r.key, "field", float64(u.m.Seed), "", 0, 0, false)
		return
	}
	gap := u.px(6)
	newW := u.px(52)
	b := strconv.AppendUint(u.text[:0], u.m.Seed, 10)
	b = append(b, "###seed"...)
	u.text = b
	if u.button("seed", str(b), "Seed of the initial state. Click to type another; the scene starts again with it.",
		imgui.ContentRegionAvail().X-newW-gap) {
		u.openEdit(r, strconv.FormatUint(u.m.Seed, 10))
	}
	imgui.SameLineV(0, gap)
	if u.button("seed/new", "New", "Start again with the next seed", newW) {
		u.cmds.SetSeed.to(u.m.Seed + 1)
		u.cmds.Reset = true
	}
}

// paramSection builds the model's parameters.
func (u *UI) paramSection() {
	set := u.m.Params
	if set == nil || set.Len() == 0 {
		textColored(colDim, "This model has no parameters.")
		return
	}
	u.group(set, nil)
	changed := false
	for i := range set.Len() {
		changed = changed || set.Changed(i)
	}
	if !changed {
		beginDisabled()
	}
	if u.button("param/reset", "All to defaults", "Give every parameter its default value", 0) {
		u.cmds.ResetParams = true
	}
	if !changed {
		endDisabled()
	}
}
