// SPDX-License-Identifier: Apache-2.0

// Package look declares what a person can set of how particles are drawn, and the sizes and exposures that are chosen where the
// person leaves them to the program. It draws nothing; render reads the values by their places here.
package look

import (
	"math"
	"slices"

	"particles/assets"
	"particles/sim/param"
)

// The places of the parameters in [Group].
const (
	Exposure = iota
	PointSize
	OnePixel
	Opacity
	ColorMap
	ColorRange
	Background
	Vignette
)

// Group describes the look.
var Group = param.Group{
	Name: "look", Title: "Look", Doc: "How particles are drawn.",
	Specs: []param.Spec{
		Exposure: {
			Name: "exposure", Label: "Exposure", Unit: "stops", Min: -20, Max: 20, Low: -8, High: 8, Step: 0.05,
			Doc: "Brightness in powers of two. 0 suits any count and size.",
		},
		PointSize: {
			Name: "point_size", Label: "Point size", Unit: "m", Max: 1000, High: 1, Log: true, Auto: true,
			Doc: "Diameter of a particle. 0: chosen from the count and the scene's size.",
		},
		OnePixel: {
			Name: "one_pixel", Label: "One pixel", Kind: param.Bool,
			Doc: "Draw points of a single pixel: the fastest, for large counts.",
		},
		Opacity: {
			Name: "opacity", Label: "Opacity", Default: 1, Max: 1, Step: 0.01,
			Doc: "Factor on the particles' light.",
		},
		ColorMap: {
			Name: "color_map", Label: "Colour map", Kind: param.Enum, Choices: assets.ColorMaps(),
			Default: float64(slices.Index(assets.ColorMaps(), assets.DefaultColorMap)),
			Doc:     "Perceptually uniform maps: equal steps of the value look equal.",
		},
		ColorRange: {
			Name: "color_range", Label: "Colour", Kind: param.Vector, Parts: []string{"from", "to"}, Min: -1e6, Max: 1e6, Auto: true, Ordered: true,
			Doc: "Values at the two ends of the colour map. Both 0: what the model expects.",
		},
		Background: {
			Name: "background", Label: "Background", Kind: param.Color, Defaults: []float64{0.035, 0.05, 0.085},
			Doc: "Colour at the picture's centre; darker to the corners.",
		},
		Vignette: {
			Name: "vignette", Label: "Vignette", Default: 0.55, Max: 3, Step: 0.05, Expert: true,
			Doc: "How fast the background falls off towards the corners. 0: it is even.",
		},
	},
}

// Constants of the automatic look, chosen by eye on flows of 20 thousand to a million particles.
const (
	spriteFill   = 0.24         // automatic diameter of one particle alone over the scene's radius
	SpriteSum    = math.Pi / 12 // sum of a sprite of diameter 1, see sprite.frag
	autoSizeFrom = 30_000       // count from which on the automatic size falls
	autoCover    = 0.42         // mean light over the scene's disc that the automatic exposure aims at
	autoLightMax = 1.1          // most light at a sprite's centre, reached when there are few particles
)

// AutoPointSize is the sprite diameter, in world units, for count particles in a ball of a radius. It falls with the fourth
// root of the count, more slowly than their mean distance does: some thousand particles stand apart as soft discs, and a
// million of them merge into a smooth glow rather than grain. Below thirty thousand it grows no more: where a count is low
// because drawing is slow, larger sprites would take back what fewer of them save.
func AutoPointSize(count int, radius float32) float32 {
	return spriteFill * Positive(radius) / float32(math.Sqrt(math.Sqrt(float64(max(count, autoSizeFrom)))))
}

// AutoExposure is the light of one sprite at its centre before tone mapping at Exposure 0. It makes the mean over the
// scene's disc, the sum of all sprites' areas over that of the disc, the same for every count and size; particles few
// enough to stand alone are bounded by what a single sprite needs. Neither camera nor resolution enters, so the picture
// does not pump while flying.
func AutoExposure(count int, size, radius float32) float32 {
	disc := math.Pi * float64(Positive(radius)) * float64(Positive(radius))
	sum := float64(max(count, 1)) * SpriteSum * float64(size) * float64(size)
	if sum <= 0 {
		return autoLightMax
	}
	return float32(min(autoCover*disc/sum, autoLightMax))
}

// Positive replaces what is no usable radius by 1.
func Positive(r float32) float32 {
	if r > 0 && !math.IsInf(float64(r), 0) {
		return r
	}
	return 1
}

// ColorScale maps a scalar to an index of the colour map: index = s*a + b. A range without width shows its middle.
func ColorScale(lo, hi float64) (a, b float32) {
	d := float32(hi - lo)
	if d == 0 || d != d {
		return 0, 127.5
	}
	a = 255 / d
	return a, 0.5 - float32(lo)*a
}

// Gain is the factor on the light that an exposure in stops stands for.
func Gain(stops float64) float32 { return float32(math.Exp2(stops)) }

// Linear turns an sRGB component, 0 to 1, into light (IEC 61966-2-1).
func Linear(c float64) float32 {
	if c <= 0.04045 {
		return float32(c / 12.92)
	}
	return float32(math.Pow((c+0.055)/1.055, 2.4))
}
