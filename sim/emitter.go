// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// emitterBytes is the state of a particle: position, velocity, age and life, eight arrays of float32.
const emitterBytes = 32

// emitter is the model of kernels/src/emitter.h. Particles are numbered from 0 in the order of their births; number k lives in
// slot k mod count until particle k + count takes it over.
type emitter struct {
	base
	state  interop.Buffer
	stride int

	step, spawn, publish, tally, repack *interop.Kernel

	born int64   // particles born since Reset
	part float64 // of the next particle, in [0, 1): births are counted exactly, whatever the step

	alive aliveCount
	p     kernels.EmitterStep
	birth kernels.EmitterSpawn
	out   kernels.EmitterPublish
}

func newEmitter(b base) (Model, error) {
	m := &emitter{base: b}
	err := m.kernels(map[string]**interop.Kernel{
		"emitter_step": &m.step, "emitter_spawn": &m.spawn, "emitter_publish": &m.publish,
		"emitter_count": &m.tally, "emitter_repack": &m.repack,
	})
	if err != nil {
		return nil, err
	}
	m.stride = room(m.count)
	if m.state, err = m.alloc(m.stride, emitterBytes); err != nil {
		return nil, err
	}
	if err := m.alive.open(m.ctx); err != nil {
		return nil, joinClose(err, m.state)
	}
	return m, nil
}

// used is the number of slots that have ever held a particle.
func (m *emitter) used() int { return int(min(m.born, int64(m.count))) }

// Drawn is the number of slots in use, those of the dead included.
func (m *emitter) Drawn() int { return m.used() }

// Alive is the newest count that has arrived from the device.
func (m *emitter) Alive() int {
	m.alive.poll()
	return m.alive.newest
}

// Born is the number of particles born since Reset.
func (m *emitter) Born() int64 { return m.born }

// rate is particles a second.
func (m *emitter) rate() float64 {
	p := m.params
	if p.At(emitterFill) != 0 {
		return float64(m.count) / (p.At(emitterLifetime) * (1 + p.At(emitterLifetimeSpread)))
	}
	return p.At(emitterRate)
}

func (m *emitter) Bounds() (centre [3]float32, radius float32) {
	p := m.params
	life := p.At(emitterLifetime) * (1 + p.At(emitterLifetimeSpread))
	if k := p.At(emitterDrag); k > 0 {
		life = -math.Expm1(-k*life) / k // the way of a unit of speed against the drag
	}
	speed := p.At(emitterSpeed) * (1 + p.At(emitterSpeedSpread))
	cone := p.At(emitterCone) * math.Pi / 180
	up, down := speed*life, 0.0
	side := speed * math.Sin(min(cone, math.Pi/2)) * life
	if g := p.At(emitterGravity); g > 0 {
		up = min(up, speed*speed/(2*g))
		if p.At(emitterGround) == 0 {
			down = max(g*life*life/2-p.At(emitterHeight), 0)
		} else { // one flight, and as much again for the bounces
			side = min(side, 2*speed*speed/g*math.Sin(min(2*cone, math.Pi/2)))
		}
	}
	top := p.At(emitterHeight) + up
	side += p.At(emitterRadius)
	centre[1] = float32((top - down) / 2)
	return centre, float32(max(math.Hypot((top+down)/2, side), 0.1))
}

func (m *emitter) Scalar() param.Quantity {
	p := m.params
	if p.At(emitterColour) == 1 {
		return param.Quantity{Name: "age", Unit: "s", Max: p.At(emitterLifetime)}
	}
	return param.Quantity{Name: "speed", Unit: "m/s", Max: max(p.At(emitterSpeed)*(1+p.At(emitterSpeedSpread)), 1e-3)}
}

func (m *emitter) Reset(_ *interop.Stream, seed uint64) error {
	m.seed, m.time, m.steps, m.born, m.part = seed, 0, 0, 0, 0
	m.alive.forget()
	m.ready = true
	return nil
}

func (m *emitter) Step(s *interop.Stream, dt float64) error {
	if err := m.checkStep(dt); err != nil {
		return err
	}
	forces := m.forces()
	if n := m.used(); n > 0 {
		k := m.params.At(emitterDrag)
		e, p, r := dragIntegrals(dt, k)
		m.p = kernels.EmitterStep{
			State: m.state.DevicePtr(), Stride: uint64(m.stride), N: uint32(n), Dt: float32(dt),
			E: float32(e), P: float32(p), R: float32(r), Forces: forces,
		}
		if err := interop.Launch(m.step, s, n, &m.p); err != nil {
			return fmt.Errorf("sim: emitter: %w", err)
		}
	}
	// From here on the particles there are have moved, and time has with them, also when births fail.
	m.steps++
	m.time += dt
	if err := m.give(s, dt, forces); err != nil {
		return fmt.Errorf("sim: emitter: %w", err)
	}
	return nil
}

// give gives birth to the particles of a step of dt, each at its own moment in it.
func (m *emitter) give(s *interop.Stream, dt float64, forces kernels.EmitterForces) error {
	p := m.params
	rate := m.rate()
	part := m.part + rate*dt
	n := math.Floor(part)
	// The first is born when the part reaches 1, the next at 2 and so on.
	rest := dt - (1-m.part)/rate
	m.part = part - n
	count := int64(n)
	if over := count - int64(m.count); over > 0 { // more than the capacity in one step: the oldest of them are gone already
		m.born += over
		count -= over
		rest -= float64(over) / rate
	}
	k := key(m.seed, purposeBirth, 0)
	m.birth = kernels.EmitterSpawn{
		Stride: uint64(m.stride), Key0: uint32(k), Key1: uint32(k >> 32), Interval: float32(1 / rate),
		Speed: float32(p.At(emitterSpeed)), SpeedSpread: float32(p.At(emitterSpeedSpread)),
		Cone: float32(1 - math.Cos(p.At(emitterCone)*math.Pi/180)),
		Life: float32(p.At(emitterLifetime)), LifeSpread: float32(p.At(emitterLifetimeSpread)),
		Radius: float32(p.At(emitterRadius)), Height: float32(p.At(emitterHeight)), Forces: forces,
	}
	for count > 0 { // twice where the ring closes
		slot := m.born % int64(m.count)
		piece := min(count, int64(m.count)-slot)
		b := &m.birth
		b.State = m.state.DevicePtr() + interop.DevicePtr(slot*4)
		b.N = uint32(piece)
		b.Serial0, b.Serial1 = uint32(m.born), uint32(m.born>>32)
		b.Rest = float32(rest)
		if err := interop.Launch(m.spawn, s, int(piece), b); err != nil {
			return err
		}
		m.born += piece
		count -= piece
		rest -= float64(piece) / rate
	}
	return nil
}

func (m *emitter) forces() kernels.EmitterForces {
	p := m.params
	return kernels.EmitterForces{
		Gravity: float32(p.At(emitterGravity)), Drag: float32(p.At(emitterDrag)), Quadratic: float32(p.At(emitterQuadratic)),
		Ground: int32(p.At(emitterGround)), Restitution: float32(p.At(emitterRestitution)), Friction: float32(p.At(emitterFriction)),
	}
}

// dragIntegrals gives e^-kt, its integral over t, and the integral of that.
func dragIntegrals(t, k float64) (e, p, r float64) {
	z := k * t
	if z < 1e-3 { // the closed form would lose half its digits
		return math.Exp(-z), t * (1 - z/2 + z*z/6), t * t * (0.5 - z/6 + z*z/24)
	}
	p = -math.Expm1(-z) / k
	return math.Exp(-z), p, (t - p) / k
}

// Publish also looks for the last count of the living and starts the next.
func (m *emitter) Publish(s *interop.Stream, dst interop.Buffer) error {
	n := m.used()
	if err := m.checkPublish(dst, n); err != nil {
		return err
	}
	m.out = kernels.EmitterPublish{
		State: m.state.DevicePtr(), Stride: uint64(m.stride), Records: dst.DevicePtr(), N: uint32(n),
		Colour: int32(m.params.At(emitterColour)), Hidden: float32(math.NaN()),
	}
	if err := interop.Launch(m.publish, s, n, &m.out); err != nil {
		return fmt.Errorf("sim: emitter: %w", err)
	}
	if err := m.alive.start(s, m.tally, m.state, m.stride, n); err != nil {
		return fmt.Errorf("sim: emitter: counting: %w", err)
	}
	return nil
}

// SetCount changes the capacity: the ring is laid out anew, and the newest particles stay.
func (m *emitter) SetCount(s *interop.Stream, n int) error {
	if err := checkCount(n); err != nil {
		return err
	}
	if n == m.count {
		return nil
	}
	state, err := m.alloc(room(n), emitterBytes)
	if err != nil {
		return err
	}
	if m.born > 0 {
		last := m.born - 1
		used := int(min(m.born, int64(n)))
		p := kernels.EmitterRepack{
			From: m.state.DevicePtr(), To: state.DevicePtr(), FromStride: uint64(m.stride), ToStride: uint64(room(n)),
			N: uint32(used), Kept: uint32(min(m.used(), n)),
			FromLast: uint32(last % int64(m.count)), ToLast: uint32(last % int64(n)),
			FromCapacity: uint32(m.count), ToCapacity: uint32(n),
		}
		if err := interop.Launch(m.repack, s, used, &p); err != nil {
			return joinClose(fmt.Errorf("sim: emitter: %w", err), state)
		}
	}
	old := m.state
	m.state, m.stride, m.count = state, room(n), n
	return old.Close() // waits for the kernel
}

func (m *emitter) Close() error {
	if m.state.Size() == 0 {
		return nil
	}
	m.ready = false
	return joinClose(m.alive.Close(), m.state)
}
