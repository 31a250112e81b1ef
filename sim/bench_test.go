// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"particles/internal/testenv"
	"particles/kernels"
)

func BenchmarkStep(b *testing.B) {
	const count = 1 << 18
	for _, c := range []struct {
		name, model string
		params      map[string]float64
	}{
		{"flow_1_octave", "flow", map[string]float64{"octaves": 1, "time_speed": 0}},
		{"flow_1_octave_moving", "flow", map[string]float64{"octaves": 1, "time_speed": 0.5}},
		{"flow_default", "flow", nil},
		{"emitter", "emitter", map[string]float64{"lifetime": 1}},
	} {
		for _, isa := range kernels.Available() {
			b.Run(c.name+"/"+isa.String(), func(b *testing.B) {
				r := open(b, testenv.Host(b), isa)
				m := r.model(b, c.model, Options{Count: count, Params: c.params})
				r.step(b, m, 160, 1.0/120) // the emitter is full then
				check(b, r.stream.Synchronize())
				for b.Loop() {
					check(b, m.Step(r.stream, 1.0/120))
					check(b, r.stream.Synchronize())
				}
				b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
			})
		}
	}
}
