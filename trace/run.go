// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Warmup is the start of a run that Summary leaves out: a frame belongs to it while either limit is not reached.
type Warmup struct {
	Frames int
	Time   time.Duration
}

// WarmupFor is the warm-up that suits a run's length: two seconds, or a tenth of what is asked for if that is less. A
// limit of 0 means that there is none. With frames given the warm-up is counted in frames, at most 120.
func WarmupFor(frames int, length time.Duration) Warmup {
	switch {
	case frames > 1:
		return Warmup{Frames: min(max(frames/10, 1), 120)}
	case frames == 1:
		return Warmup{}
	case length > 0:
		return Warmup{Time: min(2*time.Second, length/10)}
	}
	return Warmup{Time: 2 * time.Second}
}

// Summary is what a whole run came to.
type Summary struct {
	Stats
	Warmup int    // frames left out at the start
	Method string // "exact", or "histogram" (within 0.1 %) beyond ExactFrames frames
}

// ExactFrames is up to how many frames the percentiles of a whole run are exact.
const ExactFrames = 1 << 20

const (
	warmupKept = 1 << 13
	hdrMax     = int64(time.Hour) // longer frames count as this
)

// runStats gathers the whole run. All its memory is taken at the start, so that a frame allocates nothing.
type runStats struct {
	warmup    Warmup
	start     int64
	seen      uint64
	first     uint64 // number of the first frame after the warm-up
	warm      bool
	times     []uint32 // ns, after the warm-up
	early     []uint32 // ns, of the warm-up, used when nothing else came
	hdr       *hdrhistogram.Histogram
	n         int64
	sum       int64
	min, max  int64
	excluded  int
	phase     [NumPhases]int64
	kernel    int64
	draw      int64
	kernelN   int
	drawN     int
	earlyPart struct {
		sum   int64
		phase [NumPhases]int64
	}
}

func (s *runStats) init(w Warmup) {
	s.warmup = w
	s.times = make([]uint32, 0, ExactFrames)
	s.early = make([]uint32, 0, warmupKept)
	s.hdr = hdrhistogram.New(1000, hdrMax, 3)
	s.min = math.MaxInt64
}

func (s *runStats) add(f *Frame) {
	if s.seen == 0 {
		s.start = f.Start
	}
	s.seen++
	d := f.End() - f.Start
	if !s.warm && (s.seen <= uint64(s.warmup.Frames) || f.Start-s.start < int64(s.warmup.Time)) {
		if f.Info.Flags&Stalled == 0 && len(s.early) < cap(s.early) {
			s.early = append(s.early, saturate(d))
			s.earlyPart.sum += d
			addPhases(&s.earlyPart.phase, f)
		}
		return
	}
	if !s.warm {
		s.warm, s.first = true, f.Seq
	}
	if f.Info.Flags&Stalled != 0 {
		s.excluded++
		return
	}
	s.n++
	s.sum += d
	s.min, s.max = min(s.min, d), max(s.max, d)
	addPhases(&s.phase, f)
	if len(s.times) < cap(s.times) {
		s.times = append(s.times, saturate(d))
	}
	_ = s.hdr.RecordValue(min(max(d, 1000), hdrMax)) // cannot fail inside its range
}

func addPhases(sum *[NumPhases]int64, f *Frame) {
	from := f.Start
	for i := range f.N {
		sum[f.Kinds[i]] += f.Ends[i] - from
		from = f.Ends[i]
	}
}

func (s *runStats) addGPU(seq uint64, g *GPUTimes) {
	if !s.warm || seq < s.first {
		return
	}
	if ns, ok := g.Busy(Stream); ok {
		s.kernel += ns
		s.kernelN++
	}
	if ns, ok := g.Busy(GL); ok {
		s.draw += ns
		s.drawN++
	}
}

// Summary gives the figures of the run so far without its warm-up. A run that ended within the warm-up is given whole,
// with Warmup 0. It allocates.
func (r *Recorder) Summary() Summary {
	s := &r.run
	out := Summary{Method: "exact"}
	out.Kernel, out.Draw = mean(s.kernel, s.kernelN), mean(s.draw, s.drawN)
	out.KernelFrames, out.DrawFrames = s.kernelN, s.drawN
	phase := s.phase
	switch {
	case s.n == 0:
		fillStats(&out.Stats, append([]uint32(nil), s.early...), s.earlyPart.sum)
		phase = s.earlyPart.phase
	case s.n <= int64(len(s.times)):
		fillStats(&out.Stats, append([]uint32(nil), s.times...), s.sum)
		out.Warmup = int(s.seen) - int(s.n) - s.excluded
	default:
		out.Method = "histogram"
		out.Frames, out.Span = int(s.n), time.Duration(s.sum)
		out.Median, out.P95 = s.hdrMS(50), s.hdrMS(95)
		out.P99, out.P999 = s.hdrMS(99), s.hdrMS(99.9)
		out.Mean, out.FPS = mean(s.sum, int(s.n)), 1e9*float64(s.n)/float64(s.sum)
		out.Min, out.Max = float64(s.min)/1e6, float64(s.max)/1e6
		out.Warmup = int(s.seen) - int(s.n) - s.excluded
	}
	out.Excluded = s.excluded
	for p := range phase {
		out.Phase[p] = mean(phase[p], out.Frames)
	}
	return out
}

func (s *runStats) hdrMS(percentile float64) float64 {
	return float64(s.hdr.ValueAtPercentile(percentile)) / 1e6
}
