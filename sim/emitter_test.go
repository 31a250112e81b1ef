// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"
	"testing"
)

// plain is an emitter straight up from a point at height 0, without spread, drag or ground.
func plain(change map[string]float64) map[string]float64 {
	p := map[string]float64{
		"fill": 0, "rate": 10_000, "lifetime": 3, "lifetime_spread": 0, "speed": 10, "speed_spread": 0, "cone": 0, "radius": 0,
		"height": 0, "gravity": 9.81, "drag": 0, "ground": 0, "colour": 1,
	}
	for k, v := range change {
		p[k] = v
	}
	return p
}

func (r *rig) emitter(t testing.TB, o setup) *emitter {
	t.Helper()
	return r.model(t, "emitter", o).solver.(*emitter)
}

func (r *rig) alive(t testing.TB, m *emitter) int {
	t.Helper()
	n := 0
	for _, p := range r.records(t, m) {
		if p.drawn() {
			n++
		}
	}
	check(t, r.stream.Synchronize())
	// A count may have been under way from an earlier Publish; publish once more.
	r.records(t, m)
	check(t, r.stream.Synchronize())
	if got := m.Alive(); got != n {
		t.Errorf("Alive is %d after the stream has passed, %d records are drawn", got, n)
	}
	return n
}

// v^2/2g = 100/19.62 = 5.0968 m; semi-implicit Euler at 1/60 s would give 5.0137 m.
func TestEmitterReachesTheExactApex(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		for _, hz := range []float64{30, 60, 240} {
			m := r.emitter(t, setup{Count: 40_000, Seed: 1, Params: plain(nil)})
			top := 0.0
			for m.Time() < 1.5 {
				r.step(t, m, 1, 1/hz)
				for _, p := range r.records(t, m) {
					if p.drawn() {
						top = max(top, float64(p.Y))
					}
				}
			}
			if math.Abs(top-5.0968) > 2e-4 {
				t.Errorf("%g Hz: apex %.5f m, want 5.0968", hz, top)
			}
		}
	})
}

// Every particle is where its age says, whatever the step: closed forms in float64 with linear drag.
func TestEmitterFollowsTheExactPath(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		for _, k := range []float64{0, 1e-4, 0.5, 5} {
			for _, hz := range []float64{10, 60, 240} {
				m := r.emitter(t, setup{Count: 40_000, Seed: 1, Params: plain(map[string]float64{"drag": k})})
				r.step(t, m, int(2*hz), 1/hz)
				for _, p := range r.records(t, m) {
					_, way, fall := dragIntegrals(float64(p.S), k)
					if k >= 0.5 { // not through the function under test
						age := float64(p.S)
						way = (1 - math.Exp(-k*age)) / k
						fall = (age - way) / k
					}
					want := 10*way - 9.81*fall
					if math.Abs(float64(p.Y)-want) > 3e-4 || p.X != 0 || p.Z != 0 {
						t.Fatalf("drag %g, %g Hz: at age %g a particle is at %v, want height %g", k, hz, p.S, p, want)
					}
				}
			}
		}
	})
}

func TestEmitterQuadraticDragNearsTheReference(t *testing.T) {
	const q, k, g, v0, age = 0.2, 0.1, 9.81, 10.0, 1.0
	y, v := 0.0, v0
	for range 100_000 { // midpoint rule in float64
		h := age / 100_000
		a := func(v float64) float64 { return -g - k*v - q*math.Abs(v)*v }
		mid := v + a(v)*h/2
		y, v = y+mid*h, v+a(mid)*h
	}
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.emitter(t, setup{Count: 40_000, Seed: 1, Params: plain(map[string]float64{"drag": k, "drag2": q})})
		r.step(t, m, 240, 1.0/120)
		best := record{S: -1}
		for _, p := range r.records(t, m) {
			if math.Abs(float64(p.S)-age) < math.Abs(float64(best.S)-age) {
				best = p
			}
		}
		if math.Abs(float64(best.Y)-y) > 0.02 {
			t.Errorf("height %.4f m at age %.4f, reference %.4f m at %g", best.Y, best.S, y, age)
		}
	})
}

func TestEmitterBirthsDoNotDependOnTheStep(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		var births, living []int
		for _, hz := range []float64{30, 60, 240, 97} {
			m := r.emitter(t, setup{Count: 100_000, Seed: 1, Params: plain(map[string]float64{
				"rate": 12_345.6, "lifetime": 1, "lifetime_spread": 0.2,
			})})
			for m.Time() < 3-1e-9 {
				r.step(t, m, 1, min(1/hz, 3-m.Time()))
			}
			births = append(births, int(m.born))
			living = append(living, r.alive(t, m))
		}
		if d := slices.Max(births) - slices.Min(births); d > 1 || births[0] < 37035 || births[0] > 37037 {
			t.Errorf("births in 3 s at 12345.6 a second: %v, want 37036 within 1", births)
		}
		if d := slices.Max(living) - slices.Min(living); d > 1 {
			t.Errorf("alive after 3 s: %v, want the same within 1", living)
		}
	})
}

func TestEmitterSteadyCount(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const rate, life, spread = 20_000.0, 1.5, 0.2
		m := r.emitter(t, setup{Count: 60_000, Seed: 8, Params: map[string]float64{
			"fill": 0, "rate": rate, "lifetime": life, "lifetime_spread": spread,
		}})
		r.step(t, m, 180, 1.0/60)
		// Births are even; only the lives of those aged 0.8 to 1.2 lives are chance: variance rate * integral of s(1-s).
		sigma := math.Sqrt(rate * 2 * spread * life / 6)
		for range 5 {
			r.step(t, m, 60, 1.0/60)
			if n := float64(r.alive(t, m)); math.Abs(n-rate*life) > 3*sigma+1 {
				t.Errorf("%g alive, want %g within %.0f", n, rate*life, 3*sigma)
			}
		}
	})
}

func TestEmitterSpawnsWithoutClumps(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const rate = 30_000.0
		m := r.emitter(t, setup{Count: 100_000, Seed: 1, Params: plain(map[string]float64{"rate": rate, "lifetime": 60})})
		r.step(t, m, 20, 1.0/20)
		var ages []float64
		for _, p := range r.records(t, m) {
			ages = append(ages, float64(p.S))
		}
		slices.Sort(ages)
		for i := 1; i < len(ages); i++ {
			if gap := ages[i] - ages[i-1]; math.Abs(gap-1/rate) > 2e-6 {
				t.Fatalf("births %d and %d are %g s apart, want %g: %d at once", i-1, i, gap, 1/rate, 1)
			}
		}
		if ages[0] < -1e-7 || ages[0] > 1/rate {
			t.Errorf("the youngest is %g s old", ages[0])
		}
	})
}

func TestEmitterIsExactAfterAMillionBirthsAndDeaths(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		// 1 M a second for 2 s, lives of 0.05 s: 50000 alive, in a ring that went round 25 times.
		m := r.emitter(t, setup{Count: 80_000, Seed: 3, Params: plain(map[string]float64{"rate": 1e6, "lifetime": 0.05})})
		r.step(t, m, 200, 0.01)
		if m.born != 2_000_000 && m.born != 1_999_999 {
			t.Errorf("%d born, want 2000000", m.born)
		}
		if n := r.alive(t, m); n < 49_998 || n > 50_002 {
			t.Errorf("%d alive, want 50000", n)
		}
		_, err := m.Params().Set("rate", 1)
		check(t, err)
		r.step(t, m, 10, 0.01)
		if n := r.alive(t, m); n > 1 {
			t.Errorf("%d alive after all have died", n)
		}
	})
}

func TestFullEmitterRecyclesTheOldest(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const capacity = 999
		for _, rate := range []float64{5000, 1e6} { // the second: more births in a step than there are slots
			m := r.emitter(t, setup{Count: capacity, Seed: 3, Params: plain(map[string]float64{"rate": rate, "lifetime": 60})})
			r.step(t, m, 60, 1.0/60)
			if n := r.alive(t, m); n != capacity {
				t.Errorf("rate %g: %d alive, want the capacity of %d", rate, n, capacity)
			}
			oldest := 0.0
			for _, p := range r.records(t, m) {
				oldest = max(oldest, float64(p.S))
			}
			if math.Abs(oldest-capacity/rate) > 2/rate+1e-6 {
				t.Errorf("rate %g: the oldest is %g s old, want %g", rate, oldest, capacity/rate)
			}
			if m.born < int64(rate)-1 || m.born > int64(rate) {
				t.Errorf("rate %g: %d born in a second", rate, m.born)
			}
		}
	})
}

func TestEmitterFillsItsCapacityWithoutCuttingLives(t *testing.T) {
	r := open(t, hostDriver(t), 0)
	const capacity = 30_000
	m := r.emitter(t, setup{Count: capacity, Seed: 3, Params: map[string]float64{"lifetime": 1, "lifetime_spread": 0.25, "colour": 1}})
	r.step(t, m, 180, 1.0/60)
	want := capacity / 1.25
	if n := float64(r.alive(t, m)); math.Abs(n-want) > 0.01*want {
		t.Errorf("%g alive, want %g", n, want)
	}
	oldest := 0.0
	for _, p := range r.records(t, m) {
		if p.drawn() {
			oldest = max(oldest, float64(p.S))
		}
	}
	if oldest < 1.24 {
		t.Errorf("the oldest is %g s old: lives of 1.25 s are cut short", oldest)
	}
}

func TestEmitterBounceKeepsTheSquareOfRestitution(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const drop, e = 2.0, 0.6
		for _, hz := range []float64{30, 240} {
			m := r.emitter(t, setup{Count: 4000, Seed: 3, Params: plain(map[string]float64{
				"rate": 1000, "lifetime": 60, "speed": 0, "height": drop, "ground": 1, "restitution": e,
			})})
			fall := math.Sqrt(2 * drop / 9.81)
			highest := map[int]float64{}
			for m.Time() < 4 {
				r.step(t, m, 1, 1/hz)
				for i, p := range r.records(t, m) {
					if p.Y < 0 {
						t.Fatalf("%g Hz: a particle is at height %g", hz, p.Y)
					}
					if age := float64(p.S); age > fall && age < fall*(1+2*e) {
						highest[i] = max(highest[i], float64(p.Y))
					}
				}
			}
			for i, h := range highest {
				if i < 2000 && (h > drop*e*e*1.002 || h < drop*e*e*0.94) { // sampled at hz, so some are seen below the top
					t.Fatalf("%g Hz: particle %d bounced to %g m, want %g", hz, i, h, drop*e*e)
				}
			}
			best := 0.0
			for _, h := range highest {
				best = max(best, h)
			}
			if math.Abs(best-drop*e*e) > 2e-3 {
				t.Errorf("%g Hz: bounced to %g m at most, want %g", hz, best, drop*e*e)
			}
		}
	})
}

func TestParticlesComeToRestOnTheGround(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.emitter(t, setup{Count: 3000, Seed: 3, Params: plain(map[string]float64{
			"rate": 3000, "lifetime": 60, "speed": 3, "cone": 60, "ground": 1, "restitution": 0.3, "friction": 0.5, "colour": 0,
		})})
		r.step(t, m, 60, 1.0/60)
		check(t, m.SetCount(r.stream, 3000))
		_, err := m.Params().Set("rate", 1)
		check(t, err)
		r.step(t, m, 600, 1.0/60)
		moving := 0
		for _, p := range r.records(t, m) {
			if p.S > 1e-3 || p.Y > 1e-3 {
				moving++
			}
		}
		if moving > 15 { // those born since, one a second
			t.Errorf("%d of 3000 still move after 10 s of friction", moving)
		}
	})
}

func TestEmitterCapacityChangesLive(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.emitter(t, setup{Count: 1000, Seed: 3, Params: plain(map[string]float64{"rate": 900, "lifetime": 60, "cone": 40})})
		byAge := func() []record {
			list := slices.DeleteFunc(r.records(t, m), func(p record) bool { return !p.drawn() })
			slices.SortFunc(list, func(a, b record) int { return int(math.Copysign(1, float64(a.S-b.S))) })
			return list
		}
		for _, n := range []int{1500, 1501, 700, 699, 33, 5000, 1, 2, 64} {
			r.step(t, m, 47, 1.0/60)
			before := byAge()
			check(t, m.SetCount(r.stream, n))
			if m.Count() != n || m.Drawn() > n {
				t.Fatalf("count %d, drawn %d, want %d", m.Count(), m.Drawn(), n)
			}
			after := byAge()
			if want := min(len(before), n); len(after) != want {
				t.Fatalf("to %d: %d alive, want %d of %d", n, len(after), want, len(before))
			}
			for i := range after { // the youngest stay, as they are
				if bits(after[i]) != bits(before[i]) {
					t.Fatalf("to %d: particle %d went from %v to %v", n, i, before[i], after[i])
				}
			}
		}
	})
}

func TestEmitterConeAndDiscAreUniform(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const n, cone, speed = 50_000, 40.0, 10.0
		m := r.emitter(t, setup{Count: n, Seed: 3, Params: plain(map[string]float64{
			"rate": n, "cone": cone, "gravity": 0, "lifetime": 60,
		})})
		r.step(t, m, 1, 1)
		most := math.Cos(cone * math.Pi / 180)
		var meanCos, meanX, meanZ float64
		all := r.records(t, m)
		count := 0.0
		for _, p := range all {
			if p.S < 0.01 {
				continue // too near to tell the direction
			}
			d := math.Sqrt(float64(p.X)*float64(p.X) + float64(p.Y)*float64(p.Y) + float64(p.Z)*float64(p.Z))
			if math.Abs(d/float64(p.S)-speed) > 1e-3*speed {
				t.Fatalf("speed %g, want %g", d/float64(p.S), speed)
			}
			if c := float64(p.Y) / d; c < most-1e-4 {
				t.Fatalf("a particle %g degrees off the axis", math.Acos(c)*180/math.Pi)
			} else {
				meanCos += c
			}
			meanX += float64(p.X) / d
			meanZ += float64(p.Z) / d
			count++
		}
		// Uniform over the solid angle: the cosine is uniform, of variance (1 - most)^2/12.
		if got, sigma := meanCos/count, (1-most)/math.Sqrt(12*count); math.Abs(got-(1+most)/2) > 4*sigma {
			t.Errorf("mean cosine %.4f, want %.4f", got, (1+most)/2)
		}
		if math.Abs(meanX/count) > 4*0.5/math.Sqrt(count) || math.Abs(meanZ/count) > 4*0.5/math.Sqrt(count) {
			t.Errorf("mean direction (%.4f, %.4f), want 0", meanX/count, meanZ/count)
		}
	})
}
