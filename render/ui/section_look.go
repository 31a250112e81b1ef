// SPDX-License-Identifier: Apache-2.0

package ui

import "github.com/inkyblackness/imgui-go/v4"

// lookSection builds what changes the picture and not the simulation.
func (u *UI) lookSection() {
	l := &u.m.Look
	u.num = number{
		key: "look/exposure", label: "Exposure", unit: "stops", v: l.Exposure, min: -8, max: 8, step: 0.05, hasDef: true,
		doc: "Brightness in powers of two.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetExposure.to(v)
	}
	u.num = number{
		key: "look/size", label: "Point size", unit: l.PointUnit, v: l.PointSize, min: l.PointMin, max: l.PointMax, log: true,
		def: l.PointDefault, hasDef: l.PointDefault > 0, doc: "Diameter of a particle.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetPointSize.to(v)
	}
	if v, ok := u.check(spaceUI, "look/onepixel", "One pixel", "Draw points of a single pixel: the fastest, for large counts.",
		l.OnePixel, Change[bool]{false, true}); ok {
		u.cmds.SetOnePixel.to(v)
	}
	u.colorMaps(l)
	u.scalar(l)
	gap := u.px(6)
	w := (imgui.ContentRegionAvail().X - gap) / 2
	if u.button("look/frame", "Frame scene", "Move the camera so that everything is seen (F)", w) {
		u.cmds.FrameScene = true
	}
	imgui.SameLineV(0, gap)
	if u.button("look/shot", "Screenshot", "Save a picture without the panel (F12)", w) {
		u.cmds.Screenshot = true
	}
}

// colorMaps builds the picker of colour maps, each with a strip that shows it.
func (u *UI) colorMaps(l *Look) {
	tex := u.ramps.texture(l.ColorMaps)
	r := u.row(spaceUI, "look/map", "Colour map")
	on := u.label(r, false)
	preview := "–"
	if l.ColorMap >= 0 && l.ColorMap < len(l.ColorMaps) {
		preview = l.ColorMaps[l.ColorMap].Name
	}
	fixed := len(l.ColorMaps) < 2
	if fixed {
		beginDisabled()
	}
	open := imgui.BeginCombo(r.id, preview)
	on = (imgui.IsItemHovered() && !open) || on
	u.state.item(u, r.key, "combo", float64(l.ColorMap), preview, 0, float64(len(l.ColorMaps)-1), fixed)
	if open {
		for i := range l.ColorMaps {
			imgui.PushIDInt(i)
			if imgui.SelectableV(l.ColorMaps[i].Name, i == l.ColorMap, 0, imgui.Vec2{}) {
				u.cmds.SetColorMap.to(i)
			}
			imgui.PopID()
			u.state.choice(u, r.key, i, l.ColorMaps[i].Name)
			imgui.SameLineV(u.px(96), 0)
			u.ramp(tex, l.ColorMaps, i, u.px(90), imgui.TextLineHeight())
		}
		imgui.EndCombo()
	}
	if fixed {
		endDisabled()
	}
	if on && u.tip(r.key) {
		u.choiceTip("Colour map", "Perceptually uniform maps: equal steps of the value look equal.", false)
	}
}

// scalar shows the legend of the colours and edits its range.
func (u *UI) scalar(l *Look) {
	if l.ScalarName == "" || l.ColorMap < 0 || l.ColorMap >= len(l.ColorMaps) {
		return
	}
	imgui.PushFont(u.fonts.small)
	lo := string(appendNumber(nil, l.ScalarLo))
	textColored(colDim, lo)
	hi := string(appendNumber(nil, l.ScalarHi))
	hiW, w := imgui.CalcTextSize(hi, false, 0).X, imgui.ContentRegionAvail().X
	name := l.ScalarName
	if l.ScalarUnit != "" {
		name += ", " + l.ScalarUnit
	}
	imgui.SameLineV((w-imgui.CalcTextSize(name, false, 0).X)/2, 0)
	textColored(colDim, name)
	imgui.SameLineV(w-hiW, 0)
	textColored(colDim, hi)
	imgui.PopFont()
	u.ramp(u.ramps.texture(l.ColorMaps), l.ColorMaps, l.ColorMap, w, u.px(10))
	span := l.ScalarHiDef - l.ScalarLoDef
	if !(span > 0) {
		return
	}
	limit := max(l.ScalarHiDef, 0) + 2*span
	u.num = number{
		key: "look/lo", label: "From", unit: l.ScalarUnit, v: l.ScalarLo, min: min(l.ScalarLoDef, 0), max: limit,
		typedMax: 100 * limit, def: l.ScalarLoDef, hasDef: true, doc: "Value at the left end of the colour map.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetScalarLo.to(v)
	}
	u.num.key, u.num.label, u.num.v, u.num.def = "look/hi", "To", l.ScalarHi, l.ScalarHiDef
	u.num.doc = "Value at the right end of the colour map."
	if v, ok := u.number(); ok {
		u.cmds.SetScalarHi.to(v)
	}
}

// ramp shows colour map i.
func (u *UI) ramp(tex uint32, maps []ColorMap, i int, w, h float32) {
	if tex == 0 || maps[i].Colors == nil {
		imgui.Dummy(imgui.Vec2{X: w, Y: h})
		return
	}
	v := (float32(i) + 0.5) / float32(len(maps))
	imgui.ImageV(imgui.TextureID(tex), imgui.Vec2{X: w, Y: h}, imgui.Vec2{Y: v}, imgui.Vec2{X: 1, Y: v},
		color{X: 1, Y: 1, Z: 1, W: 1}, colNone)
}
