// SPDX-License-Identifier: Apache-2.0

//go:build gpufault

package app

// These tests break a real GPU's contexts. Afterwards the OpenGL of other programs
// may hang for seconds at a time on that GPU (Xid 31, then 109, seen on an H200), so they are
// built only when asked for, and belong last on a machine that is given back:
//
//	go test -tags gpufault -run RealFault ./internal/app

import (
	"bytes"
	"io"
	"log/slog"
	"math"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop/driver"
)

// faultPTX holds a kernel that writes where there is no memory.
const faultPTX = `.version 6.0
.target sm_50
.address_size 64
.visible .entry fault(.param .align 8 .b8 p[8])
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 1;
	st.global.u32 [%rd2], %r1;
	ret;
}
`

// breakGPU runs a kernel that fails on the run's stream: the context answers nothing else from then on.
func (r *run) breakGPU(t *testing.T) {
	t.Helper()
	module, err := r.engine.choice.Context.LoadModule(driver.Image{Name: "fault", PTX: []byte(faultPTX + "\x00")})
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := module.Kernel("fault")
	if err != nil {
		t.Fatal(err)
	}
	address := uint64(16)
	if err := kernel.Launch(r.engine.stream, 1, unsafe.Pointer(&address), 8); err != nil {
		t.Fatal(err)
	}
}

// TestARealFaultIsRecoveredFrom with the last checkpoint's particles, in both tiers.
func TestARealFaultIsRecoveredFrom(t *testing.T) {
	testenv.CUDA(t)
	for _, tier := range []string{"auto", "copied"} {
		t.Run(tier, func(t *testing.T) {
			said := &messages{}
			log := slog.New(slog.NewTextHandler(io.MultiWriter(said, t.Output()), &slog.HandlerOptions{Level: slog.LevelDebug}))
			r := openRun(t, "ribbons", func(o *Options) {
				o.Driver, o.Tier, o.Scene.Count, o.checkpoints, o.Log = "auto", tier, 100_000, -1, log
			})
			r.drawFrames(t, 60)
			lost := r.engine
			steps := r.engine.model.Steps()
			r.breakGPU(t)
			log.Debug("the GPU is broken")
			for range 60 {
				r.drawFrames(t, 1)
				log.Debug("a frame is drawn", "step", r.engine.model.Steps())
			}
			if r.engine == lost || len(said.lines("Going on from step")) != 1 {
				t.Fatalf("on %s, told:\n%s", r.engine.choice, said.all())
			}
			t.Logf("now on %s at step %d", r.engine.choice, r.engine.model.Steps())
			if r.engine.model.Steps() < steps+40 {
				t.Errorf("at step %d, after step %d and 60 frames", r.engine.model.Steps(), steps)
			}
			if r.engine.choice.Driver == "cuda" {
				sound(t, r)
			}
		})
	}
}

// sound checks that the particles are in their box.
func sound(t *testing.T, r *run) {
	t.Helper()
	k := r.now(t)
	if len(k.bytes) == 0 || bytes.Count(k.bytes, []byte{0}) == len(k.bytes) {
		t.Fatal("there are no particles")
	}
	values := unsafe.Slice((*float32)(unsafe.Pointer(&k.bytes[0])), len(k.bytes)/4)
	half := r.engine.model.Params().Get("width")
	for i, v := range values[:r.engine.model.Count()] {
		if math.IsNaN(float64(v)) || math.Abs(float64(v)) > half {
			t.Fatalf("particle %d is at x = %g m, in a box %g m wide", i, v, half)
		}
	}
}
