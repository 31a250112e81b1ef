// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
)

// Limits of the clock's settings.
const (
	DefaultDt       = 1.0 / 120 // s
	MinDt           = 1e-5      // s
	MaxDt           = 0.25      // s
	MaxScale        = 100.0
	DefaultMaxSteps = 8
	LimitSteps      = 1000 // of StepsPerFrame and MaxSteps
)

// ClockOptions says how a clock is made. Zero values mean the defaults.
type ClockOptions struct {
	Dt            float64 // s, the fixed step
	Scale         float64 // simulated seconds a real second; 0: 1
	StepsPerFrame int     // 0: as many as real time asks for
	MaxSteps      int     // at most so many steps a frame in real time
}

// Clock turns the time between frames into a number of fixed steps. In real time it keeps what is less than a step for the
// next frame, so nothing drifts; it never hands out more than MaxSteps, and drops what is over, so that a machine that
// cannot keep up runs in slow motion and recovers at once when the load falls. Not safe for use by several goroutines.
type Clock struct {
	dt, scale     float64
	stepsPerFrame int
	maxSteps      int

	owed   float64 // simulated seconds not yet stepped, below dt
	single int
	paused bool
	behind bool
	lost   float64
}

// NewClock makes a running clock. It refuses what is not finite or negative and clamps the rest.
func NewClock(o ClockOptions) (*Clock, error) {
	for _, v := range [...]struct {
		name  string
		value float64
	}{{"dt", o.Dt}, {"scale", o.Scale}, {"steps per frame", float64(o.StepsPerFrame)}, {"max steps", float64(o.MaxSteps)}} {
		if math.IsNaN(v.value) || math.IsInf(v.value, 0) || v.value < 0 {
			return nil, fmt.Errorf("clock: %s is %g: want a finite number, 0 for the default", v.name, v.value)
		}
	}
	c := &Clock{dt: DefaultDt, scale: 1, maxSteps: DefaultMaxSteps}
	if o.Dt != 0 {
		c.SetDt(o.Dt)
	}
	if o.Scale != 0 {
		c.SetScale(o.Scale)
	}
	if o.MaxSteps != 0 {
		c.SetMaxSteps(o.MaxSteps)
	}
	c.SetStepsPerFrame(o.StepsPerFrame)
	return c, nil
}

// Advance is called once a frame with the seconds since the last; it answers how many steps of Dt are due. NaN and negative
// times count as none.
func (c *Clock) Advance(elapsed float64) (steps int) {
	c.behind = false
	if c.paused {
		steps, c.single = c.single, 0
		return steps
	}
	c.single = 0
	if c.stepsPerFrame > 0 {
		c.owed = 0
		return c.stepsPerFrame
	}
	if !(elapsed > 0) {
		elapsed = 0
	}
	c.owed += elapsed * c.scale
	// A hair of tolerance: 2 frames of 1/60 s owe 4 steps of 1/120 s, not 3 and almost one more.
	due := math.Floor(c.owed/c.dt + 1e-9)
	if due > float64(c.maxSteps) {
		c.behind = true
		c.lost += c.owed - float64(c.maxSteps)*c.dt
		c.owed = 0
		return c.maxSteps
	}
	c.owed = max(c.owed-due*c.dt, 0)
	return int(due)
}

// Dt is the fixed step in seconds.
func (c *Clock) Dt() float64 { return c.dt }

// SetDt changes the step, clamped to MinDt to MaxDt; NaN changes nothing. Returns what is kept.
func (c *Clock) SetDt(dt float64) float64 {
	if !math.IsNaN(dt) {
		c.dt = min(max(dt, MinDt), MaxDt)
		c.owed = min(c.owed, c.dt)
	}
	return c.dt
}

// Scale is simulated seconds a real second.
func (c *Clock) Scale() float64 { return c.scale }

// SetScale changes the time scale, clamped to 0 to MaxScale; NaN changes nothing. Returns what is kept.
func (c *Clock) SetScale(scale float64) float64 {
	if !math.IsNaN(scale) {
		c.scale = min(max(scale, 0), MaxScale)
	}
	return c.scale
}

// StepsPerFrame is 0 in real time.
func (c *Clock) StepsPerFrame() int { return c.stepsPerFrame }

// SetStepsPerFrame sets a fixed number of steps for every frame, whatever time it took; 0 is real time.
func (c *Clock) SetStepsPerFrame(n int) int {
	c.stepsPerFrame = min(max(n, 0), LimitSteps)
	return c.stepsPerFrame
}

// MaxSteps is the most steps of a frame in real time.
func (c *Clock) MaxSteps() int { return c.maxSteps }

// SetMaxSteps changes it, clamped to 1 to LimitSteps.
func (c *Clock) SetMaxSteps(n int) int {
	c.maxSteps = min(max(n, 1), LimitSteps)
	return c.maxSteps
}

// Paused reports whether time stands still.
func (c *Clock) Paused() bool { return c.paused }

// SetPaused stops or resumes. What was owed stays; the pause itself is never made up for.
func (c *Clock) SetPaused(paused bool) {
	c.paused = paused
	c.single = 0
}

// SingleStep makes the next Advance of a paused clock answer one step (or as many as it was called times).
func (c *Clock) SingleStep() {
	if c.paused && c.single < LimitSteps {
		c.single++
	}
}

// Behind reports whether the last Advance had to drop time: the simulation runs slower than asked.
func (c *Clock) Behind() bool { return c.behind }

// Lost is the simulated seconds dropped so far.
func (c *Clock) Lost() float64 { return c.lost }

// Reset forgets what is owed and lost, for a new scene or after a long wait; settings stay.
func (c *Clock) Reset() { c.owed, c.lost, c.single, c.behind = 0, 0, 0, false }
