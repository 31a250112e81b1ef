// SPDX-License-Identifier: Apache-2.0

package trace

import "math"

// ClockSync brings a GPU's nanosecond counter (GL_TIMESTAMP) onto the recorder's clock: recorder = gpu + Offset, right
// within Err. It is a plain value.
//
// At the start, and whenever a wait does no harm, call Bracket some ten times with the recorder's clock read before and
// after reading the GPU's. While running, call Observe for each stamp: work cannot have run before it was issued nor
// after its result was seen, and these bounds correct a drift at no cost.
type ClockSync struct {
	Offset int64 // ns
	Err    int64 // ns
	Moved  int   // corrections by Observe
	set    bool
}

// Valid says whether there was a Bracket or an Observe.
func (c *ClockSync) Valid() bool { return c.set }

// Bracket takes one reading of the GPU's counter between two of the recorder's clock, all ns. The narrowest counts.
// Call Reset first to measure afresh.
func (c *ClockSync) Bracket(before, gpu, after int64) {
	if after < before {
		return
	}
	half := (after - before + 1) / 2
	if !c.set || half < c.Err {
		c.Offset, c.Err, c.set = before+(after-before)/2-gpu, half, true
	}
}

// Reset forgets the readings, so that the next Bracket counts whatever its width.
func (c *ClockSync) Reset() { *c = ClockSync{Moved: c.Moved} }

// Observe takes a stamp of work that was issued at issued and known to be done at seen, both on the recorder's clock. A
// stamp outside of these moves the offset to the nearest value that is possible; it reports whether it did.
func (c *ClockSync) Observe(issued, gpu, seen int64) bool {
	if seen < issued {
		return false
	}
	if !c.set {
		c.Bracket(issued, gpu, seen)
		return true
	}
	shift := int64(0)
	if at := gpu + c.Offset; at < issued {
		shift = issued - at
	} else if at > seen {
		shift = seen - at
	}
	if shift == 0 {
		return false
	}
	c.Offset += shift
	c.Err = max(c.Err, abs(shift))
	c.Moved++
	return true
}

// ToRecorder converts a stamp, ns.
func (c *ClockSync) ToRecorder(gpu int64) int64 { return gpu + c.Offset }

// EventClock brings CUDA event times, which are milliseconds since a base event in float32, onto the recorder's clock.
type EventClock struct {
	Base int64 // the base event's time, ns on the recorder's clock
	Err  int64 // bound of its error, ns
}

// eventResolution is the resolution of CUDA's events, ns (cuEventElapsedTime: "around 0.5 microseconds").
const eventResolution = 500

// NewEventClock takes a base event that was recorded on an idle stream after before and seen done at after, ns.
func NewEventClock(before, after int64) EventClock {
	after = max(after, before)
	return EventClock{Base: before + (after-before)/2, Err: (after-before+1)/2 + eventResolution}
}

// At gives the time of an event ms after the base, and the bound of its error, which grows with ms because a float32
// has 24 bits: rotate the base every two seconds to stay near a tenth of a microsecond.
func (c EventClock) At(ms float32) (ns, err int64) {
	ulp := math.Nextafter32(float32(math.Abs(float64(ms))), math.MaxFloat32) - float32(math.Abs(float64(ms)))
	return c.Base + int64(math.Round(float64(ms)*1e6)), c.Err + int64(math.Ceil(float64(ulp)*1e6/2))
}

// Rotate gives the clock of a new base event that came ms after the present one. Errors add up; a base that could be
// bracketed anew should come from NewEventClock instead.
func (c EventClock) Rotate(ms float32) EventClock {
	base, err := c.At(ms)
	return EventClock{Base: base, Err: err + eventResolution}
}

// Observe moves the base if an event that was issued at issued and seen done at seen would fall outside, like
// ClockSync.Observe.
func (c *EventClock) Observe(issued int64, ms float32, seen int64) bool {
	at, _ := c.At(ms)
	shift := int64(0)
	if at < issued {
		shift = issued - at
	} else if at > seen {
		shift = seen - at
	}
	if shift == 0 || seen < issued {
		return false
	}
	c.Base += shift
	c.Err = max(c.Err, abs(shift))
	return true
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
