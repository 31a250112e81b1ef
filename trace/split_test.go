// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"testing"

	"pgregory.net/rapid"
)

func TestGPUPartsAreWhatTheirLabelsSay(t *testing.T) {
	var g GPUTimes
	for _, s := range []Span{
		{Name: SpanStep, Track: Stream, Start: 100, End: 200},
		{Name: SpanMap, Track: Stream, Start: 200, End: 230},
		{Name: SpanPublish, Track: Stream, Start: 230, End: 250},
		{Name: SpanUnmap, Track: Stream, Start: 250, End: 260},
		{Name: SpanGLWait, Track: GL, Start: 150, End: 300},
		{Name: SpanDraw, Track: GL, Start: 300, End: 700},
		{Name: SpanResolve, Track: GL, Start: 700, End: 720},
		{Name: SpanImGui, Track: GL, Start: 720, End: 760},
	} {
		if !g.Add(s) {
			t.Fatal("no room")
		}
	}
	got, ok := g.Split()
	want := [NumGPUParts]int64{GPUStep: 100, GPUPublish: 20, GPUWait: 80, GPUDraw: 400, GPUResolve: 20, GPUPanel: 40}
	if !ok || got != want {
		t.Errorf("%v, %v; want %v", got, ok, want)
	}
	if _, ok := (&GPUTimes{}).Split(); ok {
		t.Error("no spans have parts")
	}
}

func TestGPUPartsSumToTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g GPUTimes
		lo, hi := int64(1<<62), int64(-1<<62)
		for range rapid.IntRange(1, MaxSpans).Draw(t, "n") {
			s := Span{
				Start: rapid.Int64Range(0, 1000).Draw(t, "start"), Name: Name(rapid.IntRange(0, int(numSpanNames)).Draw(t, "name")),
				Track: Track(rapid.IntRange(0, 1).Draw(t, "track")),
			}
			s.End = s.Start + rapid.Int64Range(0, 500).Draw(t, "length")
			g.Add(s)
			lo, hi = min(lo, s.Start), max(hi, s.End)
		}
		parts, _ := g.Split()
		sum := int64(0)
		for _, ns := range parts {
			if ns < 0 {
				t.Fatalf("negative: %v", parts)
			}
			sum += ns
		}
		if sum != hi-lo {
			t.Fatalf("the parts %v sum to %d, the frame is %d", parts, sum, hi-lo)
		}
	})
}
