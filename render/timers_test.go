// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"
	"testing"

	"particles/render/egl"
	"particles/render/gl"

	"particles/internal/testenv"
)

func TestSoftwareRenderersHaveNoGPUTimes(t *testing.T) {
	newGL(t, egl.Options{Software: true})
	if !gl.Describe().Software {
		t.Skip("no software OpenGL on this machine")
	}
	timers := NewTimers()
	if timers.Supported() || !strings.Contains(timers.Reason(), "software") {
		t.Errorf("supported %v, reason %q", timers.Supported(), timers.Reason())
	}
	timers.Begin(1)
	timers.Stamp()
	timers.End()
	var out GPUStamps
	if timers.Collect(&out) {
		t.Error("a time was made up")
	}
	if _, ok := timers.Calibrate(func() int64 { return 0 }); ok {
		t.Error("a clock was made up")
	}
	timers.Close()
}

func TestAFullRingSkipsFramesAndKeepsTheOrder(t *testing.T) {
	newGL(t, egl.Options{})
	timers := &Timers{}
	timers.start(64) // on llvmpipe too: the queries work, their numbers mean nothing
	defer timers.Close()
	for seq := range uint64(11) {
		timers.Begin(100 + seq)
		for range seq { // more than fit, at the end
			timers.Stamp()
		}
		timers.End()
	}
	if timers.Dropped() != 3 {
		t.Errorf("%d frames dropped of 11 with a ring of 8, want 3", timers.Dropped())
	}
	gl.Finish()
	var out GPUStamps
	for seq := range uint64(8) {
		if !timers.Collect(&out) {
			t.Fatalf("frame %d is not there after all is finished", seq)
		}
		if want := min(int(seq)+2, MaxStamps); out.Seq != 100+seq || out.N != want {
			t.Errorf("frame %d with %d stamps, want %d with %d", out.Seq, out.N, 100+seq, want)
		}
		for i := 1; i < out.N; i++ {
			if out.Stamps[i] < out.Stamps[i-1] {
				t.Errorf("frame %d: stamps run backwards: %v", seq, out.Stamps[:out.N])
			}
		}
	}
	if timers.Collect(&out) {
		t.Error("a frame that was dropped came back")
	}
	timers.Begin(200)
	timers.Begin(201) // the one before was given up: it ends here
	timers.End()
	gl.Finish()
	if !timers.Collect(&out) || out.Seq != 200 || !timers.Collect(&out) || out.Seq != 201 {
		t.Error("a frame given up in the middle upsets the ring")
	}
}

func TestTheClosestPairCalibrates(t *testing.T) {
	// The program's clock runs 1000 ns behind the GPU's. Reading the GPU's takes longer before it is read than after, by all
	// that differs between the tries.
	now, try := int64(0), 0
	before := []int64{900, 40, 500, 3}
	program := func() int64 { now += 2; return now }
	gpu := func() int64 {
		now += before[try%len(before)]
		try++
		g := now + 1000
		now++
		return g
	}
	c := calibrate(program, gpu)
	if c.Err > 5 || c.Offset < -1000-c.Err || c.Offset > -1000+c.Err {
		t.Errorf("offset %d within %d, want -1000 within a few", c.Offset, c.Err)
	}
}

func TestHardwareTimesRiseAndCalibrate(t *testing.T) {
	newGL(t, egl.Options{})
	timers := NewTimers()
	if !timers.Supported() {
		testenv.Missing(t, "gpu", "no GPU: %s", timers.Reason())
	}
	defer timers.Close()
	now := int64(0)
	c, ok := timers.Calibrate(func() int64 { now += 50; return now })
	if !ok || c.Err <= 0 {
		t.Errorf("calibration %+v, %v", c, ok)
	}
	timers.Begin(1)
	timers.End()
	gl.Finish()
	var out GPUStamps
	if !timers.Collect(&out) || out.Stamps[0] <= 0 || out.Stamps[1] < out.Stamps[0] {
		t.Errorf("stamps %v", out)
	}
}
