// SPDX-License-Identifier: Apache-2.0

package sim

import "particles/sim/param"

// The places of the parameters in flowInfo.Specs.
const (
	flowFrequency = iota
	flowOctaves
	flowGain
	flowLacunarity
	flowAmplitude
	flowTimeSpeed
	flowDrag
	flowLift
	flowLifetime
	flowWidth
	flowHeight
	flowDepth
	flowSource
	flowSourceHeight
)

// The places of the kernels in flowInfo.Kernels.
const (
	flowStep = iota
	flowSpawn
	flowPublish
)

var flowInfo = ModelInfo{Group: param.Group{
	Name:  "flow",
	Title: "Flow",
	Doc: "Particles carried by curl noise, a smooth random velocity field without sources or sinks (Bridson, Hourihan, Nordenstam 2007). " +
		"Without drag a uniform cloud stays uniform; with drag the particles have inertia and gather into sheets and ribbons between the eddies.",
	Specs: []param.Spec{
		flowFrequency: {
			Name: "frequency", Label: "Frequency", Unit: "1/m", Default: 0.7, Min: 0.05, Max: 4, Step: 0.05, Log: true,
			Doc: "Noise cells a metre of the first octave. Larger: smaller eddies, at the same speed.",
		},
		flowOctaves: {
			Name: "octaves", Label: "Octaves", Kind: param.Int, Default: 2, Min: 1, Max: 6, Step: 1,
			Doc: "Layers of noise, each with smaller eddies than the one before. The cost of a step grows with them.",
		},
		flowGain: {
			Name: "gain", Label: "Gain", Default: 0.5, Min: 0, Max: 1, Step: 0.05,
			Doc: "Speed of each octave as a share of the one before. Larger: rougher flow.",
		},
		flowLacunarity: {
			Name: "lacunarity", Label: "Lacunarity", Default: 2, Min: 1, Max: 4, Step: 0.1, Expert: true,
			Doc: "Frequency of each octave as a multiple of the one before.",
		},
		flowAmplitude: {
			Name: "amplitude", Label: "Speed", Unit: "m/s", Default: 0.5, Min: 0, Max: 5, Step: 0.05,
			Doc: "Strength of the first octave. The particles' root mean square speed is 1.73 times as much.",
		},
		flowTimeSpeed: {
			Name: "time_speed", Label: "Change", Unit: "1/s", Default: 0.15, Min: 0, Max: 1, Step: 0.01,
			Doc: "How often a second the flow turns into a wholly different one. 0: it stands still, and a step costs half as much.",
		},
		flowDrag: {
			Name: "drag", Label: "Drag", Unit: "1/s", Default: 0, Min: 0, Max: 5, Step: 0.1,
			Doc: "How fast a particle takes on the flow's velocity. 0: at once, it has no mass. Small values above: heavy particles " +
				"that eddies throw out, so that they gather into ribbons.",
		},
		flowLift: {
			Name: "lift", Label: "Lift", Unit: "m/s", Default: 0, Min: -5, Max: 5, Step: 0.05,
			Doc: "A steady wind upwards (downwards when negative), added to the noise.",
		},
		flowLifetime: {
			Name: "lifetime", Label: "Lifetime", Unit: "s", Default: 20, Min: 0.5, Max: 600, Step: 1, Log: true,
			Doc: "Mean time before a particle is put elsewhere. With a source: before it fades and is born again.",
		},
		flowWidth: {
			Name: "width", Label: "Box width", Unit: "m", Default: 4, Min: 0.2, Max: 20, Step: 0.1, Expert: true,
			Doc: "Extent of the box along x. A particle that leaves the box comes in elsewhere.",
		},
		flowHeight: {
			Name: "height", Label: "Box height", Unit: "m", Default: 4, Min: 0.2, Max: 20, Step: 0.1, Expert: true,
			Doc: "Extent of the box along y, upwards.",
		},
		flowDepth: {
			Name: "depth", Label: "Box depth", Unit: "m", Default: 4, Min: 0.2, Max: 20, Step: 0.1, Expert: true,
			Doc: "Extent of the box along z.",
		},
		flowSource: {
			Name: "source", Label: "Source", Unit: "m", Default: 0, Min: 0, Max: 5, Step: 0.05,
			Doc: "Radius of the place where particles are born, on the box's axis. 0: they fill the whole box.",
		},
		flowSourceHeight: {
			Name: "source_height", Label: "Source height", Default: 0.1, Min: 0, Max: 1, Step: 0.05, Expert: true,
			Doc: "Where the source is: 0 at the bottom of the box, 1 at the top.",
		},
	},
}, Arrays: floats("x", "y", "z", "vx", "vy", "vz"), Kernels: []string{flowStep: "flow_step", flowSpawn: "flow_spawn", flowPublish: "flow_publish"}, make: newFlow}
