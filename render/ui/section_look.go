// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/look"
	"particles/sim/param"
)

// lookSection builds what changes the picture and not the simulation.
func (u *UI) lookSection() {
	u.group(u.m.Look, func(i int) bool {
		switch i {
		case look.ColorMap:
			u.colorMaps(i)
			return true
		case look.ColorRange:
			u.legendOf(u.m.Look)
		}
		return false
	})
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
func (u *UI) colorMaps(i int) {
	set, maps := u.m.Look, u.m.ColorMaps
	spec := &set.Specs()[i]
	tex, r, changed := u.ramps.texture(maps), u.row(u.name(set, i), labelOf(spec)), set.Changed(i)
	now, hovered := u.combo(r, changed, spec.Choices, int(set.At(i)), func(k int) {
		imgui.SameLineV(u.px(96), 0)
		u.ramp(tex, maps, k, u.px(90), imgui.TextLineHeight())
	})
	u.wish(set, i, 0, float64(now), u.choiceReset(r, spec, hovered, changed), now != int(set.At(i)))
}

// legendOf shows what the colours mean: the map with the quantity's name, unit and range.
func (u *UI) legendOf(set *param.Set) {
	q := &u.m.Scalar
	if q.Name == "" {
		return
	}
	imgui.PushFont(u.fonts.small)
	w := imgui.ContentRegionAvail().X
	textColored(colDim, str(appendNumber(u.text[:0], set.InForce(look.ColorRange, 0))))
	b := append(u.text[:0], q.Name...)
	if q.Unit != "" {
		b = append(append(b, ", "...), q.Unit...)
	}
	u.text = b
	imgui.SameLineV((w-imgui.CalcTextSize(str(b), false, 0).X)/2, 0)
	textColored(colDim, str(b))
	u.state.item(u, "look/legend", "text", set.InForce(look.ColorRange, 1), str(b), 0, 0, false)
	b = appendNumber(u.text[:0], set.InForce(look.ColorRange, 1))
	u.text = b
	imgui.SameLineV(w-imgui.CalcTextSize(str(b), false, 0).X, 0)
	textColored(colDim, str(b))
	imgui.PopFont()
	u.ramp(u.ramps.texture(u.m.ColorMaps), u.m.ColorMaps, int(set.At(look.ColorMap)), w, u.px(10))
}

// ramp shows colour map i.
func (u *UI) ramp(tex uint32, maps []ColorMap, i int, w, h float32) {
	if tex == 0 || i >= len(maps) || maps[i].Colors == nil {
		imgui.Dummy(imgui.Vec2{X: w, Y: h})
		return
	}
	v := (float32(i) + 0.5) / float32(len(maps))
	imgui.ImageV(imgui.TextureID(tex), imgui.Vec2{X: w, Y: h}, imgui.Vec2{Y: v}, imgui.Vec2{X: 1, Y: v},
		color{X: 1, Y: 1, Z: 1, W: 1}, colNone)
}
