// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"slices"

	"particles/render/look"
	"particles/sim"
	"particles/sim/param"
)

// The places of the parameters in [CameraGroup].
const (
	CameraYaw = iota
	CameraPitch
	CameraDistance
	CameraTarget
	CameraFOV
)

// CameraGroup describes where the picture is taken from at the start: an orbit around the target. Without a target in the scene the
// model's centre is looked at.
var CameraGroup = param.Group{
	Name: "camera", Title: "Camera", Doc: "Where the picture is taken from at the start: an orbit around a target.",
	Specs: []param.Spec{
		CameraYaw: {
			Name: "yaw", Label: "Yaw", Unit: "degrees", Default: 35, Min: -36000, Max: 36000,
			Doc: "Angle around the vertical.",
		},
		CameraPitch: {
			Name: "pitch", Label: "Pitch", Unit: "degrees", Default: 20, Min: -89, Max: 89,
			Doc: "Angle above the horizon.",
		},
		CameraDistance: {
			Name: "distance", Label: "Distance", Unit: "m", Max: 1e6, Auto: true,
			Doc: "From the target. 0: far enough to see the whole model.",
		},
		CameraTarget: {
			Name: "target", Label: "Target", Unit: "m", Kind: param.Vector, Parts: []string{"x", "y", "z"}, Min: -1e6, Max: 1e6,
			Doc: "The point looked at. Without it: the model's centre.",
		},
		CameraFOV: {
			Name: "fov", Label: "Field of view", Unit: "degrees", Default: 45, Min: 1, Max: 120,
			Doc: "Vertical angle of the picture.",
		},
	},
}

// The places of the parameters in [PacingGroup].
const (
	PacingVsync = iota
	PacingFrameCap
	PacingFramesInFlight
	PacingStreamPriority
)

// PacingGroup describes how frames are paced and queued. It belongs to the program's run: a scene that says nothing of it changes nothing.
var PacingGroup = param.Group{
	Name: "pacing", Title: "Pacing", Doc: "How frames are paced and queued.",
	Specs: []param.Spec{
		PacingVsync: {
			Name: "vsync", Label: "Vsync", Kind: param.Bool, Default: 1,
			Doc: "Wait for the monitor before showing a frame.",
		},
		PacingFrameCap: {
			Name: "frame_cap", Label: "Frame cap", Unit: "fps", Max: 1000, High: 240, Step: 5, Zero: "none",
			Doc: "Most frames a second; 0 for no cap.",
		},
		PacingFramesInFlight: {
			Name: "frames_in_flight", Label: "In flight", Kind: param.Int, Default: 2, Min: 1, Max: 3,
			Doc: "Frames that may be queued at once. More keep the GPU busy, fewer answer input sooner.",
		},
		PacingStreamPriority: {
			Name: "stream_priority", Label: "Priority", Kind: param.Int, Max: 8, Zero: "lowest",
			Doc: "How urgent the simulation's stream is, counted up from the lowest. At the lowest, drawing goes before it and stays smooth.",
		},
	},
}

// models lists the models' groups. Tests put their own in.
var models = func() []param.Group {
	var groups []param.Group
	for _, m := range sim.Models() {
		groups = append(groups, m.Group)
	}
	return groups
}

// shared are the sections that any scene may have beside its model's, in the order of a file.
var shared = []param.Group{sim.ClockGroup, CameraGroup, look.Group, PacingGroup}

// Groups lists all sections of scene files: the models', then those of every scene.
func Groups() []param.Group { return append(models(), shared...) }

// group finds a section by name.
func group(name string) (g *param.Group, isModel bool) {
	for i, g := range Groups() {
		if g.Name == name {
			return &g, i < len(models())
		}
	}
	return nil, false
}

func names(groups []param.Group) []string {
	list := make([]string, len(groups))
	for i := range groups {
		list[i] = groups[i].Name
	}
	return list
}

func modelNames() []string { return names(models()) }

// sections lists what this scene may hold: its model's section, then the shared ones.
func (s *Scene) sections() []*param.Group {
	var list []*param.Group
	if m, ok := group(s.Model); ok {
		list = append(list, m)
	}
	for i := range shared {
		list = append(list, &shared[i])
	}
	return list
}

// homeOf gives the section that has exactly this key, or "".
func (s *Scene) homeOf(key string) string {
	list := s.sections()
	slices.Reverse(list) // the model's keys last, as they are the most
	for _, g := range list {
		if g.Find(key) != nil {
			return g.Name
		}
	}
	return ""
}

// NewSet makes the live values of a group with what the scene says of it.
func (s *Scene) NewSet(g param.Group) (*param.Set, error) {
	set, err := param.NewSet(g)
	if err == nil {
		err = set.Take(s.Values)
	}
	return set, err
}

// didYouMean gives ": did you mean X?" or, when nothing is near, the choices.
func didYouMean(name string, choices []string) string {
	if near := param.Nearest(name, choices); near != "" {
		return ": did you mean \"" + near + "\"?"
	}
	return "; known are " + joinNames(choices)
}
