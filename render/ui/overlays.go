// SPDX-License-Identifier: Apache-2.0

package ui

import "github.com/inkyblackness/imgui-go/v4"

// notice is a message of the UI's own.
type notice struct {
	text  string
	level Level
	age   float32
}

const (
	noticeLife = 5 // seconds
	maxNotices = 4
)

// say shows a message for some seconds. The same message again starts its time anew.
func (u *UI) say(level Level, text string) {
	for i := range u.own {
		if u.own[i].text == text {
			u.own[i].age = 0
			return
		}
	}
	if len(u.own) == maxNotices {
		u.own = append(u.own[:0], u.own[1:]...)
	}
	u.own = append(u.own, notice{text: text, level: level})
}

const overlayFlags = imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize | imgui.WindowFlagsNoMove |
	imgui.WindowFlagsNoScrollbar | imgui.WindowFlagsNoSavedSettings | imgui.WindowFlagsNoFocusOnAppearing |
	imgui.WindowFlagsAlwaysAutoResize

// overlays builds messages and help.
func (u *UI) overlays() {
	live := u.own[:0]
	for _, n := range u.own {
		if n.age += u.dt; n.age < noticeLife {
			live = append(live, n)
		}
	}
	u.own = live
	if len(u.own)+len(u.m.Toasts) > 0 {
		u.toasts()
	}
	if u.help && u.helped && (u.platform.clicked[0] || u.platform.clicked[1]) {
		u.help = false // a click anywhere closes it
	}
	if u.helped = u.help; u.help {
		u.helpWindow()
	}
}

// toasts shows the messages at the lower edge, newest last, in the part that the panel leaves free.
func (u *UI) toasts() {
	left, right := float32(0), float32(u.size.W)
	if !u.m.Hidden {
		left, right = u.layout.free(right)
	}
	w := min(u.px(520), right-left-u.px(2*margin))
	if w < u.px(160) {
		left, right = 0, float32(u.size.W)
		w = min(u.px(520), right-u.px(2*margin))
	}
	imgui.SetNextWindowPosV(imgui.Vec2{X: (left + right) / 2, Y: float32(u.size.H) - u.px(margin)}, imgui.ConditionAlways,
		imgui.Vec2{X: 0.5, Y: 1})
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, imgui.Vec2{X: max(w, 1), Y: float32(u.size.H)})
	imgui.PushStyleColor(imgui.StyleColorWindowBg, colPopup)
	if imgui.BeginV("###toasts", nil, overlayFlags|imgui.WindowFlagsNoMouseInputs|imgui.WindowFlagsNoNavInputs) {
		imgui.PushTextWrapPosV(w - u.px(12))
		for i := range u.m.Toasts {
			t := &u.m.Toasts[i]
			u.toast(t.Text, t.Level, float32(t.Age))
		}
		for i := range u.own {
			u.toast(u.own[i].text, u.own[i].level, u.own[i].age)
		}
		imgui.PopTextWrapPos()
	}
	imgui.End()
	imgui.PopStyleColor()
}

func (u *UI) toast(text string, level Level, age float32) {
	c := colText
	switch level {
	case Warning:
		c = colAmber
	case Failure:
		c = colRed
	case Info:
	}
	c.W = min(max(0.4+4*age, 0.4), 1)
	textColored(c, text)
	u.state.item(u, "toast", "text", float64(level), text, 0, 0, false)
}

// helpWindow lists keys and mouse.
func (u *UI) helpWindow() {
	imgui.SetNextWindowPosV(imgui.Vec2{X: float32(u.size.W) / 2, Y: float32(u.size.H) / 2}, imgui.ConditionAlways,
		imgui.Vec2{X: 0.5, Y: 0.5})
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: u.px(22), Y: u.px(16)})
	imgui.PushStyleColor(imgui.StyleColorWindowBg, colPopup)
	imgui.SetNextWindowFocus()
	if imgui.BeginV("###help", nil, overlayFlags) {
		imgui.PushFont(u.fonts.bold)
		imgui.Text("Keys and mouse")
		imgui.PopFont()
		imgui.Spacing()
		for _, s := range shortcuts {
			if s.keys == "" {
				imgui.Dummy(imgui.Vec2{Y: u.px(4)})
				continue
			}
			textColored(colAccent, s.keys)
			imgui.SameLineV(u.px(132), 0)
			imgui.Text(s.what)
		}
		u.state.item(u, "help", "text", 0, "", 0, 0, false)
		imgui.Spacing()
		textColored(colDim, "F1 or Escape closes this")
	}
	imgui.End()
	imgui.PopStyleColor()
	imgui.PopStyleVar()
}
