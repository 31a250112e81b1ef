// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"log/slog"

	"particles/internal/scene"
	"particles/interop"
	"particles/interop/choose"
	"particles/kernels"
	"particles/render"
	"particles/sim"
	"particles/trace"
)

// engine is the computing half of a run: the device, the kernels, the model that
// they advance and the OpenGL buffers that it is published into. It knows nothing
// of windows and panels. It belongs to the OpenGL thread.
type engine struct {
	log    *slog.Logger
	rec    *trace.Recorder
	choice *choose.Choice
	code   *kernels.Set
	stream *interop.Stream
	times  *streamTimes
	model  sim.Model

	slots *render.Slots       // one for each frame in flight
	regs  []*interop.GLBuffer // their registrations, by slot
	write func(interop.Buffer) error

	countLimit int // most particles to offer; 0: not yet found out
}

// engineOptions is what an engine is opened with.
type engineOptions struct {
	driver, tier string
	isa          kernels.ISA
	gl           interop.GL
	log          *slog.Logger
	rec          *trace.Recorder
}

// openEngine opens the device that the options ask for, and loads the kernels. With
// the automatic driver a GPU that refuses the kernels is passed over, and the reason says so.
func openEngine(o engineOptions) (*engine, error) {
	e := &engine{log: o.log, rec: o.rec}
	e.write = e.writeMapped
	logf := func(format string, args ...any) { o.log.Debug(fmt.Sprintf(format, args...)) } // Run tells the outcome in one line
	var err error
	if e.choice, err = choose.Open(choose.Options{Driver: o.driver, Tier: o.tier, GL: o.gl, Logf: logf}); err != nil {
		return nil, err
	}
	e.code, err = kernels.Load(e.choice.Context, o.isa)
	if err != nil && errors.Is(err, interop.ErrImageRefused) {
		host, refused := e.choice.ToHost(err)
		if refused != nil {
			return nil, joinClose(refused, e)
		}
		e.choice = host
		e.code, err = kernels.Load(e.choice.Context, o.isa)
	}
	if err != nil {
		return nil, joinClose(err, e)
	}
	if err := e.setStream(interop.StreamOptions{}); err != nil {
		return nil, joinClose(err, e)
	}
	return e, nil
}

// setStream makes the stream that everything runs on, and moves to it. It waits
// for what the old stream still does.
func (e *engine) setStream(o interop.StreamOptions) error {
	stream, err := e.choice.Context.NewStream(o)
	if err != nil {
		return err
	}
	if err := e.closeStream(); err != nil {
		return joinClose(err, stream)
	}
	e.stream = stream
	e.times, err = newStreamTimes(e.choice.Context, stream, e.rec)
	return err
}

func (e *engine) closeStream() error {
	var errs errorList
	if e.stream != nil {
		errs.add(e.stream.Synchronize())
	}
	errs.close(e.times)
	errs.close(e.stream)
	e.times, e.stream = nil, nil
	return errs.err()
}

// setModel replaces the model by the scene's, in its first state. The old one is
// kept when the new one cannot be had.
func (e *engine) setModel(s *scene.Scene, count int) error {
	if err := e.stream.Synchronize(); err != nil {
		return err
	}
	model, err := sim.New(s.Model, e.choice.Context, e.code, sim.Options{Count: count, Seed: uint64(s.Seed), Params: s.Params})
	if err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	if err := model.Reset(e.stream, uint64(s.Seed)); err != nil {
		return joinClose(fmt.Errorf("scene %s: %w", s.Name, err), model)
	}
	old := e.model
	e.model = model
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
	if e.slots != nil && e.slots.Len() == frames && e.slots.Records() >= records {
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
	for slot := range frames {
		reg, err := e.choice.GL.RegisterBuffer(e.slots.Buffer(slot), e.slots.Size(), interop.WriteDiscard)
		if err != nil {
			return err
		}
		e.regs = append(e.regs, reg)
	}
	return nil
}

func (e *engine) unregister() error {
	var errs errorList
	for i := len(e.regs) - 1; i >= 0; i-- {
		errs.close(e.regs[i])
	}
	e.regs = e.regs[:0]
	return errs.err()
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

// publish maps a free slot on the stream, lets the model write its records into it
// and gives it back on the same stream. It reports whether there was a free slot;
// without one the last picture stays, and nothing is waited for.
func (e *engine) publish() (bool, error) {
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

// bytesPerParticle is more than any model and its slots need for one particle.
const bytesPerParticle = 128

// findCountLimit is how many particles fit the memory that is free now beside those
// there are, with a fifth to spare.
func (e *engine) findCountLimit() int {
	free, _, err := e.choice.Context.MemInfo()
	if err != nil {
		return e.model.Count()
	}
	fits := e.model.Count() + int(free/5*4/bytesPerParticle)
	return min(fits, scene.MaxCount)
}

// Close gives everything back, last made first. What the context still finds open
// is in the error.
func (e *engine) Close() error {
	var errs errorList
	if e.stream != nil {
		errs.add(e.stream.Synchronize())
	}
	errs.add(e.unregister())
	if e.slots != nil {
		e.slots.Close()
		e.slots = nil
	}
	errs.close(e.model)
	errs.add(e.closeStream())
	errs.close(e.code)
	errs.close(e.choice)
	return errs.err()
}
