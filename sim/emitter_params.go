// SPDX-License-Identifier: Apache-2.0

package sim

import "particles/sim/param"

// The places of the parameters in emitterInfo.Specs.
const (
	emitterFill = iota
	emitterRate
	emitterLifetime
	emitterLifetimeSpread
	emitterSpeed
	emitterSpeedSpread
	emitterCone
	emitterRadius
	emitterHeight
	emitterGravity
	emitterDrag
	emitterQuadratic
	emitterGround
	emitterRestitution
	emitterFriction
	emitterColour
)

// The places of arrays and kernels in emitterInfo.
const (
	emitterAge      = 6
	emitterLifespan = 7

	emitterStep = iota - 2
	emitterSpawn
	emitterPublish
	emitterRepack
)

var emitterInfo = ModelInfo{Group: param.Group{
	Name:  "emitter",
	Title: "Emitter",
	Doc: "Particles thrown from a disc at a steady rate, under gravity and drag, bouncing off the ground (Reeves 1983). The count is the " +
		"capacity; when it is full, the oldest particle makes room for a new one.",
	Specs: []param.Spec{
		emitterFill: {
			Name: "fill", Label: "Fill capacity", Kind: param.Bool, Default: 1,
			Doc: "The rate follows from the count: as many a second as the capacity holds without cutting a life short. Off: the rate below.",
		},
		emitterRate: {
			Name: "rate", Label: "Rate", Unit: "1/s", Default: 20_000, Min: 1, Max: 1e8, Step: 1000, Log: true,
			Doc: "Particles born a second, when the capacity is not to be filled. In the end rate times lifetime are alive.",
		},
		emitterLifetime: {
			Name: "lifetime", Label: "Lifetime", Unit: "s", Default: 3.5, Min: 0.05, Max: 60, Step: 0.1, Log: true,
			Doc: "Mean life of a particle; those alive keep the life they were born with.",
		},
		emitterLifetimeSpread: {
			Name: "lifetime_spread", Label: "Lifetime spread", Default: 0.2, Min: 0, Max: 1, Step: 0.05,
			Doc: "Lives are spread evenly by this share to both sides of the mean.",
		},
		emitterSpeed: {
			Name: "speed", Label: "Speed", Unit: "m/s", Default: 9, Min: 0, Max: 50, Step: 0.5,
			Doc: "Speed at birth. Without drag the jet rises to speed squared over twice the gravity.",
		},
		emitterSpeedSpread: {
			Name: "speed_spread", Label: "Speed spread", Default: 0.12, Min: 0, Max: 1, Step: 0.01,
			Doc: "Speeds are spread evenly by this share to both sides.",
		},
		emitterCone: {
			Name: "cone", Label: "Cone", Unit: "deg", Default: 9, Min: 0, Max: 180, Step: 1,
			Doc: "Half the opening angle of the jet, which points upwards. 180: in all directions.",
		},
		emitterRadius: {
			Name: "radius", Label: "Nozzle radius", Unit: "m", Default: 0.08, Min: 0, Max: 10, Step: 0.01,
			Doc: "Radius of the disc on which particles are born.",
		},
		emitterHeight: {
			Name: "height", Label: "Nozzle height", Unit: "m", Default: 0.1, Min: 0, Max: 20, Step: 0.1,
			Doc: "Height of that disc above the ground.",
		},
		emitterGravity: {
			Name: "gravity", Label: "Gravity", Unit: "m/s^2", Default: 9.81, Min: -20, Max: 50, Step: 0.1,
			Doc: "Downward acceleration. Negative: particles rise, like hot sparks or bubbles.",
		},
		emitterDrag: {
			Name: "drag", Label: "Drag", Unit: "1/s", Default: 0.15, Min: 0, Max: 5, Step: 0.05,
			Doc: "Share of the velocity lost a second: small particles in still air.",
		},
		emitterQuadratic: {
			Name: "drag2", Label: "Quadratic drag", Unit: "1/m", Default: 0, Min: 0, Max: 5, Step: 0.01, Expert: true,
			Doc: "Drag that grows with the square of the speed: large or fast particles.",
		},
		emitterGround: {
			Name: "ground", Label: "Ground", Kind: param.Bool, Default: 1,
			Doc: "Particles bounce off the plane at height 0. Off: they fall on.",
		},
		emitterRestitution: {
			Name: "restitution", Label: "Bounce", Default: 0.45, Min: 0, Max: 1, Step: 0.05,
			Doc: "Share of the vertical speed kept in a bounce; the height kept is its square.",
		},
		emitterFriction: {
			Name: "friction", Label: "Friction", Default: 0.2, Min: 0, Max: 2, Step: 0.05,
			Doc: "Coulomb friction of the ground: how fast sliding particles stop.",
		},
		emitterColour: {
			Name: "colour", Label: "Colour by", Kind: param.Enum, Choices: []string{"speed", "age"},
			Doc: "What the colour map shows.",
		},
	},
}, Arrays: floats("x", "y", "z", "vx", "vy", "vz", "age", "life"), Kernels: []string{
	emitterStep: "emitter_step", emitterSpawn: "emitter_spawn", emitterPublish: "emitter_publish", emitterRepack: "emitter_repack",
}, make: newEmitter}
