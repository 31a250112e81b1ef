// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"particles/assets"
	"particles/render/look"
	"particles/sim/param"
)

// straight looks along -z at the origin from a distance of 4, with a picture plane of 2 x 2 world units there, so that a unit is
// half the height.
func straight() *Camera {
	c := NewCamera(1)
	c.Set(View{Distance: 4, Fov: float32(2 * math.Atan(1.0/4))})
	return c
}

// view is what a test sets of the look.
type view struct {
	size, sizeMin, radius float32
	opacity, lo, hi       float64
	colors                string
	onePixel              bool
}

// bare is a view whose sprites have the light 1 at the centre: the automatic exposure is bounded there.
func bare(size float32) view {
	return view{size: size, sizeMin: 1.5, radius: 1000, opacity: 1 / float64(look.AutoExposure(1, 0.01, 1)), colors: "viridis", hi: 1}
}

// apply puts the view in force.
func (v view) apply(t *testing.T, r *Renderer) {
	t.Helper()
	r.sizeMin, r.sizeMax = v.sizeMin, 250
	r.SetSubject(Subject{Radius: v.radius, Scalar: param.Quantity{Min: v.lo, Max: v.hi}})
	l := r.Look()
	l.ResetAll()
	for i, value := range map[int]float64{look.PointSize: float64(v.size), look.Opacity: v.opacity, look.OnePixel: float64(truth(v.onePixel))} {
		if _, err := l.SetPart(i, 0, value); err != nil {
			t.Fatal(err)
		}
	}
	setColors(t, r, v.colors)
}

func setColors(t *testing.T, r *Renderer, name string) {
	t.Helper()
	if name == "" {
		return
	}
	parts, err := r.Look().Specs()[look.ColorMap].Read(name)
	if err == nil {
		err = r.Look().Put("color_map", parts)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func truth(on bool) int {
	if on {
		return 1
	}
	return 0
}

// light draws records and returns the sums of the three channels and their centre of mass in pixels from the lower left.
func light(t *testing.T, r *Renderer, v view, recs []record) (sum [3]float64, x, y float64) {
	t.Helper()
	v.apply(t, r)
	s := publish(t, recs)
	r.Begin(straight())
	r.DrawPoints(s, 0, len(recs))
	total := 0.0
	for i, v := range r.ReadLight() {
		if v != v || v < 0 || math.IsInf(float64(v), 0) {
			t.Fatalf("light %v at value %d", v, i)
		}
		if i%4 < 3 {
			sum[i%4] += float64(v)
			total += float64(v)
			x += float64(v) * (float64(i/4%r.w) + 0.5)
			y += float64(v) * (float64(i/4/r.w) + 0.5)
		}
	}
	return sum, x / total, y / total
}

// scattered are n particles of one colour at random places within the picture, so that sums average over the places of sprites
// within their pixels.
func scattered(n int) []record {
	rng := rand.New(rand.NewPCG(3, 4))
	recs := make([]record, n)
	for i := range recs {
		recs[i] = record{float32(1.4*rng.Float64() - 0.7), float32(1.4*rng.Float64() - 0.7), 0, 1}
	}
	return recs
}

// yellow is viridis' upper end as linear light.
var yellow = [3]float64{float64(look.Linear(253. / 255)), float64(look.Linear(231. / 255)), float64(look.Linear(37. / 255))}

func TestASpritesLightIsProportionalToItsArea(t *testing.T) {
	r := newRenderer(t, 200, 200)
	const n = 4000
	for _, pixels := range []float64{0.1, 0.5, 1, 1.4, 1.6, 3, 7, 20} {
		// A unit is 100 pixels; the profile (1-r^2)^2 over a disc of diameter d sums to pi d^2 / 12.
		sum, _, _ := light(t, r, bare(float32(pixels/100)), scattered(n))
		for c, got := range sum {
			want := n * math.Pi / 12 * pixels * pixels * yellow[c]
			if math.Abs(got/want-1) > 0.03 {
				t.Errorf("diameter %v pixels, channel %d: light %.4g, want %.4g within 3 %%", pixels, c, got, want)
			}
		}
	}
}

func TestOnePixelPointsCarryTheSameLight(t *testing.T) {
	r := newRenderer(t, 200, 200)
	for _, pixels := range []float64{0.3, 1, 5} {
		l := bare(float32(pixels / 100))
		sprites, _, _ := light(t, r, l, scattered(4000))
		l.onePixel = true
		points, _, _ := light(t, r, l, scattered(4000))
		if math.Abs(points[0]/sprites[0]-1) > 0.03 {
			t.Errorf("diameter %v pixels: points %.4g, sprites %.4g", pixels, points[0], sprites[0])
		}
	}
}

func TestTheLeastSizeDoesNotChangeTheLight(t *testing.T) {
	r := newRenderer(t, 200, 200)
	l := bare(0.005)
	small, _, _ := light(t, r, l, scattered(4000))
	l.sizeMin = 4
	wide, _, _ := light(t, r, l, scattered(4000))
	if math.Abs(wide[1]/small[1]-1) > 0.03 {
		t.Errorf("least size 4 pixels: light %.4g, with 1.5: %.4g", wide[1], small[1])
	}
}

func TestTwiceAsFarIsAQuarterOfTheLight(t *testing.T) {
	r := newRenderer(t, 200, 200)
	near, _, _ := light(t, r, bare(0.08), []record{{0, 0, 0, 1}})
	far, _, _ := light(t, r, bare(0.08), []record{{0, 0, -4, 1}})
	if math.Abs(near[0]/far[0]/4-1) > 0.05 {
		t.Errorf("at distance 4 %.4g, at 8 %.4g", near[0], far[0])
	}
}

func TestAParticleLandsOnItsPixel(t *testing.T) {
	r := newRenderer(t, 320, 200)
	for _, p := range []record{{0, 0, 0, 1}, {0.5, 0.25, 0, 1}, {-1.2, -0.7, 0, 1}, {0.3, 0.3, 1, 1}, {1, -0.5, -3, 1}} {
		_, x, y := light(t, r, bare(0.06), []record{p})
		// Similar triangles: a unit at distance 4 is half the height.
		k := 100 * 4 / (4 - float64(p.z))
		if wantX, wantY := 160+k*float64(p.x), 100+k*float64(p.y); math.Abs(x-wantX) > 0.3 || math.Abs(y-wantY) > 0.3 {
			t.Errorf("%v is at %.2f, %.2f; want %.2f, %.2f", p, x, y, wantX, wantY)
		}
	}
}

func TestTheFirstRowOfThePictureIsOnTop(t *testing.T) {
	r := newRenderer(t, 100, 100)
	light(t, r, bare(0.1), []record{{0.4, 0.4, 0, 1}})
	img, err := r.ReadImage()
	if err != nil {
		t.Fatal(err)
	}
	if p := img.NRGBAAt(70, 29); p.R < 150 || p.A != 255 {
		t.Errorf("pixel of a particle up and to the right is %v", p)
	}
	if p := img.NRGBAAt(70, 70); p.R > 40 || p.A != 255 {
		t.Errorf("pixel below it is %v, want background", p)
	}
}

func TestDeadAndBrokenParticlesAreNotDrawn(t *testing.T) {
	r := newRenderer(t, 100, 100)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	negative := math.Float32frombits(0xffc00001)
	dead := []record{
		{0, 0, 0, nan},
		{0, 0, 0, negative},
		{nan, 0, 0, 1},
		{0, nan, 0, 1},
		{0, 0, nan, 1},
		{inf, 0, 0, 1},
		{0, -inf, 0, 1},
		{0, 0, inf, 1},
		{0, 0, 10, 1},
	}
	for _, pixel := range []bool{false, true} {
		l := bare(0.1)
		l.onePixel = pixel
		if sum, _, _ := light(t, r, l, dead); sum != [3]float64{} {
			t.Errorf("one pixel %v: light %v, want none", pixel, sum)
		}
		alive, _, _ := light(t, r, l, append(dead, record{0, 0, 0, 1}))
		alone, _, _ := light(t, r, l, []record{{0, 0, 0, 1}})
		if math.Abs(alive[0]/alone[0]-1) > 0.01 {
			t.Errorf("one pixel %v: light %v beside dead ones, %v alone", pixel, alive, alone)
		}
	}
}

func TestColoursFollowTheMapAndStayWithinIt(t *testing.T) {
	r := newRenderer(t, 100, 100)
	m, err := assets.ColorMap("viridis")
	if err != nil {
		t.Fatal(err)
	}
	for s, index := range map[float32]int{2: 0, 3: 127, 4: 255, -100: 0, 1e30: 255} {
		l := bare(0.3)
		l.lo, l.hi = 2, 4
		sum, _, _ := light(t, r, l, []record{{0, 0, 0, s}})
		one := math.Pi / 12 * 15 * 15 // 0.3 units of 50 pixels
		for c, v := range m[index] {
			if want := one * float64(look.Linear(float64(v)/255)); math.Abs(sum[c]-want) > 0.02*want+0.02*one {
				t.Errorf("scalar %v, channel %d: light %.4g, want %.4g of colour %d", s, c, sum[c], want, index)
			}
		}
	}
}

func TestARangeWithoutWidthShowsTheMiddle(t *testing.T) {
	for _, l := range [][2]float64{{3, 3}, {math.NaN(), 1}} {
		if a, b := look.ColorScale(l[0], l[1]); a != 0 || b != 127.5 {
			t.Errorf("range %v to %v: index s*%v + %v", l[0], l[1], a, b)
		}
	}
}

func TestLightAddsUp(t *testing.T) {
	r := newRenderer(t, 100, 100)
	one, _, _ := light(t, r, bare(0.1), []record{{0, 0, 0, 1}})
	three, _, _ := light(t, r, bare(0.1), []record{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}})
	if math.Abs(three[0]/one[0]-3) > 0.01 {
		t.Errorf("three particles at one place give %.4g times the light of one", three[0]/one[0])
	}
}
