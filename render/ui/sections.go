// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

// sceneSection builds the scene picker, the count and the seed.
func (u *UI) sceneSection() {
	m := u.m
	u.scenePicker()
	c := &m.Count
	u.num = number{
		key: "count", label: "Particles", doc: "Number of particles. Changes live: those alive stay where they are.",
		v: float64(c.Value), min: float64(c.Min), max: float64(c.Max), def: float64(c.Default), hasDef: c.Default > 0,
		log: true, integer: true, count: true,
	}
	if v, ok := u.number(); ok {
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
	r := u.row(spaceUI, "scene", "Scene")
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
	r := u.row(spaceUI, "seed", "Seed")
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

// paramSection builds the model's parameters, expert ones under a heading of their own.
func (u *UI) paramSection() {
	experts, changed := 0, false
	for i := range u.m.Params {
		p := &u.m.Params[i]
		changed = changed || p.Value != p.Default
		if p.Expert {
			experts++
		} else {
			u.param(p)
		}
	}
	if len(u.m.Params) == 0 {
		textColored(colDim, "This model has no parameters.")
		return
	}
	if experts > 0 {
		imgui.SetNextItemOpen(u.layout.expert, imgui.ConditionAlways)
		imgui.PushStyleColor(imgui.StyleColorText, colDim)
		open := imgui.TreeNodeV("Expert", imgui.TreeNodeFlagsNoTreePushOnOpen|imgui.TreeNodeFlagsSpanAvailWidth)
		imgui.PopStyleColor()
		u.state.item(u, "section/Expert", "section", float64(boolInt(open)), "", 0, 1, false)
		if open != u.layout.expert {
			u.layout.expert, u.layout.dirty = open, true
		}
		for i := range u.m.Params {
			if p := &u.m.Params[i]; open && p.Expert {
				u.param(p)
			}
		}
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

func (u *UI) param(p *Param) {
	label := p.Label
	if label == "" {
		label = p.Key
	}
	switch p.Kind {
	case Bool:
		if v, ok := u.check(spaceParam, p.Key, label, p.Doc, p.Value != 0, Change[bool]{p.Default != 0, true}); ok {
			u.cmds.setParam(p.Key, float64(boolInt(v)))
		}
	case Enum:
		if v, ok := u.combo(spaceParam, p.Key, label, p.Doc, p.Choices, index(p.Value), Change[int]{index(p.Default), true}); ok {
			u.cmds.setParam(p.Key, float64(v))
		}
	default:
		u.num = number{
			space: spaceParam, key: p.Key, label: label, unit: p.Unit, doc: p.Doc, v: p.Value, min: p.Min, max: p.Max,
			step: p.Step, def: p.Default, hasDef: true, log: p.Log, integer: p.Kind == Int, reset: p.NeedsReset,
		}
		if v, ok := u.number(); ok {
			u.cmds.setParam(p.Key, v)
		}
	}
}

// index is a parameter's value as an index; -1 for what is none.
func index(v float64) int {
	if math.IsNaN(v) || v < 0 || v > 1e6 {
		return -1
	}
	return int(v + 0.5)
}
