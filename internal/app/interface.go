// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"particles/internal/scene"
	"particles/render/ui"
	"particles/sim/param"
	"particles/trace"
)

// Limits of what the panel offers.
const (
	statsWindow    = 5 * time.Second
	countLeast     = 1
	slowCountLimit = 2_000_000 // most particles that the slider offers where the CPU computes or draws; --count takes more
)

// openUI makes the panel, with the layout of an earlier run.
func (r *run) openUI() error {
	w := r.screen.(*onscreen).w
	var layout []byte
	if path, err := layoutPath(); err == nil {
		layout, err = os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			r.log.Warn(fmt.Sprintf("the panel's layout could not be read: %v", err))
		}
	}
	var err error
	r.ui, err = ui.New(ui.Options{
		Scale: w.Scale(), Layout: layout, Clipboard: w, Track: r.o.UIState != "",
		Logf: func(format string, args ...any) { r.log.Warn(fmt.Sprintf(format, args...)) },
	})
	return err
}

// layoutPath is where the panel's layout is kept: in the user's configuration
// folder, never in the folder that the program was started from.
func layoutPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "particles", "layout.ini"), nil
}

// keepLayout stores the layout if it was changed by hand. Without a place for it the
// program goes on without storing, and says so.
func (r *run) keepLayout() {
	if !r.ui.LayoutChanged() {
		return
	}
	path, err := layoutPath()
	if err == nil {
		err = storeFile(path, r.ui.Layout())
	}
	if err != nil {
		r.log.Warn(fmt.Sprintf("the panel's layout is not kept: %v", err))
	}
}

// storeFile writes a small file whole or not at all, with its folder.
func storeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part := path + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// runPanel builds the panel from the run's state and applies what the person wants.
func (r *run) runPanel(dt float64) error {
	if r.ui == nil {
		return nil
	}
	m := &r.panel.model
	m.Hidden = r.hidden
	m.Frame = r.rec.Frames()
	if !r.hidden {
		r.fillPanel()
	}
	cmds := r.ui.Frame(dt, r.screen.size(), m)
	w := r.screen.(*onscreen).w
	if err := w.SetCursor(r.ui.Cursor()); err != nil {
		return err
	}
	if r.o.UIState != "" {
		if err := r.ui.WriteState(r.o.UIState); err != nil {
			return fmt.Errorf("writing the panel's state: %w", err)
		}
	}
	if !cmds.Any() {
		return nil
	}
	r.idle = busyAfterEvent
	return r.apply(cmds)
}

// fillPanel brings the panel's data up to date.
func (r *run) fillPanel() {
	p, m, e := r.panel, &r.panel.model, r.engine
	now := time.Now()
	m.Params, m.Time, m.Pace, m.Look = e.model.Params(), r.clock.Settings(), r.pacing, r.renderer.Look()
	m.Scalar = e.model.Scalar()
	m.Samples = r.rec.Recent(p.recent[:])
	m.Stats, m.AllocsPerFrame = r.rec.Stats(statsWindow), r.allocs.recentRate
	p.setRecord(r.recording)
	if !r.gpu.timers.Supported() && m.NoGPU == "" {
		m.NoGPU = r.gpu.timers.Reason()
	}
	m.Count = ui.Count{Value: e.model.Count(), Min: countLeast, Max: r.maxCount(), Alive: e.model.Alive()}
	m.Seed = e.model.Seed()
	m.Clock = ui.Clock{Paused: r.clock.Paused(), Time: e.model.Time(), Steps: e.model.Steps(), Behind: r.clock.Behind()}
	r.fillPacing(&m.Pacing)
	r.fillDevice(&m.Device)
	said, errs := r.saving.news()
	for _, text := range said {
		r.tell("%s", text)
	}
	for _, err := range errs {
		r.warn(err)
	}
	m.Toasts = r.toasts.current(now)
	m.FullScreen = r.screen.(*onscreen).w.FullScreen()
	if r.software && len(m.Notes) == 0 {
		m.Notes = append(m.Notes, "Drawn in software ("+r.glInfo.Renderer+"): expect low frame rates.")
	}
}

func (r *run) fillPacing(p *ui.Pacing) {
	w := r.screen.(*onscreen).w
	_, refused := r.engine.slots.Counts()
	*p = ui.Pacing{
		VsyncKnown: r.pace.refresh > 0 || r.pace.broken, VsyncInForce: w.Vsync() && !r.pace.broken, Refresh: r.pace.refresh, SlotWaits: refused,
	}
}

var (
	driverChoices = []string{"auto", "cuda", "host"}
	tierChoices   = []string{"auto", "shared", "copied"}
)

func (r *run) fillDevice(d *ui.Device) {
	c := r.engine.choice
	stats := c.Context.Stats()
	*d = ui.Device{
		Driver: c.Driver, Name: c.Device, Tier: c.GL.Tier().String(), Reason: c.Reason, GL: r.glInfo.Renderer,
		Memory: uint64(stats.BufferBytes), Total: c.Context.Device().TotalMem,
		Drivers: driverChoices, DriverI: indexOf(driverChoices, r.o.Driver),
		Tiers: tierChoices, TierI: indexOf(tierChoices, r.o.Tier),
	}
}

// maxCount is the most particles that the slider offers: what fits the device's
// memory with room to spare, and what a scene may ask for.
func (r *run) maxCount() int {
	if r.engine.countLimit == 0 {
		r.engine.countLimit = r.engine.findCountLimit()
		if r.software || r.engine.choice.Last() { // a slip of the mouse must not freeze the window for minutes
			r.engine.countLimit = min(r.engine.countLimit, max(slowCountLimit, r.engine.model.Count()))
		}
	}
	return r.engine.countLimit
}

// apply does what the person at the panel wants, between frames. What fails is told and leaves the rest as it is.
func (r *run) apply(c *ui.Commands) error {
	w := r.screen.(*onscreen).w
	model := r.engine.model
	if c.Quit {
		r.quit = true
	}
	if c.SelectScene.Set {
		r.loadScene(r.panel.model.Scenes[c.SelectScene.Value].Name)
		return nil
	}
	if c.ResetParams {
		for i := range model.Params().Len() {
			if err := r.change(ui.ParamChange{Set: model.Params(), Index: i, Reset: true}); err != nil {
				return err
			}
		}
	}
	for _, wish := range c.SetParams {
		if err := r.change(wish); err != nil {
			return err
		}
	}
	if c.SetCount.Set {
		r.auto = false
		r.changeCount(c.SetCount.Value)
	}
	switch {
	case c.SetSeed.Set:
		r.reset(c.SetSeed.Value)
	case c.Reset:
		r.reset(model.Seed())
	}
	if c.TogglePause {
		r.clock.SetPaused(!r.clock.Paused())
	}
	if c.SingleStep {
		r.clock.SetPaused(true)
		r.clock.SingleStep()
	}
	if c.Hide {
		r.hidden = !r.hidden
	}
	if c.FrameScene {
		r.camera.Frame(model.Bounds())
	}
	if c.ToggleRecord {
		r.toggleRecording()
	}
	r.shot = r.shot || c.Screenshot
	if c.FullScreen {
		if err := w.ToggleFullScreen(); err != nil {
			r.warn(err)
		}
	}
	if c.SetDriver.Set || c.SetTier.Set {
		return r.changeDevice(c)
	}
	return nil
}

// change gives a parameter another value, does what follows from it, and notes it in the trace. Where that fails the old value
// stays and the reason is told; an error ends the run.
func (r *run) change(wish ui.ParamChange) error {
	set, i := wish.Set, wish.Index
	before := slices.Clone(set.Parts(i))
	if wish.Reset {
		set.Reset(i)
	} else if _, err := set.SetPart(i, wish.Part, wish.Value); err != nil {
		r.warn(err)
		return nil
	}
	if slices.Equal(before, set.Parts(i)) {
		return nil
	}
	if set == r.pacing {
		if err := r.applyPacing(i); err != nil {
			r.warn(err)
			if err := set.Put(set.Specs()[i].Name, before); err != nil {
				return err
			}
			if err := r.engine.fitSlots(r.inFlight()); err != nil {
				return r.survive(err)
			}
			return nil
		}
	}
	note := trace.Note{Kind: trace.NoteParam, Text: set.FullName(i), Value: set.At(i)}
	if spec := &set.Specs()[i]; spec.Size() > 1 || spec.Kind == param.Enum {
		note.Exact = set.Format(i)
	}
	r.rec.Annotate(note)
	return nil
}

// applyPacing does what follows from another value of pacing.
func (r *run) applyPacing(i int) error {
	switch i {
	case scene.PacingVsync:
		on, w := r.pacing.On(i), r.screen.(*onscreen).w
		r.pace.setVsync(on, float64(w.RefreshRate()), time.Now())
		return w.SetVsync(on)
	case scene.PacingFramesInFlight:
		return r.engine.fitSlots(r.inFlight())
	case scene.PacingStreamPriority:
		return r.engine.setPriority(int(r.pacing.At(i))) // after an error the old stream stays
	}
	return nil
}

func indexOf(list []string, name string) int {
	for i, entry := range list {
		if entry == name {
			return i
		}
	}
	return 0
}
