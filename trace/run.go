// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"math"
	"slices"
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
	PhaseMedian [NumPhases]float64 // ms, within 0.1 %
	Spans       []SpanStats        // GPU work by name, in the order in which the names were made
	Warmup      int                // frames left out at the start
	Method      string             // of the frame's percentiles: "exact", or "histogram" (within 0.1 %) beyond ExactFrames
}

// SpanStats are figures of one kind of GPU work over a whole run.
type SpanStats struct {
	Name   string
	Track  Track
	Frames int     // frames that had it
	Median float64 // ms a frame, within 0.1 %
}

// ExactFrames is up to how many frames the percentiles of a whole run are exact.
const ExactFrames = 1 << 20

const (
	warmupKept = 1 << 13
	hdrMax     = int64(time.Minute) // longer counts as this in a histogram
	maxNames   = 32                 // span names that get figures over the run
)

// runStats gathers the whole run. All its memory is taken before the first frame, so that a frame allocates nothing.
type runStats struct {
	warmup   Warmup
	start    int64
	seen     uint64
	first    uint64 // number of the first frame after the warm-up
	warm     bool
	times    []uint32 // ns, after the warm-up
	early    []uint32 // ns, of the warm-up, used when nothing else came
	earlySum int64
	n        int64
	sum      int64
	min, max int64
	excluded int

	frame   *hdrhistogram.Histogram
	phases  [NumPhases]*hdrhistogram.Histogram
	phase   [NumPhases]int64
	spans   [maxNames]*hdrhistogram.Histogram
	tracks  [maxNames]Track
	kernel  int64
	draw    int64
	kernelN int
	drawN   int
}

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, hdrMax, 3) }

func record(h *hdrhistogram.Histogram, ns int64) {
	_ = h.RecordValue(min(max(ns, 0), hdrMax)) // cannot fail inside its range
}

func histogramMS(h *hdrhistogram.Histogram, percentile float64) float64 {
	if h.TotalCount() == 0 {
		return math.NaN()
	}
	return float64(h.ValueAtPercentile(percentile)) / 1e6
}

func (s *runStats) init(w Warmup) {
	s.warmup = w
	s.times = make([]uint32, 0, ExactFrames)
	s.early = make([]uint32, 0, warmupKept)
	s.frame = newHistogram()
	for p := range s.phases {
		s.phases[p] = newHistogram()
	}
	for n := range numSpanNames {
		s.addName(n)
	}
	s.min = math.MaxInt64
}

// addName makes room for a span name.
func (s *runStats) addName(n Name) {
	if int(n) < len(s.spans) {
		s.spans[n] = newHistogram()
	}
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
			s.earlySum += d
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
	if len(s.times) < cap(s.times) {
		s.times = append(s.times, saturate(d))
	}
	record(s.frame, d)
	var phase [NumPhases]int64
	from := f.Start
	for i := range f.N {
		phase[f.Kinds[i]] += f.Ends[i] - from
		from = f.Ends[i]
	}
	for p, ns := range phase {
		s.phase[p] += ns
		record(s.phases[p], ns)
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
	for i := range g.N {
		sum, again := int64(0), false
		for j := range g.N { // a name may come more than once in a frame: it counts once, with its sum
			if g.Spans[j].Name == g.Spans[i].Name {
				again = again || j < i
				sum += g.Spans[j].End - g.Spans[j].Start
			}
		}
		if n := g.Spans[i].Name; !again && int(n) < maxNames && s.spans[n] != nil {
			s.tracks[n] = g.Spans[i].Track
			record(s.spans[n], sum)
		}
	}
}

// Summary gives the figures of the run so far without its warm-up. A run that ended within the warm-up is given whole,
// with Warmup 0 and without GPU times by name. It allocates.
func (r *Recorder) Summary() Summary {
	s := &r.run
	if s.n == 0 {
		return r.earlySummary()
	}
	out := Summary{Method: "exact", Warmup: int(s.seen) - int(s.n) - s.excluded}
	if s.n <= int64(len(s.times)) {
		fillStats(&out.Stats, append([]uint32(nil), s.times...), s.sum)
	} else {
		out.Method = "histogram"
		out.Frames, out.Span = int(s.n), time.Duration(s.sum)
		out.Median, out.P95 = histogramMS(s.frame, 50), histogramMS(s.frame, 95)
		out.P99, out.P999 = histogramMS(s.frame, 99), histogramMS(s.frame, 99.9)
		out.Mean, out.FPS = mean(s.sum, int(s.n)), 1e9*float64(s.n)/float64(s.sum)
	}
	out.Min, out.Max = float64(s.min)/1e6, float64(s.max)/1e6
	out.Excluded = s.excluded
	out.Kernel, out.Draw = mean(s.kernel, s.kernelN), mean(s.draw, s.drawN)
	out.KernelFrames, out.DrawFrames = s.kernelN, s.drawN
	for p := range s.phase {
		out.Phase[p] = mean(s.phase[p], out.Frames)
		out.PhaseMedian[p] = histogramMS(s.phases[p], 50)
	}
	for n, h := range s.spans {
		if h != nil && h.TotalCount() > 0 {
			out.Spans = append(out.Spans, SpanStats{r.names[n], s.tracks[n], int(h.TotalCount()), histogramMS(h, 50)})
		}
	}
	return out
}

// earlySummary is the summary of a run that is all warm-up.
func (r *Recorder) earlySummary() Summary {
	s := &r.run
	out := Summary{Method: "exact"}
	out.Stats = r.statsSince(math.MinInt64)
	fillStats(&out.Stats, append([]uint32(nil), s.early...), s.earlySum)
	for p := range out.PhaseMedian {
		var ns []float64
		for i := range r.history.len() {
			if f := r.history.at(i); f.Flags&Stalled == 0 {
				ns = append(ns, float64(f.Phase[p])/1e6)
			}
		}
		slices.Sort(ns)
		out.PhaseMedian[p] = Quantile(ns, 0.5)
	}
	return out
}
