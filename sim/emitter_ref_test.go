// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

// The float64 reference of emitter_spawn and emitter_step without ground and quadratic drag: where the particle of a number is
// at an age. Only the random numbers are computed as on the device (kernels/src/random.h).

func refMix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x7feb352d
	x ^= x >> 15
	x *= 0x846ca68b
	x ^= x >> 16
	return x
}

func refUnit(h uint32) float64       { return float64(h>>8) / (1 << 24) }
func refSignedUnit(h uint32) float64 { return float64(int32(h)>>7) / (1 << 24) }

type refParticle struct {
	pos, vel [3]float64
	life     float64
}

func refBirth(m *emitter, serial uint64) refParticle {
	p := m.params
	k := key(m.seed, purposeBirth, 0)
	h := refMix(refMix(uint32(serial)^uint32(k)) + uint32(serial>>32)*0x9e3779b1 + uint32(k>>32))
	draw := func(i uint32) uint32 { return refMix(h + i) }
	cosine := 1 - refUnit(draw(0x9e3779b9))*(1-math.Cos(p.At(emitterCone)*math.Pi/180))
	sine := math.Sqrt(1 - cosine*cosine)
	azimuth := 2 * math.Pi * refUnit(draw(0x3c6ef372))
	place := 2 * math.Pi * refUnit(draw(0xdaa66d2b))
	radius := p.At(emitterRadius) * math.Sqrt(refUnit(draw(0x78dde6e4)))
	speed := p.At(emitterSpeed) * (1 + p.At(emitterSpeedSpread)*refSignedUnit(draw(0x1715609d)))
	return refParticle{
		pos:  [3]float64{radius * math.Cos(place), p.At(emitterHeight), radius * math.Sin(place)},
		vel:  [3]float64{speed * sine * math.Cos(azimuth), speed * cosine, speed * sine * math.Sin(azimuth)},
		life: p.At(emitterLifetime) * (1 + p.At(emitterLifetimeSpread)*refSignedUnit(draw(0xb54cda56))),
	}
}

func TestEmitterEqualsTheFloat64Reference(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		for _, k := range []float64{0, 0.3, 5} {
			for _, dt := range []float64{1.0 / 60, 0.5} { // the second: e^-kt of new particles by its closed form
				m := r.emitter(t, setup{Count: 3001, Seed: 9, Params: map[string]float64{
					"fill": 0, "rate": 2000, "lifetime": 1.2, "lifetime_spread": 0.5, "cone": 70, "radius": 0.7, "height": 0.5, "speed": 6,
					"speed_spread": 0.4, "drag": k, "ground": 0, "colour": 1,
				}})
				// Near where the low half of the number overflows.
				m.born = 1<<32 - 1500
				r.step(t, m, int(math.Round(1.5/dt)), dt)
				records := r.records(t, m)
				checked := 0
				for serial := m.born - 1; serial >= m.born-int64(len(records)) && serial >= 1<<32-1500; serial-- {
					want := refBirth(m, uint64(serial))
					got := records[serial%3001]
					// Particle i is born (i + 1)/rate after the start.
					age := m.Time() - float64(serial-(1<<32-1500)+1)/2000
					if math.Abs(age-want.life) < 1e-4 {
						continue // a rounding from its death
					}
					if got.drawn() != (age < want.life) {
						t.Fatalf("drag %g, dt %g: particle %d of age %g and life %g: drawn %v", k, dt, serial, age, want.life, got.drawn())
					}
					if !got.drawn() {
						continue
					}
					checked++
					_, way, fall := dragIntegrals(age, k)
					x := want.pos
					for j := range 3 {
						x[j] += want.vel[j] * way
					}
					x[1] -= 9.81 * fall
					off := max(math.Abs(float64(got.X)-x[0]), math.Abs(float64(got.Y)-x[1]), math.Abs(float64(got.Z)-x[2]))
					if off > 1e-4 || math.Abs(float64(got.S)-age) > 1e-5 {
						t.Fatalf("drag %g, dt %g: particle %d of age %g is %v, want %v", k, dt, serial, age, got, x)
					}
				}
				if checked < 1000 {
					t.Errorf("only %d were compared", checked)
				}
			}
		}
	})
}
