// SPDX-License-Identifier: Apache-2.0

package app

import (
	"math"
	"testing"

	"particles/internal/scene"
	"particles/internal/testenv"
	"particles/render/ui"
	"particles/sim/param"
)

// onEachDriver runs a test on the host driver and, where there is a GPU, on CUDA in both tiers.
func onEachDriver(t *testing.T, test func(t *testing.T, change func(*Options))) {
	t.Run("host", func(t *testing.T) { test(t, nil) })
	for _, tier := range []string{"auto", "copied"} {
		t.Run("cuda "+tier, func(t *testing.T) {
			testenv.CUDA(t)
			test(t, onCUDA(tier))
		})
	}
}

// TestSettingsChangeWhileRunning turns every knob of stream, slots and count between frames. What is not given back
// fails the test when the run closes, and an OpenGL error fails the frame that made it.
func TestSettingsChangeWhileRunning(t *testing.T) {
	onEachDriver(t, func(t *testing.T, change func(*Options)) {
		r := openRun(t, "fountain", change)
		least, most := r.engine.choice.Context.PriorityRange()
		for _, frames := range []float64{1, 3, 2} {
			r.set(t, r.pacing, scene.PacingFramesInFlight, frames)
			if got := r.engine.slots.Len(); got != int(frames) {
				t.Errorf("%d slots for %g frames in flight", got, frames)
			}
			r.drawFrames(t, 5)
			for _, up := range []int{least - most, 0} {
				r.set(t, r.pacing, scene.PacingStreamPriority, float64(up))
				if got := r.engine.stream.Priority(); got != least-up {
					t.Errorf("priority %d, want %d", got, least-up)
				}
				r.drawFrames(t, 3)
			}
		}
		for _, count := range []int{9000, 100, 1, 257, 4000} {
			steps := r.engine.model.Steps()
			r.changeCount(count)
			if got := r.engine.model.Count(); got != count {
				t.Errorf("%d particles after asking for %d", got, count)
			}
			r.drawFrames(t, 3)
			if r.engine.model.Steps() != steps+3 {
				t.Errorf("changing the count started the model again: step %d after %d", r.engine.model.Steps(), steps)
			}
		}
		r.reset(99)
		if r.engine.model.Steps() != 0 || r.engine.model.Seed() != 99 {
			t.Errorf("after the reset: step %d, seed %d", r.engine.model.Steps(), r.engine.model.Seed())
		}
		r.drawFrames(t, 3)
		for _, name := range scene.Builtin() {
			s, err := scene.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			s.Count = 3000
			if err := r.setScene(s); err != nil {
				t.Fatal(err)
			}
			r.drawFrames(t, 3)
		}
	})
}

// set does what the panel does with a value.
func (r *run) set(t *testing.T, set *param.Set, i int, v float64) {
	t.Helper()
	if err := r.change(ui.ParamChange{Set: set, Index: i, Value: v}); err != nil {
		t.Fatal(err)
	}
	if got := set.At(i); got != v {
		t.Errorf("%s is %g after %g was asked for", set.FullName(i), got, v)
	}
}

// TestGPUTimesComeForEveryFrame: each span of the stream is known for (nearly) all frames, and the phases sum to the frame.
func TestGPUTimesComeForEveryFrame(t *testing.T) {
	onEachDriver(t, func(t *testing.T, change func(*Options)) {
		r := openRun(t, "ribbons", func(o *Options) {
			if change != nil {
				change(o)
			}
			o.Frames = 100 // a tenth of it is the warm-up, of which nothing is told
		})
		r.drawFrames(t, 100)
		s := r.rec.Summary()
		if len(s.Spans) < 4 {
			t.Fatalf("spans %+v, want the four of the stream at least", s.Spans)
		}
		for _, span := range s.Spans {
			if span.Frames < s.Frames-timingDepth-2 {
				t.Errorf("%s is known for %d of %d frames", span.Name, span.Frames, s.Frames)
			}
			if span.Median < 0 || math.IsNaN(span.Median) {
				t.Errorf("%s took %g ms", span.Name, span.Median)
			}
		}
		sum := 0.0
		for _, ms := range s.Phase {
			sum += ms
		}
		if math.Abs(sum-s.Mean) > 1e-6 {
			t.Errorf("the phases sum to %g ms, the frame to %g", sum, s.Mean)
		}
	})
}
