// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

// project is an independent float64 way from a world point to normalised device coordinates and depth: mathgl's LookAt
// from the eye's spherical coordinates.
func project(v View, p mgl64.Vec3, w, h int) (x, y, depth float64) {
	target := mgl64.Vec3{float64(v.Target[0]), float64(v.Target[1]), float64(v.Target[2])}
	yaw, pitch, d := float64(v.Yaw), float64(v.Pitch), float64(v.Distance)
	eye := target.Add(mgl64.Vec3{d * math.Cos(pitch) * math.Sin(yaw), d * math.Sin(pitch), d * math.Cos(pitch) * math.Cos(yaw)})
	e := mgl64.TransformCoordinate(p, mgl64.LookAtV(eye, target, mgl64.Vec3{0, 1, 0}))
	f := 1 / math.Tan(float64(v.Fov)/2)
	return f * e[0] / -e[2] * float64(h) / float64(w), f * e[1] / -e[2], -e[2]
}

func anyView(t *rapid.T) View {
	f := func(lo, hi float32, name string) float32 { return rapid.Float32Range(lo, hi).Draw(t, name) }
	return View{
		Yaw: f(-3, 3, "yaw"), Pitch: f(-1.5, 1.5, "pitch"), Distance: f(0.5, 50, "distance"), Fov: f(0.2, 2.2, "fov"),
		Target: mgl32.Vec3{f(-5, 5, "x"), f(-5, 5, "y"), f(-5, 5, "z")},
	}
}

func TestViewProjAgreesWithDoublePrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCamera(5)
		c.Set(anyView(t))
		v := c.View()
		w, h := rapid.IntRange(1, 4000).Draw(t, "w"), rapid.IntRange(1, 3000).Draw(t, "h")
		p := mgl64.Vec3{}
		for i := range p {
			p[i] = rapid.Float64Range(-5, 5).Draw(t, "point")
		}
		x, y, depth := project(v, p, w, h)
		if depth < 0.05*float64(v.Distance) {
			t.Skip("behind or close to the camera")
		}
		clip := c.ViewProj(w, h).Mul4x1(mgl32.Vec4{float32(p[0]), float32(p[1]), float32(p[2]), 1})
		// Rounding of world coordinates up to 60, seen from depth: some 1e-6 of that over depth, times the lens.
		scale := 60 / depth / math.Tan(float64(v.Fov)/2) * math.Max(1, float64(h)/float64(w))
		if ex, ey := float64(clip[0]/clip[3])-x, float64(clip[1]/clip[3])-y; math.Abs(ex) > 4e-6*scale*(1+math.Abs(x)) || math.Abs(ey) > 4e-6*scale*(1+math.Abs(y)) {
			t.Errorf("point %v is at %v, %v; want %v, %v", p, clip[0]/clip[3], clip[1]/clip[3], x, y)
		}
		if math.Abs(float64(clip[3])-depth) > 2e-5*(1+depth) {
			t.Errorf("depth %v, want %v", clip[3], depth)
		}
	})
}

func TestFramingShowsTheWholeBall(t *testing.T) {
	for _, size := range [][2]int{{1280, 720}, {300, 900}, {500, 500}} {
		c := NewCamera(1)
		c.ViewProj(size[0], size[1]) // the picture's shape
		c.Frame([3]float32{3, -2, 1}, 2.5)
		c.Update(0)
		most := 0.0
		for i := range 2000 { // points of the sphere by the golden angle
			z := 1 - 2*(float64(i)+0.5)/2000
			a := float64(i) * 2.399963229728653
			s := math.Sqrt(1 - z*z)
			x, y, depth := project(c.View(), mgl64.Vec3{3 + 2.5*s*math.Cos(a), -2 + 2.5*s*math.Sin(a), 1 + 2.5*z}, size[0], size[1])
			if depth <= 0 {
				t.Fatal("behind the camera")
			}
			most = max(most, math.Abs(x), math.Abs(y))
		}
		if most > 1 || most < 0.85 {
			t.Errorf("%v: the ball reaches to %.3f of the picture's edge, want just below 1", size, most)
		}
	}
}

func TestDraggingHalfTheHeightIsAQuarterTurn(t *testing.T) {
	c := NewCamera(1)
	c.Set(View{Distance: 5, Fov: 1})
	c.Drag(-360, 0, 720)
	if got := c.View().Yaw; math.Abs(float64(got)-math.Pi/2) > 1e-6 {
		t.Errorf("yaw %v, want pi/2", got)
	}
	c.Drag(0, 1e6, 720)
	if got := c.View().Pitch; math.Abs(float64(got)-89*math.Pi/180) > 1e-6 {
		t.Errorf("pitch %v, want 89 degrees", got)
	}
	c.Drag(0, -1e9, 0)
	if got := c.View().Pitch; math.Abs(float64(got)+89*math.Pi/180) > 1e-6 {
		t.Errorf("pitch %v, want -89 degrees", got)
	}
}

func TestPanningKeepsThePointUnderThePointer(t *testing.T) {
	c := NewCamera(1)
	c.Set(View{Yaw: 0.7, Pitch: 0.4, Distance: 6, Fov: 0.8, Target: mgl32.Vec3{1, 2, 3}})
	p := mgl64.Vec3{1, 2, 3}
	c.Pan(100, -50, 600)
	x, y, _ := project(c.View(), p, 800, 600)
	// It was at the centre; 100 pixels to the right and 50 up are these parts of half the picture.
	if math.Abs(x-100./400) > 1e-4 || math.Abs(y-50./300) > 1e-4 {
		t.Errorf("the target is at %.4f, %.4f; want 0.25, 0.1667", x, y)
	}
}

func TestTheWheelZoomsBothWaysWithinLimits(t *testing.T) {
	c := NewCamera(2)
	start := c.View().Distance
	c.Wheel(3)
	if d := c.View().Distance; math.Abs(float64(d/start)-math.Exp(-0.36)) > 1e-5 {
		t.Errorf("three notches in: factor %v, want exp(-0.36)", d/start)
	}
	c.Wheel(-3)
	if d := c.View().Distance; math.Abs(float64(d/start)-1) > 1e-5 {
		t.Errorf("and back: %v, want %v", d, start)
	}
	for range 100 {
		c.Wheel(50)
	}
	if d := c.View().Distance; d != 2e-3 {
		t.Errorf("closest %v, want a thousandth of the radius", d)
	}
	for range 100 {
		c.Wheel(float32(math.Inf(-1)))
		c.Wheel(-50)
		c.Wheel(float32(math.NaN()))
	}
	if d := c.View().Distance; d != 2e3 {
		t.Errorf("farthest %v, want a thousand radii", d)
	}
}

func TestUnusableValuesNeverReachTheMatrix(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	c := NewCamera(nan)
	c.Set(View{Yaw: nan, Pitch: inf, Distance: -1, Fov: 0, Target: mgl32.Vec3{nan, inf, 1}})
	c.Frame([3]float32{nan, 1, inf}, inf)
	c.SetRadius(0)
	c.Drag(0, 0, 0)
	c.Pan(1, 1, 0)
	c.Update(math.NaN())
	for _, size := range [][2]int{{0, 0}, {1, 0}, {-3, 5}, {1, 100000}} {
		for i, v := range c.ViewProj(size[0], size[1]) {
			if !finite(v) {
				t.Errorf("size %v: element %d is %v", size, i, v)
			}
		}
	}
}

func TestDampingArrivesAndRests(t *testing.T) {
	c := NewCamera(1)
	c.Damping = 0.1
	before := c.Shown()
	c.Drag(200, 100, 720)
	c.Wheel(5)
	if c.Shown() != before {
		t.Error("the camera jumped before Update")
	}
	c.Update(0.1)
	// One time constant: 1 - 1/e of the way.
	if part := (c.Shown().Yaw - before.Yaw) / (c.View().Yaw - before.Yaw); math.Abs(float64(part)-(1-1/math.E)) > 1e-3 {
		t.Errorf("after one time constant %.4f of the way, want %.4f", part, 1-1/math.E)
	}
	steps := 0
	for c.Update(0.016) && steps < 1000 {
		steps++
	}
	if c.Shown() != c.View() || steps >= 1000 {
		t.Errorf("not at rest after %d steps", steps)
	}
}

func TestManyTurnsDoNotSpinBack(t *testing.T) {
	c := NewCamera(1)
	c.Damping = 0.05
	for range 1000 {
		c.Drag(-100, 0, 720)
		before := c.Shown().Yaw - c.View().Yaw
		c.Update(0.016)
		if after := c.Shown().Yaw - c.View().Yaw; before > 1e-4 || after < before-1e-4 {
			t.Fatalf("the shown yaw is off by %v, then %v", before, after)
		}
	}
	if y := c.View().Yaw; math.Abs(float64(y)) > math.Pi+1e-3 {
		t.Errorf("yaw %v has left -pi to pi", y)
	}
}

func TestCameraAllocatesNothing(t *testing.T) {
	c := NewCamera(1)
	c.Damping = 0.1
	var m mgl32.Mat4
	if n := testing.AllocsPerRun(100, func() {
		c.Drag(1, 1, 720)
		c.Pan(1, 1, 720)
		c.Wheel(0.1)
		c.Update(0.016)
		m = c.ViewProj(1280, 720)
	}); n != 0 && !raceEnabled {
		t.Errorf("%v allocations, want 0", n)
	}
	_ = m
}
