// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"sync/atomic"
	"time"
)

// Options set up a Recorder. The zero value is good.
type Options struct {
	// Clock gives nanoseconds since some fixed point; nil is the system's monotonic clock. A recording's writer reads it
	// too, from its own thread.
	Clock func() int64
	// Warmup is left out of Summary; see WarmupFor. The zero value leaves nothing out.
	Warmup Warmup
}

// Recorder measures frames. Make one with New.
type Recorder struct {
	clock func() int64
	base  int64

	cur     Frame
	last    int64 // newest boundary
	seq     uint64
	inFrame bool
	started bool // last is the end of a frame, and the next one starts there

	gapFrom  int64 // start of the gap that is open
	gap      bool
	gapWhy   string
	stats    liveStats
	run      runStats
	history  history
	names    []string
	pending  atomic.Pointer[sink] // what Start or Stop asked for
	attached *sink                // in use for the current frame
}

// New makes a recorder whose clock reads 0 now.
func New(o Options) *Recorder {
	r := &Recorder{clock: o.Clock}
	if r.clock == nil {
		base := time.Now()
		r.clock = func() int64 { return int64(time.Since(base)) }
	}
	r.base = r.clock()
	r.names = append(r.names, spanNames[:]...)
	r.history.init()
	r.run.init(o.Warmup)
	return r
}

// Now reads the recorder's clock: ns since New. Any thread, if the clock of the options allows it.
func (r *Recorder) Now() int64 { return r.clock() - r.base }

// Name gives the number of a span name, the same for the same text. For set-up time: it allocates.
func (r *Recorder) Name(text string) Name {
	for i, n := range r.names {
		if n == text {
			return Name(i)
		}
	}
	r.names = append(r.names, text)
	r.run.addName(Name(len(r.names) - 1))
	return Name(len(r.names) - 1)
}

// stamp reads the clock and never goes back.
func (r *Recorder) stamp() int64 {
	if now := r.Now(); now > r.last {
		r.last = now
	}
	return r.last
}

// Begin starts a frame and gives its number. The frame starts where the one before it ended; the first one, and one
// after a gap, starts now. A frame that was begun and not ended is ended first.
func (r *Recorder) Begin() uint64 {
	if r.inFrame {
		r.End(FrameInfo{})
	}
	var flags Flags
	if r.gap {
		now := r.stamp()
		r.note(Note{Kind: NoteGap, T: r.gapFrom, End: now, Text: r.gapWhy})
		r.gap = false
		flags = AfterGap
	} else if !r.started {
		r.stamp()
	}
	if s := r.pending.Load(); s != r.attached {
		r.attached = s
		if s != nil {
			s.names = r.names[:len(r.names):len(r.names)]
		}
	}
	r.cur.Seq = r.seq
	r.cur.Start = r.last
	r.cur.N = 0
	r.cur.Info = FrameInfo{Flags: flags}
	r.inFrame = true
	return r.seq
}

// Mark ends a segment: the time since the last boundary was spent in phase p. Outside a frame it does nothing.
func (r *Recorder) Mark(p Phase) {
	if !r.inFrame {
		return
	}
	from := r.last
	now := r.stamp()
	f := &r.cur
	switch {
	case f.N > 0 && f.Kinds[f.N-1] == p:
	case f.N == MaxSegments:
		f.Info.Flags |= Overflowed
	default:
		f.Kinds[f.N] = p
		f.N++
	}
	f.Ends[f.N-1] = now
	if p == Poll && now-from > int64(StallLimit) {
		f.Info.Flags |= Stalled
	}
}

// End ends the frame at its last mark; the time from there on belongs to the next frame. A frame without marks ends now,
// all of it Poll.
func (r *Recorder) End(info FrameInfo) {
	if !r.inFrame {
		return
	}
	if r.cur.N == 0 {
		r.Mark(Poll)
	}
	info.Flags |= r.cur.Info.Flags
	r.cur.Info = info
	r.inFrame = false
	r.started = true
	r.seq++
	r.history.add(&r.cur)
	r.run.add(&r.cur)
	if r.attached != nil {
		r.attached.frame(&r.cur)
	}
}

// Gap says that the time from the end of the last frame to the next Begin is a pause and no frame: the window is
// minimised, the program waits for events. Calling it again while the gap lasts changes nothing.
func (r *Recorder) Gap(why string) {
	if r.inFrame {
		r.End(FrameInfo{})
	}
	if !r.gap {
		r.gap, r.gapFrom, r.gapWhy = true, r.last, why
	}
}

// SetGPU joins the GPU times of an earlier frame, usually 2 to 8 frames late. Times of a frame that is no longer in the
// history still reach the file.
func (r *Recorder) SetGPU(seq uint64, g *GPUTimes) {
	if g == nil || g.N == 0 || seq >= r.seq {
		return
	}
	r.history.setGPU(seq, g)
	r.run.addGPU(seq, g)
	if r.attached != nil {
		r.attached.gpu(seq, g)
	}
}

// Frames is how many frames have ended.
func (r *Recorder) Frames() uint64 { return r.seq }
