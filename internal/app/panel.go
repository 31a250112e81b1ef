// SPDX-License-Identifier: Apache-2.0

package app

import (
	"math"

	"particles/assets"
	"particles/internal/scene"
	"particles/render/ui"
	"particles/sim"
	"particles/sim/param"
	"particles/trace"
)

// panel keeps the plain data that the user interface shows, and fills it from the
// run's state each frame. It reads and never decides.
type panel struct {
	model  ui.Model
	ring   ui.Ring
	seen   uint64 // frames put into the ring
	recent []trace.Sample
}

// newPanel prepares what does not change during a run.
func newPanel() *panel {
	p := &panel{recent: make([]trace.Sample, 64)}
	for _, name := range scene.Builtin() {
		entry := ui.Scene{Name: name}
		if s, err := scene.Load(name); err == nil {
			entry.Title, entry.Model, entry.Doc = s.Title, s.Model, s.Description
		}
		p.model.Scenes = append(p.model.Scenes, entry)
	}
	for _, name := range assets.ColorMaps() {
		entry := ui.ColorMap{Name: name}
		if colors, err := assets.ColorMap(name); err == nil {
			entry.Colors = &colors
		}
		p.model.Look.ColorMaps = append(p.model.Look.ColorMaps, entry)
	}
	p.model.Samples = &p.ring
	return p
}

// setScene notes which scene is shown.
func (p *panel) setScene(s *scene.Scene) {
	p.model.Title, p.model.Doc, p.model.Scene = s.Title, s.Description, -1
	if p.model.Title == "" {
		p.model.Title = s.Name
	}
	for i, entry := range p.model.Scenes {
		if entry.Name == s.Name {
			p.model.Scene = i
		}
	}
}

// setModel takes over the model's parameters.
func (p *panel) setModel(m sim.Model) {
	p.model.Params = p.model.Params[:0]
	for _, spec := range m.Params().Specs() {
		p.model.Params = append(p.model.Params, ui.Param{
			Key: spec.Name, Label: spec.Label, Unit: spec.Unit, Doc: spec.Doc, Kind: paramKind(spec.Kind),
			Min: spec.Min, Max: spec.Max, Default: spec.Default, Step: spec.Step, Log: spec.Log,
			Expert: spec.Expert, NeedsReset: spec.NeedsReset, Choices: spec.Choices,
		})
	}
	p.model.Look.ScalarName, p.model.Look.ScalarUnit = m.ScalarName()
}

func paramKind(k param.Kind) ui.Kind {
	switch k {
	case param.Int:
		return ui.Int
	case param.Bool:
		return ui.Bool
	case param.Enum:
		return ui.Enum
	default:
		return ui.Float
	}
}

// setValues refreshes the parameters' values.
func (p *panel) setValues(set *param.Set) {
	for i := range p.model.Params {
		p.model.Params[i].Value = set.At(i)
	}
}

// addSamples moves the recorder's newest frames into the plot's ring, and fills in
// the GPU times that have come since.
func (p *panel) addSamples(rec *trace.Recorder) {
	for _, s := range rec.Recent(p.recent) {
		gpu := [ui.NumGPU]float32{-1, -1, -1, -1}
		known := false
		if s.Kernel != trace.Unknown {
			gpu[ui.GPUKernel], known = float32(s.Kernel)*1e-6, true
		}
		if s.Draw != trace.Unknown {
			gpu[ui.GPUDraw], known = float32(s.Draw)*1e-6, true
		}
		if s.Seq >= p.seen {
			sample := ui.Sample{Seq: s.Seq, GPU: gpu, HasGPU: known}
			for phase, ns := range s.Phase {
				sample.Phase[phase] = float32(ns) * 1e-6
			}
			p.ring.Push(sample)
			p.seen = s.Seq + 1
		} else if known {
			p.ring.SetGPU(s.Seq, gpu)
		}
	}
}

// setStats shows the live figures of the last seconds.
func (p *panel) setStats(s trace.Stats, allocs float64) {
	p.model.Stats = ui.Stats{
		Frames: s.Frames, Median: finite(s.Median), P95: finite(s.P95), P99: finite(s.P99), P999: finite(s.P999),
		Max: finite(s.Max), FPS: finite(s.FPS), AllocsPerFrame: allocs,
	}
}

// setRecord shows the state of a recording, which may be nil.
func (p *panel) setRecord(r *trace.Recording) {
	if r == nil {
		p.model.Record = ui.Record{}
		return
	}
	state := ui.Record{On: r.Active(), Elapsed: r.Elapsed().Seconds(), Bytes: r.Bytes(), Dropped: uint64(r.Dropped()), Path: r.Path()}
	state.Show = !state.On
	state.Err = r.Message()
	p.model.Record = state
}

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
