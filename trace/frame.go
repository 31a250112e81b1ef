// SPDX-License-Identifier: Apache-2.0

package trace

import "time"

// MaxSegments is how many segments a frame can have. Marks beyond it extend the last segment and set [Overflowed].
const MaxSegments = 16

// Flags say what was special about a frame.
type Flags uint8

const (
	// AfterGap: a pause lies between this frame and the one before it; they do not touch.
	AfterGap Flags = 1 << iota
	// Stalled: the window system held the program for more than [StallLimit] (a window being dragged, a suspended
	// machine). Such a frame is in the file and in no statistic.
	Stalled
	// Overflowed: more than MaxSegments marks; the sum is still exact.
	Overflowed
	// NoSlot: no buffer was free, so the frame shows the positions of an earlier one.
	NoSlot
	// NoGPU: the GPU times of this frame could not be had (timer ring full, disjoint clock).
	NoGPU
)

// StallLimit is how long polling window events may take before the frame counts as [Stalled].
const StallLimit = time.Second

// FrameInfo is what the loop knows about a frame when it ends.
type FrameInfo struct {
	Steps   int     // simulation steps queued in this frame
	Count   int     // particles asked for
	Drawn   int     // records published
	Alive   int     // newest known number of particles alive
	SimTime float64 // simulated seconds after this frame's steps
	Flags   Flags   // NoSlot, NoGPU; the other flags are set by the recorder
}

// Frame is one frame as it goes to the file. It holds no pointers.
type Frame struct {
	Seq   uint64 // 0, 1, 2, ... since the recorder was made
	Start int64  // ns, recorder's clock
	Ends  [MaxSegments]int64
	Kinds [MaxSegments]Phase
	N     int // segments in use; at least 1 once ended
	Info  FrameInfo
}

// End is when the frame ended, ns.
func (f *Frame) End() int64 {
	if f.N == 0 {
		return f.Start
	}
	return f.Ends[f.N-1]
}

// Segment gives the i-th segment, 0 <= i < N.
func (f *Frame) Segment(i int) (p Phase, start, end int64) {
	start = f.Start
	if i > 0 {
		start = f.Ends[i-1]
	}
	return f.Kinds[i], start, f.Ends[i]
}

// PhaseTime sums a phase's segments, ns. The sum over all phases is End-Start.
func (f *Frame) PhaseTime(p Phase) int64 {
	var sum int64
	for i := range f.N {
		if k, a, b := f.Segment(i); k == p {
			sum += b - a
		}
	}
	return sum
}
