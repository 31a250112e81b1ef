// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"io"
	"testing"
	"time"
)

func TestFramesAreStartToStart(t *testing.T) {
	rec, now := clockRecorder(Options{})
	for i := range 5 {
		now.Add(1000) // between End and Begin: belongs to the next frame's first segment
		if seq := rec.Begin(); seq != uint64(i) {
			t.Errorf("frame %d has number %d", i, seq)
		}
		now.Add(10)
		rec.Mark(Poll)
		now.Add(20)
		rec.Mark(Swap)
		now.Add(500) // after the last mark: the next frame's too
		rec.End(FrameInfo{})
	}
	s := rec.Recent(make([]Sample, 10))
	if len(s) != 5 {
		t.Fatalf("%d samples", len(s))
	}
	for i := range s {
		if i > 0 && s[i].Start != s[i-1].End {
			t.Errorf("frame %d starts at %d, the one before ended at %d", i, s[i].Start, s[i-1].End)
		}
		if i > 0 && (s[i].Phase[Poll] != 1510 || s[i].Phase[Swap] != 20) {
			t.Errorf("frame %d: %v", i, s[i].Phase)
		}
	}
}

func TestPhasesMayRecurAndStillSum(t *testing.T) {
	rec, now := clockRecorder(Options{})
	marks := []Phase{Poll, Launch, Launch, Map, Launch, Unmap, Draw, UI, Draw, UI, Draw, UI, Draw, UI, Draw, UI, Draw, UI, Draw, ImGui, Swap}
	rec.Begin()
	for i, p := range marks {
		now.Add(int64(i + 1))
		rec.Mark(p)
	}
	rec.End(FrameInfo{})
	s := rec.Recent(make([]Sample, 1))[0]
	sum := int64(0)
	for _, ns := range s.Phase {
		sum += int64(ns)
	}
	if want := int64(len(marks) * (len(marks) + 1) / 2); sum != want || s.End-s.Start != want {
		t.Errorf("phases sum to %d, the frame is %d, want %d", sum, s.End-s.Start, want)
	}
	if s.Phase[Launch] != 2+3+5 {
		t.Errorf("launch %d", s.Phase[Launch])
	}
	if s.Flags&Overflowed == 0 {
		t.Error("more marks than segments were not flagged")
	}
}

func TestAClockThatGoesBackGivesNoNegativeTimes(t *testing.T) {
	rec, now := clockRecorder(Options{})
	for i := range 10 {
		rec.Begin()
		for p := range Phase(NumPhases) {
			now.Add(100)
			if i == 5 && p == Draw {
				now.Add(-int64(time.Hour))
			}
			if i == 7 && p == Draw {
				now.Add(int64(time.Hour))
			}
			rec.Mark(p)
		}
		rec.End(FrameInfo{})
	}
	last := int64(0)
	for _, s := range rec.Recent(make([]Sample, 10)) {
		if s.End < s.Start || s.Start < last {
			t.Errorf("frame %d: %d to %d after %d", s.Seq, s.Start, s.End, last)
		}
		last = s.End
	}
}

func TestGPUTimesJoinTheirFrame(t *testing.T) {
	rec, now := clockRecorder(Options{})
	feed(rec, HistorySize+10, now, func(int, Phase) int64 { return 100 })
	var g GPUTimes
	g.Add(Span{Start: 0, End: 100, Name: SpanStep})
	g.Add(Span{Start: 50, End: 300, Name: SpanPublish}) // overlaps: the union is 300
	g.Add(Span{Start: 300, End: 900, Name: SpanMap})    // a wait
	g.Add(Span{Start: 10, End: 20, Name: SpanDraw, Track: GL})
	newest := rec.Frames() - 1
	rec.SetGPU(newest-3, &g)
	rec.SetGPU(2, &g)         // no longer in the history: its place belongs to another frame
	rec.SetGPU(newest+1, &g)  // not there yet
	rec.SetGPU(newest-1, nil) // nothing
	rec.SetGPU(newest-1, &GPUTimes{})
	for i, s := range rec.Recent(make([]Sample, HistorySize)) {
		known := s.Seq == newest-3
		if known != (s.Kernel == 300 && s.Draw == 10) || !known && (s.Kernel != Unknown || s.Draw != Unknown) {
			t.Fatalf("sample %d, frame %d: kernel %d, draw %d", i, s.Seq, s.Kernel, s.Draw)
		}
	}
	if s := rec.Stats(time.Hour); s.KernelFrames != 1 || s.Kernel != 300e-6 {
		t.Errorf("mean kernel time %g ms of %d frames", s.Kernel, s.KernelFrames)
	}
}

func TestSpansThatCannotBeAreRefused(t *testing.T) {
	var g GPUTimes
	if g.Add(Span{Start: 10, End: 9}) || g.Add(Span{Track: NumTracks}) {
		t.Error("a span that ends before it starts, or on no track, was taken")
	}
	for range MaxSpans {
		g.Add(Span{})
	}
	if g.Add(Span{}) {
		t.Error("one span too many was taken")
	}
}

func TestMisuseIsHarmless(t *testing.T) {
	rec, now := clockRecorder(Options{})
	rec.Mark(Draw)
	rec.End(FrameInfo{})
	rec.Begin()
	now.Add(5)
	rec.Begin() // ends the first
	now.Add(7)
	rec.End(FrameInfo{}) // without a mark
	s := rec.Recent(make([]Sample, 9))
	if len(s) != 2 || s[0].End-s[0].Start != 5 || s[1].Phase[Poll] != 7 {
		t.Errorf("%+v", s)
	}
}

func TestAFrameAllocatesNothing(t *testing.T) {
	rec := New(Options{Warmup: Warmup{Frames: 3}})
	recording, err := Start(rec, discard{}, Header{}, StartOptions{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	recent := make([]Sample, 512)
	var g GPUTimes
	g.Add(Span{Start: 1, End: 2, Name: SpanStep})
	frame := func() {
		seq := rec.Begin()
		for p := range Phase(NumPhases) {
			rec.Mark(p)
		}
		rec.End(FrameInfo{Steps: 1, Count: 1})
		if seq > 2 {
			rec.SetGPU(seq-2, &g)
		}
		_ = rec.Stats(time.Duration(seq)) // another window each time: always worked out anew
		rec.Recent(recent)
	}
	frame()
	time.Sleep(2 * FlushEvery) // the writer's first rounds take what they need
	if n := testing.AllocsPerRun(2000, frame); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
	if err := recording.Stop(); err != nil {
		t.Fatal(err)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return io.Discard.Write(p) }
func (discard) Close() error                { return nil }

func BenchmarkFrameOfNineBoundaries(b *testing.B) {
	rec := New(Options{})
	recording, err := Start(rec, discard{}, Header{}, StartOptions{Limit: -1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rec.Begin()
		for p := range Phase(NumPhases) {
			rec.Mark(p)
		}
		rec.End(FrameInfo{Steps: 1, Count: 1})
	}
	if err := recording.Stop(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkStatsOfAFullWindow(b *testing.B) {
	rec, now := clockRecorder(Options{})
	feed(rec, HistorySize, now, func(i int, p Phase) int64 { return int64(i*7919%1000) * 10 })
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		rec.Stats(time.Hour + time.Duration(i))
	}
}
