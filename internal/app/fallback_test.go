// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// first gives the part of a state that belongs to its first n particles, array by array.
func first(k kept, arrays, n int) []byte {
	var out []byte
	row := len(k.bytes) / arrays
	for i := range arrays {
		out = append(out, k.bytes[i*row:i*row+n*4]...)
	}
	return out
}

// TestRefusedSharingMeansCopies: INT-01 and INT-02 at the start: one message that
// names both devices, and every action works from then on.
func TestRefusedSharingMeansCopies(t *testing.T) {
	for _, fail := range []string{
		"cuGraphicsGLRegisterBuffer=304", "cuGraphicsGLRegisterBuffer=999", "cuGraphicsGLRegisterBuffer=219",
		"cuGraphicsGLRegisterBuffer=101", "cuGraphicsGLRegisterBuffer=100", "cuGraphicsGLRegisterBuffer=1",
		"cuGLGetDevices_v2=304", "cuGLGetDevices_v2=999", "cuGLGetDevices_v2=219", "cuGLGetDevices_v2=100",
		"null handle", "small mapping",
	} {
		t.Run(fail, func(t *testing.T) {
			calls := logged(t)
			renderer := ""
			said := &messages{}
			switch fail {
			case "null handle":
				t.Setenv("FAKE_GL_NULL", "1")
			case "small mapping":
				t.Setenv("FAKE_GL_SIZE", "16000")
			default:
				t.Setenv("FAKE_CU", fail)
			}
			t.Run("run", func(t *testing.T) {
				r := openRun(t, "ribbons", standIn(t, said, nil))
				r.drawFrames(t, 30)
				c := r.engine.choice
				if c.Driver != "cuda" || c.Tier.String() != "copied" || c.GL.Tier() != c.Tier {
					t.Fatalf("%s\n%s", c, said.all())
				}
				if fail == "cuGraphicsGLRegisterBuffer=304" {
					r.drawFrames(t, 270)
				}
				r.changeCount(6000)
				r.drawFrames(t, 3)
				r.clock.SetPaused(true)
				r.drawFrames(t, 3)
				r.clock.SetPaused(false)
				r.reset(5)
				r.drawFrames(t, 3)
				r.renderer.Resize(100, 80)
				renderer = r.glInfo.Renderer
				r.screen.(*offscreen).w, r.screen.(*offscreen).h = 100, 80
				r.drawFrames(t, 3)
				r.loadScene("fountain")
				r.drawFrames(t, 3)
				if err := r.startRecording(t.TempDir() + "/trace.json"); err != nil {
					t.Fatal(err)
				}
				r.drawFrames(t, 20)
				if tier := r.traceHeader().Interop; tier != "copied" || r.traceHeader().Reason == "" {
					t.Errorf("the trace says %s: %s", tier, r.traceHeader().Reason)
				}
				r.stopRecording()
				if s := r.summary(); s.Interop != "copied" || s.Reason == "" {
					t.Errorf("the summary says %s: %q", s.Interop, s.Reason)
				}
			})
			told := said.lines("copied")
			if len(told) != 1 || len(said.lines("WARN")) > 1 {
				t.Fatalf("told %d times:\n%s", len(told), said.all())
			}
			for _, word := range []string{"Stand-in GPU 0", renderer} {
				if !strings.Contains(told[0], word) && !strings.Contains(said.all(), "softpipe") {
					t.Errorf("%q is not in %q", word, told[0])
				}
			}
			if fail == "small mapping" && !strings.Contains(told[0], "16000 bytes") {
				t.Errorf("no sizes in %q", told[0])
			}
			allGivenBack(t, calls)
		})
	}
}

// TestSharingRefusedLaterKeepsTheParticles: INT-02, from the third registration on.
func TestSharingRefusedLaterKeepsTheParticles(t *testing.T) {
	for _, code := range []int{304, 999, 1} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			calls := logged(t)
			said := &messages{}
			t.Run("run", func(t *testing.T) {
				r := openRun(t, "ribbons", standIn(t, said, func(o *Options) { o.Driver = "host" }))
				r.drawFrames(t, 20)
				r.on(t, "auto", "") // with particles at their places
				t.Setenv("FAKE_CU", fmt.Sprintf("cuGraphicsGLRegisterBuffer=%d@3", code))
				r.drawFrames(t, 5)
				if r.engine.choice.Tier.String() != "shared" {
					t.Fatalf("at first: %s", r.engine.choice)
				}
				before, steps := r.now(t), r.engine.model.Steps()
				r.changeCount(9000)
				after := r.now(t)
				if !bytes.Equal(first(before, 6, 4000), first(after, 6, 4000)) || r.engine.model.Steps() != steps {
					t.Error("the particles did not stay")
				}
				r.drawFrames(t, 300)
				if r.engine.choice.Tier.String() != "copied" || r.engine.choice.GL.Tier() != r.engine.choice.Tier {
					t.Fatalf("afterwards: %s", r.engine.choice)
				}
			})
			if n := len(said.lines("WARN")); n != 1 {
				t.Errorf("told %d times:\n%s", n, said.all())
			}
			allGivenBack(t, calls)
		})
	}
}

// TestCUDAThatFailsAtTheStartMeansTheHost: INT-05 and INT-20, never silently.
func TestCUDAThatFailsAtTheStartMeansTheHost(t *testing.T) {
	for _, c := range []struct{ name, fail, mem, word string }{
		{"driver mismatch", "cuInit=803", "", "803"},
		{"unknown", "cuInit=999", "", "999"},
		{"no device", "cuDeviceGetCount=100", "", "100"},
		{"old driver", "cuModuleLoadDataEx=222", "", "222"},
		{"no image", "cuModuleLoadDataEx=209", "", "209"},
		{"no memory for the context", "cuDevicePrimaryCtxRetain=2", "", "memory"},
		{"no memory for the code", "cuModuleLoadDataEx=2", "", "memory"},
		{"no stream", "cuStreamCreateWithPriority=999", "", "999"},
		{"no memory for the model", "", "90000", "memory"},
		{"no memory at the model's allocation", "cuMemAlloc_v2=2", "", "memory"},
		{"launches fail at the start", "cuLaunchKernel=719", "", "719"},
		{"no pinned memory", "cuMemHostAlloc=2,cuGraphicsGLRegisterBuffer=304", "", "memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := &messages{}
			t.Setenv("FAKE_CU", c.fail)
			t.Setenv("FAKE_CU_MEM", c.mem)
			calls := logged(t)
			change := standIn(t, said, nil)
			t.Run("automatic", func(t *testing.T) {
				r := openRun(t, "ribbons", change)
				r.drawFrames(t, 10)
				s, h := r.summary(), r.traceHeader()
				if s.Driver != "host" || s.Interop != "host" || s.Steps != 10 {
					t.Fatalf("%+v", s)
				}
				for _, reason := range []string{s.Reason, h.Reason} {
					if !strings.Contains(strings.ToLower(reason), c.word) || strings.Contains(reason, "\n") {
						t.Errorf("the reason does not say %q: %q", c.word, reason)
					}
				}
				if lines := said.lines("computing on"); len(lines) != 1 || !strings.Contains(strings.ToLower(lines[0]), c.word) {
					t.Errorf("told %d times:\n%s", len(lines), said.all())
				}
				if lines := said.lines("level="); len(lines) != 1+len(said.lines("no checkpoints")) {
					t.Errorf("more was told:\n%s", said.all())
				}
			})
			if c.name != "unknown" && c.name != "driver mismatch" && c.name != "no device" && !strings.HasPrefix(c.name, "no memory for the context") {
				allGivenBack(t, calls)
			}
			t.Run("forced", func(t *testing.T) {
				err := openError(t, "ribbons", func(o *Options) { change(o); o.Driver = "cuda" })
				if err == nil || !strings.Contains(strings.ToLower(err.Error()), c.word) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}
