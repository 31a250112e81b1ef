// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"

	"particles/kernels"
	"particles/render/gl"
	"particles/render/ui"
	"particles/trace"
)

// openEngine opens a device for this run's OpenGL context.
func (r *run) openEngine(driver, tier string) (*engine, error) {
	isa, err := kernels.ParseISA(r.o.ISA)
	if err != nil {
		return nil, err
	}
	return openEngine(engineOptions{
		driver: driver, tier: tier, isa: isa, gl: gl.NewSharing(r.screen.current), log: r.log, rec: r.rec,
	})
}

// changeDevice moves the run to another driver or tier while it goes on. The scene
// starts again there with the parameters as they are now; where the other device
// cannot be had, everything stays.
func (r *run) changeDevice(c *ui.Commands) error {
	driver, tier := r.o.Driver, r.o.Tier
	if c.SetDriver.Set {
		driver = c.SetDriver.Value
	}
	if c.SetTier.Set {
		tier = c.SetTier.Value
	}
	other, err := r.openEngine(driver, tier)
	if err != nil {
		r.warn(err)
		return nil
	}
	s := r.scene.Clone()
	s.Params = r.engine.model.Params().Values()
	s.Seed = int64(r.engine.model.Seed())
	err = other.setModel(&s, r.engine.model.Count())
	if err == nil {
		err = other.fitSlots(r.frames)
	}
	if err != nil {
		r.warn(joinClose(err, other))
		return nil
	}
	old := r.engine
	r.engine, r.o.Driver, r.o.Tier = other, driver, tier
	if err := old.Close(); err != nil {
		r.warn(err)
	}
	r.clock.Reset()
	r.panel.setModel(r.engine.model)
	text := fmt.Sprintf("%s, %s", r.engine.choice.Driver, r.engine.choice.GL.Tier())
	r.rec.Annotate(trace.Note{Kind: trace.NoteTier, Text: text})
	r.tellDevice()
	r.tell("now computing on %s (%s); the scene started again", r.engine.choice.Device, r.engine.choice.GL.Tier())
	return nil
}
