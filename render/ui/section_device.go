// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

// recordSection shows the trace recording in full; its button is in the head.
func (u *UI) recordSection() {
	r := &u.m.Record
	switch {
	case r.On:
		b := append(u.text[:0], "Recording  "...)
		b = append(appendClock(b, r.Elapsed), "   "...)
		b = appendBytes(b, float64(r.Bytes))
		u.text = b
		textColored(colRed, str(b))
		u.state.item(u, "record/state", "text", r.Elapsed, str(b), 0, 0, false)
		textWrapped(colDim, r.Path)
	case r.Show && r.Path != "":
		b := append(u.text[:0], "Last recording  "...)
		b = append(appendClock(b, r.Elapsed), "   "...)
		b = appendBytes(b, float64(r.Bytes))
		u.text = b
		imgui.Text(str(b))
		u.state.item(u, "record/state", "text", r.Elapsed, str(b), 0, 0, false)
		textWrapped(colDim, r.Path)
	default:
		textWrapped(colDim, "T records the times of every frame to a file that Perfetto opens.")
	}
	if r.Dropped > 0 {
		b := appendGrouped(u.text[:0], int64(min(r.Dropped, 1<<62)))
		b = append(b, " frames are missing: the disk was too slow"...)
		u.text = b
		textWrapped(colAmber, str(b))
	}
	if r.Err != "" {
		textWrapped(colRed, r.Err)
	}
}

// deviceSection shows what computes and draws, and what belongs to the window.
func (u *UI) deviceSection() {
	d := &u.m.Device
	u.choose("device/driver", "Driver", "What runs the kernels: CUDA on an NVIDIA GPU, or the CPU. The particles move along.",
		d.Drivers, d.DriverI, &u.cmds.SetDriver)
	u.choose("device/tier", "Sharing", "How particles reach OpenGL: shared memory, a copy, or the CPU's own map. The particles stay.",
		d.Tiers, d.TierI, &u.cmds.SetTier)
	u.fact("Device", d.Name)
	u.fact("OpenGL", d.GL)
	if d.Memory > 0 {
		b := appendBytes(u.text[:0], float64(d.Memory))
		if d.Total > 0 {
			b = appendBytes(append(b, " of "...), float64(d.Total))
		}
		u.text = b
		u.fact("Memory", str(b))
	}
	gap := u.px(6)
	w := (imgui.ContentRegionAvail().X - 2*gap) / 3
	name := "Full screen"
	if u.m.FullScreen {
		name = "Window"
	}
	if u.button("window/full", name, "Cover the monitor, or back to the window (F11)", w) {
		u.cmds.FullScreen = !u.cmds.FullScreen
	}
	imgui.SameLineV(0, gap)
	if u.button("window/layout", "Reset layout", "Put the panel back to its place and size", w) {
		u.ResetLayout()
		u.cmds.ResetLayout = true
	}
	imgui.SameLineV(0, gap)
	if u.button("window/hide", "Hide", "Hide the panel; H brings it back", w) {
		u.cmds.Hide = !u.cmds.Hide
	}
	imgui.PushFont(u.fonts.small)
	b := append(u.text[:0], "interface scale "...)
	b = trimZeros(strconv.AppendFloat(b, float64(u.scale), 'f', 2, 32), len(b))
	u.text = b
	textColored(colDim, str(b))
	imgui.PopFont()
}

// choose builds a combo whose choice travels by name.
func (u *UI) choose(key, label, doc string, choices []string, i int, to *Change[string]) {
	if len(choices) == 0 {
		return
	}
	r := u.row(own(key), label)
	k, hovered := u.combo(r, false, choices, i, nil)
	if hovered && u.tip(r.key) {
		u.choiceTip(label, doc, false, false)
	}
	if k != i {
		to.to(choices[k])
	}
}

// fact shows a label and a text that may take several lines.
func (u *UI) fact(label, text string) {
	if text == "" {
		return
	}
	textColored(colDim, label)
	imgui.SameLineV(u.layout.labelX, 0)
	textWrapped(colText, text)
}
