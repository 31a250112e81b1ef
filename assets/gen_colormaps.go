// SPDX-License-Identifier: Apache-2.0

//go:build ignore

// Command gen_colormaps writes the project's own colour maps: a smooth path through OKLCh (Björn Ottosson, "A perceptual
// color space for image processing", 2020) between a few anchors, lightness rising evenly, chroma cut to what sRGB holds.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"strings"
)

// anchor is a point of the path: position 0..1, chroma, hue in degrees. Lightness is linear from lo to hi.
type anchor struct{ t, c, h float64 }

var maps = []struct {
	name, note string
	lo, hi     float64
	path       []anchor
}{
	{"ember", "violet embers to warm white, for additive drawing", 0.36, 0.95, []anchor{{0, 0.19, 285}, {0.28, 0.23, 340}, {0.55, 0.20, 392}, {0.8, 0.17, 427}, {1, 0.10, 455}}},
	{"glacier", "deep blue through cyan to pale gold, for additive drawing", 0.38, 0.97, []anchor{{0, 0.22, 272}, {0.35, 0.17, 248}, {0.65, 0.13, 205}, {0.88, 0.07, 150}, {1, 0.06, 95}}},
}

func main() {
	for _, m := range maps {
		var b strings.Builder
		fmt.Fprintf(&b, "# SPDX-License-Identifier: Apache-2.0\n# %s: %s\n# made by assets/gen_colormaps.go\n", m.name, m.note)
		for i := range 256 {
			t := float64(i) / 255
			c, h := at(m.path, t)
			r, g, bl := fit(m.lo+(m.hi-m.lo)*t, c, h)
			sep := " "
			if i%16 == 15 {
				sep = "\n"
			}
			fmt.Fprintf(&b, "%02x%02x%02x%s", r, g, bl, sep)
		}
		if err := os.WriteFile("colormaps/"+m.name+".cmap", []byte(b.String()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// at interpolates the anchors by cubic Hermite pieces with the slopes of their neighbours (Catmull-Rom).
func at(p []anchor, t float64) (c, h float64) {
	i := 0
	for i < len(p)-2 && t > p[i+1].t {
		i++
	}
	a, b := p[i], p[i+1]
	prev, next := p[max(i-1, 0)], p[min(i+2, len(p)-1)]
	u := (t - a.t) / (b.t - a.t)
	hermite := func(v0, v1, vp, vn float64) float64 {
		m0, m1 := (v1-vp)/(b.t-prev.t)*(b.t-a.t), (vn-v0)/(next.t-a.t)*(b.t-a.t)
		u2, u3 := u*u, u*u*u
		return (2*u3-3*u2+1)*v0 + (u3-2*u2+u)*m0 + (3*u2-2*u3)*v1 + (u3-u2)*m1
	}
	return hermite(a.c, b.c, prev.c, next.c), hermite(a.h, b.h, prev.h, next.h)
}

// fit lowers chroma until the colour lies within sRGB.
func fit(l, c, h float64) (r, g, b uint8) {
	for ; c > 0; c -= 0.001 {
		x := linear(l, c, h)
		if min(x[0], x[1], x[2]) >= 0 && max(x[0], x[1], x[2]) <= 1 {
			return encode(x[0]), encode(x[1]), encode(x[2])
		}
	}
	x := linear(l, 0, h)
	return encode(x[0]), encode(x[1]), encode(x[2])
}

func linear(l, c, h float64) [3]float64 {
	a, b := c*math.Cos(h*math.Pi/180), c*math.Sin(h*math.Pi/180)
	cube := func(v float64) float64 { return v * v * v }
	L, M, S := cube(l+0.3963377774*a+0.2158037573*b), cube(l-0.1055613458*a-0.0638541728*b), cube(l-0.0894841775*a-1.2914855480*b)
	return [3]float64{
		4.0767416621*L - 3.3077115913*M + 0.2309699292*S,
		-1.2684380046*L + 2.6097574011*M - 0.3413193965*S,
		-0.0041960863*L - 0.7034186147*M + 1.7076147010*S,
	}
}

func encode(v float64) uint8 {
	v = min(max(v, 0), 1)
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * v))
}
