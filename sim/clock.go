// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/sim/param"
)

// The places of the parameters in [ClockGroup].
const (
	ClockDt = iota
	ClockScale
	ClockStepsPerFrame
	ClockMaxSteps
)

// ClockGroup describes how simulated time runs.
var ClockGroup = param.Group{
	Name: "clock", Title: "Time", Doc: "How simulated time runs.",
	Specs: []param.Spec{
		ClockDt: {
			Name: "dt", Label: "Time step", Unit: "s", Default: 1.0 / 60, Min: 1e-6, Max: 1, Low: 1e-5, High: 0.1, Log: true,
			ShowUnit: "ms", ShowMul: 1e3,
			Doc: "Simulated time of one step. It is fixed: the frame rate changes how many steps are done, not their size.",
		},
		ClockScale: {
			Name: "scale", Label: "Time scale", Unit: "×", Default: 1, Max: 1000, Low: 0.01, High: 10, Log: true,
			Doc: "Simulated seconds a second of real time. 0: time stands still.",
		},
		ClockStepsPerFrame: {
			Name: "steps_per_frame", Label: "Steps a frame", Kind: param.Int, Max: 1000, High: 16, Zero: "real time",
			Doc: "Steps done each frame whatever the frame rate; 0 does as many as real time and the time scale ask for.",
		},
		ClockMaxSteps: {
			Name: "max_steps", Label: "Most steps", Kind: param.Int, Default: 8, Min: 1, Max: 1000, High: 64, Low: 1, Expert: true,
			Doc: "Most steps of a frame in real time. A machine that cannot keep up slows simulated time instead of falling behind ever more.",
		},
	},
}

// Clock turns the time between frames into a number of fixed steps. In real time it keeps what is less than a step for the
// next frame, so nothing drifts; it never hands out more than the most steps of a frame, and drops what is over, so that a machine
// that cannot keep up runs in slow motion and recovers at once when the load falls. Not safe for use by several goroutines.
type Clock struct {
	set *param.Set

	owed   float64 // simulated seconds not yet stepped, below dt
	single int
	paused bool
	behind bool
	lost   float64
}

// NewClock makes a running clock with the live values of a set of [ClockGroup], which it only reads.
func NewClock(set *param.Set) *Clock { return &Clock{set: set} }

// Settings gives the live values.
func (c *Clock) Settings() *param.Set { return c.set }

// Advance is called once a frame with the seconds since the last; it answers how many steps of Dt are due. NaN and negative
// times count as none.
func (c *Clock) Advance(elapsed float64) (steps int) {
	c.behind = false
	if c.paused {
		steps, c.single = c.single, 0
		return steps
	}
	c.single = 0
	if n := c.StepsPerFrame(); n > 0 {
		c.owed = 0
		return n
	}
	if !(elapsed > 0) {
		elapsed = 0
	}
	dt, most := c.Dt(), c.set.At(ClockMaxSteps)
	c.owed = min(c.owed, dt) + elapsed*c.set.At(ClockScale) // dt may have become smaller
	// A hair of tolerance: 2 frames of 1/60 s owe 4 steps of 1/120 s, not 3 and almost one more.
	due := math.Floor(c.owed/dt + 1e-9)
	if due > most {
		c.behind = true
		c.lost += c.owed - most*dt
		c.owed = 0
		return int(most)
	}
	c.owed = max(c.owed-due*dt, 0)
	return int(due)
}

// Dt is the fixed step in seconds.
func (c *Clock) Dt() float64 { return c.set.At(ClockDt) }

// StepsPerFrame is the number of steps of every frame, whatever time it took; 0 in real time.
func (c *Clock) StepsPerFrame() int { return int(c.set.At(ClockStepsPerFrame)) }

// Paused reports whether time stands still.
func (c *Clock) Paused() bool { return c.paused }

// SetPaused stops or resumes. What was owed stays; the pause itself is never made up for.
func (c *Clock) SetPaused(paused bool) {
	c.paused = paused
	c.single = 0
}

// SingleStep makes the next Advance of a paused clock answer one step (or as many as it was called times).
func (c *Clock) SingleStep() {
	if c.paused {
		c.single++
	}
}

// Behind reports whether the last Advance had to drop time: the simulation runs slower than asked.
func (c *Clock) Behind() bool { return c.behind }

// Lost is the simulated seconds dropped so far.
func (c *Clock) Lost() float64 { return c.lost }

// Reset forgets what is owed and lost, for a new scene or after a long wait; settings stay.
func (c *Clock) Reset() { c.owed, c.lost, c.single, c.behind = 0, 0, 0, false }
