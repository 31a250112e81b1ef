// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"math"
	"time"
)

// Stats are figures of frame times. Percentiles are of frame time, definition R7 (see Quantile); all times are in
// milliseconds.
type Stats struct {
	Frames                       int           // frames the figures are of
	Span                         time.Duration // sum of their times
	Excluded                     int           // frames left out because they were stalled
	Mean, Median, P95, P99, P999 float64
	Min, Max                     float64
	FPS                          float64            // 1000 n / T, never a mean of single rates
	Phase                        [NumPhases]float64 // mean of each phase; they sum to Mean
	Kernel, Draw                 float64            // mean GPU times; NaN when none is known
	KernelFrames, DrawFrames     int                // frames that those means are of
}

// RefreshEvery is how often Recorder.Stats works its figures out anew.
const RefreshEvery = 250 * time.Millisecond

var statsPs = [...]float64{0.5, 0.95, 0.99, 0.999}

// liveStats caches the figures and holds the memory they are worked out in.
type liveStats struct {
	cached Stats
	window time.Duration
	at     int64
	valid  bool
	work   [HistorySize]int64
}

// Stats gives figures of the frames that ended within the last window, or of the newest HistorySize frames if that is
// less. They are exact, worked out at most once every RefreshEvery, and take tens of microseconds then.
func (r *Recorder) Stats(window time.Duration) Stats {
	l := &r.stats
	if l.valid && l.window == window && r.last-l.at < int64(RefreshEvery) {
		return l.cached
	}
	l.cached = r.statsSince(r.last - int64(window))
	l.window, l.at, l.valid = window, r.last, r.seq > 0
	return l.cached
}

func (r *Recorder) statsSince(since int64) Stats {
	var s Stats
	var sum, kernel, draw int64
	var phase [NumPhases]int64
	work := r.stats.work[:0]
	for i := range r.history.len() {
		f := r.history.at(i)
		if f.End <= since {
			break
		}
		if f.Flags&Stalled != 0 {
			s.Excluded++
			continue
		}
		d := f.End - f.Start
		work = append(work, d)
		sum += d
		for p, ns := range f.Phase {
			phase[p] += int64(ns)
		}
		if f.Kernel >= 0 {
			kernel += int64(f.Kernel)
			s.KernelFrames++
		}
		if f.Draw >= 0 {
			draw += int64(f.Draw)
			s.DrawFrames++
		}
	}
	fillStats(&s, work, sum)
	for p := range phase {
		s.Phase[p] = mean(phase[p], s.Frames)
	}
	s.Kernel, s.Draw = mean(kernel, s.KernelFrames), mean(draw, s.DrawFrames)
	return s
}

func mean(ns int64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return float64(ns) / float64(n) / 1e6
}

// fillStats sets what follows from the durations v (ns), which it reorders, and their sum.
func fillStats[T int64 | uint32](s *Stats, v []T, sum int64) {
	s.Frames = len(v)
	s.Span = time.Duration(sum)
	var q [len(statsPs)]float64
	quantiles(v, statsPs[:], q[:])
	s.Median, s.P95, s.P99, s.P999 = q[0]/1e6, q[1]/1e6, q[2]/1e6, q[3]/1e6
	s.Mean = mean(sum, len(v))
	s.Min, s.Max = math.NaN(), math.NaN()
	if len(v) > 0 {
		lo, hi := v[0], v[0]
		for _, d := range v {
			lo, hi = min(lo, d), max(hi, d)
		}
		s.Min, s.Max = float64(lo)/1e6, float64(hi)/1e6
	}
	if sum > 0 {
		s.FPS = 1e9 * float64(len(v)) / float64(sum)
	}
}
