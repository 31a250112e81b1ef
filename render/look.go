// SPDX-License-Identifier: Apache-2.0

package render

import "math"

// Look says how particles appear. It is a plain value; start from DefaultLook.
type Look struct {
	PointSize float32 // sprite diameter in world units; 0: chosen from count and radius, see AutoPointSize
	SizeMinPx float32 // least diameter in pixels; smaller sprites are drawn at it and dimmed
	SizeMaxPx float32 // greatest diameter in pixels
	OnePixel  bool    // points of one pixel that carry their sprite's light: fastest
	Exposure  float32 // in EV: each step doubles the light. 0 suits any count, see AutoExposure
	Opacity   float32 // factor on the particles' light, 0..1
	ColorMap  string  // a name of assets.ColorMaps; empty: the default

	ScalarLo, ScalarHi float32    // scalars at the two ends of the colour map
	SceneRadius        float32    // radius of the scene in world units, for the automatic size and exposure
	Background         [3]float32 // linear colour, 0..1, at the picture's centre; darker to the corners
}

// DefaultLook returns the look that scenes start from: soft sprites of an automatic size over a blue near-black.
func DefaultLook() Look {
	return Look{
		SizeMinPx: 1.5, SizeMaxPx: 64, Opacity: 1, ScalarHi: 1, SceneRadius: 1,
		Background: [3]float32{0.0028, 0.0040, 0.0080},
	}
}

// Constants of the automatic look, chosen by eye on flows of 20 thousand to a million particles.
const (
	spriteFill   = 0.24         // automatic diameter of one particle alone over the scene's radius
	spriteSum    = math.Pi / 12 // sum of a sprite of diameter 1, see sprite.frag
	autoSizeFrom = 30_000       // count from which on the automatic size falls
	autoCover    = 0.42         // mean light over the scene's disc that the automatic exposure aims at
	autoLightMax = 1.1          // most light at a sprite's centre, reached when there are few particles
)

// AutoPointSize is the sprite diameter, in world units, for count particles in a ball of a radius. It falls with the fourth
// root of the count, more slowly than their mean distance does: some thousand particles stand apart as soft discs, and a
// million of them merge into a smooth glow rather than grain. Below thirty thousand it grows no more: where a count is low
// because drawing is slow, larger sprites would take back what fewer of them save.
func AutoPointSize(count int, radius float32) float32 {
	return spriteFill * positive(radius) / float32(math.Sqrt(math.Sqrt(float64(max(count, autoSizeFrom)))))
}

// AutoExposure is the light of one sprite at its centre before tone mapping at Exposure 0. It makes the mean over the
// scene's disc, the sum of all sprites' areas over that of the disc, the same for every count and size; particles few
// enough to stand alone are bounded by what a single sprite needs. Neither camera nor resolution enters, so the picture
// does not pump while flying.
func AutoExposure(count int, size, radius float32) float32 {
	disc := math.Pi * float64(positive(radius)) * float64(positive(radius))
	sum := float64(max(count, 1)) * spriteSum * float64(size) * float64(size)
	if sum <= 0 {
		return autoLightMax
	}
	return float32(min(autoCover*disc/sum, autoLightMax))
}

// positive replaces what is no usable radius by 1.
func positive(r float32) float32 {
	if r > 0 && !math.IsInf(float64(r), 0) {
		return r
	}
	return 1
}

// pointSize is the sprite diameter in force for count particles.
func (l *Look) pointSize(count int) float32 {
	if l.PointSize > 0 {
		return l.PointSize
	}
	return AutoPointSize(count, l.SceneRadius)
}

// exposure is the factor of the resolve pass.
func (l *Look) exposure() float32 {
	ev := min(max(float64(l.Exposure), -20), 20)
	if math.IsNaN(ev) {
		ev = 0
	}
	return float32(math.Exp2(ev))
}

// colorScale maps a scalar to an index of the colour map: index = s*a + b. A range without width shows its middle.
func (l *Look) colorScale() (a, b float32) {
	d := l.ScalarHi - l.ScalarLo
	if d == 0 || d != d {
		return 0, 127.5
	}
	a = 255 / d
	return a, 0.5 - l.ScalarLo*a
}
