// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"
	"math"
	"slices"
	"time"

	"particles/internal/scene"
	"particles/render"
	"particles/render/gl"
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
	if err := r.engine.load(&s, count, r.frames); err != nil {
		return err
	}
	r.scene, r.auto = s, auto
	paused := r.clock != nil && r.clock.Paused()
	clock, err := sim.NewClock(sim.ClockOptions{Dt: s.Clock.Dt, Scale: s.Clock.Scale, StepsPerFrame: s.Clock.StepsPerFrame})
	if err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	r.clock = clock
	r.clock.SetPaused(paused)
	r.setCamera(&s.Camera)
	r.look = r.sceneLook(&s.Look)
	if err := r.renderer.SetLook(r.look); err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	r.panel.setScene(&s)
	r.panel.setModel(r.engine.model)
	r.idle = busyAfterEvent
	return nil
}

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
	if err := r.engine.load(s, count, r.frames); err != nil {
		return nil, err
	}
	r.look = r.sceneLook(&s.Look)
	if err := r.renderer.SetLook(r.look); err != nil {
		return nil, err
	}
	r.setCamera(&s.Camera)
	// Many scenes start empty and fill: measure them filled.
	if err := r.engine.step(fillSteps, fillTime/fillSteps); err != nil {
		return nil, err
	}
	var times []time.Duration
	for range trialFrames {
		start := time.Now()
		if err := r.engine.step(max(s.Clock.StepsPerFrame, 1), s.Clock.Dt); err != nil {
			return nil, err
		}
		if _, err := r.engine.publish(); err != nil {
			return nil, err
		}
		if slot, n, ok := r.engine.slots.Next(); ok {
			r.renderer.Begin(r.camera)
			r.renderer.DrawPoints(r.engine.slots, slot, n)
		}
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
func (r *run) setCamera(c *scene.Camera) {
	centre, radius := r.engine.model.Bounds()
	r.camera.SetRadius(radius)
	view := r.camera.View()
	view.Yaw, view.Pitch = mgl32.DegToRad(float32(c.Yaw)), mgl32.DegToRad(float32(c.Pitch))
	if c.FOV > 0 {
		view.Fov = mgl32.DegToRad(float32(c.FOV))
	}
	view.Target = mgl32.Vec3(centre)
	if c.HasTarget {
		view.Target = mgl32.Vec3{float32(c.Target[0]), float32(c.Target[1]), float32(c.Target[2])}
	}
	r.camera.Set(view)
	if c.Distance > 0 {
		view.Distance = float32(c.Distance)
		r.camera.Set(view)
		return
	}
	r.camera.Frame([3]float32(view.Target), radius)
	r.camera.Set(r.camera.View()) // at once
}

// sceneLook turns what the scene says into what the renderer takes.
func (r *run) sceneLook(l *scene.Look) render.Look {
	look := render.DefaultLook()
	look.ColorMap = l.ColorMap
	look.Exposure = float32(l.Exposure)
	look.PointSize = float32(l.PointSize)
	look.OnePixel, look.Opacity = l.OnePixel, float32(l.Opacity)
	for i, c := range l.Background {
		look.Background[i] = linear(c)
	}
	look.ScalarLo, look.ScalarHi = r.engine.model.ScalarRange()
	if l.ColorRange != [2]float64{} {
		look.ScalarLo, look.ScalarHi = float32(l.ColorRange[0]), float32(l.ColorRange[1])
	}
	_, look.SceneRadius = r.engine.model.Bounds()
	return look
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
	if err := r.engine.fitSlots(r.frames); err != nil {
		// No memory for the buffers that are drawn from: back to what fitted.
		r.warn(err)
		if err := r.engine.model.SetCount(r.engine.stream, before); err != nil {
			r.warn(err)
		}
		if err := r.engine.fitSlots(r.frames); err != nil {
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
	r.rec.Annotate(trace.Note{Kind: trace.NoteReset, Value: float64(int64(seed))})
}

// linear turns an sRGB component, 0 to 1, into light (IEC 61966-2-1).
func linear(c float64) float32 {
	if c <= 0.04045 {
		return float32(c / 12.92)
	}
	return float32(math.Pow((c+0.055)/1.055, 2.4))
}
