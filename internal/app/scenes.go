// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"particles/internal/scene"
	"particles/render/gl"
	"particles/render/ui"
	"particles/sim"
	"particles/trace"

	"github.com/go-gl/mathgl/mgl32"
)

// autoCountTime is how long after the start an automatic count may still be lowered.
const autoCountTime = 5 * time.Second

// loadScene changes to another scene by name or path; a bad one is told and changes nothing.
func (r *run) loadScene(name string) {
	s, err := scene.Load(name)
	if err == nil {
		err = r.setScene(s)
	}
	for i := range r.pacing.Len() {
		if parts := s.Values[r.pacing.FullName(i)]; parts != nil && err == nil {
			err = r.change(ui.ParamChange{Set: r.pacing, Index: i, Value: parts[0]})
		}
	}
	if err != nil {
		r.warn(err)
		return
	}
	r.rec.Annotate(trace.Note{Kind: trace.NoteScene, Text: s.Name})
}

// setScene starts a scene from its first state: model, count, clock, camera and look.
func (r *run) setScene(s scene.Scene) error {
	count := s.Count
	auto := count == 0
	if auto {
		var err error
		if count, err = r.measureCount(&s); err != nil {
			return err
		}
	}
	if err := r.engine.load(&s, count, r.inFlight()); err != nil {
		return err
	}
	if err := r.setClock(&s); err != nil {
		return err
	}
	r.scene, r.auto = s, auto
	r.setCamera(&s)
	if err := r.setLook(&s); err != nil {
		return err
	}
	r.panel.setScene(&s)
	if r.pacing.Narrow(scene.PacingStreamPriority, float64(r.engine.priorities())) {
		r.tell("the stream's priority is the highest that %s has: %d above the lowest", r.engine.choice.Device, r.engine.priorities())
	}
	r.idle = busyAfterEvent
	return nil
}

// setClock starts simulated time as the scene says; a pause goes on.
func (r *run) setClock(s *scene.Scene) error {
	set, err := s.NewSet(sim.ClockGroup)
	if err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	paused := r.clock != nil && r.clock.Paused()
	r.clock = sim.NewClock(set)
	r.clock.SetPaused(paused)
	return nil
}

// setLook makes particles look as the scene says.
func (r *run) setLook(s *scene.Scene) error {
	r.renderer.Look().ResetAll()
	if err := r.renderer.Look().Take(s.Values); err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return nil
}

// inFlight is how many frames may be queued at once.
func (r *run) inFlight() int { return int(r.pacing.At(scene.PacingFramesInFlight)) }

// trialFrames is how many frames each probe of the automatic count takes; the first
// ones warm shaders and memory up.
const trialFrames = 4

// trialLimit is how long a trial frame may take and be followed by another.
const trialLimit = 300 * time.Millisecond

// The scene is filled by coarse steps before it is measured.
const (
	fillSteps = 20
	fillTime  = 4.0 // simulated seconds
)

// measureCount finds the automatic count: it runs a few frames of the scene with two
// trial counts, waiting for each to be drawn, before the first frame is shown.
func (r *run) measureCount(s *scene.Scene) (int, error) {
	var times [len(autoCountProbes)][]time.Duration
	for i, count := range autoCountProbes {
		var err error
		if times[i], err = r.tryCount(s, count); err != nil {
			return 0, err
		}
		if r.ending() || slices.Min(times[i]) > autoFrameAim { // more particles would only take longer
			return countBelow(count, times[i]), nil
		}
	}
	return countFor(times[0], times[1]), nil
}

// tryCount measures whole frames, without panel and swap, of the scene with a count.
func (r *run) tryCount(s *scene.Scene, count int) ([]time.Duration, error) {
	if err := r.engine.load(s, count, r.inFlight()); err != nil {
		return nil, err
	}
	clock, err := s.NewSet(sim.ClockGroup)
	if err == nil {
		err = r.setLook(s)
	}
	if err != nil {
		return nil, err
	}
	r.setCamera(s)
	// Many scenes start empty and fill: measure them filled.
	if err := r.engine.step(fillSteps, fillTime/fillSteps); err != nil {
		return nil, err
	}
	var times []time.Duration
	for range trialFrames {
		start := time.Now()
		if err := r.engine.step(max(int(clock.At(sim.ClockStepsPerFrame)), 1), clock.At(sim.ClockDt)); err != nil {
			return nil, err
		}
		if _, err := r.engine.publish(); err != nil {
			return nil, err
		}
		r.drawParticles()
		r.renderer.Resolve(r.renderer.Target())
		gl.Finish()
		if err := r.engine.wait(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
		if r.ending() || times[len(times)-1] > trialLimit {
			break
		}
	}
	return times, nil
}

// ending tells that the run was asked to end.
func (r *run) ending() bool { return r.ctx != nil && r.ctx.Err() != nil }

// setCamera puts the camera where the scene wants it, or so that it sees everything.
func (r *run) setCamera(s *scene.Scene) {
	c, err := s.NewSet(scene.CameraGroup)
	if err != nil { // cannot be: a scene's values have passed their checks
		r.warn(err)
		return
	}
	centre, radius := r.engine.model.Bounds()
	r.camera.SetRadius(radius)
	view := r.camera.View()
	view.Yaw, view.Pitch = mgl32.DegToRad(float32(c.At(scene.CameraYaw))), mgl32.DegToRad(float32(c.At(scene.CameraPitch)))
	view.Fov = mgl32.DegToRad(float32(c.At(scene.CameraFOV)))
	view.Target = mgl32.Vec3(centre)
	if t := c.Parts(scene.CameraTarget); s.Values[c.FullName(scene.CameraTarget)] != nil {
		view.Target = mgl32.Vec3{float32(t[0]), float32(t[1]), float32(t[2])}
	}
	r.camera.Set(view)
	if distance := c.At(scene.CameraDistance); distance > 0 {
		view.Distance = float32(distance)
		r.camera.Set(view)
		return
	}
	r.camera.Frame([3]float32(view.Target), radius)
	r.camera.Set(r.camera.View()) // at once
}

// changeCount changes the number of particles while the run goes on: those alive stay where they are.
func (r *run) changeCount(count int) {
	before := r.engine.model.Count()
	if count == before {
		return
	}
	if err := r.engine.model.SetCount(r.engine.stream, count); err != nil {
		r.warn(err)
		return
	}
	if err := r.engine.fitSlots(r.inFlight()); err != nil {
		// No memory for the buffers that are drawn from: back to what fitted.
		r.warn(err)
		if err := r.engine.model.SetCount(r.engine.stream, before); err != nil {
			r.warn(err)
		}
		if err := r.engine.fitSlots(r.inFlight()); err != nil {
			r.warn(err)
		}
		return
	}
	r.rec.Annotate(trace.Note{Kind: trace.NoteCount, Value: float64(count)})
}

// reset starts the model again from its first state.
func (r *run) reset(seed uint64) {
	if err := r.engine.model.Reset(r.engine.stream, seed); err != nil {
		r.warn(err)
		return
	}
	r.engine.saves.forget()
	r.clock.Reset()
	r.rec.Annotate(trace.Note{Kind: trace.NoteReset, Exact: strconv.FormatUint(seed, 10)})
}
