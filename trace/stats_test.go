// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Worked by hand with h = p(n-1): Hyndman and Fan (1996), definition 7; R: quantile(c(1,2,3,4,10), c(.5,.95,.99,.999)).
func TestQuantileIsDefinitionR7(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		p, w float64
	}{
		{[]float64{1, 2, 3, 4, 10}, 0.5, 3},
		{[]float64{1, 2, 3, 4, 10}, 0.95, 8.8},    // h 3.8: 4 + 0.8*6
		{[]float64{1, 2, 3, 4, 10}, 0.99, 9.76},   // h 3.96
		{[]float64{1, 2, 3, 4, 10}, 0.999, 9.976}, // h 3.996
		{[]float64{1, 2, 3, 4}, 0.5, 2.5},
		{[]float64{7}, 0.999, 7},
		{[]float64{1, 2}, 0, 1},
		{[]float64{1, 2}, 1, 2},
		{[]float64{1, 2}, 2, 2}, // a p beyond 1 is 1
	} {
		if got := Quantile(c.v, c.p); math.Abs(got-c.w) > 1e-12 {
			t.Errorf("Quantile(%v, %g) = %g, want %g", c.v, c.p, got, c.w)
		}
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("the median of nothing is a number")
	}
}

func TestSelectionEqualsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{1, 5, 1 << 40}).Draw(t, "most") // many equal values, and few
		v := rapid.SliceOfN(rapid.Int64Range(0, most), 1, 400).Draw(t, "v")
		switch rapid.IntRange(0, 2).Draw(t, "order") {
		case 1:
			slices.Sort(v)
		case 2:
			slices.Sort(v)
			slices.Reverse(v)
		}
		sorted := make([]float64, len(v))
		for i, x := range v {
			sorted[i] = float64(x)
		}
		slices.Sort(sorted)
		var got [len(statsPs)]float64
		quantiles(v, statsPs[:], got[:])
		for i, p := range statsPs {
			want := Quantile(sorted, p)
			if math.Abs(got[i]-want) > 1e-9*math.Max(1, want) {
				t.Fatalf("p %g: %g, want %g", p, got[i], want)
			}
		}
	})
}

func TestSelectionSurvivesBadPivots(t *testing.T) {
	v := make([]int64, 1<<14) // organ pipe: the median of three is bad for long
	for i := range v {
		v[i] = int64(min(i, len(v)-i))
	}
	nth(v, len(v)-2)
	if v[len(v)-2] != 1<<13-1 && v[len(v)-2] != 1<<13 {
		t.Errorf("second largest is %d", v[len(v)-2])
	}
}

// clockRecorder is a recorder with a clock of the test.
func clockRecorder(o Options) (*Recorder, *atomic.Int64) {
	now := new(atomic.Int64)
	o.Clock = now.Load
	return New(o), now
}

func TestLiveStatisticsAreOfTheWindow(t *testing.T) {
	rec, now := clockRecorder(Options{})
	ms := func(v float64) func(int, Phase) int64 {
		return func(_ int, p Phase) int64 {
			if p == Swap {
				return int64(v * 1e6)
			}
			return 0
		}
	}
	feed(rec, 1000, now, ms(100)) // 100 s ago by the end: outside
	feed(rec, 99, now, ms(10))
	feed(rec, 1, now, ms(30))
	s := rec.Stats(1020 * time.Millisecond)
	// 99 of 10 and 1 of 30: h = 0.99*99 = 98.01, so p99 = 10 + 0.01*20; p99.9: h = 98.901.
	if s.Frames != 100 || s.Median != 10 || math.Abs(s.P99-10.2) > 1e-9 || math.Abs(s.P999-28.02) > 1e-9 || s.Max != 30 || s.Min != 10 {
		t.Errorf("%+v", s)
	}
	if want := 1000 * 100 / 1020.0; math.Abs(s.FPS-want) > 1e-9 {
		t.Errorf("%g frames a second, want %g", s.FPS, want)
	}
	if math.Abs(s.Phase[Swap]-10.2) > 1e-9 || s.Phase[Draw] != 0 || math.Abs(s.Mean-10.2) > 1e-9 {
		t.Errorf("phases %v, mean %g", s.Phase, s.Mean)
	}
	if !math.IsNaN(s.Kernel) || s.KernelFrames != 0 {
		t.Errorf("kernel time %g of %d frames, and none is known", s.Kernel, s.KernelFrames)
	}
}

func TestStatsAreRefreshedAFewTimesASecond(t *testing.T) {
	rec, now := clockRecorder(Options{})
	if s := rec.Stats(time.Second); s.Frames != 0 || !math.IsNaN(s.Median) {
		t.Errorf("before the first frame: %+v", s)
	}
	feed(rec, 10, now, func(int, Phase) int64 { return 1e6 })
	if s := rec.Stats(time.Second); s.Frames != 10 {
		t.Errorf("%d frames", s.Frames)
	}
	feed(rec, 1, now, func(int, Phase) int64 { return 1e6 })
	if s := rec.Stats(time.Second); s.Frames != 10 {
		t.Errorf("worked out anew after 8 ms: %d frames", s.Frames)
	}
	if s := rec.Stats(2 * time.Second); s.Frames != 11 {
		t.Errorf("another window gave the old figures: %d frames", s.Frames)
	}
	feed(rec, 40, now, func(int, Phase) int64 { return 1e6 })
	if s := rec.Stats(2 * time.Second); s.Frames != 51 {
		t.Errorf("still old after 320 ms: %d frames", s.Frames)
	}
}

func TestStalledFramesAreInNoStatistic(t *testing.T) {
	rec, now := clockRecorder(Options{})
	feed(rec, 10, now, func(i int, p Phase) int64 {
		if i == 5 && p == Poll {
			return int64(50 * time.Second)
		}
		return 1e6
	})
	live, run := rec.Stats(time.Minute), rec.Summary()
	if live.Frames != 9 || live.Excluded != 1 || live.Max > 10 {
		t.Errorf("live: %+v", live)
	}
	if run.Frames != 9 || run.Excluded != 1 || run.Max > 10 {
		t.Errorf("run: %+v", run)
	}
	slow, now := clockRecorder(Options{})
	feed(slow, 3, now, func(_ int, p Phase) int64 {
		if p == Draw {
			return int64(5 * time.Second)
		}
		return 1e6
	})
	if s := slow.Summary(); s.Frames != 3 || s.Max < 5000 {
		t.Errorf("our own slow work was left out: %+v", s)
	}
}

func TestWarmupIsLeftOutAndCounted(t *testing.T) {
	for _, c := range []struct {
		w       Warmup
		dropped int
	}{
		{Warmup{}, 0},
		{Warmup{Frames: 7}, 7},
		{Warmup{Time: 100 * time.Millisecond}, 5}, // frames of 20 ms that begin before 100 ms
		{Warmup{Frames: 2, Time: 100 * time.Millisecond}, 5},
	} {
		rec, now := clockRecorder(Options{Warmup: c.w})
		feed(rec, 50, now, func(i int, p Phase) int64 {
			if p == Swap {
				return 20e6
			}
			return 0
		})
		if s := rec.Summary(); s.Warmup != c.dropped || s.Frames != 50-c.dropped || s.Median != 20 || s.Method != "exact" {
			t.Errorf("%+v: %+v", c.w, s)
		}
	}
	rec, now := clockRecorder(Options{Warmup: Warmup{Time: time.Hour}})
	feed(rec, 3, now, func(int, Phase) int64 { return 1e6 })
	if s := rec.Summary(); s.Frames != 3 || s.Warmup != 0 || s.Median != 8 || s.PhaseMedian[Draw] != 1 {
		t.Errorf("a run that is all warm-up: %+v", s)
	}
}

func TestWarmupSuitsTheLengthOfTheRun(t *testing.T) {
	for _, c := range []struct {
		frames int
		length time.Duration
		want   Warmup
	}{
		{0, 0, Warmup{Time: 2 * time.Second}},
		{1, 0, Warmup{}},
		{2, 0, Warmup{Frames: 1}},
		{300, time.Minute, Warmup{Frames: 30}},
		{1e6, 0, Warmup{Frames: 120}},
		{0, 10 * time.Second, Warmup{Time: time.Second}},
		{0, time.Hour, Warmup{Time: 2 * time.Second}},
	} {
		if got := WarmupFor(c.frames, c.length); got != c.want {
			t.Errorf("%d frames, %v: %+v, want %+v", c.frames, c.length, got, c.want)
		}
	}
}

func TestSummaryHasMediansByPhaseAndSpan(t *testing.T) {
	rec, now := clockRecorder(Options{})
	own := rec.Name("blur")
	for i := range 101 {
		feed(rec, 1, now, func(_ int, p Phase) int64 { return int64(p+1) * 100_000 })
		var g GPUTimes
		d := int64(1e6) * int64(i+1)
		g.Add(Span{Start: now.Load(), End: now.Load() + d, Name: SpanStep})
		g.Add(Span{Start: now.Load() + d, End: now.Load() + 2*d, Name: SpanStep}) // the same name twice counts once, with the sum
		g.Add(Span{Start: now.Load(), End: now.Load() + 500, Name: own, Track: GL})
		rec.SetGPU(uint64(i), &g)
	}
	s := rec.Summary()
	for p := range Phase(NumPhases) {
		if want := 0.1 * float64(p+1); math.Abs(s.PhaseMedian[p]-want) > want/1000 || math.Abs(s.Phase[p]-want) > 1e-9 {
			t.Errorf("%v: median %g, mean %g, want %g", p, s.PhaseMedian[p], s.Phase[p], want)
		}
	}
	if len(s.Spans) != 2 || s.Spans[0].Name != "step" || math.Abs(s.Spans[0].Median-102) > 0.11 || s.Spans[0].Frames != 101 || s.Spans[1].Name != "blur" || s.Spans[1].Track != GL {
		t.Errorf("spans %+v", s.Spans)
	}
}

func TestBeyondExactFramesTheSummaryIsWithinAThousandth(t *testing.T) {
	if testing.Short() {
		t.Skip("a million frames: left out by -short")
	}
	rec, now := clockRecorder(Options{})
	rng := rand.New(rand.NewPCG(5, 6))
	var all []float64
	for range ExactFrames + 10 {
		d := 2_000_000 + rng.Int64N(3_000_000)
		all = append(all, float64(d)/1e6)
		rec.Begin()
		now.Add(d)
		rec.Mark(Swap)
		rec.End(FrameInfo{})
	}
	slices.Sort(all)
	s := rec.Summary()
	if s.Method != "histogram" || s.Frames != len(all) {
		t.Fatalf("method %s, %d frames", s.Method, s.Frames)
	}
	for _, c := range []struct{ got, p float64 }{{s.Median, 0.5}, {s.P95, 0.95}, {s.P99, 0.99}, {s.P999, 0.999}} {
		if want := Quantile(all, c.p); math.Abs(c.got-want) > want/1000 {
			t.Errorf("p %g: %g, want %g", c.p, c.got, want)
		}
	}
}
