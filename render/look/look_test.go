// SPDX-License-Identifier: Apache-2.0

package look

import (
	"math"
	"testing"

	"particles/sim/param"
)

func TestTheDescriptionsAreSound(t *testing.T) {
	if _, err := param.NewSet(Group); err != nil {
		t.Error(err)
	}
}

func TestAutomaticExposureKeepsTheMeanLight(t *testing.T) {
	for _, n := range []int{20_000, 100_000, 1_000_000, 100_000_000} {
		for _, radius := range []float32{0.01, 1, 500} {
			size := AutoPointSize(n, radius)
			disc := math.Pi * float64(radius) * float64(radius)
			mean := float64(AutoExposure(n, size, radius)) * float64(n) * math.Pi / 12 * float64(size) * float64(size) / disc
			if math.Abs(mean/autoCover-1) > 1e-3 {
				t.Errorf("%d particles in a radius of %v: mean light %.4f, want %v", n, radius, mean, autoCover)
			}
		}
	}
	if k := AutoExposure(1, 0.01, 1); k != autoLightMax {
		t.Errorf("a particle alone has the light %v, want %v", k, autoLightMax)
	}
	for _, r := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1))} {
		if k, s := AutoExposure(1000, AutoPointSize(1000, r), r), AutoPointSize(1000, r); !(k < 1e9) || !(s < 1e9) || s <= 0 || k <= 0 {
			t.Errorf("radius %v: size %v, light %v", r, s, k)
		}
	}
}

func TestExposureIsInStops(t *testing.T) {
	for stops, want := range map[float64]float32{0: 1, 1: 2, -2: 0.25} {
		if got := Gain(stops); got != want {
			t.Errorf("%v stops are a factor of %v, want %v", stops, got, want)
		}
	}
}
