// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"

	"particles/interop/driver"
)

// EventOptions says how an event is made.
type EventOptions struct {
	Timing bool // Elapsed works; costs a time stamp
}

// Event marks a point in a stream: record it, then ask, wait for it, or make
// another stream wait. Recording again moves the mark.
type Event struct {
	node
	ctx      *Context
	h        driver.Event
	timing   bool
	recorded atomic.Bool
	closed   atomic.Bool
}

// NewEvent makes an event. Waiting for it sleeps rather than spins.
func (c *Context) NewEvent(o EventOptions) (*Event, error) {
	if err := c.check("Context.NewEvent"); err != nil {
		return nil, err
	}
	flags := driver.EventBlockingSync
	if !o.Timing {
		flags |= driver.EventDisableTiming
	}
	h, code := c.drv.EventCreate(c.h, flags)
	if code != driver.Success {
		return nil, c.fail("cuEventCreate", code, "")
	}
	if h == 0 {
		return nil, c.fail("cuEventCreate", driver.InvalidHandle, "success without an event")
	}
	e := &Event{ctx: c, h: h, timing: o.Timing}
	c.add(&e.node, kindEvent, e)
	return e, nil
}

// Record marks the point in s after all work queued so far.
func (e *Event) Record(s *Stream) error {
	if err := e.check("Event.Record"); err != nil {
		return err
	}
	if err := e.ctx.stream("Event.Record", s); err != nil {
		return err
	}
	if code := e.ctx.drv.EventRecord(e.ctx.h, e.h, s.h); code != driver.Success {
		return e.ctx.fail("cuEventRecord", code, "")
	}
	e.recorded.Store(true)
	return nil
}

// Done reports, without waiting, whether the stream has passed the mark. An
// event never recorded answers ErrNotRecorded.
func (e *Event) Done() (bool, error) {
	if err := e.check("Event.Done"); err != nil {
		return false, err
	}
	if !e.recorded.Load() {
		return false, stateErr("Event.Done", "", ErrNotRecorded)
	}
	switch code := e.ctx.drv.EventQuery(e.ctx.h, e.h); code {
	case driver.Success:
		return true, nil
	case driver.NotReady:
		return false, nil
	default:
		return false, e.ctx.fail("cuEventQuery", code, "")
	}
}

// Synchronize waits until the stream has passed the mark.
func (e *Event) Synchronize() error {
	if err := e.check("Event.Synchronize"); err != nil {
		return err
	}
	if !e.recorded.Load() {
		return stateErr("Event.Synchronize", "", ErrNotRecorded)
	}
	if code := e.ctx.drv.EventSynchronize(e.ctx.h, e.h); code != driver.Success {
		return e.ctx.fail("cuEventSynchronize", code, "")
	}
	return nil
}

// Elapsed is the time from since to e in milliseconds. Both must have timing,
// be recorded and be done: ErrTimingDisabled, ErrNotRecorded, ErrNotReady.
func (e *Event) Elapsed(since *Event) (ms float32, err error) {
	const op = "Event.Elapsed"
	if since == nil {
		return 0, argErr(op, "nil event")
	}
	for _, x := range [2]*Event{since, e} {
		if err := x.check(op); err != nil {
			return 0, err
		}
		if x.ctx != e.ctx {
			return 0, stateErr(op, "event", ErrWrongContext)
		}
		if !x.timing {
			return 0, stateErr(op, "", ErrTimingDisabled)
		}
		if !x.recorded.Load() {
			return 0, stateErr(op, "", ErrNotRecorded)
		}
	}
	ms, code := e.ctx.drv.EventElapsedTime(e.ctx.h, since.h, e.h)
	switch code {
	case driver.Success:
		return ms, nil
	case driver.NotReady:
		return 0, stateErr(op, "", ErrNotReady)
	}
	return 0, e.ctx.fail("cuEventElapsedTime", code, "")
}

// Close gives the event back; streams that wait for it still do.
func (e *Event) Close() error {
	if e == nil || e.ctx == nil {
		return stateErr("Event.Close", "", ErrZeroValue)
	}
	if e.closed.Swap(true) {
		return nil
	}
	e.ctx.remove(&e.node)
	if code := e.ctx.quiet(e.ctx.drv.EventDestroy(e.ctx.h, e.h)); code != driver.Success {
		return e.ctx.fail("cuEventDestroy", code, "")
	}
	return nil
}

func (e *Event) check(op string) error {
	if e == nil || e.ctx == nil {
		return stateErr(op, "event", ErrZeroValue)
	}
	if e.closed.Load() {
		return stateErr(op, "event", ErrClosed)
	}
	return nil
}

func (e *Event) describe() string { return fmt.Sprintf("event %#x", uintptr(e.h)) }
func (e *Event) drop() error      { return e.Close() }
