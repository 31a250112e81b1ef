// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// FlushEvery is how often a recording reaches the file: what a kill -9 loses at most, give or take scheduling.
	FlushEvery = 100 * time.Millisecond
	// DefaultLimit is the size at which a recording stops by itself: chrome://tracing opens no more. A frame takes about
	// 1.1 kB, and 1.7 kB with GPU times of both queues, so this holds some 150,000 to 240,000 frames.
	DefaultLimit = 256 << 20

	sinkFrames = 1 << 12
	sinkNotes  = 1 << 8
	flushBytes = 1 << 18
	tailRoom   = 1 << 12 // kept free below the limit for the closing events
)

// gpuRecord carries the GPU times of a frame to the writer.
type gpuRecord struct {
	seq   uint64
	times GPUTimes
}

// sink is what the recorder feeds and the writer empties.
type sink struct {
	frames  *ring[Frame]
	gpus    *ring[gpuRecord]
	notes   *ring[Note]
	names   []string // set by the recorder before its first frame
	first   uint64   // recorder only: number of the first frame
	any     bool     // recorder only: first is set
	lost    uint64   // recorder only: dropped since the last note of it
	dropped atomic.Int64
}

func (s *sink) frame(f *Frame) {
	if !s.any {
		s.any, s.first = true, f.Seq
	}
	if !s.frames.push(f) {
		s.lost++
		s.dropped.Add(1)
	} else if s.lost > 0 && s.notes.push(&Note{Kind: NoteDropped, T: f.Start, Value: float64(s.lost)}) {
		s.lost = 0
	}
}

func (s *sink) gpu(seq uint64, g *GPUTimes) {
	if s.any && seq >= s.first {
		s.gpus.push(&gpuRecord{seq, *g}) // full: the frame stays without GPU times
	}
}

// Recording is a file being written. Its methods may be called from any thread.
type Recording struct {
	rec   *Recorder
	sink  *sink
	out   io.WriteCloser
	path  string
	limit int64
	begun time.Time

	bytes  atomic.Int64
	frames atomic.Int64
	ended  atomic.Int64 // ns after begun, 0 while running
	stop   chan struct{}
	once   sync.Once
	done   chan struct{}

	mu      sync.Mutex
	err     error
	message string
}

// StartOptions are the less common settings of Start.
type StartOptions struct {
	Limit int64 // bytes at which the recording stops by itself; 0: DefaultLimit, negative: none
}

// Start begins to write what rec measures from its next frame on to out, which it closes at the end. A file that can be
// truncated (*os.File) is repaired after a failed write. Nothing is waited for: an error of the first write shows later
// in Err. Call it on the recorder's thread; a recording that rec still feeds must be stopped before.
func Start(rec *Recorder, out io.WriteCloser, h Header, o StartOptions) (*Recording, error) {
	s := &sink{frames: newRing[Frame](sinkFrames), gpus: newRing[gpuRecord](sinkFrames), notes: newRing[Note](sinkNotes)}
	if !rec.pending.CompareAndSwap(nil, s) {
		return nil, errors.New("trace: a recording is running already; stop it before starting another")
	}
	if h.Start.IsZero() {
		h.Start = time.Now()
	}
	if h.Machine == (Machine{}) {
		h.Machine = ThisMachine()
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	r := &Recording{
		rec: rec, sink: s, out: out, limit: o.Limit, begun: time.Now(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	if n, ok := out.(interface{ Name() string }); ok {
		r.path = n.Name()
	}
	go r.write(&h)
	return r, nil
}

// Stop ends the recording, waits until the file is complete and closed, and gives Err. Again it only gives Err.
func (r *Recording) Stop() error {
	r.once.Do(func() { close(r.stop) })
	<-r.done
	return r.Err()
}

// Done is closed when the file is complete, after Stop, an error, or the limit.
func (r *Recording) Done() <-chan struct{} { return r.done }

// Active says whether frames still reach the file.
func (r *Recording) Active() bool { return r.ended.Load() == 0 }

// Err is the error that ended the recording, or nil.
func (r *Recording) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Message is a sentence for the user when the recording ended by itself, else empty.
func (r *Recording) Message() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.message
}

// Path is the name of the file, empty if out has none.
func (r *Recording) Path() string { return r.path }

// Bytes is the size of the file so far.
func (r *Recording) Bytes() int64 { return r.bytes.Load() }

// Limit is the size at which the recording stops by itself; negative: never.
func (r *Recording) Limit() int64 { return r.limit }

// Frames is how many frames are in the file so far.
func (r *Recording) Frames() int64 { return r.frames.Load() }

// Dropped is how many frames found the ring full and are not in the file.
func (r *Recording) Dropped() int64 { return r.sink.dropped.Load() }

// Elapsed is for how long it has been, or was, recording.
func (r *Recording) Elapsed() time.Duration {
	if e := r.ended.Load(); e != 0 {
		return time.Duration(e)
	}
	return time.Since(r.begun)
}

// finish notes how the recording ended.
func (r *Recording) finish(err error, message string) {
	r.rec.pending.CompareAndSwap(r.sink, nil)
	r.mu.Lock()
	r.err, r.message = err, message
	r.mu.Unlock()
	r.ended.Store(max(int64(time.Since(r.begun)), 1))
}

// fail ends the recording because of the error of a write or a close.
func (r *Recording) fail(err error) {
	name := r.path
	if name == "" {
		name = "the trace"
	}
	cure := "what was written so far opens as it is"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		cure = "free some space or record to another disk; " + cure
	}
	err = fmt.Errorf("recording to %s stopped after %d frames and %d bytes: %w; %s", name, r.Frames(), r.Bytes(), err, cure)
	r.finish(err, err.Error())
}
