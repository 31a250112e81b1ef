// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

// timeSection builds the clock, the pacing of frames and the stream.
func (u *UI) timeSection() {
	u.timeLine(&u.m.Clock)
	u.group(u.m.Time, nil)
	u.group(u.m.Pace, func(i int) bool {
		u.param(u.m.Pace, i)
		if u.m.Pace.Specs()[i].Name == "vsync" {
			u.vsyncNote(u.m.Pace.On(i))
		}
		return true
	})
	if p := &u.m.Pacing; p.SlotWaits > 0 {
		b := appendGrouped(u.text[:0], int64(min(p.SlotWaits, 1<<62)))
		b = append(b, " frames showed an old state: no slot was free"...)
		u.text = b
		textColored(colDim, str(b))
	}
}

// timeLine shows the simulated time, and whether the machine keeps up.
func (u *UI) timeLine(c *Clock) {
	b := append(u.text[:0], "t = "...)
	b = strconv.AppendFloat(b, c.Time, 'f', 2, 64)
	b = append(b, " s   step "...)
	b = appendGrouped(b, int64(min(c.Steps, 1<<62)))
	switch {
	case c.Paused:
		b = append(b, "   paused"...)
	case c.Speed > 0:
		b = append(appendNumber(append(b, "   "...), roundDigits(c.Speed, 2)), " ×"...)
	}
	u.text = b
	textColored(colDim, str(b))
	u.state.item(u, "clock/time", "text", c.Time, "", 0, 0, false)
	if c.Behind && !c.Paused {
		u.smallLine("Cannot keep up: simulated time is slowed.")
		u.state.item(u, "clock/behind", "text", 1, "", 0, 0, false)
		u.note("clock/behind", "The machine cannot keep up: simulated time is slowed.")
	} else {
		u.smallLine("") // its line is always there, so that the sliders below stay where they are
	}
}

// smallLine shows an amber line in the small font.
func (u *UI) smallLine(text string) {
	imgui.PushFont(u.fonts.small)
	textColored(colAmber, text)
	imgui.PopFont()
}

// vsyncNote says beside the check box what became of the wish.
func (u *UI) vsyncNote(asked bool) {
	p := &u.m.Pacing
	if p.VsyncKnown {
		b := u.text[:0]
		if p.VsyncInForce {
			b = append(b, "in force"...)
		} else {
			b = append(b, "not in force"...)
		}
		if p.Refresh > 0 {
			b = append(b, ", "...)
			b = trimZeros(strconv.AppendFloat(b, p.Refresh, 'f', 1, 64), len(b))
			b = append(b, " Hz"...)
		}
		u.text = b
		c := colDim
		if asked != p.VsyncInForce {
			c = colAmber
		}
		imgui.SameLine()
		imgui.AlignTextToFramePadding()
		textColored(c, str(b))
		u.note("pacing/inforce", "What the window system does; drivers may overrule the program.")
	}
}
