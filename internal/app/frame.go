// SPDX-License-Identifier: Apache-2.0

package app

import (
	"context"
	"math"
	"time"

	"particles/internal/scene"
	"particles/render"
	"particles/trace"
)

// loop draws frames until there is a reason to end.
func (r *run) loop(ctx context.Context) error {
	r.last = time.Now()
	r.allocs.start(r.o.Frames)
	for frames := 0; !r.quit && ctx.Err() == nil && !r.screen.closing(); {
		if r.o.Frames > 0 && frames >= r.o.Frames {
			return nil
		}
		if r.o.Duration > 0 && frames > 0 && time.Since(r.started) >= r.o.Duration {
			return nil
		}
		drawn, err := r.frame()
		if err != nil {
			return err
		}
		if r.glErr != nil {
			return r.glErr
		}
		if drawn {
			frames++
			r.lowerAutoCount()
		}
	}
	return nil
}

// frame does one frame, in the order of the design: poll, panel, steps, publish,
// draw, swap. Nothing in it waits for the GPU but the swap, and with the panel
// hidden nothing in it allocates. It reports whether a frame was drawn: not while
// the program rests.
func (r *run) frame() (bool, error) {
	if rested, err := r.rest(); rested || err != nil {
		return false, err
	}
	now := time.Now()
	elapsed := now.Sub(r.last)
	r.last = now
	seq := r.rec.Begin()
	if err := r.pollEvents(); err != nil {
		return false, err
	}
	r.rec.Mark(trace.Poll)
	if err := r.runPanel(elapsed.Seconds()); err != nil {
		return false, err
	}
	r.rec.Mark(trace.UI)

	flags, err := r.compute(seq, elapsed)
	if err != nil {
		return false, err
	}
	if err := r.draw(elapsed.Seconds()); err != nil {
		return false, err
	}
	if err := r.screen.present(); err != nil {
		return false, err
	}
	r.rec.Mark(trace.Swap)
	r.rec.End(trace.FrameInfo{
		Steps: r.due, Count: r.engine.model.Count(), Drawn: r.engine.model.Drawn(), Alive: r.engine.model.Alive(),
		SimTime: r.engine.model.Time(), Flags: flags,
	})
	r.gpu.collect(r.engine.times) // after the end: a fast device has this very frame's times already
	r.allocs.frame()
	r.sleep()
	return true, nil
}

// compute queues the steps that are due and publishes the result.
func (r *run) compute(seq uint64, elapsed time.Duration) (trace.Flags, error) {
	r.gpu.begin(seq)
	r.engine.times.begin(seq)
	r.due = r.stepsDue(elapsed)
	before := r.engine.model.Steps()
	published, err := r.engine.advance(r.due, r.clock.Dt())
	if err == nil {
		err = r.stuck()
	}
	if err != nil {
		r.due = int(r.engine.model.Steps() - before)
		if err := r.survive(err); err != nil {
			return 0, err
		}
	} else {
		r.computed()
	}
	r.noticeTier()
	r.gpu.timers.Stamp()
	if r.engine.saves.frame(r.engine.stream, r.engine.model, r.last) || !published {
		r.rec.Mark(trace.Launch)
	}
	if !published && err == nil {
		return trace.NoSlot, nil
	}
	return 0, nil
}

// stepsDue asks the clock in a window, where simulated time follows real time. A
// headless run steps every frame, so that it gives the same states at any speed.
func (r *run) stepsDue(elapsed time.Duration) int {
	if r.engine.times.waiting() > holdBack { // more work would fill the GPU's queue, and the program would hang in a call
		return 0
	}
	if r.o.Headless {
		return max(r.clock.StepsPerFrame(), 1)
	}
	return r.clock.Advance(elapsed.Seconds())
}

// draw draws the newest slot, the tone-mapped picture and the panel.
func (r *run) draw(elapsed float64) error {
	size := r.screen.size()
	if err := r.renderer.Resize(size.FramebufferW, size.FramebufferH); err != nil {
		return err
	}
	r.camera.Update(elapsed)
	r.drawParticles()
	r.gpu.timers.Stamp()
	target := r.screen.target(r.renderer)
	r.renderer.Resolve(target)
	r.gpu.timers.Stamp()
	r.rec.Mark(trace.Draw)
	if r.ui != nil {
		r.ui.DrawTo(target)
	}
	r.gpu.timers.Stamp()
	r.gpu.timers.End()
	r.rec.Mark(trace.ImGui)
	if r.shot {
		r.shot = false
		r.screenshot()
	}
	return nil
}

// drawParticles draws the newest slot, if there is one, into the renderer's light.
func (r *run) drawParticles() {
	_, radius := r.engine.model.Bounds()
	r.renderer.SetSubject(render.Subject{Radius: radius, Scalar: r.engine.model.Scalar()})
	if slot, n, ok := r.engine.slots.Next(); ok {
		r.renderer.Begin(r.camera)
		r.renderer.DrawPoints(r.engine.slots, slot, n)
	}
}

// sleep keeps the frame cap. The time counts as the next frame's polling.
func (r *run) sleep() {
	if r.o.Headless {
		return
	}
	r.pace.cap = r.pacing.At(scene.PacingFrameCap)
	sleep, news := r.pace.frame(time.Now())
	if news {
		r.tell("vertical sync is not in force here; frames are capped to %.0f a second", r.pace.rate())
	}
	if sleep > 0 {
		time.Sleep(sleep)
	}
}

// rest sleeps while there is nothing to draw: the window is minimised, or the
// simulation is paused and nothing happened. Such time is a gap and no frame.
func (r *run) rest() (bool, error) {
	w, ok := r.screen.(*onscreen)
	if !ok {
		return false, nil
	}
	width, height := w.w.FramebufferSize()
	minimised := w.w.Iconified() || width <= 0 || height <= 0
	if !minimised && (!r.clock.Paused() || r.idle > 0) {
		r.idle = max(r.idle-1, 0)
		return false, nil
	}
	why := "paused"
	if minimised {
		why = "minimised"
	}
	r.rec.Gap(why)
	events, err := w.wait(idleWait)
	if err != nil {
		return false, err
	}
	r.last = time.Now()
	r.pace.rested(r.last)
	return true, r.takeEvents(events)
}

// lowerAutoCount takes particles away as long as an automatic count keeps frames
// from their budget; it looks once a second, at the first seconds only.
func (r *run) lowerAutoCount() {
	if !r.auto || r.rec.Frames()%16 != 0 {
		return
	}
	stats := r.rec.Stats(time.Second)
	if stats.Frames < 8 || math.IsNaN(stats.Median) {
		return
	}
	count := r.engine.model.Count()
	lower, changed := lowerCount(count, time.Duration(stats.Median*float64(time.Millisecond)))
	if time.Since(r.started) > autoCountTime {
		r.auto = false
	}
	if changed && r.auto {
		r.changeCount(lower)
		r.allocs.start(0) // other buffers are no part of a frame
	}
}
