// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

func TestFlowSpeedOfOneOctave(t *testing.T) {
	eachDevice(t, func(t *testing.T, r *rig) {
		m := r.model(t, "flow", Options{Count: 200_000, Seed: 1, Params: map[string]float64{
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
