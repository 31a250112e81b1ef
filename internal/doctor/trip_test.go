// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"particles/internal/testenv"
	"particles/interop/driver"
	"particles/kernels"
	"particles/sim"
)

// bytesOf lays records out as the kernel does.
func bytesOf(f func(i, k int, right float32) float32) []byte {
	b := make([]byte, tripCount*sim.RecordSize)
	for i := range tripCount {
		for k, v := range record(i) {
			binary.NativeEndian.PutUint32(b[i*sim.RecordSize+k*4:], math.Float32bits(f(i, k, v)))
		}
	}
	return b
}

func TestWrongResultsAreTold(t *testing.T) {
	for want, f := range map[string]func(i, k int, right float32) float32{
		"":                    func(_, _ int, right float32) float32 { return right },
		"nothing was written": func(int, int, float32) float32 { return poison },
		"1 of 1000 particles differ; particle 999 is": func(i, k int, right float32) float32 {
			if i == 999 && k == 3 {
				return right + 1
			}
			return right
		},
		"1000 of 1000 particles differ; particle 0 is [NaN": func(int, int, float32) float32 { return float32(math.NaN()) },
	} {
		if got := compare(bytesOf(f)); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSpeedsAreExact(t *testing.T) {
	for _, v := range velocities {
		if l := v[0]*v[0] + v[1]*v[1] + v[2]*v[2]; l != v[3]*v[3] {
			t.Errorf("%v: squared length %v", v, l)
		}
	}
}

func TestTheKernelsResultIsRightOnEveryDriver(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		ctx := testenv.Context(t, d)
		set, err := kernels.Load(ctx, kernels.Auto)
		if err != nil {
			t.Fatal(err)
		}
		if err := plainTrip(ctx, set); err != nil {
			t.Error(err)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
		if s := ctx.Stats(); s.Buffers != 0 || s.HostBytes != 0 || s.Streams != 0 || s.Modules != 0 {
			t.Errorf("left open: %+v", s)
		}
	})
}
