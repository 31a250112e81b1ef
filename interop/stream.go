// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync"

	"particles/interop/driver"
)

// StreamOptions says how a stream is made.
type StreamOptions struct {
	Priority    int  // within Context.PriorityRange
	HasPriority bool // false: the lowest priority
}

// Stream is an ordered queue of work. It is non-blocking: ordered with no other
// stream but through events.
type Stream struct {
	node
	ctx      *Context
	h        driver.Stream
	priority int

	mu     sync.Mutex
	closed bool
	uses   int // mappings that will be given back on it
}

// NewStream makes a non-blocking stream.
func (c *Context) NewStream(o StreamOptions) (*Stream, error) {
	if err := c.check("Context.NewStream"); err != nil {
		return nil, err
	}
	least, greatest, code := c.drv.CtxGetStreamPriorityRange(c.h)
	if code != driver.Success {
		return nil, c.fail("cuCtxGetStreamPriorityRange", code, "")
	}
	priority := least
	if o.HasPriority {
		if o.Priority > least || o.Priority < greatest {
			return nil, argErr("Context.NewStream", "priority %d; this device has %d (least) to %d (greatest)", o.Priority, least, greatest)
		}
		priority = o.Priority
	}
	h, code := c.drv.StreamCreateWithPriority(c.h, priority)
	if code != driver.Success {
		return nil, c.fail("cuStreamCreateWithPriority", code, "")
	}
	if h == 0 {
		return nil, c.fail("cuStreamCreateWithPriority", driver.InvalidHandle, "success without a stream")
	}
	s := &Stream{ctx: c, h: h, priority: priority}
	c.add(&s.node, kindStream, s)
	return s, nil
}

// Priority is the stream's priority; smaller numbers go first.
func (s *Stream) Priority() int {
	if s == nil {
		return 0
	}
	return s.priority
}

// Handle is the driver's CUstream, for what this package does not cover; 0 once
// closed, unless a mapping will still be given back on it.
func (s *Stream) Handle() driver.Stream {
	if s == nil || s.ctx == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed && s.uses == 0 {
		return 0
	}
	return s.h
}

// WaitEvent makes work queued on s from now on wait for e's last record. It
// does not block the caller.
func (s *Stream) WaitEvent(e *Event) error {
	if err := s.check("Stream.WaitEvent"); err != nil {
		return err
	}
	if e == nil {
		return argErr("Stream.WaitEvent", "nil event")
	}
	if err := e.check("Stream.WaitEvent"); err != nil {
		return err
	}
	if e.ctx != s.ctx {
		return stateErr("Stream.WaitEvent", "event", ErrWrongContext)
	}
	if code := s.ctx.drv.StreamWaitEvent(s.ctx.h, s.h, e.h); code != driver.Success {
		return s.ctx.fail("cuStreamWaitEvent", code, "")
	}
	return nil
}

// Query reports whether all work queued so far is done, without waiting.
func (s *Stream) Query() (done bool, err error) {
	if err := s.check("Stream.Query"); err != nil {
		return false, err
	}
	switch code := s.ctx.drv.StreamQuery(s.ctx.h, s.h); code {
	case driver.Success:
		return true, nil
	case driver.NotReady:
		return false, nil
	default:
		return false, s.ctx.fail("cuStreamQuery", code, "")
	}
}

// Synchronize waits until all work queued so far is done, and reports the error
// that a kernel left, if any.
func (s *Stream) Synchronize() error {
	if err := s.check("Stream.Synchronize"); err != nil {
		return err
	}
	return s.wait()
}

func (s *Stream) wait() error {
	if code := s.ctx.drv.StreamSynchronize(s.ctx.h, s.h); code != driver.Success {
		return s.ctx.fail("cuStreamSynchronize", code, "")
	}
	return nil
}

// Close gives the stream back; work queued on it still runs. While a mapping
// is to be given back on it, the stream lives on for that, but takes no more work.
func (s *Stream) Close() error {
	if s == nil || s.ctx == nil {
		return stateErr("Stream.Close", "", ErrZeroValue)
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	last := s.uses == 0
	s.mu.Unlock()
	if !last {
		return nil
	}
	return s.destroy()
}

func (s *Stream) destroy() error {
	s.ctx.remove(&s.node)
	if code := s.ctx.quiet(s.ctx.drv.StreamDestroy(s.ctx.h, s.h)); code != driver.Success {
		return s.ctx.fail("cuStreamDestroy", code, fmt.Sprintf("stream %#x", uintptr(s.h)))
	}
	return nil
}

// hold keeps the stream alive for a mapping; letGo undoes it.
func (s *Stream) hold() {
	s.mu.Lock()
	s.uses++
	s.mu.Unlock()
}

func (s *Stream) letGo() error {
	s.mu.Lock()
	s.uses--
	last := s.closed && s.uses == 0
	s.mu.Unlock()
	if last {
		return s.destroy()
	}
	return nil
}

func (s *Stream) check(op string) error {
	if s == nil {
		return stateErr(op, "", ErrNilStream)
	}
	if s.ctx == nil {
		return stateErr(op, "stream", ErrZeroValue)
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return stateErr(op, "stream", ErrClosed)
	}
	return nil
}

// stream refuses a stream that c cannot use: nil, closed, of another context.
func (c *Context) stream(op string, s *Stream) error {
	if err := s.check(op); err != nil {
		return err
	}
	if s.ctx != c {
		return stateErr(op, "stream", ErrWrongContext)
	}
	return nil
}

func (s *Stream) describe() string { return fmt.Sprintf("stream %#x", uintptr(s.h)) }

func (s *Stream) drop() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.destroy()
}
