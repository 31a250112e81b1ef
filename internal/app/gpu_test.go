// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"particles/internal/imagecmp"
	"particles/internal/testenv"
	"particles/render"
	"particles/render/gl"
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
				testenv.Missing(t, "gpu", "OpenGL on this machine is not on the CUDA device: %s", summary.Reason)
			}
			samePicture(t, shared, copied, imagecmp.Tolerance{Max: 1, Mean: 1})
		})
	}
}

// TestTiersPublishTheSameBytes reads the buffers that OpenGL draws from: what arrives in the copied tier is what the
// kernels write in the shared one, bit for bit.
func TestTiersPublishTheSameBytes(t *testing.T) {
	testenv.CUDA(t)
	for _, name := range []string{"ribbons", "fountain"} {
		t.Run(name, func(t *testing.T) {
			records := func(tier string) (data []byte, got string) {
				t.Run(tier, func(t *testing.T) {
					r := openRun(t, name, func(o *Options) {
						onCUDA(tier)(o)
						o.Scene.Count = 100_000
					})
					r.drawFrames(t, 120)
					data, got = published(t, r), r.engine.choice.GL.Tier().String()
				})
				return data, got
			}
			copied, _ := records("copied")
			other, tier := records("auto")
			if tier != "shared" {
				t.Logf("OpenGL on this machine is not on the CUDA device: compared copied with %s", tier)
			}
			if !bytes.Equal(copied, other) {
				t.Errorf("the copied tier publishes other bytes than the %s one", tier)
			}
		})
	}
}

// published gives the records of the slot that was published last.
func published(t *testing.T, r *run) []byte {
	t.Helper()
	slot, n, ok := r.engine.slots.Next()
	if !ok || n == 0 {
		t.Fatal("nothing was published")
	}
	data := make([]byte, n*render.RecordSize)
	gl.NewSharing(r.screen.current).ReadBuffer(r.engine.slots.Buffer(slot), unsafe.Pointer(&data[0]), len(data))
	if bytes.Count(data, []byte{0}) == len(data) {
		t.Fatal("the records are all zero")
	}
	return data
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
					o.Scene.Count, o.Width, o.Height = 1_000_000, 1280, 720
				})
				r.drawFrames(t, 60)
				r.allocs.start(2)
				r.drawFrames(t, 401)
				n := r.allocs.perFrame()
				if n < 0.1 { // the runtime itself makes an object now and then
					return
				}
				t.Errorf("a frame makes %g heap objects, want none; by place:\n%s", n, allocationSites(func() { r.drawFrames(t, 200) }))
			})
		}
	}
}

// allocationSites runs f and lists the stacks that allocated most in it.
func allocationSites(f func()) string {
	before := map[[32]uintptr]int64{}
	read := func() []runtime.MemProfileRecord {
		runtime.GC()
		runtime.GC() // a profile is two collections behind
		records := make([]runtime.MemProfileRecord, 1<<16)
		n, _ := runtime.MemProfile(records, true)
		return records[:n]
	}
	old := runtime.MemProfileRate
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = old }()
	for _, r := range read() {
		before[r.Stack0] = r.AllocObjects
	}
	f()
	var text strings.Builder
	for _, r := range read() {
		made := r.AllocObjects - before[r.Stack0]
		if made < 20 {
			continue
		}
		fmt.Fprintf(&text, "%d objects:", made)
		frames := runtime.CallersFrames(r.Stack())
		for range 8 {
			frame, more := frames.Next()
			fmt.Fprintf(&text, " %s:%d", frame.Function, frame.Line)
			if !more {
				break
			}
		}
		text.WriteString("\n")
	}
	return text.String()
}
