// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"github.com/inkyblackness/imgui-go/v4"

	"particles/trace"
)

// color is sRGB with straight alpha, each 0 to 1.
type color = imgui.Vec4

func rgb(hex uint32) color { return rgba(hex, 1) }

func rgba(hex uint32, alpha float32) color {
	return color{X: float32(hex>>16&255) / 255, Y: float32(hex>>8&255) / 255, Z: float32(hex&255) / 255, W: alpha}
}

// The palette. Text on the panel has a contrast of at least 4.5 to 1 (WCAG 2.1, 1.4.3), which a test computes.
var (
	colPanel   = rgba(0x14171d, 0.95)
	colText    = rgb(0xdde1e8)
	colDim     = rgb(0x929baa)
	colAccent  = rgb(0x6aa9ff)
	colChanged = rgb(0x8fd0ff)
	colGood    = rgb(0x6cc48c)
	colAmber   = rgb(0xf0b35b)
	colRed     = rgb(0xf2766b)
	colFrame   = rgba(0xb8c8ff, 0.085) // lets a slider's fill show through
	colHover   = rgba(0xb8c8ff, 0.14)
	colActive  = rgba(0xb8c8ff, 0.20)
	colFill    = rgb(0x29446b)
	colGrab    = rgb(0x55739e)
	colHeader  = rgb(0x1d222b)
	colLine    = rgb(0x2a303b)
	colPopup   = rgb(0x1a1e26)
	colNone    = color{}
)

// phaseColors and gpuColors are the plot's: working phases are coloured, waiting is grey.
var (
	phaseColors = [trace.NumPhases]color{
		trace.Poll: rgb(0x8a6fd1), trace.UI: rgb(0xc77dba), trace.Map: rgb(0x3fb5a5), trace.Launch: rgb(0x4c8df0),
		trace.Unmap: rgb(0x63c9e0), trace.Draw: rgb(0x6cc070), trace.ImGui: rgb(0xe39a5b), trace.Swap: rgb(0x4a5263),
	}
	gpuColors = [trace.NumGPUParts]color{
		trace.GPUStep: rgb(0x4c8df0), trace.GPUPublish: rgb(0x3fb5a5), trace.GPUWait: rgb(0x4a5263), trace.GPUDraw: rgb(0x6cc070),
		trace.GPUResolve: rgb(0xc9b458), trace.GPUPanel: rgb(0xe39a5b),
	}
)

// Sizes at scale 1, in window units.
const (
	panelWidth    = 356
	panelMinWidth = 300
	panelMaxWidth = 640
	margin        = 12
	bodySize      = 16 // ImGui's font size: ascender to descender
	smallSize     = 14
	bigSize       = 23
	labelShare    = 0.37 // of a row's width
)

// setStyle sets colours and sizes of the current context, once: ScaleAllSizes adds up.
func setStyle(scale float32) {
	s := imgui.CurrentStyle()
	for id, c := range map[imgui.StyleColorID]color{
		imgui.StyleColorText: colText, imgui.StyleColorTextDisabled: colDim, imgui.StyleColorWindowBg: colPanel,
		imgui.StyleColorChildBg: colNone, imgui.StyleColorPopupBg: colPopup, imgui.StyleColorBorder: colLine,
		imgui.StyleColorFrameBg: colFrame, imgui.StyleColorFrameBgHovered: colHover, imgui.StyleColorFrameBgActive: colActive,
		imgui.StyleColorScrollbarBg: colNone, imgui.StyleColorScrollbarGrab: colActive,
		imgui.StyleColorScrollbarGrabHovered: colGrab, imgui.StyleColorScrollbarGrabActive: colAccent,
		imgui.StyleColorCheckMark: colAccent, imgui.StyleColorSliderGrab: colNone, imgui.StyleColorSliderGrabActive: colNone,
		imgui.StyleColorButton: colFrame, imgui.StyleColorButtonHovered: colHover, imgui.StyleColorButtonActive: colActive,
		imgui.StyleColorHeader: colHeader, imgui.StyleColorHeaderHovered: colHover, imgui.StyleColorHeaderActive: colActive,
		imgui.StyleColorSeparator: colLine, imgui.StyleColorSeparatorHovered: colGrab, imgui.StyleColorSeparatorActive: colAccent,
		imgui.StyleColorResizeGrip: colNone, imgui.StyleColorResizeGripHovered: colGrab, imgui.StyleColorResizeGripActive: colAccent,
		imgui.StyleColorTextSelectedBg: rgba(0x6aa9ff, 0.35),
	} {
		s.SetColor(id, c)
	}
	s.SetWindowPadding(imgui.Vec2{X: 12, Y: 10})
	s.SetFramePadding(imgui.Vec2{X: 8, Y: 2})
	s.SetItemSpacing(imgui.Vec2{X: 6, Y: 5})
	s.SetItemInnerSpacing(imgui.Vec2{X: 6, Y: 4})
	s.SetWindowRounding(8)
	s.SetChildRounding(4)
	s.SetFrameRounding(4)
	s.SetGrabRounding(3)
	s.SetPopupRounding(6)
	s.SetScrollbarRounding(4)
	s.SetScrollbarSize(9)
	s.SetGrabMinSize(1)
	s.SetIndentSpacing(12)
	s.SetWindowBorderSize(1)
	s.SetPopupBorderSize(1)
	s.SetFrameBorderSize(0)
	s.ScaleAllSizes(scale)
}
