// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/kernels"
)

// fill works out, in float64, all that a step of dt seconds is the same for every particle.
func (f *flow) fill(dt float64) {
	p := &f.p
	p.State, p.Stride = f.mem.at(0, 0), f.mem.stride()
	f.fillField(&p.Field)

	if k := f.params.At(flowDrag); k > 0 {
		// dv/dt = k (u - v) with u held over the step: v = u + (v - u) e^-kt and its integral.
		e, way := math.Exp(-k*dt), -math.Expm1(-k*dt)/k
		p.A, p.B, p.E = float32(dt-way), float32(way), float32(e)
	} else {
		// Adams-Bashforth of second order for steps of unequal length: one look at the flow a step, and its error in
		// volume is of third order, so that eddies do not slowly throw particles out as with Euler's.
		r := 0.0
		if f.lastDt > 0 {
			r = min(dt/f.lastDt, 2)
		}
		p.A, p.B, p.E = float32(dt*(1+r/2)), float32(-dt*r/2), 0
	}

	half := f.half()
	for i := range 3 {
		p.Half[i] = float32(half[i])
	}
	rms := f.strength()
	// The reservoir is as thick as the fastest particle's step: a component of the noise has a standard deviation of 1.
	m := dt * (4*rms + math.Abs(f.params.At(flowLift)))
	m = min(max(m, 1e-4), 0.25*min(half[0], half[1], half[2]))
	p.Margin = float32(m)
	x := m * (half[1] + m) * (half[2] + m)
	y := m * half[0] * (half[2] + m)
	z := m * half[0] * half[1]
	p.Pick = [2]float32{float32(x / (x + y + z)), float32((x + y) / (x + y + z))}

	p.Source = 0
	if r := f.params.At(flowSource); r > 0 {
		p.Source = 1
		p.SourceRadius = float32(min(r, half[0], half[1], half[2]))
		low := half[1] - float64(p.SourceRadius)
		p.SourceCentre = [3]float32{0, float32(low * (2*f.params.At(flowSourceHeight) - 1)), 0}
	}
}

// fillField sets the flow at the model's present time. It passes from one random field to the next in equal-power steps: with
// weights cos and sin the variance, and so the speed, stays the same throughout.
func (f *flow) fillField(field *kernels.FlowField) {
	slice := math.Floor(f.phase)
	t := f.phase - slice
	angle := math.Pi / 2 * t * t * (3 - 2*t) // smooth, so that the flow does not jolt at a slice
	field.C0, field.C1 = float32(math.Cos(angle)), float32(math.Sin(angle))
	if t == 0 {
		field.C1 = 0
	}
	n := int(f.params.At(flowOctaves))
	field.Octaves = int32(n)
	frequency, weight := f.params.At(flowFrequency), f.params.At(flowAmplitude)
	for i := range n {
		o := &field.Octave[i]
		o.Frequency, o.Weight = float32(frequency), float32(weight)
		a, b := key(f.seed, purposeLattice, uint64(2*i)), key(f.seed, purposeLattice, uint64(2*i+1))
		o.Key = [3]uint32{uint32(a), uint32(a >> 32), uint32(b)}
		s := uint64(slice)
		for next := range o.Slice {
			o.Slice[next] = uint32(key(f.seed, purposeSlice, (s+uint64(next))*uint64(len(field.Octave))+uint64(i)))
		}
		frequency *= f.params.At(flowLacunarity)
		weight *= f.params.At(flowGain)
	}
	field.Wind = [3]float32{0, float32(f.params.At(flowLift)), 0}
}
