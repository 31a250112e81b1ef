// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBracketsGiveTheOffsetWithinTheirError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.Int64Range(-1e15, 1e15).Draw(t, "offset")
		var c ClockSync
		cpu := rapid.Int64Range(0, 1e15).Draw(t, "cpu")
		for range rapid.IntRange(1, 32).Draw(t, "readings") {
			before := cpu
			at := before + rapid.Int64Range(0, 100_000).Draw(t, "issue")
			after := at + rapid.Int64Range(0, 100_000).Draw(t, "return")
			c.Bracket(before, at-offset, after)
			cpu = after
		}
		if e := c.Offset - offset; e > c.Err || -e > c.Err {
			t.Fatalf("offset %d, want %d within %d", c.Offset, offset, c.Err)
		}
		if got := c.ToRecorder(cpu - offset); abs(got-cpu) > c.Err {
			t.Fatalf("%d converted to %d, error bound %d", cpu, got, c.Err)
		}
	})
}

func TestTheNarrowestBracketCounts(t *testing.T) {
	var c ClockSync
	if c.Valid() {
		t.Error("valid before any reading")
	}
	c.Bracket(1000, 100, 3000)
	c.Bracket(5000, 4600, 5010)
	c.Bracket(9000, 5000, 12000)
	c.Bracket(10, 0, 5) // the clock went back: no reading
	if c.Offset != 405 || c.Err != 5 || !c.Valid() {
		t.Errorf("%+v", c)
	}
	c.Reset()
	if c.Valid() {
		t.Error("valid after Reset")
	}
}

func TestObservationsCorrectADrift(t *testing.T) {
	var c ClockSync
	c.Bracket(0, 0, 10)
	if c.Observe(1000, 1020, 2000) {
		t.Error("a possible stamp moved the clock")
	}
	// The GPU's clock lags by 300: work issued at 5000 seems to have run at 4705.
	if !c.Observe(5000, 4700, 9000) || c.ToRecorder(4700) != 5000 || c.Err < 295 {
		t.Errorf("%+v", c)
	}
	// It runs ahead: work seen done at 9000 seems to end at 9300.
	if !c.Observe(8000, 9000, 9000) || c.ToRecorder(9000) != 9000 || c.Moved != 2 {
		t.Errorf("%+v", c)
	}
	var first ClockSync
	if !first.Observe(100, 0, 300) || first.ToRecorder(0) != 200 || first.Err != 100 {
		t.Errorf("%+v", first)
	}
}

// One float32 step at 2 s is 0.12 us, at 16 s 0.98 us (the table of float32's 24 bits).
func TestEventTimesCarryTheErrorOfFloat32(t *testing.T) {
	c := NewEventClock(1000, 3000)
	if c.Base != 2000 || c.Err != 1000+eventResolution {
		t.Fatalf("%+v", c)
	}
	for _, e := range []struct {
		ms   float32
		ulps int64 // half a step, ns, rounded up
	}{{0, 1}, {2000, 62}, {16000, 489}, {3.6e6, 125000}} {
		at, err := c.At(e.ms)
		if want := 2000 + int64(float64(e.ms)*1e6); at != want || err != c.Err+e.ulps {
			t.Errorf("%g ms: %d within %d, want %d within %d", e.ms, at, err, want, c.Err+e.ulps)
		}
	}
}

func TestRotatingTheBaseKeepsTheTimeLine(t *testing.T) {
	c := NewEventClock(0, 100)
	next := c.Rotate(2000)
	a, errA := c.At(2500)
	b, errB := next.At(500)
	if a != b || next.Err <= c.Err || errA <= c.Err || errB < next.Err {
		t.Errorf("%d within %d, after rotating %d within %d", a, errA, b, errB)
	}
	if !next.Observe(b+700, 500, b+5000) {
		t.Error("an event before its issue was believed")
	}
	if got, _ := next.At(500); got != b+700 {
		t.Errorf("moved to %d, want %d", got, b+700)
	}
}
