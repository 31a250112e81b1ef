// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// flow is the model of kernels/src/flow.h.
type flow struct {
	*Model

	lastDt float64 // of the step before, for Adams-Bashforth; 0: there was none
	phase  float64 // time slices passed
	p      kernels.FlowStep
	out    kernels.FlowPublish
}

func newFlow(m *Model) (solver, error) { return &flow{Model: m}, nil }

// All count as alive, also those in the reservoir around the box, or waiting for their birth at a source, which are not drawn.

func (f *flow) half() [3]float64 {
	p := f.params
	return [3]float64{p.At(flowWidth) / 2, p.At(flowHeight) / 2, p.At(flowDepth) / 2}
}

func (f *flow) bounds() (centre [3]float32, radius float32) {
	h := f.half()
	return centre, float32(math.Sqrt(h[0]*h[0] + h[1]*h[1] + h[2]*h[2]))
}

// rmsUnit is the root mean square speed of one octave of weight 1: sqrt(6 var(dN/dx)) for Perlin's noise of 2002.
const rmsUnit = 1.73

// strength gives the standard deviation of a component of the flow, in m/s: the octaves are independent.
func (f *flow) strength() float64 {
	w, sum := f.params.At(flowAmplitude), 0.0
	for range int(f.params.At(flowOctaves)) {
		sum += w * w
		w *= f.params.At(flowGain)
	}
	return math.Sqrt(sum)
}

func (f *flow) attributes(into []param.Quantity) ([]param.Quantity, int) {
	return append(into, param.Quantity{Name: "speed", Unit: "m/s", Max: max(2*rmsUnit*f.strength()+math.Abs(f.params.At(flowLift)), 1e-3)}), 0
}

func (f *flow) own(v *fields) {
	v.real("the last step", &f.lastDt, 0, 1)
	v.real("the phase", &f.phase, 0, math.MaxFloat64)
}

func (f *flow) spawn(s *interop.Stream, from, to int) error {
	p := &f.p
	dt := f.lastDt
	if dt == 0 {
		dt = 1.0 / 60
	}
	f.fill(dt)
	k := key(f.seed, purposeSpawn+uint64(from)<<8, f.steps)
	p.Key0, p.Key1 = uint32(k), uint32(k>>32)
	p.State += interop.DevicePtr(from * 4)
	p.N = uint32(to - from)
	p.Death = 0
	if p.Source == 0 {
		box, outer := 1.0, 1.0
		for i := range 3 {
			box *= float64(p.Half[i])
			outer *= float64(p.Half[i] + p.Margin)
		}
		p.Death = uint32(box / outer * (1 << 31))
	}
	return interop.Launch(f.kernels[flowSpawn], s, to-from, p)
}

func (f *flow) step(s *interop.Stream, dt float64) error {
	p := &f.p
	f.fill(dt)
	k := key(f.seed, purposeStep, f.steps)
	p.Key0, p.Key1 = uint32(k), uint32(k>>32)
	p.N = uint32(f.count)
	p.Death = uint32(-math.Expm1(-dt/f.params.At(flowLifetime)) * (1 << 31))
	if err := interop.Launch(f.kernels[flowStep], s, f.count, p); err != nil {
		return err
	}
	f.passed(dt)
	f.lastDt = dt
	f.phase += dt * f.params.At(flowTimeSpeed)
	return nil
}

func (f *flow) publish(s *interop.Stream, dst interop.DevicePtr, n int) error {
	f.out = kernels.FlowPublish{
		State: f.mem.at(0, 0), Stride: f.mem.stride(), Records: dst, N: uint32(n), Hidden: float32(math.NaN()),
	}
	return interop.Launch(f.kernels[flowPublish], s, n, &f.out)
}
