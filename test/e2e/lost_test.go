// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	sigterm = syscall.SIGTERM
	sigint  = syscall.SIGINT
)

func signal(t *testing.T, p *program, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// TestINT13AStepThatFailsLeavesTheLastPicture: pausing, stepping and resetting fast, then launches that fail.
func TestINT13AStepThatFailsLeavesTheLastPicture(t *testing.T) {
	d := newDesktop(t, 900, 700)
	g := newGPU(t, "FAKE_CU=cuLaunchKernel=1@600")
	p := g.start(t, d, "ribbons", "--count", "2000", "--size", "700x500", "--no-vsync")
	for range 5 {
		for _, key := range []string{"space", "n", "r", "n", "space", "r"} {
			p.key(key)
		}
	}
	p.waitFor("the CPU has taken over", func(s *uiState) bool {
		badge := s.widget("head/badge")
		return badge != nil && strings.Contains(badge.Text, "CPU")
	})
	p.settle()
	p.close()
	if n := countLines(p.errs.String(), "warning"); n != 2 {
		t.Errorf("told %d times, want the failure and the move:\n%s", n, p.errs.String())
	}
	g.givenBack(t)
}

// TestINT19And16ALostDeviceIsGoneOnFrom: by codes and by what reports them, in the middle of a recorded run.
func TestINT19And16ALostDeviceIsGoneOnFrom(t *testing.T) {
	from := func(code, k int, calls ...string) string {
		for i, call := range calls {
			calls[i] = fmt.Sprintf("%s=%d@%d", call, code, k)
		}
		return "FAKE_CU=" + strings.Join(calls, ",")
	}
	for _, c := range []struct {
		name, setting, tier, word string
	}{
		{"702 from a wait", from(702, 50, "cuStreamSynchronize"), "copied", "lower the number of particles"},
		{"702 from a launch", from(702, 200, "cuLaunchKernel"), "auto", "lower the number of particles"},
		{"700 from an event", from(700, 300, "cuEventQuery", "cuEventRecord"), "auto", "700"},
		{"719 at the map", from(719, 60, "cuGraphicsMapResources"), "auto", "719"},
		{"719 at the unmap", from(719, 60, "cuGraphicsUnmapResources"), "auto", "719"},
		{
			"999 from everything", "FAKE_CU=cuLaunchKernel=999@200,cuGraphicsMapResources=999@100,cuGraphicsUnmapResources=999@100," +
				"cuEventQuery=999@300,cuEventRecord=999@300,cuStreamQuery=999@6,cuMemFree_v2=999,cuModuleLoadDataEx=999@4,cuCtxSynchronize=999", "auto", "Xid",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGPU(t, c.setting)
			args := []string{"ribbons", "--frames", "400", "--count", "2000", "--interop", c.tier}
			r := g.headless(t, args...)
			if r.err != nil || r.Driver != "host" || !strings.Contains(r.Reason, c.word) {
				t.Fatalf("%v: %+v\n%s", r.err, r.summary, r.errs)
			}
			if r.told("warning") != 1 || r.told(c.word) != 1 {
				t.Errorf("told %d times:\n%s", r.told("warning"), r.errs)
			}
			if tiers := r.notes("tier"); len(tiers) != 1 || !strings.HasPrefix(tiers[0], "host") {
				t.Errorf("notes of the tier in the trace: %v", tiers)
			}
			if marks := r.notes("mark"); len(marks) != 1 || !strings.HasPrefix(marks[0], "recovered ") {
				t.Errorf("marks in the trace: %v", marks)
			}
			if uint64(len(r.trace.Frames)) != r.Frames || r.Frames != 400 {
				t.Errorf("%d frames in the trace, %d in the run", len(r.trace.Frames), r.Frames)
			}
			r = g.headless(t, append(args, "--driver", "cuda")...)
			if r.err == nil || !strings.Contains(r.errs, c.word) {
				t.Errorf("--driver cuda: %v\n%s", r.err, r.errs)
			}
		})
	}
}

// TestINT16AGPUThatHangsDoesNotHangTheProgram: events that never come true, then Ctrl+C.
func TestINT16AGPUThatHangsDoesNotHangTheProgram(t *testing.T) {
	d := newDesktop(t, 900, 700)
	g := newGPU(t, "FAKE_CU=cuEventQuery=600@900,cuStreamQuery=600@3")
	p := g.start(t, d, "ribbons", "--count", "2000", "--size", "700x500")
	signal(t, p, sigint)
	select {
	case err := <-p.done:
		p.stopped = true
		if err == nil || !strings.Contains(p.errs.String(), "Xid") {
			t.Errorf("it ended with %v:\n%s", err, p.errs.String())
		}
	case <-time.After(patience):
		t.Fatal("the program did not end")
	}
}
