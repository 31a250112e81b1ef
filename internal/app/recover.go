// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"particles/interop"
	"particles/trace"
)

// Limits of going on in spite of failures.
const (
	failingFrames = 10            // frames in a row that may fail before the device is opened anew
	provenFrames  = 120           // frames after which a device that was opened anew counts as sound
	mostLosses    = 3             // times that a run opens a GPU anew
	holdBack      = waitLimit / 2 // steps wait when the GPU has not finished a frame for so long
)

// trouble is what a run remembers of failures.
type trouble struct {
	failed int // frames in a row
	losses int // devices lost
}

// survive decides what follows when a frame could not be computed. Without an error
// the run goes on; the picture stays as it was.
func (r *run) survive(err error) error {
	e := r.engine
	if errors.Is(err, errNoAnswer) || !deviceError(err) && !errors.Is(err, interop.ErrPoisoned) && !errors.Is(err, interop.ErrSizeChanged) {
		return err
	}
	if _, lost := lostCode(err); lost {
		return r.recover(err)
	}
	switch {
	case cannotMap(err) && e.choice.GL.Tier() == interop.TierShared && e.o.tier != "shared":
		if err := e.copyInstead(err); err != nil {
			return r.recover(err)
		}
		return nil // noticeTier tells
	case errors.Is(err, interop.ErrPoisoned):
		if e := r.engine.registerAnew(); e != nil {
			err = errors.Join(err, e)
		}
	}
	r.trouble.failed++
	switch {
	case r.trouble.failed == 1:
		r.warn(fmt.Errorf("a step failed, so the last picture stays: %w", err))
		r.rec.Annotate(trace.Note{Kind: trace.NoteMark, Text: "a step failed: " + oneLine(err)})
	case r.trouble.failed > failingFrames && e.choice.Last():
		return fmt.Errorf("%d frames in a row failed: %w", r.trouble.failed, err)
	case r.trouble.failed > failingFrames:
		return r.recover(fmt.Errorf("%d frames in a row failed: %w", r.trouble.failed, err))
	}
	return nil
}

// cannotMap tells the failures of mapping after which only copying helps: less
// memory than was registered, or a driver that shares no more.
func cannotMap(err error) bool {
	if errors.Is(err, interop.ErrSizeChanged) {
		return true
	}
	return eachError(err, func(err error) bool {
		e, ok := err.(*interop.Error)
		return ok && (e.Op == "cuGraphicsMapResources" || e.Op == "cuGraphicsResourceGetMappedPointer")
	})
}

// registerAnew closes all registrations and makes them again, with the same slots.
func (e *engine) registerAnew() error {
	if err := e.unregister(); err != nil {
		return err
	}
	return e.register()
}

// computed notes that a frame was computed.
func (r *run) computed() {
	if r.trouble.failed > 0 {
		r.tell("computing goes on after %d frames that failed", r.trouble.failed)
		r.trouble.failed = 0
	}
	if r.engine.unproven > 0 {
		r.engine.unproven--
	}
}

// recover goes on after the device's state was lost: from the last checkpoint, or
// from the start where there is none; on CUDA if a fresh context works, else, with
// the automatic driver, on the host. Otherwise the run ends with the reason.
func (r *run) recover(cause error) error {
	old := r.engine
	if old.choice.Last() {
		return cause
	}
	s, count, step := r.present(), old.model.Count(), old.model.Steps()
	what := r.lossText(cause)
	r.trouble.losses++
	r.trouble.failed = 0
	k := old.saves.take()
	again := old.unproven == 0 && r.trouble.losses <= mostLosses
	r.log.Debug("the device's state is lost", "error", cause)
	old.giveUp()
	r.log.Debug("the old device is closed")

	var next *engine
	err := cause
	if again {
		next, err = r.reopen(r.o.Driver, r.o.Tier, func(e *engine) error { return r.resume(e, k, count) })
	}
	if again && next == nil {
		r.log.Debug("opening the GPU anew failed", "error", err)
	}
	if next == nil && old.o.automatic() {
		var e error
		if next, e = r.reopen("host", "auto", func(e *engine) error { return r.resume(e, k, count) }); e != nil {
			return fmt.Errorf("%s; and the CPU cannot go on: %w", what, e)
		}
	}
	if next == nil {
		if again {
			return fmt.Errorf("%s; opening the GPU anew failed: %w", what, err)
		}
		return fmt.Errorf("%s; it was opened anew and failed again", what)
	}
	if next.choice.Last() {
		refused := next.choice.Reason // of the automatic choice, where that was the host
		next.choice.Reason = what
		switch {
		case again && err != nil:
			next.choice.Reason += "; opening it anew failed: " + oneLine(err)
		case again:
			next.choice.Reason += "; opening it anew failed: " + refused
		}
	}
	next.unproven, next.saves.before = provenFrames, k
	r.useEngine(next)
	if k == nil {
		r.clock.Reset()
		r.rec.Annotate(trace.Note{Kind: trace.NoteReset, Exact: strconv.FormatUint(uint64(s.Seed), 10)})
		r.rec.Annotate(trace.Note{Kind: trace.NoteMark, Text: fmt.Sprintf("recovered by a reset at step %d: %s", step, what)})
		r.warn(fmt.Errorf("%s. Nothing had been saved yet, so the scene starts again on %s", what, next.choice.Device))
		return nil
	}
	r.rec.Annotate(trace.Note{Kind: trace.NoteMark, Text: fmt.Sprintf("recovered from step %d at step %d: %s", k.state.Steps, step, what)})
	r.warn(fmt.Errorf("%s. Going on from step %d, saved %.1f s ago, on %s", what, k.state.Steps, time.Since(k.at).Seconds(), next.choice.Device))
	return nil
}

// lossText says what happened to the device.
func (r *run) lossText(cause error) string {
	device, code := r.engine.choice.Device, ""
	var e *interop.Error
	if c, lost := lostCode(cause); lost {
		return fmt.Sprintf("%s lost its state (%s, %d): %s", device, c, int(c), lostText(c))
	} else if errors.As(cause, &e) {
		code = fmt.Sprintf(" (%s, %d)", e.Name, int(e.Code))
	}
	return fmt.Sprintf("%s cannot go on%s: %s", device, code, oneLine(cause))
}

// reopen opens a device and lets fill bring the particles there; it gives nil and the error otherwise.
func (r *run) reopen(driver, tier string, fill func(*engine) error) (*engine, error) {
	e, err := r.openEngine(driver, tier)
	if err != nil {
		return nil, err
	}
	if err := fill(e); err != nil {
		e.giveUp()
		return nil, err
	}
	return e, nil
}

// resume puts the run's scene into what was kept, or into its first state. It first
// makes sure by a whole step that the device works: a context may well open on a GPU
// that then fails again.
func (r *run) resume(e *engine, k *kept, count int) error {
	s := r.present()
	fill := func() error {
		if k != nil {
			return e.restore(&s, k, count, r.inFlight())
		}
		return e.load(&s, count, r.inFlight())
	}
	err := fill()
	if err == nil {
		_, err = e.advance(1, r.clock.Dt())
	}
	if err == nil {
		err = e.wait()
	}
	if err == nil {
		err = fill()
	}
	if err == nil {
		err = e.wait()
	}
	if err == nil {
		err = e.failure()
	}
	return err
}

// stuck tells when the GPU has not finished a frame for too long.
func (r *run) stuck() error {
	if limit := r.waitLimit(); r.engine.times.waiting() > limit {
		r.engine.gone = true
		return fmt.Errorf("no frame was finished for %v: %w", limit, errNoAnswer)
	}
	return nil
}

func (r *run) waitLimit() time.Duration {
	if r.o.waitLimit > 0 {
		return r.o.waitLimit
	}
	return waitLimit
}
