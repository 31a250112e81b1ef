// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"particles/interop"
	"particles/render"
	"particles/render/ui"
	"particles/trace"
)

// Limits of what the panel offers.
const (
	maxFramesInFlight = 3
	statsWindow       = 5 * time.Second
	countLeast        = 1
	slowCountLimit    = 2_000_000 // most particles that the slider offers where the CPU computes or draws; --count takes more
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
	p.setValues(e.model.Params())
	p.addSamples(r.rec)
	p.setStats(r.rec.Stats(statsWindow), r.allocs.recentRate)
	p.setRecord(r.recording)
	if !r.gpu.timers.Supported() && m.Samples.NoGPU == "" {
		m.Samples.NoGPU = r.gpu.timers.Reason()
	}
	m.Count = ui.Count{Value: e.model.Count(), Min: countLeast, Max: r.maxCount(), Alive: e.model.Alive()}
	m.Seed = e.model.Seed()
	m.Clock = ui.Clock{
		Paused: r.clock.Paused(), Dt: r.clock.Dt(), DtDefault: r.scene.Clock.Dt, Scale: r.clock.Scale(),
		StepsPerFrame: r.clock.StepsPerFrame(), MaxSteps: r.clock.MaxSteps(), Time: e.model.Time(), Steps: e.model.Steps(),
		Behind: r.clock.Behind(),
	}
	r.fillPacing(&m.Pacing)
	r.fillDevice(&m.Device)
	r.fillLook(&m.Look)
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
	least, most := r.engine.choice.Context.PriorityRange()
	*p = ui.Pacing{
		Vsync: w.Vsync(), VsyncKnown: r.pace.refresh > 0 || r.pace.broken, VsyncInForce: w.Vsync() && !r.pace.broken, Refresh: r.pace.refresh, FrameCap: r.pace.cap,
		FramesInFlight: r.frames, SlotWaits: refused, HasPriority: least != most,
		PriorityLeast: least, PriorityMost: most, Priority: r.engine.stream.Priority(),
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

func (r *run) fillLook(l *ui.Look) {
	m := r.engine.model
	_, radius := m.Bounds()
	lo, hi := m.ScalarRange()
	l.Exposure, l.OnePixel = float64(r.look.Exposure), r.look.OnePixel
	l.PointSize, l.PointUnit = float64(r.look.PointSize), "m"
	l.PointDefault = float64(render.AutoPointSize(m.Count(), radius))
	if l.PointSize == 0 {
		l.PointSize = l.PointDefault
	}
	l.PointMin, l.PointMax = float64(radius)*1e-4, float64(radius)*0.2
	l.ScalarLo, l.ScalarHi = float64(r.look.ScalarLo), float64(r.look.ScalarHi)
	l.ScalarLoDef, l.ScalarHiDef = float64(lo), float64(hi)
	for i := range l.ColorMaps {
		if l.ColorMaps[i].Name == r.look.ColorMap || (r.look.ColorMap == "" && i == 0) {
			l.ColorMap = i
		}
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
		model.Params().ResetAll()
		r.rec.Annotate(trace.Note{Kind: trace.NoteSetting, Text: "all parameters to their defaults"})
	}
	for _, change := range c.SetParams {
		applied, err := model.Params().Set(change.Key, change.Value)
		if err != nil {
			r.warn(err)
			continue
		}
		r.rec.Annotate(trace.Note{Kind: trace.NoteParam, Text: model.Name() + "." + change.Key, Value: applied})
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
	r.applyTime(c)
	r.applyLook(c)
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
	var errs errorList
	if c.SetVsync.Set {
		errs.add(w.SetVsync(c.SetVsync.Value))
		r.pace.setVsync(c.SetVsync.Value, float64(w.RefreshRate()), time.Now())
		r.noteSetting("vsync", asNumber(c.SetVsync.Value))
	}
	if c.FullScreen {
		errs.add(w.ToggleFullScreen())
	}
	if err := errs.err(); err != nil {
		r.warn(err)
	}
	return r.applyDevice(c)
}

// applyTime applies what concerns simulated time and pacing.
func (r *run) applyTime(c *ui.Commands) {
	if c.TogglePause {
		r.clock.SetPaused(!r.clock.Paused())
	}
	if c.SingleStep {
		r.clock.SetPaused(true)
		r.clock.SingleStep()
	}
	if c.SetDt.Set {
		r.clock.SetDt(c.SetDt.Value)
		r.noteSetting("dt", c.SetDt.Value)
	}
	if c.SetScale.Set {
		r.clock.SetScale(c.SetScale.Value)
		r.noteSetting("time scale", c.SetScale.Value)
	}
	if c.SetSteps.Set {
		r.clock.SetStepsPerFrame(c.SetSteps.Value)
		r.noteSetting("steps per frame", float64(c.SetSteps.Value))
	}
	if c.SetFrameCap.Set {
		r.pace.cap = c.SetFrameCap.Value
		r.noteSetting("frame cap", c.SetFrameCap.Value)
	}
}

// applyLook applies what concerns how particles are drawn.
func (r *run) applyLook(c *ui.Commands) {
	look := r.look
	if c.SetExposure.Set {
		look.Exposure = float32(c.SetExposure.Value)
	}
	if c.SetPointSize.Set {
		look.PointSize = float32(c.SetPointSize.Value)
	}
	if c.SetOnePixel.Set {
		look.OnePixel = c.SetOnePixel.Value
	}
	if c.SetColorMap.Set {
		look.ColorMap = r.panel.model.Look.ColorMaps[c.SetColorMap.Value].Name
	}
	if c.SetScalarLo.Set {
		look.ScalarLo = float32(c.SetScalarLo.Value)
	}
	if c.SetScalarHi.Set {
		look.ScalarHi = float32(c.SetScalarHi.Value)
	}
	if look == r.look {
		return
	}
	if err := r.renderer.SetLook(look); err != nil {
		r.warn(err)
		return
	}
	r.look = look
}

// applyDevice applies what concerns streams, slots and the device itself.
func (r *run) applyDevice(c *ui.Commands) error {
	if c.SetFramesInFlight.Set {
		before := r.frames
		r.frames = min(max(c.SetFramesInFlight.Value, 1), maxFramesInFlight)
		if err := r.engine.fitSlots(r.frames); err != nil {
			r.warn(err)
			r.frames = before
			if err := r.engine.fitSlots(before); err != nil {
				return r.survive(err)
			}
			return nil
		}
		r.noteSetting("frames in flight", float64(r.frames))
	}
	if c.SetPriority.Set {
		if err := r.engine.setStream(interop.StreamOptions{Priority: c.SetPriority.Value, HasPriority: true}); err != nil {
			r.warn(err) // the old stream stays
			return nil
		}
		r.noteSetting("stream priority", float64(c.SetPriority.Value))
	}
	if c.SetDriver.Set || c.SetTier.Set {
		return r.changeDevice(c)
	}
	return nil
}

func (r *run) noteSetting(name string, value float64) {
	r.rec.Annotate(trace.Note{Kind: trace.NoteSetting, Text: name, Value: value})
}

func asNumber(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

func indexOf(list []string, name string) int {
	for i, entry := range list {
		if entry == name {
			return i
		}
	}
	return 0
}
