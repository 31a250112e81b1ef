// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"strconv"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/trace"
)

// frameSection builds the frame-time plot with its statistics.
func (u *UI) frameSection() {
	u.statsLine()
	p := u.plot
	p.fill(u.m.Samples)
	p.p99 = float32(u.m.Stats.P99)
	w := int(imgui.ContentRegionAvail().X)
	p.hover = -1
	u.strip("plot/cpu", stripCPU, w, int(u.px(96)))
	u.legend(phaseNames[:], phaseColors[:])
	switch {
	case u.m.NoGPU == "":
		imgui.Dummy(imgui.Vec2{})
		imgui.PushFont(u.fonts.small)
		textColored(colDim, "GPU")
		imgui.PopFont()
		u.strip("plot/gpu", stripGPU, w, int(u.px(48)))
		u.legend(gpuNames[:], gpuColors[:])
	default:
		imgui.PushFont(u.fonts.small)
		b := append(append(u.text[:0], "no GPU times: "...), u.m.NoGPU...)
		u.text = b
		textWrapped(colDim, str(b))
		imgui.PopFont()
	}
	if p.hover >= 0 && p.at(p.hover) >= 0 {
		u.sampleTip(&p.samples[p.at(p.hover)])
	}
}

// strip shows one strip of the plot with the labels of its scale, and finds the column under the mouse.
func (u *UI) strip(key string, i, w, h int) {
	p := u.plot
	tex := p.want(i, w, h)
	at := imgui.CursorScreenPos()
	imgui.ImageV(imgui.TextureID(tex), imgui.Vec2{X: float32(w), Y: float32(h)}, imgui.Vec2{Y: 1}, imgui.Vec2{X: 1},
		color{X: 1, Y: 1, Z: 1, W: 1}, colNone)
	u.state.item(u, key, "plot", float64(p.scales[i].top), "", 0, 0, false)
	if imgui.IsItemHovered() {
		x := (u.platform.x - at.X) / float32(w) * PlotFrames
		p.hover = min(max(int(x), 0), PlotFrames-1)
	}
	list := imgui.WindowDrawList()
	imgui.PushFont(u.fonts.small)
	top := p.scales[i].top
	b := appendNumber(u.text[:0], float64(top))
	u.text = append(b, " ms"...)
	pad := u.px(4)
	u.plotLabel(list, at.X+pad, at.Y+u.px(1), str(u.text))
	if i == stripCPU {
		for _, l := range [...]struct {
			ms   float32
			text string
		}{{1000. / 60, "16.7"}, {1000. / 30, "33.3"}} {
			y := at.Y + float32(h)*(1-l.ms/top)
			// The label stands on its line, clear of the scale's and of the edges.
			if y > at.Y+u.px(24) && y < at.Y+float32(h)-u.px(8) && (l.ms > 20 || top < 80) {
				u.plotLabel(list, at.X+pad, y-round(u.px(smallSize)/2), l.text)
			}
		}
	}
	imgui.PopFont()
}

// plotLabel writes over the plot, on a ground that keeps lines off the text.
func (u *UI) plotLabel(list imgui.DrawList, x, y float32, text string) {
	size := imgui.CalcTextSize(text, false, 0)
	list.AddRectFilled(imgui.Vec2{X: x - u.px(2), Y: y}, imgui.Vec2{X: x + size.X + u.px(2), Y: y + size.Y}, u.ground)
	list.AddText(imgui.Vec2{X: x, Y: y}, u.dim, text)
}

func packed(c color) imgui.PackedColor { return imgui.PackedColorFromVec4(c) }

// legend lists the parts of a strip, four in a line.
func (u *UI) legend(names []string, colors []color) {
	imgui.PushFont(u.fonts.small)
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{X: u.px(6), Y: u.px(1)})
	imgui.PushStyleColor(imgui.StyleColorText, colDim)
	quarter := imgui.ContentRegionAvail().X / 4
	for k, n := range names {
		if k%4 != 0 {
			imgui.SameLineV(float32(k%4)*quarter, 0)
		}
		textColored(colors[k], "■")
		imgui.SameLineV(float32(k%4)*quarter+u.px(14), 0)
		imgui.Text(n)
	}
	imgui.PopStyleColor()
	imgui.PopStyleVar()
	imgui.PopFont()
}

// statsLine shows the percentiles in five columns.
func (u *UI) statsLine() {
	s := &u.m.Stats
	fifth := imgui.ContentRegionAvail().X / 5
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{X: u.px(6), Y: u.px(1)})
	imgui.PushFont(u.fonts.small)
	for k, name := range [...]string{"median", "p95", "p99", "p99.9", "max ms"} {
		if k > 0 {
			imgui.SameLineV(float32(k)*fifth, 0)
		}
		textColored(colDim, name)
	}
	imgui.PopFont()
	for k, v := range [...]float64{s.Median, s.P95, s.P99, s.P999, s.Max} {
		if k > 0 {
			imgui.SameLineV(float32(k)*fifth, 0)
		}
		if s.Frames == 0 {
			v = -1 // a dash
		}
		c := colText
		if k == 2 {
			c = colAmber // the colour of its line in the plot
		}
		u.text = appendMs(u.text[:0], v)
		textColored(c, str(u.text))
	}
	imgui.PopStyleVar()
	imgui.PushFont(u.fonts.small)
	b := strconv.AppendInt(u.text[:0], int64(s.Frames), 10)
	b = append(b, " frames"...)
	if u.m.AllocsPerFrame >= 0 {
		b = append(b, "  ·  "...)
		b = strconv.AppendFloat(b, u.m.AllocsPerFrame, 'f', 0, 64)
		b = append(b, " allocations a frame"...)
	}
	u.text = b
	textColored(colDim, str(b))
	imgui.PopFont()
}

// sampleTip shows one frame's times.
func (u *UI) sampleTip(s *trace.Sample) {
	imgui.BeginTooltip()
	imgui.PushFont(u.fonts.bold)
	b := append(u.text[:0], "frame "...)
	b = strconv.AppendUint(b, s.Seq, 10)
	b = append(appendMs(append(b, "   "...), s.Milliseconds()), " ms"...)
	imgui.Text(str(b))
	imgui.PopFont()
	for k, n := range phaseNames {
		u.tipLine(phaseColors[k], n, float32(s.Phase[k])*1e-6)
	}
	if s.HasGPU() {
		imgui.Separator()
		for k, n := range gpuNames {
			u.tipLine(gpuColors[k], n, float32(s.GPU[k])*1e-6)
		}
	}
	imgui.EndTooltip()
}

func (u *UI) tipLine(c color, name string, ms float32) {
	textColored(c, "■")
	imgui.SameLineV(u.px(30), 0)
	imgui.Text(name)
	u.text = appendMs(u.text[:0], float64(ms))
	imgui.SameLineV(u.px(130)-imgui.CalcTextSize(str(u.text), false, 0).X, 0)
	imgui.Text(str(u.text))
}
