// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"
	"testing"
)

// flowAt gives the device's velocities at points of the box: a massless particle takes on the velocity at its place in one step.
func flowAt(t *testing.T, r *rig, m *flow, points [][3]float64) [][3]float64 {
	t.Helper()
	n := len(points)
	state := make([]float32, 6*m.mem.room)
	for i, p := range points {
		for j := range 3 {
			state[j*m.mem.room+i] = float32(p[j])
		}
	}
	write(t, r, m.mem.buffers[0], state)
	r.step(t, m, 1, 1e-6)
	state = read[float32](t, r, m.mem.buffers[0], len(state))
	out := make([][3]float64, n)
	for i := range out {
		for j := range 3 {
			out[i][j] = float64(state[(3+j)*m.mem.room+i])
		}
	}
	return out
}

func (r *rig) flow(t *testing.T, o setup) *flow {
	t.Helper()
	return r.model(t, "flow", o).solver.(*flow)
}

func randomPoints(n int, half float64) [][3]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	points := make([][3]float64, n)
	for i := range points {
		for j := range 3 {
			points[i][j] = float64(float32((2*rng.Float64() - 1) * half))
		}
	}
	return points
}

func TestFlowEqualsTheFloat64Reference(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		for name, p := range map[string]map[string]float64{
			"still":  {"octaves": 1, "frequency": 1, "amplitude": 1, "time_speed": 0},
			"moving": {"octaves": 4, "frequency": 0.8, "amplitude": 1, "time_speed": 0.7, "lift": 0.3, "lacunarity": 1.9},
		} {
			t.Run(name, func(t *testing.T) {
				const n = 4099
				p["lifetime"] = 600
				m := r.flow(t, setup{Count: n, Seed: 11, Params: p})
				r.step(t, m, 50, 1.0/60)
				points := randomPoints(n, 1.9)
				field := m.p.Field
				m.fillField(&field) // of the step that flowAt makes
				got := flowAt(t, r, m, points)
				worst := 0.0
				for i := range points {
					want := refFlow(&field, points[i])
					for j := range 3 {
						worst = max(worst, math.Abs(got[i][j]-want[j]))
					}
				}
				if worst > 3e-5 {
					t.Errorf("velocity off by %g m/s", worst)
				}
			})
		}
	})
}

func TestFlowHasNoDivergence(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		const cells, h = 20_000, 0.01
		m := r.flow(t, setup{Count: 6 * cells, Seed: 3, Params: map[string]float64{
			"octaves": 1, "frequency": 1, "amplitude": 1, "time_speed": 0, "lifetime": 600,
		}})
		centres := randomPoints(cells, 1.9)
		points := make([][3]float64, 0, 6*cells)
		for _, c := range centres {
			for j := range 3 {
				for _, d := range [2]float64{-h, h} {
					p := c
					p[j] += d
					points = append(points, p)
				}
			}
		}
		v := flowAt(t, r, m, points)
		var divergence, gradient float64
		for i := range centres {
			div := 0.0
			for j := range 3 {
				a, b := 6*i+2*j, 6*i+2*j+1
				// the distance that float32 positions really have
				dx := float64(float32(points[b][j])) - float64(float32(points[a][j]))
				for k := range 3 {
					slope := (v[b][k] - v[a][k]) / dx
					gradient += slope * slope
					if k == j {
						div += slope
					}
				}
			}
			divergence += div * div
		}
		ratio := math.Sqrt(divergence / gradient)
		t.Logf("rms divergence / rms gradient: %.2e", ratio)
		if !(ratio <= 1e-3) {
			t.Errorf("rms divergence / rms gradient is %g, want at most 1e-3", ratio)
		}
	})
}

// The noise of different potentials, seeds and slices must not be alike.
func TestFlowComponentsAreUncorrelatedAndAlike(t *testing.T) {
	r := open(t, hostDriver(t), 0)
	p := map[string]float64{"octaves": 1, "frequency": 4, "amplitude": 1, "time_speed": 0, "lifetime": 600}
	const n = 50_000
	points := randomPoints(n, 1.99)
	a := flowAt(t, r, r.flow(t, setup{Count: n, Seed: 1, Params: p}), points)
	b := flowAt(t, r, r.flow(t, setup{Count: n, Seed: 2, Params: p}), points)
	mean := func(f func(i int) float64) float64 {
		sum := 0.0
		for i := range n {
			sum += f(i)
		}
		return sum / n
	}
	// 16^3 cells of some 4096 independent eddies: a mean of products of unit variance is known to 1/64.
	const bound = 5.0 / 64
	for j := range 3 {
		if v := mean(func(i int) float64 { return a[i][j] * a[i][j] }); math.Abs(v-1) > bound {
			t.Errorf("variance of component %d: %.3f, want 1.00", j, v)
		}
		if v := mean(func(i int) float64 { return a[i][j] }); math.Abs(v) > bound {
			t.Errorf("mean of component %d: %.3f, want 0", j, v)
		}
		if v := mean(func(i int) float64 { return a[i][j] * a[i][(j+1)%3] }); math.Abs(v) > bound {
			t.Errorf("correlation of components %d and %d: %.3f, want 0", j, (j+1)%3, v)
		}
		if v := mean(func(i int) float64 { return a[i][j] * b[i][j] }); math.Abs(v) > bound {
			t.Errorf("correlation of component %d between seeds: %.3f, want 0", j, v)
		}
	}
}
