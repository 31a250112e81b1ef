// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"testing"

	"particles/internal/imagecmp"
	"particles/internal/testenv"
)

// onCUDA asks for the CUDA driver in a tier.
func onCUDA(tier string) func(*Options) {
	return func(o *Options) { o.Driver, o.Tier, o.ISA = "cuda", tier, "auto" }
}

// TestTiersShowTheSamePicture: what the shared tier draws is what the copied tier draws, to 1/255, on the same step.
func TestTiersShowTheSamePicture(t *testing.T) {
	testenv.CUDA(t)
	for _, name := range []string{"ribbons", "fountain"} {
		t.Run(name, func(t *testing.T) {
			summary, copied := fixedRun(t, name, 200_000, 120, onCUDA("copied"))
			if summary.Interop != "copied" {
				t.Fatalf("the tier is %s", summary.Interop)
			}
			summary, shared := fixedRun(t, name, 200_000, 120, onCUDA("auto"))
			if summary.Interop != "shared" {
				t.Skipf("OpenGL on this machine is not on the CUDA device: %s", summary.Reason)
			}
			samePicture(t, shared, copied, imagecmp.Tolerance{Max: 1, Mean: 1})
		})
	}
}

// TestCUDAAndHostShowTheSamePicture compares the drivers after few steps, before
// rounding has been blown up by the flow.
func TestCUDAAndHostShowTheSamePicture(t *testing.T) {
	testenv.CUDA(t)
	_, cuda := fixedRun(t, "ribbons", 20_000, 20, onCUDA("auto"))
	_, host := fixedRun(t, "ribbons", 20_000, 20, func(o *Options) { o.Driver, o.ISA = "host", "auto" })
	samePicture(t, cuda, host, imagecmp.Default)
}

// TestFramesAllocateNothingOnCUDA names the places when they do.
func TestFramesAllocateNothingOnCUDA(t *testing.T) {
	testenv.CUDA(t)
	if raceEnabled {
		t.Skip("the race detector allocates; an ordinary build shows it")
	}
	for _, tier := range []string{"auto", "copied"} {
		for _, name := range []string{"ribbons", "fountain"} {
			t.Run(tier+"/"+name, func(t *testing.T) {
				r := openRun(t, name, func(o *Options) {
					onCUDA(tier)(o)
					o.Scene.Count = 100_000
				})
				r.drawFrames(t, 60)
				n := testing.AllocsPerRun(100, func() { r.drawFrames(t, 1) })
				if n == 0 {
					return
				}
				old := runtime.MemProfileRate
				runtime.MemProfileRate = 1
				r.drawFrames(t, 100)
				runtime.MemProfileRate = old
				runtime.GC()
				var where bytes.Buffer
				_ = pprof.Lookup("allocs").WriteTo(&where, 1)
				t.Errorf("a frame makes %g heap objects, want none; since the start:\n%.3000s", n, where.String())
			})
		}
	}
}
