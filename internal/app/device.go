// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"
	"slices"
	"time"

	"particles/internal/scene"
	"particles/interop"
	"particles/kernels"
	"particles/render/gl"
	"particles/render/ui"
	"particles/sim/param"
	"particles/trace"
)

// openEngine opens a device for this run's OpenGL context.
func (r *run) openEngine(driver, tier string) (*engine, error) {
	o, err := r.engineOptions(driver, tier)
	if err != nil {
		return nil, err
	}
	return openEngine(o)
}

func (r *run) engineOptions(driver, tier string) (engineOptions, error) {
	isa, err := kernels.ParseISA(r.o.ISA)
	return engineOptions{
		driver: driver, tier: tier, isa: isa, model: r.scene.Model, gl: gl.NewSharing(r.screen.current), log: r.log, rec: r.rec,
		priority: int(r.pacing.At(scene.PacingStreamPriority)), openCUDA: r.o.openCUDA, waitLimit: r.o.waitLimit, checkpoints: r.o.checkpoints,
	}, err
}

// startScene is setScene at the start of a run, where nothing is lost by taking the
// host driver when CUDA has no memory for the scene, or fails in it.
func (r *run) startScene() error {
	err := r.setScene(r.scene)
	e := r.engine
	if err == nil || e.choice.Last() || !e.o.automatic() || !deviceError(err) {
		return err
	}
	reason := fmt.Sprintf("%s could not start the scene: %s", e.choice.Device, oneLine(err))
	e.giveUp()
	if r.engine, err = openHostEngine(e.o, reason); err != nil {
		return err
	}
	if err := r.setScene(r.scene); err != nil {
		return fmt.Errorf("%w (%s)", err, reason)
	}
	return nil
}

// changeDevice moves the run to another driver or tier while it goes on: the
// particles stay where they are. Where the other device cannot be had, everything
// stays, and the reason is told.
func (r *run) changeDevice(c *ui.Commands) error {
	driver, tier := r.o.Driver, r.o.Tier
	if c.SetDriver.Set {
		driver = c.SetDriver.Value
	}
	if c.SetTier.Set {
		tier = c.SetTier.Value
	}
	other, err := r.moved(driver, tier)
	if err != nil {
		r.warn(fmt.Errorf("the device is not changed: %w", err))
		return nil
	}
	r.o.Driver, r.o.Tier = driver, tier
	old := r.engine
	r.useEngine(other)
	if err := old.Close(); err != nil {
		r.warn(err)
	}
	text := fmt.Sprintf("now computing on %s (%s driver, %s buffers), with the same particles at step %d",
		other.choice.Device, other.choice.Driver, other.choice.Tier, other.model.Steps())
	if reason := other.choice.Reason; reason != "" {
		text += ": " + reason
	}
	r.tell("%s", text)
	return nil
}

// moved opens another device and brings the particles there. This run's engine stays as it is.
func (r *run) moved(driver, tier string) (*engine, error) {
	k, buffer, err := r.engine.save()
	if err != nil {
		return nil, err
	}
	other, err := r.openEngine(driver, tier)
	if err == nil {
		s := r.present()
		if err = other.restore(&s, k, r.engine.model.Count(), r.inFlight()); err != nil {
			err = joinClose(err, other)
		}
	}
	if e := buffer.Close(); e != nil && err == nil {
		return nil, joinClose(e, other)
	}
	return other, err
}

// present is the scene with the parameters and the seed as they are now.
func (r *run) present() scene.Scene {
	s := r.scene.Clone()
	params := r.engine.model.Params()
	if s.Values == nil {
		s.Values = param.Values{}
	}
	for i := range params.Len() {
		s.Values[params.FullName(i)] = slices.Clone(params.Parts(i))
	}
	s.Seed = int64(r.engine.model.Seed())
	return s
}

// useEngine goes on with another engine, and notes it in the trace. The panel shows it from the next frame on.
func (r *run) useEngine(e *engine) {
	r.engine = e
	r.tier = e.choice.Tier
	r.rec.Annotate(trace.Note{Kind: trace.NoteTier, Text: fmt.Sprintf("%s, %s", e.choice.Driver, e.choice.Tier)})
	r.last = time.Now() // what this took is not simulated time
}

// save copies the state to pinned memory and waits for it. The caller closes the
// buffer when it has done with the bytes.
func (e *engine) save() (*kept, *interop.HostBuffer, error) {
	buffer, err := e.choice.Context.AllocHost(e.model.SaveSize())
	if err != nil {
		return nil, nil, err
	}
	state, err := e.model.Save(e.stream, buffer)
	if err == nil {
		err = e.wait()
	}
	if err != nil {
		return nil, nil, joinClose(err, buffer)
	}
	return &kept{state, time.Now(), buffer.Bytes()[:state.Bytes]}, buffer, nil
}

// restore puts the scene's model into a saved state, changes its count if that was
// another then, and makes its slots.
func (e *engine) restore(s *scene.Scene, k *kept, count, frames int) error {
	model, err := e.newModel(s, k.state.Count, frames)
	if err != nil {
		return err
	}
	buffer, err := e.choice.Context.AllocHost(max(len(k.bytes), 1))
	if err != nil {
		return joinClose(err, model)
	}
	copy(buffer.Bytes(), k.bytes)
	if err = model.Restore(e.stream, k.state, buffer); err == nil && count != model.Count() {
		err = model.SetCount(e.stream, count)
	}
	if err == nil {
		err = e.wait()
	}
	if e := buffer.Close(); err == nil {
		err = e
	}
	if err != nil {
		return joinClose(err, model)
	}
	return e.setModel(model, frames)
}
