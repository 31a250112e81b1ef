// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"unsafe"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/assets/fonts"
)

// faces are the fonts of one context.
type faces struct {
	body, bold, small, big imgui.Font
}

// Inter's digits have different widths, which makes changing numbers jitter. The widest digit's advance, in ems, is given
// to all ten: ImGui centres a glyph in a larger advance. An em is size/emHeight, as ImGui's size is the line's height
// ((2728+680)/2816 em in Inter's hhea table).
const (
	digitRegular  = 0.642
	digitSemiBold = 0.667
	emHeight      = 1.2102
)

// textRanges covers what the panel and file names in European languages need.
var textRanges = [][2]rune{
	{0x20, 0x7e},
	{0xa0, 0x17f},
	{0x370, 0x3ff},
	{0x400, 0x45f},
	{0x2000, 0x206f},
	{0x2070, 0x209f},
	{0x2190, 0x2193},
	{0x2212, 0x2212},
	{0x221a, 0x221e},
	{0x2248, 0x2265},
	{0x25a0, 0x25cf},
	{0x26a0, 0x26a0},
}

// buildFonts adds the fonts to the current context's atlas and rasterises it. It returns coverage, one byte a pixel,
// owned by the atlas.
func buildFonts(scale float32) (f faces, pixels unsafe.Pointer, w, h int) {
	atlas := imgui.CurrentIO().Fonts()
	var all, digits, ascii imgui.GlyphRangesBuilder
	for _, r := range textRanges {
		all.Add(r[0], r[1])
	}
	digits.Add('0', '9')
	ascii.Add(0x20, 0x7e)
	ascii.Add(0xb5, 0xb7)
	ascii.Add(0x2013, 0x2026)
	allR, digitsR, asciiR := all.Build(), digits.Build(), ascii.Build()
	defer allR.Free()
	defer digitsR.Free()
	defer asciiR.Free()

	add := func(ttf []byte, size, digit float32, ranges imgui.GlyphRanges) imgui.Font {
		px := round(size * scale)
		over := 2
		if px > 28 {
			over = 1 // large glyphs gain nothing and the atlas grows
		}
		// Glyphs that are in a font already are not added again by a merge, so the digits come first.
		c := imgui.NewFontConfig()
		defer c.Delete()
		c.SetOversampleH(over)
		c.SetOversampleV(1)
		advance := round(digit * px / emHeight)
		c.SetGlyphMinAdvanceX(advance)
		c.SetGlyphMaxAdvanceX(advance)
		font := atlas.AddFontFromMemoryTTFV(ttf, px, c, digitsR.GlyphRanges)
		m := imgui.NewFontConfig()
		defer m.Delete()
		m.SetOversampleH(over)
		m.SetOversampleV(1)
		m.SetMergeMode(true)
		atlas.AddFontFromMemoryTTFV(ttf, px, m, ranges)
		return font
	}
	f.body = add(fonts.Regular, bodySize, digitRegular, allR.GlyphRanges)
	f.bold = add(fonts.SemiBold, bodySize, digitSemiBold, asciiR.GlyphRanges)
	f.small = add(fonts.Regular, smallSize, digitRegular, allR.GlyphRanges)
	f.big = add(fonts.SemiBold, bigSize, digitSemiBold, asciiR.GlyphRanges)
	img := atlas.TextureDataAlpha8() // before the first NewFrame
	return f, img.Pixels, img.Width, img.Height
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }
