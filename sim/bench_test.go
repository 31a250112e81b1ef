// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"particles/internal/testenv"
	"particles/kernels"
)

// BenchmarkStep gives particles a second of a step, and of a step with its Publish. On a GPU many steps are queued before the
// wait, and the count is large enough to fill it.
func BenchmarkStep(b *testing.B) {
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
				benchmarkStep(b, open(b, testenv.Host(b), isa), c.model, c.params, 1<<18, 1)
			})
		}
		b.Run(c.name+"/cuda", func(b *testing.B) {
			benchmarkStep(b, open(b, testenv.CUDA(b), kernels.Auto), c.model, c.params, 1<<24, 50)
		})
	}
}

func benchmarkStep(b *testing.B, r *rig, model string, params map[string]float64, count, batch int) {
	m := r.model(b, model, setup{Count: count, Params: params})
	r.step(b, m, 160, 1.0/120) // the emitter is full then
	records, err := r.ctx.Alloc(count * RecordSize)
	check(b, err)
	b.Cleanup(func() { check(b, records.Close()) })
	check(b, r.stream.Synchronize())
	for _, publish := range []bool{false, true} {
		name := "step"
		if publish {
			name = "step_and_publish"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for range batch {
					check(b, m.Step(r.stream, 1.0/120))
					if publish {
						check(b, m.Publish(r.stream, records))
					}
				}
				check(b, r.stream.Synchronize())
			}
			b.ReportMetric(float64(count)*float64(b.N)*float64(batch)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
		})
	}
}
