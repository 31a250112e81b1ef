// SPDX-License-Identifier: Apache-2.0

package host

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"particles/interop/driver"
)

// ringSize is how much work a stream queues before a launch waits for room.
const ringSize = 256

// paramSize is the room for one launch's parameters, as on CUDA.
const paramSize = 4096

type op uint8

const (
	opLaunch op = iota
	opCopy
	opFill
	opRecord
	opWait
)

// command is a slot of a stream's ring, filled in place.
type command struct {
	op     op
	f      *function
	n      int // bytes, or values to fill
	shape  driver.Shape
	params unsafe.Pointer // this slot's room

	dst, src unsafe.Pointer
	value    uint32
	width    int

	event *event
	on    *stream // opWait: until on has completed at
	at    uint64
}

// stream runs its commands in order: on a goroutine of its own, or on one that
// waits for them.
type stream struct {
	ctx       *context
	priority  int
	mu        sync.Mutex
	filled    sync.Cond // there is a command, or the stream is closed
	advanced  sync.Cond // completed grew
	ring      []command
	issued    uint64        // commands ever queued; guarded by mu
	completed atomic.Uint64 // commands ever done; written under mu
	closed    bool
	busy      bool // a command is being run
	job       job
	bulk      bulk
}

func newStream(c *context, priority int) *stream {
	s := &stream{ctx: c, priority: priority, ring: make([]command, ringSize)}
	s.filled.L, s.advanced.L = &s.mu, &s.mu
	s.job.priority = priority
	s.job.left = make(chan struct{}, 1)
	room := make([]byte, ringSize*paramSize) // page-aligned, being large
	for i := range s.ring {
		s.ring[i].params = unsafe.Pointer(&room[i*paramSize])
	}
	c.runningMu.Lock()
	c.running[s] = struct{}{}
	c.runningMu.Unlock()
	c.wg.Go(s.loop)
	return s
}

// begin locks the stream and gives the next free slot; end queues it.
func (s *stream) begin() *command {
	s.mu.Lock()
	for s.issued-s.completed.Load() == ringSize {
		s.advanced.Wait()
	}
	return &s.ring[s.issued%ringSize]
}

func (s *stream) end() {
	s.issued++
	s.mu.Unlock()
	s.filled.Signal()
}

// close lets the stream end once its queue is empty.
func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.filled.Signal()
}

// mark is the position that stands for all work queued so far.
func (s *stream) mark() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issued
}

func (s *stream) passed(at uint64) bool { return s.completed.Load() >= at }

// wait returns when the stream has passed the position. Work that the stream's
// goroutine has not begun the caller does itself, with the pool's help: waking
// another goroutine from a locked thread, and being woken by it, takes longer
// than a small kernel.
func (s *stream) wait(at uint64) {
	if s.passed(at) {
		return
	}
	s.mu.Lock()
	helped := false
	for s.completed.Load() < at {
		if s.busy {
			s.advanced.Wait()
			continue
		}
		s.step()
		helped = true
	}
	s.mu.Unlock()
	if helped { // the stream's goroutine may have found it busy and gone to sleep
		s.filled.Signal()
	}
}

// loop is the stream's goroutine.
func (s *stream) loop() {
	defer func() {
		s.ctx.runningMu.Lock()
		delete(s.ctx.running, s)
		s.ctx.runningMu.Unlock()
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.busy:
			s.filled.Wait()
		case s.completed.Load() < s.issued:
			s.step()
		case s.closed:
			return
		default:
			s.filled.Wait()
		}
	}
}

// step runs the next command. It is called, and returns, with mu held, and not
// while another goroutine is in it.
func (s *stream) step() {
	s.busy = true
	at := s.completed.Load()
	s.mu.Unlock()
	s.exec(&s.ring[at%ringSize])
	s.mu.Lock()
	s.busy = false
	s.completed.Store(at + 1)
	s.advanced.Broadcast()
}

func (s *stream) exec(c *command) {
	switch c.op {
	case opRecord:
		c.event.stamp(s, time.Since(s.ctx.start))
		c.event = nil
		return
	case opWait:
		c.on.wait(c.at)
		c.on = nil
		return
	}
	if s.ctx.failed.Load() != nil {
		return // as on CUDA, nothing runs in a context that a kernel has broken
	}
	switch c.op {
	case opLaunch:
		s.launch(c.f, c.shape, c.params)
		c.f = nil
	case opCopy:
		s.copy(c.dst, c.src, c.n)
	case opFill:
		s.fill(c.dst, c.value, c.width, c.n)
	}
}

func (s *stream) launch(f *function, l driver.Shape, params unsafe.Pointer) {
	j := &s.job
	j.f, j.params, j.shape = f, params, l
	j.piece = f.pieceSize(l.N, l.Block, s.ctx.pool.workers)
	s.ctx.pool.run(j)
	if bad := j.failed.Swap(nil); bad != nil {
		s.ctx.failed.CompareAndSwap(nil, bad)
		return
	}
	f.learn(time.Duration(j.busy.Load()), l.N)
}

// event is a position in a stream, and when the stream passed it.
type event struct {
	mu     sync.Mutex
	timing bool
	on     *stream // nil: never recorded
	at     uint64
	when   time.Duration
}

// set moves the event's mark.
func (e *event) set(s *stream, at uint64) {
	e.mu.Lock()
	e.on, e.at = s, at
	e.mu.Unlock()
}

// stamp notes the time, unless the event has been recorded again since.
func (e *event) stamp(s *stream, now time.Duration) {
	e.mu.Lock()
	if e.on == s && e.at == s.completed.Load()+1 {
		e.when = now
	}
	e.mu.Unlock()
}

func (e *event) mark() (on *stream, at uint64, when time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.on, e.at, e.when
}

var _ driver.Driver = (*Driver)(nil)
