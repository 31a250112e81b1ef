// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"particles/internal/scene"
)

// everyFrame lets a run on the host driver, where particles move, take a checkpoint with every frame.
func everyFrame(r *run) {
	s := r.engine.saves
	s.off, s.base = false, 0
	s.prepare(r.engine.model.SaveSize())
}

// TestACheckpointIsTheStateOfItsStep, and going on from it is going on from that step.
func TestACheckpointIsTheStateOfItsStep(t *testing.T) {
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			r := openRun(t, name, nil)
			everyFrame(r)
			var states []kept
			for range 40 {
				r.drawFrames(t, 1)
				states = append(states, r.now(t))
			}
			k := r.engine.saves.take()
			if k == nil {
				t.Fatal("there is no checkpoint")
			}
			// A step publishes its own state, so a checkpoint is that of the end of its frame.
			want := states[k.state.Steps-1]
			if k.state.Steps < 30 || k.state.Time != want.state.Time || !bytes.Equal(k.bytes, want.bytes) {
				t.Errorf("the checkpoint of step %d is not the state of that step", k.state.Steps)
			}
			s := r.present()
			if err := r.engine.restore(&s, k, 4000, r.inFlight()); err != nil {
				t.Fatal(err)
			}
			r.drawFrames(t, 40-int(k.state.Steps))
			if got := r.now(t); got.state.Steps != 40 || !bytes.Equal(got.bytes, states[39].bytes) {
				t.Errorf("going on from the checkpoint gives another state at step %d", got.state.Steps)
			}
		})
	}
}

// TestCheckpointsFollowTheCount: after a change of the count there is room, and a reset forgets what was before it.
func TestCheckpointsFollowTheCount(t *testing.T) {
	r := openRun(t, "ribbons", nil)
	everyFrame(r)
	for _, count := range []int{4000, 50_000, 70, 4001} {
		r.changeCount(count)
		r.drawFrames(t, 4)
		if k := r.engine.saves.take(); k == nil || k.state.Count != count {
			t.Errorf("%d particles: checkpoint %+v", count, k)
		}
	}
	r.reset(3)
	if k := r.engine.saves.take(); k != nil {
		t.Errorf("a checkpoint of step %d after the reset", k.state.Steps)
	}
	r.drawFrames(t, 4)
	steps := r.engine.saves.take().state.Steps
	r.clock.SetPaused(true)
	r.engine.saves.next = time.Time{}
	if r.engine.saves.frame(r.engine.stream, r.engine.model, time.Now()) && r.engine.model.Steps() == steps {
		t.Error("the same step was saved twice")
	}
}

// TestTheHostNeedsNoCheckpoints: its memory is this process's.
func TestTheHostNeedsNoCheckpoints(t *testing.T) {
	r := openRun(t, "ribbons", nil)
	r.drawFrames(t, 5)
	if n := r.engine.choice.Context.Stats().HostBytes; n != 0 || r.engine.saves.take() != nil {
		t.Errorf("%d bytes of pinned memory", n)
	}
}

// TestCheckpointsAreFewerWhereTheyCost, and it is told once.
func TestCheckpointsAreFewerWhereTheyCost(t *testing.T) {
	said := &messages{}
	c := &checkpoints{log: slog.New(slog.NewTextHandler(said, nil)), base: time.Second}
	c.pace(5*time.Millisecond, 24<<20)
	if c.every != time.Second || len(said.lines("")) != 0 {
		t.Errorf("5 ms a second: one every %v\n%s", c.every, said.all())
	}
	c.pace(200*time.Millisecond, 5<<30)
	c.pace(220*time.Millisecond, 5<<30)
	if c.every != 11*time.Second {
		t.Errorf("220 ms: one every %v, want a fiftieth of the time", c.every)
	}
	if lines := said.lines("checkpoint of 5120 MB"); len(lines) != 1 || len(said.lines("")) != 1 {
		t.Errorf("told:\n%s", said.all())
	}
}

// TestWithoutMemoryThereAreNoCheckpoints, which is told once, and the run goes on.
func TestWithoutMemoryThereAreNoCheckpoints(t *testing.T) {
	said := &messages{}
	change := standIn(t, said, nil)
	t.Setenv("FAKE_CU", "cuMemHostAlloc=2")
	r := openRun(t, "ribbons", change)
	r.drawFrames(t, 5)
	r.changeCount(9000)
	r.drawFrames(t, 5)
	if r.engine.choice.Driver != "cuda" || len(said.lines("no checkpoints")) != 1 {
		t.Errorf("on %s, told:\n%s", r.engine.choice, said.all())
	}
	if free, ok := freeHostMemory(); ok {
		said := &messages{}
		c := newCheckpoints(r.engine.choice.Context, slog.New(slog.NewTextHandler(said, nil)))
		c.prepare(int(free))
		if c.slots[0].buffer != nil || len(said.lines("no checkpoints: they would take")) != 1 {
			t.Errorf("all memory for checkpoints; told:\n%s", said.all())
		}
	}
}

// TestFramesWithCheckpointsAllocateNothing on the stand-in, with a checkpoint in every frame.
func TestFramesWithCheckpointsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; an ordinary build shows it")
	}
	for _, tier := range []string{"shared", "copied"} {
		t.Run(tier, func(t *testing.T) {
			r := openRun(t, "fountain", standIn(t, &messages{}, func(o *Options) { o.checkpoints, o.Tier = -1, tier }))
			r.drawFrames(t, 60)
			if r.engine.saves.take() == nil {
				t.Fatal("no checkpoint was taken")
			}
			if n := testing.AllocsPerRun(50, func() { r.drawFrames(t, 1) }); n != 0 {
				t.Errorf("a frame makes %g heap objects, want none", n)
			}
		})
	}
}

// TestRegisteringIsTriedAgain: a run whose slots could not be registered in full goes on once they can.
func TestRegisteringIsTriedAgain(t *testing.T) {
	said := &messages{}
	r := onGPU(t, said, nil)
	t.Setenv("FAKE_CU", "cuGraphicsGLRegisterBuffer=2")
	r.o.Tier, r.engine.o.tier = "shared", "shared"
	if err := r.engine.registerAnew(); err == nil {
		t.Fatal("registering worked without memory")
	}
	r.drawFrames(t, 2)
	t.Setenv("FAKE_CU", "")
	r.drawFrames(t, 5)
	if len(r.engine.regs) != 2 || len(said.lines("a step failed")) != 1 || len(said.lines("goes on after 2 frames")) != 1 {
		t.Errorf("told:\n%s", said.all())
	}
}

// TestWaitingHasALimit on an answer that never comes.
func TestWaitingHasALimit(t *testing.T) {
	err := waitFor(time.Millisecond, func() (bool, error) { return false, nil })
	if !errors.Is(err, errNoAnswer) || !strings.Contains(err.Error(), "Xid") {
		t.Errorf("got %v", err)
	}
	asked := 0
	if err := waitFor(time.Hour, func() (bool, error) { asked++; return asked == 5, nil }); err != nil || asked != 5 {
		t.Errorf("%v after %d questions", err, asked)
	}
}
