// SPDX-License-Identifier: Apache-2.0

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"particles/internal/scene"
	"particles/interop"
	"particles/interop/driver"
	"particles/render/egl"
	"particles/trace"
)

// openError opens a run that is to fail, closes it and gives the error.
func openError(t *testing.T, name string, change func(*Options)) error {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, err := scene.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Count = 4000
	o := Options{Scene: s, Headless: true, Frames: 3, Width: 64, Height: 64, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	change(&o)
	summary, err := Run(context.Background(), o)
	if errors.Is(err, egl.ErrUnavailable) {
		t.Skipf("headless OpenGL is missing on this machine: %v", err)
	}
	if summary.Leaks != "" {
		t.Errorf("not given back: %s", summary.Leaks)
	}
	return err
}

// onGPU opens a run whose particles were moved to their places by the host, and are on the stand-in now.
func onGPU(t *testing.T, said *messages, change func(*Options)) *run {
	t.Helper()
	r := openRun(t, "ribbons", standIn(t, said, func(o *Options) {
		o.Driver, o.checkpoints = "host", -1
		if change != nil {
			change(o)
		}
	}))
	r.drawFrames(t, 20)
	r.on(t, "auto", "")
	if r.engine.choice.Driver != "cuda" {
		t.Fatalf("not on the stand-in:\n%s", said.all())
	}
	r.drawFrames(t, 20)
	return r
}

// TestAStepThatFailsOnceIsSurvived: INT-13. The slot is given back, the last picture stays, and it is told.
func TestAStepThatFailsOnceIsSurvived(t *testing.T) {
	for _, call := range []string{"cuLaunchKernel=1", "cuLaunchKernel=701", "cuLaunchKernel=2"} {
		t.Run(call, func(t *testing.T) {
			calls := logged(t)
			said := &messages{}
			t.Run("run", func(t *testing.T) {
				r := onGPU(t, said, nil)
				engine, steps := r.engine, r.engine.model.Steps()
				t.Setenv("FAKE_CU", call)
				r.drawFrames(t, 3)
				slot, _, ok := r.engine.slots.Next()
				if !ok {
					t.Error("the last picture is gone")
				}
				for i, reg := range r.engine.regs {
					if reg.IsMapped() {
						t.Errorf("slot %d is still mapped", i)
					}
				}
				if now, _, _ := r.engine.slots.Next(); now != slot || r.engine.model.Steps() != steps {
					t.Error("a frame that failed was published")
				}
				t.Setenv("FAKE_CU", "")
				r.drawFrames(t, 10)
				if r.engine != engine || r.engine.model.Steps() != steps+10 {
					t.Errorf("step %d, want %d, on the same device", r.engine.model.Steps(), steps+10)
				}
			})
			if len(said.lines("a step failed")) != 1 || len(said.lines("goes on after 3 frames")) != 1 {
				t.Errorf("told:\n%s", said.all())
			}
			allGivenBack(t, calls)
			noRuleBroken(t, calls)
		})
	}
}

// noRuleBroken looks for the answers to mapping twice, unmapping twice and calls without a context.
func noRuleBroken(t *testing.T, calls string) {
	t.Helper()
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		for _, code := range []string{"208", "211", "201", "400"} {
			if strings.HasSuffix(line, "-> "+code) {
				t.Errorf("a rule was broken: %s", line)
			}
		}
	}
}

// TestStepsThatKeepFailingEndOnTheHost: INT-13 with a failure that stays: no loop of messages.
func TestStepsThatKeepFailingEndOnTheHost(t *testing.T) {
	said := &messages{}
	r := onGPU(t, said, nil)
	before := r.now(t)
	t.Setenv("FAKE_CU", "cuLaunchKernel=1")
	r.drawFrames(t, 60)
	if r.engine.choice.Driver != "host" {
		t.Fatalf("still on %s:\n%s", r.engine.choice, said.all())
	}
	if r.engine.model.Steps() <= before.state.Steps {
		t.Error("the host does not go on")
	}
	if n := len(said.lines("level=WARN")); n != 2 { // the first failure, and the move
		t.Errorf("told %d times:\n%s", n, said.all())
	}
}

// TestALostDeviceIsRecoveredFrom goes through the codes and the calls that may report them.
func TestALostDeviceIsRecoveredFrom(t *testing.T) {
	for _, c := range []struct {
		fail, word string
	}{
		{"cuLaunchKernel=700", "700"},
		{"cuLaunchKernel=702", "lower the number of particles"},
		{"cuLaunchKernel=719", "719"},
		{"cuLaunchKernel=999", "Xid"},
		{"cuEventRecord=719", "719"},
		{"cuEventQuery=700", "700"},
		{"cuEventQuery=999", "Xid"},
		{"cuGraphicsMapResources=719", "719"},
		{"cuGraphicsMapResources=999", "Xid"},
		{"cuGraphicsUnmapResources=700", "700"},
		{"cuGraphicsResourceGetMappedPointer_v2=719", "719"},
		{everything(999), "Xid"},
		{everything(719), "719"},
	} {
		for _, again := range []bool{true, false} {
			name := c.fail
			if len(name) > 60 {
				name = "everything" + name[strings.LastIndex(name, "="):]
			}
			t.Run(fmt.Sprintf("%s/works again %v", name, again), func(t *testing.T) {
				calls := logged(t)
				said := &messages{}
				t.Run("run", func(t *testing.T) {
					r := onGPU(t, said, nil)
					file := filepath.Join(t.TempDir(), "trace.json")
					if err := r.startRecording(file); err != nil {
						t.Fatal(err)
					}
					r.drawFrames(t, 5)
					before := r.now(t)
					lost := r.engine
					t.Setenv("FAKE_CU", c.fail)
					if again { // the context is at fault, and the next one works
						open := r.o.openCUDA
						r.o.openCUDA = func() (driver.Driver, error) { t.Setenv("FAKE_CU", ""); return open() }
					}
					r.drawFrames(t, 3)
					want := "host"
					if again {
						want = "cuda"
					}
					if r.engine == lost || r.engine.choice.Driver != want {
						t.Fatalf("on %s, want %s:\n%s", r.engine.choice, want, said.all())
					}
					s := r.now(t)
					if s.state.Steps+10 < before.state.Steps || s.state.Count != before.state.Count || s.state.Time <= 0 {
						t.Errorf("went back from step %d to %d", before.state.Steps, s.state.Steps)
					}
					if again && string(s.bytes) != string(before.bytes) {
						t.Error("the particles are elsewhere")
					}
					r.drawFrames(t, 20)
					if lost := r.summary().Lost; lost != 1 {
						t.Errorf("the summary counts %d losses", lost)
					}
					if !again && (r.summary().Driver != "host" || !strings.Contains(r.summary().Reason, c.word)) {
						t.Errorf("the summary says %s: %q", r.summary().Driver, r.summary().Reason)
					}
					r.stopRecording()
					notesTellOfIt(t, file)
				})
				if lines := said.lines("level=WARN"); len(lines) != 1 || !strings.Contains(lines[0], c.word) || !strings.Contains(lines[0], "Going on from step") {
					t.Errorf("told %d times, want once with %q:\n%s", len(lines), c.word, said.all())
				}
				if text, err := os.ReadFile(calls); err != nil || !strings.Contains(lastState(string(text)), "contexts=0 ") {
					t.Errorf("a context is left: %v, %q", err, lastState(string(text)))
				}
			})
		}
	}
}

// everything makes all calls of a running context fail.
func everything(code int) string {
	var list []string
	for _, call := range []string{
		"cuLaunchKernel", "cuEventRecord", "cuEventQuery", "cuEventElapsedTime", "cuEventSynchronize", "cuStreamSynchronize", "cuStreamQuery",
		"cuGraphicsMapResources", "cuGraphicsUnmapResources", "cuGraphicsUnregisterResource", "cuMemFree_v2", "cuMemFreeHost", "cuMemAlloc_v2",
		"cuMemHostAlloc", "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuModuleUnload", "cuCtxSynchronize", "cuModuleLoadDataEx", "cuStreamCreateWithPriority",
		"cuMemcpyDtoHAsync_v2",
	} {
		list = append(list, fmt.Sprintf("%s=%d", call, code))
	}
	return strings.Join(list, ",")
}

// notesTellOfIt reads the trace back.
func notesTellOfIt(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, err := trace.ReadChrome(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Check(); err != nil || read.Truncated {
		t.Errorf("the trace is not whole: %v", err)
	}
	tier, recovered := 0, 0
	for _, n := range read.Notes {
		text := fmt.Sprint(n.Name, n.Args)
		if strings.HasPrefix(text, "tier") {
			tier++
		}
		if strings.Contains(text, "recovered from step") {
			recovered++
		}
	}
	if tier != 1 || recovered != 1 {
		t.Errorf("%d notes of the tier, %d of the recovery: %+v", tier, recovered, read.Notes)
	}
}

// TestWithoutACheckpointALostDeviceMeansAReset, also where memory does not allow one.
func TestWithoutACheckpointALostDeviceMeansAReset(t *testing.T) {
	said := &messages{}
	r := onGPU(t, said, nil)
	if err := r.engine.saves.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_CU", "cuLaunchKernel=719")
	r.drawFrames(t, 3)
	if r.engine.choice.Driver != "host" || r.engine.model.Steps() > 3 || r.engine.model.Count() != 4000 {
		t.Errorf("%s at step %d", r.engine.choice, r.engine.model.Steps())
	}
	if len(said.lines("the scene starts again")) != 1 {
		t.Errorf("told:\n%s", said.all())
	}
}

// TestAForcedGPUThatIsLostEndsTheRun, with the reason, exit code and a whole trace.
func TestAForcedGPUThatIsLostEndsTheRun(t *testing.T) {
	said := &messages{}
	change := standIn(t, said, nil)
	file := filepath.Join(t.TempDir(), "trace.json")
	t.Setenv("FAKE_CU", "cuLaunchKernel=719@150,cuEventQuery=719@2000")
	err := openError(t, "ribbons", func(o *Options) {
		change(o)
		o.Driver, o.Frames, o.Trace = "cuda", 2000, file
	})
	if err == nil || !strings.Contains(err.Error(), "719") || !strings.Contains(err.Error(), "Stand-in GPU 0") {
		t.Fatalf("got %v", err)
	}
	f, e := os.Open(file)
	if e != nil {
		t.Fatal(e)
	}
	defer f.Close()
	if read, err := trace.ReadChrome(f); err != nil || read.Truncated || read.Check() != nil || len(read.Frames) < 20 {
		t.Errorf("the trace is not whole: %v", err)
	}
}

// TestAGPUThatDoesNotAnswerIsToldWithXid: INT-16. Queries that never come true stand for a GPU that is gone.
func TestAGPUThatDoesNotAnswerIsToldWithXid(t *testing.T) {
	quick := func(o *Options) { o.waitLimit = 1200 * time.Millisecond }
	t.Run("in a run", func(t *testing.T) {
		said := &messages{}
		change := standIn(t, said, quick)
		t.Setenv("FAKE_CU", "cuEventQuery=600@60,cuStreamQuery=600@60")
		err := openError(t, "ribbons", func(o *Options) { change(o); o.Frames = 1 << 30 })
		if !errors.Is(err, errNoAnswer) || !strings.Contains(err.Error(), "Xid") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("at a switch", func(t *testing.T) {
		said := &messages{}
		r := onGPU(t, said, quick)
		engine := r.engine
		t.Setenv("FAKE_CU", "cuStreamQuery=600")
		r.on(t, "host", "")
		t.Setenv("FAKE_CU", "")
		if r.engine != engine || len(said.lines("Xid")) != 1 {
			t.Errorf("told:\n%s", said.all())
		}
		r.drawFrames(t, 5)
	})
	t.Run("at the end", func(t *testing.T) {
		said := &messages{}
		change := standIn(t, said, quick)
		t.Setenv("FAKE_CU", "cuStreamQuery=600@3")
		err := openError(t, "ribbons", func(o *Options) { change(o); o.Frames = 30 })
		if !errors.Is(err, errNoAnswer) {
			t.Errorf("got %v", err)
		}
	})
}

// TestCodesOfALostDevice tells them from those that only refuse to share.
func TestCodesOfALostDevice(t *testing.T) {
	for _, c := range []struct {
		driver, op string
		code       driver.Code
		lost       bool
	}{
		{"cuda", "cuLaunchKernel", driver.IllegalAddress, true},
		{"cuda", "cuStreamQuery", driver.LaunchTimeout, true},
		{"cuda", "cuStreamQuery", driver.Unknown, true},
		{"cuda", "cuGraphicsMapResources", driver.Unknown, true},
		{"cuda", "cuGraphicsGLRegisterBuffer", driver.Unknown, false},
		{"cuda", "cuGLGetDevices", driver.Unknown, false},
		{"cuda", "cuGraphicsGLRegisterBuffer", driver.LaunchFailed, true},
		{"cuda", "cuLaunchKernel", driver.InvalidValue, false},
		{"cuda", "cuMemAlloc", driver.OutOfMemory, false},
		{"host", "cuLaunchKernel", driver.LaunchFailed, false},
	} {
		one := &interop.Error{Driver: c.driver, Op: c.op, Code: c.code}
		err := fmt.Errorf("around: %w", errors.Join(errors.New("other"), one))
		if code, lost := lostCode(err); lost != c.lost || lost && code != c.code {
			t.Errorf("%s: %s of %d: lost %v", c.driver, c.op, c.code, lost)
		}
	}
	if _, lost := lostCode(nil); lost {
		t.Error("no error is a loss")
	}
}

// TestAFailedUnmapIsRepaired: the buffer whose state is unknown is registered anew, and the tier stays.
func TestAFailedUnmapIsRepaired(t *testing.T) {
	calls := logged(t)
	said := &messages{}
	t.Run("run", func(t *testing.T) {
		r := onGPU(t, said, nil)
		t.Setenv("FAKE_CU", "cuGraphicsUnmapResources=206")
		r.drawFrames(t, 1)
		t.Setenv("FAKE_CU", "")
		r.drawFrames(t, 10)
		before := r.engine.model.Steps()
		r.drawFrames(t, 10)
		if r.engine.choice.Tier != interop.TierShared || r.engine.model.Steps() != before+10 || r.trouble.failed != 0 {
			t.Errorf("%s, %d frames failed\n%s", r.engine.choice, r.trouble.failed, said.all())
		}
		for i, reg := range r.engine.regs {
			if reg.IsMapped() {
				t.Errorf("slot %d is still mapped", i)
			}
		}
	})
	allGivenBack(t, calls)
}

// TestAMapThatIsRefusedMeansCopies: a driver that registers, and then does not map.
func TestAMapThatIsRefusedMeansCopies(t *testing.T) {
	calls := logged(t)
	said := &messages{}
	t.Run("run", func(t *testing.T) {
		r := onGPU(t, said, nil)
		before := r.now(t)
		t.Setenv("FAKE_CU", "cuGraphicsMapResources=205")
		r.drawFrames(t, 30)
		after := r.now(t)
		if r.engine.choice.Tier != interop.TierCopied || after.state.Steps != before.state.Steps+30 || string(after.bytes) != string(before.bytes) {
			t.Errorf("%s at step %d after %d", r.engine.choice, after.state.Steps, before.state.Steps)
		}
	})
	if n := len(said.lines("WARN")); n != 1 || len(said.lines("buffers are now copied")) != 1 {
		t.Errorf("told %d times:\n%s", n, said.all())
	}
	allGivenBack(t, calls)
}
