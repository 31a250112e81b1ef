// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"
)

const panelName = "###panel" // also in stored layouts: do not change

// panel builds the one column: a head that is always there, and the sections below it that scroll.
func (u *UI) panel() {
	u.place()
	const flags = imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoCollapse | imgui.WindowFlagsNoScrollbar |
		imgui.WindowFlagsNoScrollWithMouse
	open := imgui.BeginV(panelName, nil, flags)
	u.layout.see(u, imgui.WindowPos(), imgui.WindowSize())
	if open {
		u.head()
		imgui.BeginChildV("sections", imgui.Vec2{}, false, imgui.WindowFlagsAlwaysVerticalScrollbar)
		w := imgui.ContentRegionAvail().X
		u.layout.labelX = round(w * labelShare)
		u.layout.controlW = w - u.layout.labelX
		u.sections()
		u.state.scrolled(imgui.ScrollY(), imgui.ScrollMaxY())
		if u.inject != nil {
			u.inject(u)
		}
		imgui.EndChild()
	}
	imgui.End()
}

// hud holds texts that change each frame, made anew some times a second so that they can be read.
type hud struct {
	age            float32
	fps, ms, count []byte
}

const hudPeriod = 0.25 // seconds

// head builds what is always to be seen: title, device, rates and the main buttons.
func (u *UI) head() {
	m := u.m
	imgui.PushFont(u.fonts.bold)
	title := m.Title
	if title == "" {
		title = "particles"
	}
	w := imgui.ContentRegionAvail().X
	hint := "F1 help"
	imgui.Text(shorten(title, w-u.px(64)))
	imgui.PopFont()
	u.note("head/title", m.Doc)
	imgui.SameLineV(u.px(12)+w-imgui.CalcTextSize(hint, false, 0).X*float32(smallSize)/bodySize, 0)
	imgui.PushFont(u.fonts.small)
	textColored(colDim, hint)
	if imgui.IsItemClicked() {
		u.help = !u.help
	}
	imgui.PopFont()
	u.state.item(u, "head/help", "button", 0, hint, 0, 0, false)
	u.badge()
	u.rates()
	u.toolbar()
	imgui.Spacing()
	imgui.Separator()
}

// badge names driver, device and tier; amber with the reason when they are not the first choice.
func (u *UI) badge() {
	d := &u.m.Device
	c := colGood
	if d.Reason != "" {
		c = colAmber
	}
	b := append(u.text[:0], "● "...)
	b = append(append(b, driverTitle(d.Driver)...), "  ·  "...)
	b = append(append(append(b, d.Name...), "  ·  "...), d.Tier...)
	u.text = b
	textWrapped(c, str(b))
	u.state.item(u, "head/badge", "text", 0, str(b), 0, 0, false)
	u.note("head/badge", d.GL)
	imgui.PushFont(u.fonts.small)
	if d.Reason != "" {
		textWrapped(colAmber, d.Reason)
		u.state.item(u, "head/reason", "text", 0, d.Reason, 0, 0, false)
	}
	for _, n := range u.m.Notes {
		textWrapped(colDim, n)
	}
	imgui.PopFont()
}

func driverTitle(d string) string {
	switch d {
	case "cuda":
		return "CUDA"
	case "host":
		return "CPU"
	}
	return d
}

// rates shows frames a second, milliseconds and particles in large digits.
func (u *UI) rates() {
	h := &u.hud
	if h.age -= u.dt; h.age <= 0 || len(h.fps) == 0 {
		h.age = hudPeriod
		s := &u.m.Stats
		h.fps, h.ms = append(h.fps[:0], "–"...), append(h.ms[:0], "–"...)
		if s.Frames > 0 && !math.IsNaN(s.FPS) && !math.IsInf(s.FPS, 0) {
			digits := 1
			if s.FPS >= 100 {
				digits = 0
			}
			h.fps = strconv.AppendFloat(h.fps[:0], s.FPS, 'f', digits, 64)
			h.ms = appendMs(h.ms[:0], s.Median)
		}
		n := u.m.Count.Alive
		if n < 0 {
			n = u.m.Count.Value
		}
		h.count = appendShort(h.count[:0], float64(n))
	}
	imgui.Dummy(imgui.Vec2{Y: u.px(1)})
	third := imgui.ContentRegionAvail().X / 3
	x := u.px(12)
	u.rate(h.fps, "fps")
	imgui.SameLineV(x+third, 0)
	u.rate(h.ms, "median ms")
	imgui.SameLineV(x+2*third, 0)
	u.rate(h.count, "particles")
	imgui.Dummy(imgui.Vec2{Y: u.px(1)})
}

func (u *UI) rate(value []byte, unit string) {
	imgui.BeginGroup()
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	imgui.PushFont(u.fonts.big)
	imgui.Text(str(value))
	imgui.PopFont()
	imgui.PushFont(u.fonts.small)
	textColored(colDim, unit)
	imgui.PopFont()
	imgui.PopStyleVar()
	imgui.EndGroup()
}

// toolbar builds the four main buttons.
func (u *UI) toolbar() {
	c, rec := &u.m.Clock, &u.m.Record
	gap := u.px(6)
	w := (imgui.ContentRegionAvail().X - 3*gap) / 4
	pause := "Pause"
	if c.Paused {
		pause = "Run"
		imgui.PushStyleColor(imgui.StyleColorButton, colFill)
	}
	ok := u.button("clock/pause", pause, "Pause or go on (Space)", w)
	if c.Paused {
		imgui.PopStyleColor()
	}
	if ok {
		u.cmds.TogglePause = !u.cmds.TogglePause
	}
	imgui.SameLineV(0, gap)
	if u.button("clock/step", "Step", "Do a single step of dt and pause (N)", w) {
		u.cmds.SingleStep = true
	}
	imgui.SameLineV(0, gap)
	if u.button("clock/reset", "Reset", "Back to the initial state with the same seed (R)", w) {
		u.cmds.Reset = true
	}
	imgui.SameLineV(0, gap)
	if rec.On {
		imgui.PushStyleColor(imgui.StyleColorButton, rgb(0x7d2f2b))
		imgui.PushStyleColor(imgui.StyleColorButtonHovered, rgb(0x8f3833))
		b := append(u.text[:0], "■ "...)
		b = appendClock(b, rec.Elapsed)
		b = append(b, "###record"...)
		u.text = b
		ok = u.button("record/toggle", str(b), "Stop recording the trace (T)", w)
		imgui.PopStyleColorV(2)
	} else {
		ok = u.button("record/toggle", "● Record###record", "Record a trace of frame times (T)", w)
	}
	if ok {
		u.cmds.ToggleRecord = !u.cmds.ToggleRecord
	}
}

// The sections, in the order shown. The names are stored in layouts.
const (
	secScene = iota
	secParams
	secTime
	secFrames
	secLook
	secRecord
	secDevice
	numSections
)

var sectionNames = [numSections]string{"Scene", "Parameters", "Time & stream", "Frame times", "Look", "Recording", "Device & window"}

func (u *UI) sections() {
	for i, build := range [numSections]func(*UI){
		(*UI).sceneSection, (*UI).paramSection, (*UI).timeSection, (*UI).frameSection, (*UI).lookSection,
		(*UI).recordSection, (*UI).deviceSection,
	} {
		if u.section(i) {
			build(u)
			imgui.Dummy(imgui.Vec2{Y: u.px(4)})
		}
	}
}

// section builds a heading that opens and closes.
func (u *UI) section(i int) bool {
	imgui.SetNextItemOpen(u.layout.open[i], imgui.ConditionAlways)
	imgui.PushFont(u.fonts.bold)
	imgui.PushStyleVarVec2(imgui.StyleVarFramePadding, imgui.Vec2{X: u.px(4), Y: u.px(3)})
	open := imgui.CollapsingHeader(sectionNames[i])
	imgui.PopStyleVar()
	imgui.PopFont()
	u.state.item(u, "section/"+sectionNames[i], "section", float64(boolInt(open)), "", 0, 1, false)
	if imgui.IsItemToggledOpen() { // only then: a heading that is skipped in a low window is false without being closed
		u.layout.open[i], u.layout.dirty = open, true
	}
	return open
}
