// SPDX-License-Identifier: Apache-2.0

package app

import (
	"math"
	"time"

	"particles/trace"
)

// summary gathers what the run came to. It works after an error too, with what is known.
func (r *run) summary() Summary {
	s := Summary{Scene: r.scene.Name, Model: r.scene.Model, Seed: r.scene.Seed, Image: r.image, Trace: r.trace, Phases: []PhaseMS{}, GPU: []PhaseMS{}}
	s.Lost = r.trouble.losses
	if !r.started.IsZero() {
		s.Wall = time.Since(r.started).Seconds()
	}
	s.Renderer = r.glInfo.Renderer
	if e := r.engine; e != nil && e.choice != nil {
		s.Driver, s.Device, s.Reason = e.choice.Driver, e.choice.Device, e.choice.Reason
		if e.choice.GL != nil {
			s.Interop = e.choice.GL.Tier().String()
		}
		if e.code != nil {
			s.HostISA = e.hostISA()
		}
		if m := e.model; m != nil {
			s.Count, s.Alive, s.Steps, s.SimTime = m.Count(), m.Alive(), m.Steps(), m.Time()
		}
	}
	if r.recording != nil {
		s.TraceNote = r.recording.Message()
		if dropped := r.recording.Dropped(); dropped > 0 && s.TraceNote == "" {
			s.TraceNote = droppedText(dropped)
		}
	}
	if r.rec == nil || r.rec.Frames() == 0 {
		return s
	}
	stats := r.rec.Summary()
	s.Frames, s.WarmUp = r.rec.Frames(), uint64(stats.Warmup)
	s.FrameMS = FrameMS{finite(stats.Median), finite(stats.P95), finite(stats.P99), finite(stats.P999), finite(stats.Max)}
	for p := range trace.Phase(trace.NumPhases) {
		s.Phases = append(s.Phases, PhaseMS{p.String(), finite(stats.PhaseMedian[p])})
	}
	for _, span := range stats.Spans {
		s.GPU = append(s.GPU, PhaseMS{span.Name, finite(span.Median)})
	}
	if n := r.allocs.perFrame(); n >= 0 {
		s.Allocs = &n
	}
	return s
}

// finite replaces what JSON cannot hold by 0.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
