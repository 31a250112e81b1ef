// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"particles/sim/param"
)

// newClock makes a clock with values by their places; the others have their defaults.
func newClock(t interface{ Fatal(...any) }, values map[int]float64) *Clock {
	set := param.Must(ClockGroup)
	for i, v := range values {
		if kept, err := set.SetPart(i, 0, v); err != nil || kept != v {
			t.Fatal(i, v, kept, err)
		}
	}
	return NewClock(set)
}

func set(t *testing.T, c *Clock, i int, v float64) {
	t.Helper()
	if _, err := c.Settings().SetPart(i, 0, v); err != nil {
		t.Fatal(err)
	}
}

func TestClockFollowsRealTime(t *testing.T) {
	for _, c := range []struct {
		dt, scale, frame float64
		frames, want     int
	}{
		{1.0 / 120, 1, 1.0 / 60, 60, 120},
		{1.0 / 60, 1, 1.0 / 240, 240, 60},
		{1.0 / 120, 0.5, 1.0 / 60, 600, 600},
		{1.0 / 120, 2, 1.0 / 144, 144 * 100, 24000},
		{0.001, 1, 1.0 / 1000, 3000, 3000},
		{1.0 / 60, 1, 1.0 / 59.94, 5994, 6000},
	} {
		clock := newClock(t, map[int]float64{ClockDt: c.dt, ClockScale: c.scale})
		got := 0
		for range c.frames {
			got += clock.Advance(c.frame)
		}
		if got < c.want-1 || got > c.want {
			t.Errorf("dt %g, scale %g, %d frames of %g s: %d steps, want %d", c.dt, c.scale, c.frames, c.frame, got, c.want)
		}
		if clock.Behind() || clock.Lost() != 0 {
			t.Errorf("dt %g: behind", c.dt)
		}
	}
}

func TestClockDoesNotDrift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock(t, map[int]float64{ClockDt: rapid.Float64Range(0.002, 0.02).Draw(t, "dt"), ClockMaxSteps: 1000})
		steps, elapsed := 0, 0.0
		for _, ms := range rapid.SliceOfN(rapid.Float64Range(0, 0.1), 1, 200).Draw(t, "frames") {
			steps += c.Advance(ms)
			elapsed += ms
		}
		if owed := elapsed - float64(steps)*c.Dt(); owed < -1e-6 || owed >= c.Dt()+1e-6 {
			t.Fatalf("%d steps of %g in %g s: %g owed", steps, c.Dt(), elapsed, owed)
		}
	})
}

func TestClockIsBoundedAndDropsTheBacklog(t *testing.T) {
	c := newClock(t, map[int]float64{ClockDt: 0.001, ClockMaxSteps: 5})
	for range 10 {
		if n := c.Advance(1); n != 5 || !c.Behind() {
			t.Fatalf("%d steps, behind %v; want 5 and true", n, c.Behind())
		}
	}
	if want := 10 * 0.995; math.Abs(c.Lost()-want) > 1e-9 {
		t.Errorf("lost %g s, want %g", c.Lost(), want)
	}
	if n := c.Advance(0.002); n != 2 || c.Behind() {
		t.Errorf("after the load fell: %d steps, behind %v; want 2 and no backlog", n, c.Behind())
	}
	c.Reset()
	if c.Lost() != 0 {
		t.Error("Reset kept what was lost")
	}
}

func TestClockTakesNonsenseAsNoTime(t *testing.T) {
	c := newClock(t, nil)
	for _, e := range []float64{math.NaN(), -1, math.Inf(-1), 0} {
		if n := c.Advance(e); n != 0 || c.Behind() {
			t.Errorf("Advance(%g) = %d", e, n)
		}
	}
	if n := c.Advance(math.Inf(1)); n != 8 || !c.Behind() {
		t.Errorf("an endless frame: %d steps", n)
	}
	if n := c.Advance(c.Dt() * 2.5); n != 2 {
		t.Errorf("afterwards: %d steps, want 2", n)
	}
}

// What the description allows is what runs: a step of half a second, a scale of 0.
func TestClockHonoursItsWholeRange(t *testing.T) {
	dt, scale := &ClockGroup.Specs[ClockDt], &ClockGroup.Specs[ClockScale]
	for _, v := range []float64{dt.Min, 0.5, dt.Max} {
		c := newClock(t, map[int]float64{ClockDt: v})
		if n := c.Advance(v * 3); c.Dt() != v || n != 3 {
			t.Errorf("dt %g: %d steps of %g, want 3", v, n, c.Dt())
		}
	}
	for _, v := range []float64{scale.Min, 100, scale.Max} {
		c := newClock(t, map[int]float64{ClockDt: 1, ClockScale: v, ClockMaxSteps: 1000})
		if n := c.Advance(1); n != int(v) {
			t.Errorf("scale %g: %d steps of a second in one, want %g", v, n, v)
		}
	}
}

func TestClockPausesAndSteps(t *testing.T) {
	c := newClock(t, map[int]float64{ClockDt: 0.01})
	c.SingleStep() // running: nothing
	c.SetPaused(true)
	if n := c.Advance(5); n != 0 {
		t.Errorf("paused: %d steps", n)
	}
	c.SingleStep()
	if n := c.Advance(5); n != 1 {
		t.Errorf("single step: %d", n)
	}
	if n := c.Advance(5); n != 0 {
		t.Errorf("after the single step: %d", n)
	}
	c.SetPaused(false)
	if n := c.Advance(0.02); n != 2 || c.Behind() {
		t.Errorf("resumed: %d steps, behind %v; the pause must not be made up for", n, c.Behind())
	}
}

func TestClockWithStepsPerFrameIgnoresTime(t *testing.T) {
	c := newClock(t, map[int]float64{ClockStepsPerFrame: 3})
	for _, e := range []float64{0, 100, math.NaN()} {
		if n := c.Advance(e); n != 3 || c.Behind() {
			t.Errorf("Advance(%g) = %d, want 3", e, n)
		}
	}
	set(t, c, ClockStepsPerFrame, 0)
	if n := c.Advance(c.Dt()); n != 1 {
		t.Errorf("back in real time: %d steps", n)
	}
}

func TestClockKeepsWhatIsOwedWhenDtChanges(t *testing.T) {
	c := newClock(t, map[int]float64{ClockDt: 0.01})
	c.Advance(0.009)
	set(t, c, ClockDt, 0.003)
	if n := c.Advance(0); n > 1 {
		t.Errorf("a smaller step made %d steps due at once", n)
	}
	if n := c.Advance(0.009); n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
}
