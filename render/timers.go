// SPDX-License-Identifier: Apache-2.0

package render

import (
	"particles/render/gl"
)

const (
	timerFrames = 8
	// MaxStamps is the most boundaries that one frame can have.
	MaxStamps = 6
)

// GPUStamps are the boundaries of one frame as the GPU passed them, in nanoseconds of the GL clock. A stamp is taken when all
// earlier commands are done, so the time between two is that of the commands between, waits included.
type GPUStamps struct {
	Seq    uint64 // as given to Begin
	N      int    // stamps taken
	Stamps [MaxStamps]int64
}

// Timers takes GPU timestamps in a ring of 8 frames and reads them some frames later, when they are there anyway: it
// never waits. When the GPU is so far behind that the ring is full, a frame goes without (counted by Dropped).
//
// Software renderers have timer queries whose numbers mean nothing: there Supported is false and all calls do nothing.
type Timers struct {
	why        string // not supported
	ring       [timerFrames]timerFrame
	head, tail int // frames begun and read
	open       bool
	dropped    uint64
	mask       uint64 // of a counter narrower than 64 bits
	out        uint64 // results go here: a heap address
}

type timerFrame struct {
	queries [MaxStamps]uint32
	seq     uint64
	n       int
}

// NewTimers makes the queries for the current context.
func NewTimers() *Timers {
	t := &Timers{}
	info := gl.Describe()
	bits := gl.TimestampBits()
	switch {
	case info.Software:
		t.why = info.Renderer + " draws in software: its timer queries mean nothing"
	case bits == 0:
		t.why = info.Renderer + " has no timer queries"
	}
	if t.why != "" {
		return t
	}
	t.start(bits)
	return t
}

func (t *Timers) start(bits int) {
	t.mask = ^uint64(0)
	if bits < 64 {
		t.mask = 1<<bits - 1
	}
	for i := range t.ring {
		gl.CreateTimestamps(t.ring[i].queries[:])
	}
}

// Supported tells whether there are GPU times on this renderer.
func (t *Timers) Supported() bool { return t.why == "" }

// Reason says why there are none, empty when there are.
func (t *Timers) Reason() string { return t.why }

// Begin starts the group of a frame and takes its first stamp.
func (t *Timers) Begin(seq uint64) {
	if t.why != "" {
		return
	}
	if t.open { // a frame that was given up in the middle
		t.End()
	}
	if t.head-t.tail == timerFrames {
		t.dropped++
		return
	}
	f := &t.ring[t.head%timerFrames]
	f.seq, f.n = seq, 0
	t.open = true
	t.Stamp()
}

// Stamp takes the next boundary of the frame; what is beyond MaxStamps, or outside Begin and End, is ignored.
func (t *Timers) Stamp() {
	if !t.open {
		return
	}
	f := &t.ring[t.head%timerFrames]
	if f.n < MaxStamps {
		gl.QueryTimestamp(f.queries[f.n])
		f.n++
	}
}

// End takes the last boundary and closes the group.
func (t *Timers) End() {
	if !t.open {
		return
	}
	t.Stamp()
	t.open = false
	t.head++
}

// Collect reads the oldest frame that is complete into out, and tells whether there was one. Call it once or more each
// frame, until false.
func (t *Timers) Collect(out *GPUStamps) bool {
	if t.head == t.tail {
		return false
	}
	f := &t.ring[t.tail%timerFrames]
	// Queries complete in order, so the last one answers for all.
	if !gl.QueryAvailable(f.queries[f.n-1], &t.out) {
		return false
	}
	out.Seq, out.N = f.seq, f.n
	var before uint64
	for i := range f.n {
		gl.QueryResult(f.queries[i], &t.out)
		v := t.out & t.mask
		if i > 0 && v < before && t.mask != ^uint64(0) {
			v += t.mask + 1 // the counter wrapped around within the frame
		}
		before = v
		out.Stamps[i] = int64(v)
	}
	t.tail++
	return true
}

// Dropped returns how many frames went without stamps because the ring was full.
func (t *Timers) Dropped() uint64 { return t.dropped }

// Close deletes the queries; Supported is false from then on. Again: no-op.
func (t *Timers) Close() {
	if t.why != "" {
		return
	}
	for i := range t.ring {
		gl.DeleteQueries(t.ring[i].queries[:])
	}
	*t = Timers{why: "closed"}
}

// Clock relates the GL clock to the program's: program time = GL time + Offset, known within Err, all in nanoseconds.
type Clock struct{ Offset, Err int64 }

// Calibrate compares the GL clock with now (monotonic, in nanoseconds) by asking for the GL time between two readings of now,
// some times over, and believing the closest pair. Each try waits for the driver: at start, after a pause, never in a frame.
// ok is false where timers are not supported.
func (t *Timers) Calibrate(now func() int64) (c Clock, ok bool) {
	if t.why != "" {
		return Clock{}, false
	}
	gl.Finish() // what is queued would be waited for in the first try
	gpu := new(int64)
	return calibrate(now, func() int64 {
		gl.GetInteger64(gl.Timestamp, gpu)
		return *gpu
	}), true
}

const calibrations = 32

func calibrate(now, gpu func() int64) (best Clock) {
	for i := range calibrations {
		a := now()
		g := gpu()
		b := now()
		if c := (Clock{Offset: a + (b-a)/2 - g, Err: (b - a + 1) / 2}); i == 0 || c.Err < best.Err {
			best = c
		}
	}
	return best
}
