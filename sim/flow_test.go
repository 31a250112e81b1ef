// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

func TestFlowSpeedOfOneOctave(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.model(t, "flow", setup{Count: 200_000, Seed: 1, Params: map[string]float64{
			"frequency": 1, "octaves": 1, "amplitude": 1, "width": 20, "height": 20, "depth": 20, "time_speed": 0.5,
		}})
		for _, steps := range []int{1, 59, 60} { // within a slice and between two
			r.step(t, m, steps, 1.0/120)
			var sum float64
			n := 0
			for _, p := range r.records(t, m) {
				if p.drawn() {
					sum += float64(p.S) * float64(p.S)
					n++
				}
			}
			if rms := math.Sqrt(sum / float64(n)); math.Abs(rms-1.73) > 0.02 {
				t.Errorf("after %d steps: root mean square speed %.3f of %d particles, want 1.73", m.Steps(), rms, n)
			}
		}
	})
}

// chiSquared counts the drawn particles in side^3 cells of the box.
func chiSquared(records []record, half [3]float64, side int) (chi float64, drawn int) {
	cells := make([]float64, side*side*side)
	for _, p := range records {
		if !p.drawn() {
			continue
		}
		at := 0
		for j, x := range [3]float64{float64(p.X), float64(p.Y), float64(p.Z)} {
			at = at*side + min(max(int((x/half[j]+1)/2*float64(side)), 0), side-1)
		}
		cells[at]++
		drawn++
	}
	mean := float64(drawn) / float64(len(cells))
	for _, c := range cells {
		chi += (c - mean) * (c - mean) / mean
	}
	return chi, drawn
}

func TestUniformCloudStaysUniform(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const side = 6
		m := r.flow(t, setup{Count: 30_000, Seed: 5, Params: map[string]float64{
			"frequency": 0.7, "octaves": 2, "amplitude": 0.8, "time_speed": 0.3, "lift": 0.2, "height": 3, "depth": 5,
		}})
		free := side*side*side - 1.0
		for second := 0; second <= 30; second += 10 {
			chi, drawn := chiSquared(r.records(t, m), m.half(), side)
			t.Logf("after %d s: chi-squared %.0f with %.0f degrees of freedom, %d drawn", second, chi, free, drawn)
			if math.Abs(chi-free) > 4.5*math.Sqrt(2*free) {
				t.Errorf("after %d s: chi-squared %.0f, want %.0f within %.0f", second, chi, free, 4.5*math.Sqrt(2*free))
			}
			if drawn < 25_000 {
				t.Errorf("after %d s only %d of 30000 are drawn", second, drawn)
			}
			r.step(t, m, 600, 1.0/60)
		}
	})
}

// Particle i does not depend on how many others there are, so any count must give the beginning of a larger one's state.
func TestFlowOfAnyCount(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const most = 2100
		p := map[string]float64{"lifetime": 1}
		whole := r.model(t, "flow", setup{Count: most, Seed: 9, Params: p})
		first := r.records(t, whole)
		r.step(t, whole, 10, 1.0/60)
		want := r.records(t, whole)
		for _, n := range []int{1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1023, 1025, 2049} {
			m := r.model(t, "flow", setup{Count: n, Seed: 9, Params: p})
			r.step(t, m, 10, 1.0/60)
			got := r.publishGuarded(t, m)
			for i := range got {
				if bits(got[i]) != bits(want[i]) {
					t.Fatalf("count %d: particle %d is %v, of %d it was %v", n, i, got[i], most, want[i])
				}
				if got[i].drawn() && got[i].X == first[i].X {
					t.Errorf("count %d: particle %d did not move", n, i)
				}
			}
		}
	})
}

func bits(p record) [4]uint32 {
	return [4]uint32{math.Float32bits(p.X), math.Float32bits(p.Y), math.Float32bits(p.Z), math.Float32bits(p.S)}
}

// publishGuarded publishes into a buffer that is larger, and sees that nothing beyond is touched.
func (r *rig) publishGuarded(t *testing.T, m tested) []record {
	t.Helper()
	n, guard := m.Drawn(), 40
	b, err := r.ctx.Alloc((n + guard) * RecordSize)
	check(t, err)
	check(t, b.Fill(r.stream, 0xa5a5a5a5, 4))
	check(t, m.Publish(r.stream, b))
	all := read[record](t, r, b, n+guard)
	check(t, b.Close())
	for i, p := range all[n:] {
		if bits(p) != [4]uint32{0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5, 0xa5a5a5a5} {
			t.Fatalf("%d records were to be written, record %d was touched: %v", n, n+i, p)
		}
	}
	return all[:n]
}

func TestFlowCountChangesLive(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.flow(t, setup{Count: 1000, Seed: 1})
		r.step(t, m, 20, 1.0/60)
		for _, n := range []int{1001, 5000, 4999, 600, 601, 1, 300} {
			before := r.records(t, m)
			check(t, m.SetCount(r.stream, n))
			after := r.records(t, m)
			if m.Count() != n || len(after) != n {
				t.Fatalf("count %d, %d records, want %d", m.Count(), len(after), n)
			}
			for i := range min(len(before), n) {
				if bits(before[i]) != bits(after[i]) {
					t.Fatalf("to %d: particle %d went from %v to %v", n, i, before[i], after[i])
				}
			}
			outside := 0
			for _, p := range after {
				if !p.drawn() {
					outside++
				} else if max(math.Abs(float64(p.X)), math.Abs(float64(p.Y)), math.Abs(float64(p.Z))) > 2 {
					t.Fatalf("to %d: a particle outside the box is drawn: %v", n, p)
				}
			}
			if n > 100 && outside > n/4 {
				t.Errorf("to %d: only %d are drawn", n, n-outside)
			}
			r.step(t, m, 5, 1.0/60)
		}
	})
}

// With a source all particles start there, a few at a time, and rise with the lift.
func TestFlowFromASource(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const n, life = 20_000, 4.0
		m := r.flow(t, setup{Count: n, Seed: 4, Params: map[string]float64{
			"source": 0.3, "source_height": 0, "lifetime": life, "lift": 0.1, "amplitude": 0.01, "height": 10,
		}})
		for second := 1; second <= 8; second++ {
			r.step(t, m, 60, 1.0/60)
			drawn := 0.0
			for _, p := range r.records(t, m) {
				if p.drawn() {
					drawn++
				}
			}
			// Births and deaths have the same chance in each step, so all that were ever chosen are there.
			share := 1 - math.Exp(-float64(second)/life)
			if sigma := math.Sqrt(n * share * (1 - share)); math.Abs(drawn-n*share) > 5*sigma+n/60/life*2 {
				t.Errorf("after %d s %g are drawn, want %.0f", second, drawn, n*share)
			}
		}
		for _, p := range r.records(t, m) {
			if p.drawn() && (p.Y < -5 || p.Y > -5+0.6+8*0.2 || math.Hypot(float64(p.X), float64(p.Z)) > 0.3*math.Sqrt2+8*0.05) {
				t.Fatalf("a particle is far from where the wind takes it: %v", p)
			}
		}
	})
}

// Positions that no flow can give: far away, infinite, not a number.
func TestFlowTakesBackParticlesFromAnywhere(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		bad := []float32{1e30, -1e30, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 2, -2, 3e9}
		m := r.flow(t, setup{Count: len(bad) * 6, Seed: 1})
		state := read[float32](t, r, m.mem.buffers[0], 6*m.mem.room)
		for i := range bad {
			for j := range 6 {
				state[j*m.mem.room+i*6+j] = bad[i] // one component of each particle
			}
		}
		write(t, r, m.mem.buffers[0], state)
		r.step(t, m, 600, 1.0/60)
		drawn := 0
		for i, p := range r.records(t, m) {
			if sum := math.Abs(float64(p.X)) + math.Abs(float64(p.Y)) + math.Abs(float64(p.Z)); !(sum < 7) {
				t.Errorf("particle %d, value %g: %v", i, bad[i/6], p)
			}
			if p.drawn() {
				drawn++
			}
		}
		if drawn < len(bad)*6/2 {
			t.Errorf("only %d of %d came back", drawn, len(bad)*6)
		}
	})
}

func TestFlowWithInertiaGathers(t *testing.T) {
	r := open(t, hostDriver(t), 0)
	spread := func(drag float64) float64 {
		m := r.flow(t, setup{Count: 40_000, Seed: 2, Params: map[string]float64{
			"drag": drag, "frequency": 1, "octaves": 1, "amplitude": 1, "time_speed": 0, "lifetime": 600,
		}})
		r.step(t, m, 300, 1.0/60)
		chi, _ := chiSquared(r.records(t, m), m.half(), 8)
		return chi / 511
	}
	free, heavy := spread(0), spread(3)
	if !(heavy > 5*free) {
		t.Errorf("chi-squared a degree of freedom: %.2f without and %.2f with inertia; want a clear gathering", free, heavy)
	}
}
