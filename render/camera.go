// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"particles/render/look"
)

// View is where an orbit camera stands. Angles in radians, lengths in world units; y points up.
type View struct {
	Yaw      float32    // around the y axis; 0 looks from +z, pi/2 from +x
	Pitch    float32    // above the horizon, within 89 degrees
	Distance float32    // from the target, > 0
	Target   mgl32.Vec3 // looked at, in the middle of the picture
	Fov      float32    // vertical, between 1 and 170 degrees
}

// Camera orbits a target. Drag, Pan, Wheel and Frame set where it goes; Update brings it there, softly if Damping is
// above 0. It is plain arithmetic, used from one goroutine; nothing here allocates. Start from NewCamera.
type Camera struct {
	Damping float32 // time constant in seconds; 0: at once

	goal, now View
	radius    float32 // of what was framed last: the scale for zoom limits and for near and far
	aspect    float32 // of the last picture
}

const (
	degree      = math.Pi / 180
	maxPitch    = 89 * degree
	defaultFov  = 45 * degree
	wheelStep   = 0.12 // a wheel notch is a factor of exp(0.12) in distance
	frameMargin = 1.04 // of the radius, left free around a framed ball
)

// NewCamera returns a camera that looks from slightly above at a ball of a radius around the origin.
func NewCamera(radius float32) *Camera {
	c := &Camera{radius: 1, aspect: 16.0 / 9}
	c.goal = View{Yaw: 0.6, Pitch: 0.35, Distance: 1, Fov: defaultFov}
	c.Frame(mgl32.Vec3{}, radius)
	c.now = c.goal
	return c
}

// Set puts the camera at a view at once, within the limits of View; what is not finite keeps its value.
func (c *Camera) Set(v View) {
	g := &c.goal
	keep := func(dst *float32, v float32) {
		if finite(v) {
			*dst = v
		}
	}
	keep(&g.Yaw, v.Yaw)
	keep(&g.Pitch, v.Pitch)
	keep(&g.Distance, v.Distance)
	keep(&g.Fov, v.Fov)
	for i := range v.Target {
		keep(&g.Target[i], v.Target[i])
	}
	c.limit()
	c.now = c.goal
}

// View returns where the camera is going, as Set takes it.
func (c *Camera) View() View { return c.goal }

// Shown returns where the camera stands now.
func (c *Camera) Shown() View { return c.now }

// Drag turns the camera by a movement of the mouse in pixels (x to the right, y downwards) over a picture h pixels
// high: the height is half a turn.
func (c *Camera) Drag(dx, dy float32, h int) {
	k := float32(math.Pi) / float32(max(h, 1))
	c.goal.Yaw -= dx * k
	c.goal.Pitch += dy * k
	c.limit()
}

// Pan moves the target with the mouse, so that what lies at the target's distance stays under the pointer.
func (c *Camera) Pan(dx, dy float32, h int) {
	right, up, _ := c.goal.axes()
	k := c.goal.Distance / pixelsPerUnit(c.goal.Fov, max(h, 1))
	c.goal.Target = c.goal.Target.Add(right.Mul(-dx * k)).Add(up.Mul(dy * k))
	c.limit()
}

// Wheel moves the camera towards the target by steps of a wheel, away for negative ones; fractions are welcome.
func (c *Camera) Wheel(steps float32) {
	if !finite(steps) {
		return
	}
	steps = min(max(steps, -50), 50)
	c.goal.Distance *= float32(math.Exp(float64(-wheelStep * steps)))
	c.limit()
}

// Frame has the camera look at a centre, from the same side as now, so that a ball of a radius just fits the picture.
func (c *Camera) Frame(centre [3]float32, radius float32) {
	c.radius = look.Positive(radius)
	half := float64(c.goal.Fov) / 2
	if c.aspect < 1 { // the width is what limits
		half = math.Atan(math.Tan(half) * float64(c.aspect))
	}
	c.goal.Distance = float32(float64(c.radius) * frameMargin / math.Sin(half))
	for i, v := range centre {
		if finite(v) {
			c.goal.Target[i] = v
		}
	}
	c.limit()
}

// SetRadius tells the size of the scene for zoom limits and clipping without moving the camera.
func (c *Camera) SetRadius(radius float32) {
	c.radius = look.Positive(radius)
	c.limit()
}

// Update moves the camera on by dt seconds and tells whether it moved.
func (c *Camera) Update(dt float64) bool {
	if c.now == c.goal {
		return false
	}
	if !(c.Damping > 0) || !(dt >= 0) {
		c.now = c.goal
		return true
	}
	k := float32(1 - math.Exp(-dt/float64(c.Damping)))
	n, g := &c.now, &c.goal
	n.Yaw += (g.Yaw - n.Yaw) * k
	n.Pitch += (g.Pitch - n.Pitch) * k
	n.Distance *= float32(math.Pow(float64(g.Distance/n.Distance), float64(k))) // evenly in zoom
	n.Fov += (g.Fov - n.Fov) * k
	n.Target = n.Target.Add(g.Target.Sub(n.Target).Mul(k))
	if near(n.Yaw, g.Yaw, 1e-4) && near(n.Pitch, g.Pitch, 1e-4) && near(n.Fov, g.Fov, 1e-4) &&
		near(n.Distance/g.Distance, 1, 1e-4) && n.Target.Sub(g.Target).Len() <= 1e-4*g.Distance {
		c.now = c.goal // arrived: the picture may rest
	}
	return true
}

// Eye returns the camera's place in world units.
func (c *Camera) Eye() mgl32.Vec3 {
	_, _, back := c.now.axes()
	return c.now.Target.Add(back.Mul(c.now.Distance))
}

// ViewProj returns the matrix from world to clip space, by columns, for a picture of w by h pixels; sizes below 1 count as
// 1. The fourth clip coordinate is the distance along the line of sight.
func (c *Camera) ViewProj(w, h int) mgl32.Mat4 {
	return c.Proj(w, h).Mul4(c.ViewMatrix())
}

// ViewMatrix returns the matrix from world to eye space.
func (c *Camera) ViewMatrix() mgl32.Mat4 {
	right, up, back := c.now.axes()
	eye := c.Eye()
	return mgl32.Mat4{
		right[0], up[0], back[0], 0,
		right[1], up[1], back[1], 0,
		right[2], up[2], back[2], 0,
		-right.Dot(eye), -up.Dot(eye), -back.Dot(eye), 1,
	}
}

// Proj returns the perspective projection. Near and far follow the distance and the scene's radius.
func (c *Camera) Proj(w, h int) mgl32.Mat4 {
	c.aspect = float32(max(w, 1)) / float32(max(h, 1))
	n := 0.005 * c.now.Distance
	f := c.now.Distance + 50*c.radius
	return mgl32.Perspective(c.now.Fov, c.aspect, n, max(f, 2*n))
}

// PixelsPerUnit returns how many pixels of a picture h pixels high a world unit at distance 1 covers.
func (c *Camera) PixelsPerUnit(h int) float32 { return pixelsPerUnit(c.now.Fov, h) }

func pixelsPerUnit(fov float32, h int) float32 {
	return float32(float64(h) / (2 * math.Tan(float64(fov)/2)))
}

// axes returns the camera's right, up and back as unit vectors.
func (v *View) axes() (right, up, back mgl32.Vec3) {
	sy, cy := math.Sincos(float64(v.Yaw))
	sp, cp := math.Sincos(float64(v.Pitch))
	right = mgl32.Vec3{float32(cy), 0, float32(-sy)}
	up = mgl32.Vec3{float32(-sp * sy), float32(cp), float32(-sp * cy)}
	back = mgl32.Vec3{float32(cp * sy), float32(sp), float32(cp * cy)}
	return right, up, back
}

// limit keeps the goal within what can be drawn, and the yaw small, taking now along by the same whole turns.
func (c *Camera) limit() {
	g := &c.goal
	g.Pitch = min(max(g.Pitch, -maxPitch), maxPitch)
	g.Fov = min(max(g.Fov, 1*degree), 170*degree)
	g.Distance = min(max(g.Distance, 1e-3*c.radius), 1e3*c.radius)
	const turn = 2 * math.Pi
	if turns := float32(math.Round(float64(g.Yaw) / turn)); turns != 0 {
		g.Yaw -= turns * turn
		c.now.Yaw -= turns * turn
	}
	for i, t := range g.Target {
		g.Target[i] = min(max(t, -1e6*c.radius), 1e6*c.radius)
	}
}

func finite(v float32) bool { return v-v == 0 }

func near(a, b, eps float32) bool { return a-b <= eps && b-a <= eps }
