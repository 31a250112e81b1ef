// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// emitter is the model of kernels/src/emitter.h. Particles are numbered from 0 in the order of their births; number k lives in
// slot k mod count until particle k + count takes it over.
type emitter struct {
	*Model

	born int64   // particles born since Reset
	part float64 // of the next particle, in [0, 1): births are counted exactly, whatever the step

	living reducer
	p      kernels.EmitterStep
	birth  kernels.EmitterSpawn
	out    kernels.EmitterPublish
}

func newEmitter(m *Model) (solver, error) {
	e := &emitter{Model: m}
	return e, e.living.open(m.ctx, m.code)
}

// used counts the slots of the dead too.
func (m *emitter) used() int { return int(min(m.born, int64(m.count))) }

func (m *emitter) alive() int {
	m.living.poll()
	return m.living.newest.Count
}

func (m *emitter) own(v *fields) {
	born := v.whole("the number of births", &m.born, math.MaxInt64)
	v.require(v.used == min(born, v.count), "the number of births", float64(born))
	v.real("the part of the next particle", &m.part, 0, math.Nextafter(1, 0))
	if v.mode == clearing || v.mode == restoring {
		m.living.forget()
	}
	alive := int64(m.living.newest.Count)
	v.whole("the number of the living", &alive, v.count)
	m.living.newest.Count = int(alive)
}

// spawn lays nothing out: particles come with time.
func (m *emitter) spawn(*interop.Stream, int, int) error { return nil }

// rate is particles a second.
func (m *emitter) rate() float64 {
	p := m.params
	if p.At(emitterFill) != 0 {
		return float64(m.count) / (p.At(emitterLifetime) * (1 + p.At(emitterLifetimeSpread)))
	}
	return p.At(emitterRate)
}

func (m *emitter) bounds() (centre [3]float32, radius float32) {
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

func (m *emitter) attributes(into []param.Quantity) ([]param.Quantity, int) {
	p := m.params
	return append(into, // in the order of the choices of colour
		param.Quantity{Name: "speed", Unit: "m/s", Max: max(p.At(emitterSpeed)*(1+p.At(emitterSpeedSpread)), 1e-3)},
		param.Quantity{Name: "age", Unit: "s", Max: p.At(emitterLifetime)},
	), int(p.At(emitterColour))
}

func (m *emitter) step(s *interop.Stream, dt float64) error {
	forces := m.forces()
	if n := m.used(); n > 0 {
		k := m.params.At(emitterDrag)
		e, p, r := dragIntegrals(dt, k)
		m.p = kernels.EmitterStep{
			State: m.mem.at(0, 0), Stride: m.mem.stride(), N: uint32(n), Dt: float32(dt),
			E: float32(e), P: float32(p), R: float32(r), Forces: forces,
		}
		if err := interop.Launch(m.kernels[emitterStep], s, n, &m.p); err != nil {
			return err
		}
	}
	// From here on the particles there are have moved, and time has with them, also when births fail.
	m.passed(dt)
	return m.give(s, dt, forces)
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
		Stride: m.mem.stride(), Key0: uint32(k), Key1: uint32(k >> 32), Interval: float32(1 / rate),
		Speed: float32(p.At(emitterSpeed)), SpeedSpread: float32(p.At(emitterSpeedSpread)),
		Cone: float32(1 - math.Cos(p.At(emitterCone)*math.Pi/180)),
		Life: float32(p.At(emitterLifetime)), LifeSpread: float32(p.At(emitterLifetimeSpread)),
		Radius: float32(p.At(emitterRadius)), Height: float32(p.At(emitterHeight)), Forces: forces,
	}
	for count > 0 { // twice where the ring closes
		slot := m.born % int64(m.count)
		piece := min(count, int64(m.count)-slot)
		b := &m.birth
		b.State = m.mem.at(0, int(slot))
		b.N = uint32(piece)
		b.Serial0, b.Serial1 = uint32(m.born), uint32(m.born>>32)
		b.Rest = float32(rest)
		if err := interop.Launch(m.kernels[emitterSpawn], s, int(piece), b); err != nil {
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

// publish also looks for the last count of the living and starts the next.
func (m *emitter) publish(s *interop.Stream, dst interop.DevicePtr, n int) error {
	m.out = kernels.EmitterPublish{
		State: m.mem.at(0, 0), Stride: m.mem.stride(), Records: dst, N: uint32(n),
		Colour: int32(m.params.At(emitterColour)), Hidden: float32(math.NaN()),
	}
	if err := interop.Launch(m.kernels[emitterPublish], s, n, &m.out); err != nil {
		return err
	}
	return m.living.start(s, m.mem.at(emitterAge, 0), m.mem.at(emitterLifespan, 0), n, 1)
}

// repack lays the ring out anew, and the newest particles stay.
func (m *emitter) repack(s *interop.Stream, to *arrays, count int) error {
	last := m.born - 1
	used := int(min(m.born, int64(count)))
	p := kernels.EmitterRepack{
		From: m.mem.at(0, 0), To: to.at(0, 0), FromStride: m.mem.stride(), ToStride: to.stride(),
		N: uint32(used), Kept: uint32(min(m.used(), count)),
		FromLast: uint32(last % int64(m.count)), ToLast: uint32(last % int64(count)),
		FromCapacity: uint32(m.count), ToCapacity: uint32(count),
	}
	return interop.Launch(m.kernels[emitterRepack], s, used, &p)
}

func (m *emitter) release() error { return m.living.Close() }
