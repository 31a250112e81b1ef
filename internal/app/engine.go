// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"particles/internal/scene"
	"particles/interop"
	"particles/interop/choose"
	"particles/interop/driver"
	"particles/kernels"
	"particles/render"
	"particles/sim"
	"particles/trace"
)

// engine is the computing half of a run: the device, the kernels, the model that
// they advance and the OpenGL buffers that it is published into. It knows nothing
// of windows and panels. It belongs to the OpenGL thread.
type engine struct {
	o      engineOptions
	log    *slog.Logger
	rec    *trace.Recorder
	choice *choose.Choice
	code   *kernels.Set
	stream *interop.Stream
	times  *streamTimes
	model  *sim.Model
	saves  *checkpoints

	slots *render.Slots       // one for each frame in flight
	regs  []*interop.GLBuffer // their registrations, by slot
	write func(interop.Buffer) error

	countLimit int  // most particles to offer; 0: not yet found out
	unproven   int  // frames until a device that was lost and opened again counts as sound
	gone       bool // closed or given up: nothing is called on the device any more
}

// engineOptions is what an engine is opened with.
type engineOptions struct {
	driver, tier string
	isa          kernels.ISA
	model        string // whose kernels are loaded first, so that a device that refuses them is told at once
	priority     int    // of the stream, counted up from the lowest
	gl           interop.GL
	log          *slog.Logger
	rec          *trace.Recorder
	openCUDA     func() (driver.Driver, error) // nil: the system's
	waitLimit    time.Duration                 // 0: as long as is usual
	checkpoints  time.Duration                 // shortest time between two; 0: as usual, negative: one a frame
}

// automatic tells whether another driver may be taken when CUDA fails.
func (o *engineOptions) automatic() bool {
	return (o.driver == "" || o.driver == "auto") && o.tier != "shared"
}

// openEngine opens the device that the options ask for, and loads the kernels. With
// the automatic driver a GPU that fails in this is passed over, and the reason says so.
func openEngine(o engineOptions) (*engine, error) {
	e := &engine{o: o, log: o.log, rec: o.rec}
	e.write = e.writeMapped
	var err error
	if e.choice, err = choose.Open(o.choose()); err != nil {
		return nil, err
	}
	e.code, err = kernels.Load(e.choice.Context, o.isa, o.model)
	if err != nil && errors.Is(err, interop.ErrImageRefused) {
		host, refused := e.choice.ToHost(err)
		if refused != nil {
			return nil, joinClose(refused, e)
		}
		e.choice = host
		e.code, err = kernels.Load(e.choice.Context, o.isa, o.model)
	}
	if err == nil {
		err = e.setPriority(o.priority)
	}
	if err == nil {
		e.saves = newCheckpoints(e.choice.Context, o.log)
		if o.checkpoints != 0 {
			e.saves.base = max(o.checkpoints, 0)
		}
		return e, nil
	}
	if !e.choice.Last() && o.automatic() && deviceError(err) {
		reason := fmt.Sprintf("CUDA on %s failed at the start: %s", e.choice.Device, oneLine(err))
		e.giveUp()
		return openHostEngine(o, reason)
	}
	return nil, joinClose(err, e)
}

// openHostEngine opens the host driver in the place of CUDA, for a reason that is told.
func openHostEngine(o engineOptions, reason string) (*engine, error) {
	o.driver = "host"
	e, err := openEngine(o)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, reason)
	}
	e.choice.Reason = reason
	return e, nil
}

func (o *engineOptions) choose() choose.Options {
	return choose.Options{
		Driver: o.driver, Tier: o.tier, GL: o.gl, OpenCUDA: o.openCUDA,
		Logf: func(format string, args ...any) { o.log.Debug(fmt.Sprintf(format, args...)) }, // Run tells the outcome in one line
	}
}

// priorities is how many steps there are above the lowest priority of a stream.
func (e *engine) priorities() int {
	least, most := e.choice.Context.PriorityRange() // CUDA numbers them downwards, the most urgent is the smallest
	return least - most
}

// setPriority makes the stream that everything runs on, with a priority counted up
// from the lowest, and moves to it. It waits for what the old stream still does.
func (e *engine) setPriority(up int) error {
	least, _ := e.choice.Context.PriorityRange()
	stream, err := e.choice.Context.NewStream(interop.StreamOptions{
		Priority: least - min(up, e.priorities()), HasPriority: e.priorities() > 0,
	})
	if err != nil {
		return err
	}
	times, err := newStreamTimes(e.choice.Context, stream, e.rec)
	if err == nil {
		if err = e.closeStream(); err == nil {
			e.stream, e.times = stream, times
			return nil
		}
		err = joinClose(err, times)
	}
	return joinClose(err, stream) // the old one stays
}

func (e *engine) closeStream() error {
	if err := e.wait(); err != nil {
		return err
	}
	var errs errorList
	errs.close(e.times)
	errs.close(e.stream)
	e.times, e.stream = nil, nil
	return errs.err()
}

// wait waits until the stream has done all that is queued. A GPU that does not
// answer is waited for so long only; the host driver runs here and always ends.
func (e *engine) wait() error {
	if e.stream == nil {
		return nil
	}
	if e.choice.Last() {
		return e.stream.Synchronize()
	}
	limit := e.o.waitLimit
	if limit == 0 {
		limit = waitLimit
	}
	return waitFor(limit, e.stream.Query)
}

// load replaces the model by the scene's, in its first state, with slots to publish
// it into. The old one is kept when the new one cannot be had.
func (e *engine) load(s *scene.Scene, count, frames int) error {
	model, err := e.newModel(s, count, frames)
	if err == nil {
		if err = model.Reset(e.stream, uint64(s.Seed)); err != nil {
			err = joinClose(fmt.Errorf("scene %s: %w", s.Name, err), model)
		}
	}
	if err != nil {
		return err
	}
	return e.setModel(model, frames)
}

// newModel makes the scene's model, which has no particles yet.
func (e *engine) newModel(s *scene.Scene, count, frames int) (*sim.Model, error) {
	if err := e.wait(); err != nil {
		return nil, err
	}
	model, err := sim.New(s.Model, e.choice.Context, e.code, sim.Options{
		Count: count, Seed: uint64(s.Seed), Params: s.Values, Reserve: frames * render.RecordSize, // the slots
	})
	if err != nil {
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return model, nil
}

// setModel takes over a model that has its particles, and closes the old one; or it
// closes the new one and keeps the old.
func (e *engine) setModel(model *sim.Model, frames int) error {
	old := e.model
	e.model = model
	if err := e.fitSlots(frames); err != nil {
		err = joinClose(err, model)
		e.model = old
		if old != nil {
			err = errors.Join(err, e.fitSlots(frames))
		}
		return err
	}
	e.saves.forget()
	if old != nil {
		return old.Close()
	}
	return nil
}

// fitSlots makes room for the model's records in as many slots as frames are to be
// in flight. It registers anew only when something has to grow or to change, since
// registering costs milliseconds.
func (e *engine) fitSlots(frames int) error {
	records := e.model.Count()
	e.saves.prepare(e.model.SaveSize())
	if e.slots != nil && e.slots.Len() == frames && e.slots.Records() >= records && len(e.regs) == frames {
		return nil
	}
	if err := e.unregister(); err != nil {
		return err
	}
	var err error
	if e.slots == nil {
		e.slots, err = render.NewSlots(frames, records)
	} else {
		err = e.slots.Recreate(frames, records)
	}
	if err != nil {
		return err
	}
	return e.register()
}

// register registers all slots. When the driver refuses although it had promised to
// share, buffers are copied from then on, unless sharing was asked for.
func (e *engine) register() error {
	for slot := range e.slots.Len() {
		reg, err := e.choice.GL.RegisterBuffer(e.slots.Buffer(slot), e.slots.Size(), interop.WriteDiscard)
		if err != nil {
			if e.mayCopy(err) {
				return e.copyInstead(err)
			}
			return err
		}
		e.regs = append(e.regs, reg)
	}
	return nil
}

// mayCopy tells whether copied buffers are the way round a failure to share.
func (e *engine) mayCopy(err error) bool {
	_, lost := lostCode(err)
	return e.choice.GL.Tier() == interop.TierShared && e.o.tier != "shared" && !lost && !errors.Is(err, interop.ErrOutOfMemory) && deviceError(err)
}

// copyInstead changes from shared to copied buffers. The particles, and the slots
// with the last picture, stay where they are.
func (e *engine) copyInstead(why error) error {
	var errs errorList
	errs.add(e.unregister())
	errs.close(e.choice.GL)
	if err := errs.err(); err != nil {
		return errors.Join(why, err)
	}
	copied, err := e.choice.Context.OpenGLCopied(e.o.gl)
	if err != nil {
		return errors.Join(why, err)
	}
	e.choice.GL, e.choice.Tier = copied, copied.Tier()
	e.choice.Reason = notShared(e.o.gl, e.choice.Device, why)
	return e.register()
}

func (e *engine) unregister() error {
	var errs errorList
	for i := len(e.regs) - 1; i >= 0; i-- {
		errs.close(e.regs[i])
	}
	e.regs = e.regs[:0]
	return errs.err()
}

// failure gives what the events that are only ever asked have said of a lost device.
func (e *engine) failure() error {
	err := errors.Join(e.times.err, e.saves.err)
	if err == nil {
		return nil
	}
	e.times.err, e.saves.err = nil, nil
	if _, lost := lostCode(err); lost {
		return err
	}
	e.log.Debug("measuring or saving failed", "error", err)
	return nil
}

// step queues so many steps of dt seconds.
func (e *engine) step(steps int, dt float64) error {
	for range steps {
		if err := e.model.Step(e.stream, dt); err != nil {
			return err
		}
	}
	return nil
}

// advance queues steps, publishes the result and closes the frame's measurement.
func (e *engine) advance(steps int, dt float64) (published bool, err error) {
	if err := e.step(steps, dt); err != nil {
		return false, err
	}
	if published, err = e.publish(); err != nil {
		return false, err
	}
	e.times.end()
	return published, e.failure()
}

// publish maps a free slot on the stream, lets the model write its records into it
// and gives it back on the same stream. It reports whether there was a free slot;
// without one the last picture stays, and nothing is waited for.
func (e *engine) publish() (bool, error) {
	if len(e.regs) < e.slots.Len() { // the last try to register failed half-way
		if err := e.registerAnew(); err != nil {
			return false, err
		}
	}
	slot, ok := e.slots.Acquire()
	if !ok {
		return false, nil
	}
	e.times.stamp(afterSteps)
	e.rec.Mark(trace.Launch)
	if err := e.regs[slot].WithMapped(e.stream, e.write); err != nil {
		return false, err
	}
	e.rec.Mark(trace.Unmap) // before the stamp: the phase is the driver's call alone
	e.times.stamp(afterUnmap)
	e.slots.Publish(slot, e.model.Drawn())
	return true, nil
}

// writeMapped is what publish does while the slot is mapped.
func (e *engine) writeMapped(b interop.Buffer) error {
	e.rec.Mark(trace.Map)
	e.times.stamp(afterMap)
	err := e.model.Publish(e.stream, b)
	e.times.stamp(afterPublish)
	e.rec.Mark(trace.Launch)
	return err
}

// hostISA names the instruction set of the kernels where the CPU runs them, else nothing.
func (e *engine) hostISA() string {
	if isa := e.code.ISA(); isa != kernels.Auto {
		return isa.String()
	}
	return ""
}

// findCountLimit is how many particles fit the memory that is free now beside those
// there are, with a fifth to spare.
func (e *engine) findCountLimit() int {
	free, _, err := e.choice.Context.MemInfo()
	if err != nil {
		return e.model.Count()
	}
	each := e.model.Bytes() + e.slots.Len()*render.RecordSize
	fits := e.model.Count() + int(free/5*4/uint64(each))
	return min(fits, scene.MaxCount)
}

// Close gives everything back, last made first. What the context still finds open
// is in the error. A GPU that does not answer is left alone: any call could hang.
func (e *engine) Close() error {
	if e.gone {
		return nil
	}
	e.gone = true
	var errs errorList
	errs.add(e.wait())
	if errors.Is(errs.err(), errNoAnswer) {
		return errs.err()
	}
	errs.add(e.unregister())
	if e.slots != nil {
		e.slots.Close()
		e.slots = nil
	}
	errs.close(e.model)
	errs.close(e.saves)
	errs.close(e.times)
	errs.close(e.stream)
	errs.close(e.code)
	errs.close(e.choice)
	return errs.err()
}

// giveUp closes an engine whose device has failed. What it says then is no news and
// goes to the debug log only; what it refuses to give back, the driver frees with
// the context.
func (e *engine) giveUp() {
	if e.gone {
		return
	}
	err := e.Close()
	if err != nil {
		e.log.Debug("closing after a failure", "error", err)
	}
	if errors.Is(err, errNoAnswer) {
		return
	}
	if err := e.choice.Context.Close(); err != nil { // what a registration that cannot be undone kept open
		e.log.Debug("closing after a failure", "error", err)
	}
}
