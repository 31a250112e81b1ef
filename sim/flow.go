// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// flowBytes is the state of a particle: position and velocity, six arrays of float32.
const flowBytes = 24

// flow is the model of kernels/src/flow.h.
type flow struct {
	base
	state    interop.Buffer
	capacity int // particles that state has room for

	step, spawn, publish *interop.Kernel

	lastDt float64 // of the step before, for Adams-Bashforth; 0: there was none
	phase  float64 // time slices passed
	p      kernels.FlowStep
	out    kernels.FlowPublish
}

func newFlow(b base) (Model, error) {
	f := &flow{base: b}
	err := f.kernels(map[string]**interop.Kernel{
		"flow_step": &f.step, "flow_spawn": &f.spawn, "flow_publish": &f.publish,
	})
	if err != nil {
		return nil, err
	}
	f.capacity = room(f.count)
	if f.state, err = f.alloc(f.capacity, flowBytes); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *flow) Drawn() int { return f.count }

// Alive counts also those in the reservoir around the box, or waiting for their birth at a source, which are not drawn.
func (f *flow) Alive() int { return f.count }

func (f *flow) half() [3]float64 {
	p := f.params
	return [3]float64{p.At(flowWidth) / 2, p.At(flowHeight) / 2, p.At(flowDepth) / 2}
}

func (f *flow) Bounds() (centre [3]float32, radius float32) {
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

func (f *flow) Scalar() param.Quantity {
	return param.Quantity{Name: "speed", Unit: "m/s", Max: max(2*rmsUnit*f.strength()+math.Abs(f.params.At(flowLift)), 1e-3)}
}

func (f *flow) SetCount(s *interop.Stream, n int) error {
	if err := checkCount(n); err != nil {
		return err
	}
	if n == f.count {
		return nil
	}
	state, capacity, count := f.state, f.capacity, f.count
	moved := n > f.capacity || room(n) < f.capacity/2
	if moved {
		other, err := f.alloc(room(n), flowBytes)
		if err != nil {
			return err
		}
		if f.ready {
			if err := f.copyState(s, other, room(n), min(count, n)); err != nil {
				return joinClose(err, other)
			}
		}
		f.state, f.capacity = other, room(n)
	}
	f.count = n
	if f.ready && n > count {
		if err := f.launchSpawn(s, count, n); err != nil {
			if moved {
				err = joinClose(err, f.state)
			}
			f.state, f.capacity, f.count = state, capacity, count
			return err
		}
	}
	if moved {
		return state.Close() // waits for the copies
	}
	return nil
}

// copyState copies the first n of each array to a state of another capacity.
func (f *flow) copyState(s *interop.Stream, to interop.Buffer, capacity, n int) error {
	for i := range 6 {
		dst, err := to.Slice(i*capacity*4, n*4)
		if err != nil {
			return err
		}
		src, err := f.state.Slice(i*f.capacity*4, n*4)
		if err != nil {
			return err
		}
		if err := dst.CopyFrom(s, src); err != nil {
			return err
		}
	}
	return nil
}

func (f *flow) Reset(s *interop.Stream, seed uint64) error {
	f.seed, f.time, f.steps, f.lastDt, f.phase = seed, 0, 0, 0, 0
	if err := f.launchSpawn(s, 0, f.count); err != nil {
		return err
	}
	f.ready = true
	return nil
}

// launchSpawn lays out the particles [from, to).
func (f *flow) launchSpawn(s *interop.Stream, from, to int) error {
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
	if err := interop.Launch(f.spawn, s, to-from, p); err != nil {
		return fmt.Errorf("sim: flow: %w", err)
	}
	return nil
}

func (f *flow) Step(s *interop.Stream, dt float64) error {
	if err := f.checkStep(dt); err != nil {
		return err
	}
	p := &f.p
	f.fill(dt)
	k := key(f.seed, purposeStep, f.steps)
	p.Key0, p.Key1 = uint32(k), uint32(k>>32)
	p.N = uint32(f.count)
	p.Death = uint32(-math.Expm1(-dt/f.params.At(flowLifetime)) * (1 << 31))
	if err := interop.Launch(f.step, s, f.count, p); err != nil {
		return fmt.Errorf("sim: flow: %w", err)
	}
	f.steps++
	f.time += dt
	f.lastDt = dt
	f.phase += dt * f.params.At(flowTimeSpeed)
	return nil
}

func (f *flow) Publish(s *interop.Stream, dst interop.Buffer) error {
	if err := f.checkPublish(dst, f.count); err != nil {
		return err
	}
	f.out = kernels.FlowPublish{
		State: f.state.DevicePtr(), Stride: uint64(f.capacity), Records: dst.DevicePtr(), N: uint32(f.count), Hidden: float32(math.NaN()),
	}
	if err := interop.Launch(f.publish, s, f.count, &f.out); err != nil {
		return fmt.Errorf("sim: flow: %w", err)
	}
	return nil
}

func (f *flow) Close() error {
	if f.state.Size() == 0 {
		return nil
	}
	f.ready = false
	return f.state.Close()
}
