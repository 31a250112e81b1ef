// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

var inFlightNames = []string{"1", "2", "3"}

// timeSection builds the clock, the pacing of frames and the stream.
func (u *UI) timeSection() {
	u.clockRows()
	u.pacingRows()
}

func (u *UI) clockRows() {
	c := &u.m.Clock
	u.timeLine(c)
	lo, hi := c.DtMin, c.DtMax
	if !(hi > lo) {
		lo, hi = 1e-5, 0.1
	}
	u.num = number{
		key: "clock/dt", label: "Time step", unit: "ms", mul: 1e3, v: c.Dt, min: lo, max: hi, log: true,
		def: c.DtDefault, hasDef: c.DtDefault > 0,
		doc: "Simulated time of one step. It is fixed: the frame rate changes how many steps are done, not their size.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetDt.to(v)
	}
	u.num = number{
		key: "clock/scale", label: "Time scale", unit: "×", v: c.Scale, min: 0.01, max: 10, log: true, def: 1, hasDef: true,
		doc: "Simulated seconds a second of real time.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetScale.to(v)
	}
	u.num = number{
		key: "clock/steps", label: "Steps a frame", v: float64(c.StepsPerFrame), min: 0, max: 16, typedMax: 256, integer: true,
		zero: "real time", hasDef: true,
		doc: "Steps done each frame whatever the frame rate; 0 does as many as real time and the time scale ask for.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetSteps.to(int(v))
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

func (u *UI) pacingRows() {
	p := &u.m.Pacing
	if v, ok := u.check(spaceUI, "pacing/vsync", "Vsync", "Wait for the monitor before showing a frame.", p.Vsync, Change[bool]{}); ok {
		u.cmds.SetVsync.to(v)
	}
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
		if p.Vsync != p.VsyncInForce {
			c = colAmber
		}
		imgui.SameLine()
		imgui.AlignTextToFramePadding()
		textColored(c, str(b))
		u.note("pacing/inforce", "What the window system does; drivers may overrule the program.")
	}
	u.num = number{
		key: "pacing/cap", label: "Frame cap", unit: "fps", v: p.FrameCap, min: 0, max: 240, typedMax: 1000, step: 5, zero: "none",
		hasDef: true, doc: "Most frames a second.",
	}
	if v, ok := u.number(); ok {
		u.cmds.SetFrameCap.to(v)
	}
	if i, ok := u.segments("pacing/inflight", "In flight",
		"Frames that may be queued at once. More keep the GPU busy, fewer answer input sooner.", inFlightNames, p.FramesInFlight-1); ok {
		u.cmds.SetFramesInFlight.to(i + 1)
	}
	if p.SlotWaits > 0 {
		b := appendGrouped(u.text[:0], int64(min(p.SlotWaits, 1<<62)))
		b = append(b, " frames showed an old state: no slot was free"...)
		u.text = b
		textColored(colDim, str(b))
	}
	if p.HasPriority {
		// CUDA numbers priorities downwards, the most urgent is the smallest; the slider goes up from the lowest.
		u.num = number{
			key: "pacing/priority", label: "Priority", v: float64(p.PriorityLeast - p.Priority),
			max: float64(p.PriorityLeast - p.PriorityMost), integer: true, zero: "lowest", hasDef: true,
			doc: "How urgent the simulation's stream is. At the lowest, drawing goes before it and stays smooth.",
		}
		if v, ok := u.number(); ok {
			u.cmds.SetPriority.to(p.PriorityLeast - int(v))
		}
	}
}
