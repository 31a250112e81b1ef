// SPDX-License-Identifier: Apache-2.0

package app

import (
	"particles/assets"
	"particles/internal/scene"
	"particles/render/ui"
	"particles/trace"
)

// panel keeps the plain data that the user interface shows, and fills it from the
// run's state each frame. It reads and never decides.
type panel struct {
	model  ui.Model
	recent [ui.PlotFrames]trace.Sample
}

// newPanel prepares what does not change during a run.
func newPanel() *panel {
	p := &panel{}
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
		p.model.ColorMaps = append(p.model.ColorMaps, entry)
	}
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
