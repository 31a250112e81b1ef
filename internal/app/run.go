// SPDX-License-Identifier: Apache-2.0

package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"particles/internal/scene"
	"particles/interop"
	"particles/render"
	"particles/render/gl"
	"particles/render/ui"
	"particles/sim"
	"particles/sim/param"
	"particles/trace"
)

// offscreenTime is how long a run lasts that wanted a window and found no display.
const offscreenTime = 10 * time.Second

// Run does one run of the application, from opening the device to the summary. It
// must be called on a goroutine locked to the program's main OS thread. It ends
// when the window is closed, a limit of the options is reached or ctx is done; a
// recording is complete by then in every case. The summary holds what is known
// also when there is an error.
func Run(ctx context.Context, o Options) (Summary, error) {
	o.setDefaults()
	r := &run{o: &o, ctx: ctx, log: o.Log, scene: o.Scene}
	err := r.open()
	if err == nil {
		r.started = time.Now()
		err = r.loop(ctx)
		r.allocs.stop()
	}
	if err == nil && r.rec.Frames() > 0 {
		err = r.keepPicture()
	}
	r.stopRecording()
	if o.Trace != "" && r.recErr != "" { // asked for, and not whole
		err = errors.Join(err, fmt.Errorf("the trace %s is not complete: %s", r.trace, r.recErr))
	}
	summary := r.summary()
	if e := r.close(); e != nil {
		if _, lost := lostCode(e); !lost && !errors.Is(e, errNoAnswer) { // then nothing could be given back
			summary.Leaks = e.Error()
		}
		err = errors.Join(err, e)
	}
	return summary, err
}

func (o *Options) setDefaults() {
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
}

// run is the state of one run. It belongs to the locked thread.
type run struct {
	o   *Options
	ctx context.Context // done: the run is to end; nil in tests
	log *slog.Logger

	screen   screen
	software bool // OpenGL draws on the CPU
	glInfo   gl.Info
	glErr    error // the first OpenGL error, with Options.GLDebug
	renderer *render.Renderer
	camera   *render.Camera
	gpu      *gpuTimes

	engine *engine
	tier   interop.Tier // as last told
	scene  scene.Scene
	pacing *param.Set // live values of scene.PacingGroup
	auto   bool       // the count is the automatic one and may be lowered
	clock  *sim.Clock
	due    int // steps of this frame

	trouble trouble

	rec       *trace.Recorder
	recording *trace.Recording
	recErr    string // of the last recording

	ui      *ui.UI
	panel   *panel
	mouse   mouse
	hidden  bool
	idle    int // frames still to be drawn although paused
	toasts  toasts
	pace    pacer
	allocs  allocCounter
	started time.Time
	last    time.Time // start of the frame before
	quit    bool
	shot    bool // a screenshot is wanted
	image   string
	trace   string
	saving  saver
}

// open makes everything in the order of dependence. What was opened before an
// error is closed by close.
func (r *run) open() error {
	r.rec = trace.New(trace.Options{Warmup: trace.WarmupFor(r.o.Frames, r.o.Duration)})
	var err error
	if r.pacing, err = r.scene.NewSet(scene.PacingGroup); err != nil {
		return err
	}
	if err := r.openDisplay(); err != nil {
		return err
	}
	if r.engine, err = r.openEngine(r.o.Driver, r.o.Tier); err != nil {
		return err
	}
	r.gpu = newGPUTimes(r.rec)
	r.panel = newPanel()
	r.hidden = r.o.HideUI || r.o.Headless
	if !r.o.Headless {
		if err := r.openUI(); err != nil {
			return err
		}
	}
	if err := r.startScene(); err != nil {
		return err
	}
	r.tellDevice()
	if r.o.Trace != "" {
		return r.startRecording(r.o.Trace)
	}
	return nil
}

// openDisplay opens the window, or the headless context where there is no display
// or where none is wanted, and the renderer in it.
func (r *run) openDisplay() error {
	var err error
	r.screen, err = openScreen(r.o, r.pacing.On(scene.PacingVsync))
	if line, ok := noDisplay(err); ok {
		r.log.Warn(line)
		r.goOffscreen()
		r.screen, err = openScreen(r.o, false)
	}
	if err != nil {
		return err
	}
	if err := gl.Init(r.screen.procAddr); err != nil {
		return err
	}
	r.glInfo = gl.Describe()
	r.software = r.glInfo.Software
	if r.o.GLDebug {
		gl.Debug(func(m gl.Message) {
			if m.IsError() && r.glErr == nil {
				r.glErr = fmt.Errorf("OpenGL: %s", m)
			}
		})
	}
	size := r.screen.size()
	if r.renderer, err = render.NewRenderer(size.FramebufferW, size.FramebufferH); err != nil {
		return err
	}
	r.camera = render.NewCamera(1)
	if w, ok := r.screen.(*onscreen); ok {
		r.camera.Damping = cameraDamping
		r.pace.setVsync(r.pacing.On(scene.PacingVsync), float64(w.w.RefreshRate()), time.Now())
		if r.o.FullScreen {
			return w.w.ToggleFullScreen()
		}
	}
	return nil
}

// goOffscreen turns the run into a headless one of ten seconds that leaves a
// picture and a trace.
func (r *run) goOffscreen() {
	r.o.Headless = true
	if r.o.Frames == 0 && r.o.Duration == 0 {
		r.o.Duration = offscreenTime
		r.rec = trace.New(trace.Options{Warmup: trace.WarmupFor(0, offscreenTime)})
	}
	if r.o.Image == "" {
		r.o.Image = r.outPath(r.scene.Name, "png")
	}
	if r.o.Trace == "" {
		r.o.Trace = r.outPath(r.scene.Name, "json")
	}
}

// tellDevice says once what computes and what draws, and why it is not the first choice.
func (r *run) tellDevice() {
	c := r.engine.choice
	text := fmt.Sprintf("computing on %s (%s driver, %s buffers), drawing with %s", c.Device, c.Driver, c.Tier, r.glInfo.Renderer)
	if c.Reason != "" {
		text += ": " + c.Reason
	}
	r.log.Info(text)
	r.tier = c.Tier
}

// noticeTier tells when the driver refused to share after the start, so that buffers are copied from then on.
func (r *run) noticeTier() {
	c := r.engine.choice
	if c.Tier == r.tier {
		return
	}
	r.tier = c.Tier
	r.rec.Annotate(trace.Note{Kind: trace.NoteTier, Text: c.Driver + ", " + c.Tier.String()})
	r.warn(fmt.Errorf("buffers are now %s: %s", c.Tier, c.Reason))
}

// close gives everything back, in reverse order. An error names what was not given back.
func (r *run) close() error {
	var errs errorList
	r.saving.wait()
	if r.ui != nil {
		r.keepLayout()
		r.ui.Close()
	}
	if r.gpu != nil {
		r.gpu.timers.Close()
	}
	if r.engine != nil {
		errs.close(r.engine)
	}
	if r.renderer != nil {
		r.renderer.Close()
	}
	if r.screen != nil {
		errs.close(r.screen)
	}
	return errs.err()
}
