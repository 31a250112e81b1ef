// SPDX-License-Identifier: Apache-2.0

package app

import (
	"time"

	"particles/interop"
	"particles/trace"
)

// The points of a frame at which the stream is stamped, in order.
const (
	beforeSteps = iota
	afterSteps  // and before the map
	afterMap
	afterPublish
	afterUnmap
	numStamps
)

// timingDepth is how many frames may be under way before one goes unmeasured.
const timingDepth = 8

// rebase is how often the base event is renewed: event times are float32
// milliseconds since it, which resolve a tenth of a microsecond for two seconds.
const rebase = 2 * time.Second

// streamTimes measures what the compute stream does, by a ring of events that is
// only ever asked, never waited for. It belongs to the render thread.
type streamTimes struct {
	rec    *trace.Recorder
	stream *interop.Stream

	clock   trace.EventClock
	base    [2]*interop.Event // base[0] is in force; base[1] is the next, while renewing
	baseAt  int64             // when base[0] was recorded, recorder's clock
	renewed bool              // base[1] has been recorded and will take over once done

	frames  [timingDepth]stampedFrame
	head    int // next to write
	pending int // written and not read
	open    bool
	stamped int // points of the open frame stamped so far
	skipped uint64
	err     error // the first failure of an event since it was last looked at: the device may be lost
}

type stampedFrame struct {
	seq    uint64
	issued int64
	events [numStamps]*interop.Event
}

// newStreamTimes makes the events and relates the stream's clock to the recorder's,
// for which it waits for the stream once.
func newStreamTimes(ctx *interop.Context, stream *interop.Stream, rec *trace.Recorder) (*streamTimes, error) {
	t := &streamTimes{rec: rec, stream: stream}
	made := func() (*interop.Event, error) { return ctx.NewEvent(interop.EventOptions{Timing: true}) }
	var err error
	for i := range t.base {
		if t.base[i], err = made(); err != nil {
			return nil, joinClose(err, t)
		}
	}
	for i := range t.frames {
		for k := range t.frames[i].events {
			if t.frames[i].events[k], err = made(); err != nil {
				return nil, joinClose(err, t)
			}
		}
	}
	if err := t.calibrate(); err != nil {
		return nil, joinClose(err, t)
	}
	return t, nil
}

// calibrate brackets a base event on the idle stream between two readings of the
// recorder's clock, several times, and keeps the narrowest.
func (t *streamTimes) calibrate() error {
	if err := waitFor(waitLimit, t.stream.Query); err != nil {
		return err
	}
	for range 8 {
		before := t.rec.Now()
		if err := t.base[1].Record(t.stream); err != nil {
			return err
		}
		if err := waitFor(waitLimit, t.base[1].Done); err != nil {
			return err
		}
		if clock := trace.NewEventClock(before, t.rec.Now()); t.clock.Err == 0 || clock.Err < t.clock.Err {
			t.clock, t.baseAt = clock, before
			t.base[0], t.base[1] = t.base[1], t.base[0]
		}
	}
	return nil
}

// begin opens a frame and stamps its first point. It reports whether the frame is
// measured: not when the ring is full, since nothing here waits.
func (t *streamTimes) begin(seq uint64) bool {
	t.open = t.pending < timingDepth
	if !t.open {
		t.skipped++
		return false
	}
	f := &t.frames[t.head]
	f.seq, f.issued = seq, t.rec.Now()
	t.stamped = 0
	t.stamp(beforeSteps)
	return t.open
}

// stamp records the frame's event for a point. A frame whose event fails is not measured.
func (t *streamTimes) stamp(point int) {
	if !t.open {
		return
	}
	if err := t.frames[t.head].events[point].Record(t.stream); err != nil {
		t.fail(err)
		t.open = false
	}
	t.stamped++
}

func (t *streamTimes) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// waiting is how long the oldest frame under way has not been finished; 0 up to a second.
func (t *streamTimes) waiting() time.Duration {
	if t.pending == 0 {
		return 0
	}
	f := t.oldest()
	age := time.Duration(t.rec.Now() - f.issued)
	if age < time.Second {
		return 0
	}
	if done, err := f.events[afterUnmap].Done(); done || err != nil { // nobody has looked for a while
		return 0
	}
	return age
}

func (t *streamTimes) oldest() *stampedFrame {
	return &t.frames[(t.head+timingDepth-t.pending)%timingDepth]
}

// end closes the frame: it will be given out by next once the stream has passed it.
// A frame in which nothing was published lacks points and is not measured.
func (t *streamTimes) end() {
	if t.open && t.stamped == numStamps {
		t.head = (t.head + 1) % timingDepth
		t.pending++
		t.open = false
	}
	if !t.renewed && t.rec.Now()-t.baseAt > int64(rebase) && t.base[1].Record(t.stream) == nil {
		t.renewed = true
	}
}

// next adds the oldest finished frame's spans to times and gives its number; false
// when none is finished yet.
func (t *streamTimes) next(times *trace.GPUTimes) (seq uint64, ok bool) {
	if t.pending == 0 {
		return 0, false
	}
	f := t.oldest()
	done, err := f.events[afterUnmap].Done()
	if err != nil {
		t.fail(err)
		t.pending--
		return f.seq, true // nothing is known of it
	}
	if !done {
		return 0, false
	}
	t.pending--
	seen := t.rec.Now()
	var at, bound [numStamps]int64
	for i, e := range f.events {
		ms, err := e.Elapsed(t.base[0])
		if err != nil {
			return f.seq, true
		}
		if i == beforeSteps {
			t.clock.Observe(f.issued, ms, seen)
		}
		at[i], bound[i] = t.clock.At(ms)
	}
	for _, span := range [...]struct {
		name     trace.Name
		from, to int
	}{
		{trace.SpanStep, beforeSteps, afterSteps},
		{trace.SpanMap, afterSteps, afterMap},
		{trace.SpanPublish, afterMap, afterPublish},
		{trace.SpanUnmap, afterPublish, afterUnmap},
	} {
		times.Add(trace.Span{
			Track: trace.Stream, Name: span.name,
			Start: at[span.from], End: at[span.to], Err: max(bound[span.from], bound[span.to]),
		})
	}
	if t.renewed {
		t.rotate()
	}
	return f.seq, true
}

// rotate lets the next base event take over once the stream has passed it.
func (t *streamTimes) rotate() {
	done, err := t.base[1].Done()
	if err == nil && !done {
		return
	}
	t.renewed = false
	ms, err := t.base[1].Elapsed(t.base[0])
	if err != nil {
		return
	}
	t.clock = t.clock.Rotate(ms)
	t.base[0], t.base[1] = t.base[1], t.base[0]
	t.baseAt = t.rec.Now()
}

// Close gives the events back.
func (t *streamTimes) Close() error {
	var errs errorList
	for _, e := range t.base {
		errs.close(e)
	}
	for i := range t.frames {
		for _, e := range t.frames[i].events {
			errs.close(e)
		}
	}
	return errs.err()
}
