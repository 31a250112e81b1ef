// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"particles/interop"
)

// reduced reduces on a device and waits.
func (r *rig) reduced(t *testing.T, values, below []float32, stride int) Reduced {
	t.Helper()
	var red reducer
	check(t, red.open(r.ctx, r.code))
	length := len(values) / stride
	upload := func(v []float32) interop.Buffer {
		b, err := r.ctx.Alloc(max(4*len(v), 4))
		check(t, err)
		if len(v) > 0 {
			write(t, r, b, v)
		}
		return b
	}
	v, limits := upload(values), interop.DevicePtr(0)
	b := upload(below)
	if below != nil {
		limits = b.DevicePtr()
	}
	check(t, red.start(r.stream, v.DevicePtr(), limits, length, stride))
	check(t, r.stream.Synchronize())
	red.poll()
	check(t, red.Close())
	check(t, v.Close())
	check(t, b.Close())
	return red.newest
}

// The reference works in float64, one value after another.
func reference(values, below []float32, stride int) Reduced {
	want := Reduced{FirstBad: -1, Least: math.Inf(1), Most: math.Inf(-1)}
	for i := range len(values) / stride {
		v := float64(values[i*stride])
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			want.Bad++
			if want.FirstBad < 0 {
				want.FirstBad = i
			}
		case below == nil || v < float64(below[i]):
			want.Count++
			want.Sum += v
			want.Least, want.Most = min(want.Least, v), max(want.Most, v)
		}
	}
	return want
}

func TestReductionsEqualTheReference(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	eachDevice(t, func(t *testing.T, r *rig) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, n := range []int{0, 1, 2, 255, 256, 257, 4095, 4096, 4097, 70_001, 1 << 20, 1<<20 + 13} {
			for _, stride := range []int{1, 4} {
				values, below := make([]float32, n*stride), make([]float32, n)
				for i := range values {
					values[i] = 200*rng.Float32() - 100
				}
				for i := range below {
					below[i] = 200*rng.Float32() - 100
				}
				for name, c := range map[string]struct {
					below []float32
					bad   map[int]float32
				}{
					"all": {}, "limits": {below: below}, "NaN": {bad: map[int]float32{n / 2: nan, n - 1: nan}},
					"infinite": {below: below, bad: map[int]float32{0: inf, n / 3: -inf}}, "all bad": {bad: nil},
				} {
					v := append([]float32(nil), values...)
					for i, bad := range c.bad {
						if i >= 0 && i < n {
							v[i*stride] = bad
						}
					}
					if name == "all bad" {
						for i := range v {
							v[i] = nan
						}
					}
					got, want := r.reduced(t, v, c.below, stride), reference(v, c.below, stride)
					off := math.Abs(got.Sum - want.Sum)
					got.Sum = want.Sum
					if got != want || off > 1e-5*math.Sqrt(float64(n))*100 {
						t.Errorf("%d values %d apart, %s: %+v, want %+v, sums %g apart", n, stride, name, got, want, off)
					}
					if again := r.reduced(t, v, c.below, stride); again.Sum != r.reduced(t, v, c.below, stride).Sum {
						t.Errorf("%d values, %s: the sum differs from run to run", n, name)
					}
				}
			}
		}
	})
}

func TestAReductionThatIsForgottenIsNotTold(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		var red reducer
		check(t, red.open(r.ctx, r.code))
		b, err := r.ctx.Alloc(4 * 1000)
		check(t, err)
		check(t, b.Fill(r.stream, 0, 4))
		check(t, red.start(r.stream, b.DevicePtr(), 0, 1000, 1))
		red.forget()
		check(t, r.stream.Synchronize())
		red.poll()
		if red.newest.Count != 0 {
			t.Errorf("%+v is of before", red.newest)
		}
		check(t, red.start(r.stream, b.DevicePtr(), 0, 1000, 1))
		check(t, r.stream.Synchronize())
		red.poll()
		if red.newest.Count != 1000 {
			t.Errorf("%+v, want 1000", red.newest)
		}
		if n := testing.AllocsPerRun(100, func() { check(t, red.start(r.stream, b.DevicePtr(), 0, 1000, 1)) }); n != 0 {
			t.Errorf("%g allocations", n)
		}
		check(t, red.Close())
		check(t, b.Close())
	})
}
