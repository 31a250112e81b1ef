// SPDX-License-Identifier: Apache-2.0

package trace

import "math"

// HistorySize is how many of the newest frames the recorder keeps for plots and live statistics.
const HistorySize = 1 << 14

// Sample is a frame in short, for plots.
type Sample struct {
	Seq        uint64
	Start, End int64              // ns, recorder's clock
	Phase      [NumPhases]uint32  // ns; more than 4.29 s reads as that
	Kernel     int32              // ns the compute stream worked; Unknown when not (yet) known
	Draw       int32              // ns the GL queue worked; Unknown when not (yet) known
	GPU        [NumGPUParts]int32 // ns by part; all Unknown when not (yet) known
	Flags      Flags
}

// Unknown stands for a GPU time that is not there.
const Unknown = -1

// HasGPU reports whether the GPU's times have come in.
func (s *Sample) HasGPU() bool { return s.GPU[0] != Unknown }

// Milliseconds is the length of the frame.
func (s *Sample) Milliseconds() float64 { return float64(s.End-s.Start) / 1e6 }

// history is a ring of the newest frames. Render thread only.
type history struct {
	buf   []Sample
	total uint64
}

func (h *history) init() { h.buf = make([]Sample, HistorySize) }

func (h *history) len() int { return int(min(h.total, HistorySize)) }

// at gives the i-th newest, 0 being the newest.
func (h *history) at(i int) *Sample { return &h.buf[(h.total-1-uint64(i))%HistorySize] }

func (h *history) add(f *Frame) {
	s := &h.buf[h.total%HistorySize]
	h.total++
	*s = Sample{Seq: f.Seq, Start: f.Start, End: f.End(), Kernel: Unknown, Draw: Unknown, Flags: f.Info.Flags}
	for i := range s.GPU {
		s.GPU[i] = Unknown
	}
	from := f.Start
	for i := range f.N {
		k := f.Kinds[i]
		s.Phase[k] = saturate(int64(s.Phase[k]) + f.Ends[i] - from)
		from = f.Ends[i]
	}
}

func (h *history) setGPU(seq uint64, g *GPUTimes) {
	s := &h.buf[seq%HistorySize] // frames are numbered without holes, so seq is also the index
	if s.Seq != seq || seq >= h.total {
		return
	}
	if ns, ok := g.Busy(Stream); ok {
		s.Kernel = int32(min(ns, math.MaxInt32))
	}
	if ns, ok := g.Busy(GL); ok {
		s.Draw = int32(min(ns, math.MaxInt32))
	}
	if parts, ok := g.Split(); ok {
		for i, ns := range parts {
			s.GPU[i] = int32(min(ns, math.MaxInt32))
		}
	}
}

func saturate(ns int64) uint32 { return uint32(min(max(ns, 0), math.MaxUint32)) }

// Recent copies the newest frames into dst, oldest first, as many as dst holds, and returns the part it filled.
func (r *Recorder) Recent(dst []Sample) []Sample {
	n := min(len(dst), r.history.len())
	for i := range n {
		dst[n-1-i] = *r.history.at(i)
	}
	return dst[:n]
}
