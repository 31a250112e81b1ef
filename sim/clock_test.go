// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func newClock(t testing.TB, o ClockOptions) *Clock {
	t.Helper()
	c, err := NewClock(o)
	check(t, err)
	return c
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
		clock := newClock(t, ClockOptions{Dt: c.dt, Scale: c.scale})
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
		c, err := NewClock(ClockOptions{Dt: rapid.Float64Range(0.002, 0.02).Draw(t, "dt"), MaxSteps: 1000})
		if err != nil {
			t.Fatal(err)
		}
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
	c := newClock(t, ClockOptions{Dt: 0.001, MaxSteps: 5})
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
	c := newClock(t, ClockOptions{})
	for _, e := range []float64{math.NaN(), -1, math.Inf(-1), 0} {
		if n := c.Advance(e); n != 0 || c.Behind() {
			t.Errorf("Advance(%g) = %d", e, n)
		}
	}
	if n := c.Advance(math.Inf(1)); n != c.MaxSteps() || !c.Behind() {
		t.Errorf("an endless frame: %d steps", n)
	}
	if n := c.Advance(c.Dt() * 2.5); n != 2 {
		t.Errorf("afterwards: %d steps, want 2", n)
	}
	for _, o := range []ClockOptions{{Dt: math.NaN()}, {Dt: -1}, {Scale: math.Inf(1)}, {StepsPerFrame: -1}, {MaxSteps: -2}} {
		if _, err := NewClock(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	if c.SetDt(math.NaN()) != DefaultDt || c.SetScale(math.NaN()) != 1 || c.SetDt(1e9) != MaxDt || c.SetScale(-1) != 0 {
		t.Error("a setting was not clamped")
	}
}

func TestClockPausesAndSteps(t *testing.T) {
	c := newClock(t, ClockOptions{Dt: 0.01})
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
	c := newClock(t, ClockOptions{StepsPerFrame: 3})
	for _, e := range []float64{0, 100, math.NaN()} {
		if n := c.Advance(e); n != 3 || c.Behind() {
			t.Errorf("Advance(%g) = %d, want 3", e, n)
		}
	}
	c.SetStepsPerFrame(0)
	if n := c.Advance(c.Dt()); n != 1 {
		t.Errorf("back in real time: %d steps", n)
	}
}

func TestClockKeepsWhatIsOwedWhenDtChanges(t *testing.T) {
	c := newClock(t, ClockOptions{Dt: 0.01})
	c.Advance(0.009)
	c.SetDt(0.003)
	if n := c.Advance(0); n > 1 {
		t.Errorf("a smaller step made %d steps due at once", n)
	}
	if n := c.Advance(0.009); n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
}
