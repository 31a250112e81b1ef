// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"particles/assets"
)

// straight looks along -z at the origin from a distance of 4, with a picture plane of 2 x 2 world units there, so that a unit is
// half the height.
func straight() *Camera {
	c := NewCamera(1)
	c.Set(View{Distance: 4, Fov: float32(2 * math.Atan(1.0/4))})
	return c
}

// bare is a look whose sprites have the light 1 at the centre: the automatic exposure is bounded by autoLightMax there.
func bare(size float32) Look {
	l := DefaultLook()
	l.PointSize, l.SizeMinPx, l.SizeMaxPx, l.SceneRadius = size, 1.5, 250, 1000
	l.Opacity = 1 / autoLightMax
	l.ColorMap = "viridis"
	l.ScalarLo, l.ScalarHi = 0, 1
	return l
}

// light draws records and returns the sums of the three channels and their centre of mass in pixels from the lower left.
func light(t *testing.T, r *Renderer, l Look, recs []record) (sum [3]float64, x, y float64) {
	t.Helper()
	if err := r.SetLook(l); err != nil {
		t.Fatal(err)
	}
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
var yellow = [3]float64{float64(fromSRGB(253. / 255)), float64(fromSRGB(231. / 255)), float64(fromSRGB(37. / 255))}

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
		l.OnePixel = true
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
	l.SizeMinPx = 4
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
		l.OnePixel = pixel
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
		l.ScalarLo, l.ScalarHi = 2, 4
		sum, _, _ := light(t, r, l, []record{{0, 0, 0, s}})
		one := math.Pi / 12 * 15 * 15 // 0.3 units of 50 pixels
		for c, v := range m[index] {
			if want := one * float64(fromSRGB(float64(v)/255)); math.Abs(sum[c]-want) > 0.02*want+0.02*one {
				t.Errorf("scalar %v, channel %d: light %.4g, want %.4g of colour %d", s, c, sum[c], want, index)
			}
		}
	}
}

func TestARangeWithoutWidthShowsTheMiddle(t *testing.T) {
	for _, l := range []Look{{ScalarLo: 3, ScalarHi: 3}, {ScalarLo: float32(math.NaN()), ScalarHi: 1}} {
		if a, b := l.colorScale(); a != 0 || b != 127.5 {
			t.Errorf("range %v to %v: index s*%v + %v", l.ScalarLo, l.ScalarHi, a, b)
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

func TestAutomaticExposureKeepsTheMeanLight(t *testing.T) {
	for _, n := range []int{20_000, 100_000, 1_000_000, 100_000_000} {
		for _, radius := range []float32{0.01, 1, 500} {
			size := AutoPointSize(n, radius)
			disc := math.Pi * float64(radius) * float64(radius)
			mean := float64(AutoExposure(n, size, radius)) * float64(n) * math.Pi / 12 * float64(size) * float64(size) / disc
			if math.Abs(mean/autoCover-1) > 1e-3 {
				t.Errorf("%d particles in a radius of %v: mean light %.4f, want %v", n, radius, mean, autoCover)
			}
		}
	}
	if k := AutoExposure(1, 0.01, 1); k != autoLightMax {
		t.Errorf("a particle alone has the light %v, want %v", k, autoLightMax)
	}
	for _, r := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1))} {
		if k, s := AutoExposure(1000, AutoPointSize(1000, r), r), AutoPointSize(1000, r); !finite(k) || !finite(s) || s <= 0 || k <= 0 {
			t.Errorf("radius %v: size %v, light %v", r, s, k)
		}
	}
}

func TestExposureIsInStops(t *testing.T) {
	for ev, want := range map[float32]float32{0: 1, 1: 2, -2: 0.25, float32(math.NaN()): 1} {
		if got := (&Look{Exposure: ev}).exposure(); got != want {
			t.Errorf("%v EV is a factor of %v, want %v", ev, got, want)
		}
	}
}
