// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"particles/cmd/particles/internal/build"
	"particles/internal/app"
	"particles/internal/scene"
	"particles/sim/param"
)

// runCmd is "particles run".
type runCmd struct {
	Scene string `arg:"" optional:"" help:"A built-in scene (see particles scenes) or a TOML file. Default: ${default_scene}."`

	Headless bool    `help:"No window and no display: render offscreen. Without --frames and --seconds for ten seconds." group:"Run"`
	Frames   *int64  `placeholder:"N" help:"End after N frames." group:"Run"`
	Seconds  *string `placeholder:"S" help:"End after S seconds of real time. With --frames, what comes first." group:"Run"`
	Size     string  `placeholder:"WxH" help:"Size of the picture or window. Default: 1280x720." group:"Run"`

	Count *int64   `placeholder:"N" help:"Number of particles. Default: the scene's, or what this machine does well." group:"Scene"`
	Seed  *int64   `placeholder:"N" help:"Seed of the random numbers; any whole number." group:"Scene"`
	Set   []string `sep:"none" placeholder:"MODEL.KEY=VALUE" help:"Set a parameter, such as flow.amplitude=2; also clock.*, camera.*, look.* and pacing.*. May be repeated." group:"Scene"`

	Driver  string `enum:"auto,cuda,host" default:"auto" help:"What computes: ${enum}." group:"Device"`
	Interop string `enum:"auto,shared,copied" default:"auto" help:"How positions reach OpenGL: ${enum}." group:"Device"`
	HostISA string `name:"host-isa" enum:"auto,baseline,v3" default:"auto" help:"Instruction set of the CPU kernels: ${enum}." group:"Device"`

	Image  string `placeholder:"FILE" help:"Write the last frame as PNG. An earlier file is kept under a numbered name." group:"Output"`
	Trace  string `placeholder:"FILE" help:"Record all frames as a Chrome trace, for ui.perfetto.dev. Likewise." group:"Output"`
	JSON   bool   `name:"json" help:"Print the summary as one JSON object." group:"Output"`
	OutDir string `placeholder:"DIR" help:"Where screenshots and recordings made in the window go. Default: the current folder." group:"Output"`

	Vsync      bool `negatable:"" default:"true" help:"Wait for the display's refresh." group:"Window"`
	Fullscreen bool `help:"Start in full screen (F11)." group:"Window"`
	HideUI     bool `name:"hide-ui" help:"Start with the panel hidden (H)." group:"Window"`

	GLDebug bool   `name:"gl-debug" help:"Make an OpenGL error end the run." group:"Device"`
	UIState string `hidden:"" name:"ui-state" placeholder:"FILE" help:"Write the panel's state here each frame, for tests."`
}

// Run is called by the parser.
func (c *runCmd) Run(p *program) error {
	o, err := c.options(p)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	s, err := p.app(ctx, o)
	if err == nil || s.Frames > 0 { // also a run that failed late has something to tell
		if e := c.print(p, &s); err == nil {
			err = e
		}
	}
	return err
}

// options turns the flags into what the application takes; all that is wrong with them is told at once.
func (c *runCmd) options(p *program) (app.Options, error) {
	o := app.Options{
		Headless: c.Headless, Driver: c.Driver, Tier: c.Interop, ISA: c.HostISA, Image: c.Image, Trace: c.Trace, OutDir: c.OutDir,
		UIState: c.UIState, FullScreen: c.Fullscreen, HideUI: c.HideUI, GLDebug: c.GLDebug,
		Version: build.Version, Commit: build.Commit(), Log: slog.New(&handler{out: p.stderr}),
	}
	name := c.Scene
	if name == "" {
		name = scene.DefaultName
	}
	s, err := scene.Load(name)
	if err != nil {
		return o, usageError{c.meantCommand(err)}
	}
	o.Scene = s
	errs := []error{c.limits(&o), c.size(&o), c.overrides(&o.Scene), c.files()}
	if err := errors.Join(errs...); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// meantCommand adds to the error of an unknown scene that a command has a name like it.
func (c *runCmd) meantCommand(err error) error {
	if near := param.Nearest(c.Scene, []string{"run", "scenes", "doctor", "version"}); near != "" && errors.Is(err, scene.ErrUnknownScene) {
		return fmt.Errorf("%w; or the command %q?", err, near)
	}
	return err
}

// headlessTime is how long a headless run without a limit lasts.
const headlessTime = 10 * time.Second

func (c *runCmd) limits(o *app.Options) error {
	var errs []error
	if c.Frames != nil {
		if *c.Frames < 1 || *c.Frames > math.MaxInt32 {
			errs = append(errs, fmt.Errorf("--frames %d: give a number between 1 and %d, or leave it out", *c.Frames, math.MaxInt32))
		}
		o.Frames = int(min(*c.Frames, math.MaxInt32))
	}
	if c.Seconds != nil {
		s, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(*c.Seconds), "s"), 64)
		const most = 1e8
		if err != nil || !(s > 0 && s <= most) { // also NaN
			errs = append(errs, fmt.Errorf("--seconds %s: give a number of seconds above 0, such as 2.5 (at most %g)", *c.Seconds, most))
		} else {
			o.Duration = max(time.Duration(s*float64(time.Second)), 1)
		}
	}
	if c.Headless && c.Frames == nil && c.Seconds == nil {
		o.Duration = headlessTime
	}
	return errors.Join(errs...)
}

// maxSide is the largest picture a device of the last fifteen years draws.
const maxSide = 16384

func (c *runCmd) size(o *app.Options) error {
	if c.Size == "" {
		return nil
	}
	ws, hs, ok := strings.Cut(strings.ToLower(strings.ReplaceAll(c.Size, "\u00d7", "x")), "x")
	w, errW := strconv.Atoi(strings.TrimSpace(ws))
	h, errH := strconv.Atoi(strings.TrimSpace(hs))
	if !ok || errW != nil || errH != nil {
		return fmt.Errorf("--size %q: write width x height in pixels, such as 1280x720", c.Size)
	}
	if w < 1 || h < 1 || w > maxSide || h > maxSide {
		return fmt.Errorf("--size %s: each side must be between 1 and %d pixels", c.Size, maxSide)
	}
	o.Width, o.Height = w, h
	return nil
}

// overrides puts --count, --seed and --set into the scene.
func (c *runCmd) overrides(s *scene.Scene) error {
	var errs []error
	if c.Count != nil {
		if *c.Count < 1 || *c.Count > scene.MaxCount {
			errs = append(errs, fmt.Errorf("--count %d: give a number between 1 and %d, or leave it out for an automatic one", *c.Count, scene.MaxCount))
		}
		s.Count = int(*c.Count)
	}
	if c.Seed != nil {
		s.Seed = *c.Seed
	}
	if !c.Vsync {
		c.Set = append(c.Set, "pacing.vsync=false")
	}
	for _, a := range c.Set {
		if err := s.Assign(a); err != nil {
			errs = append(errs, fmt.Errorf("--set %w", err))
		}
	}
	return errors.Join(errs...)
}

// files refuses outputs that would take each other's place or the scene's.
func (c *runCmd) files() error {
	var errs []error
	if ext := strings.ToLower(filepath.Ext(c.Image)); ext != "" && ext != ".png" {
		errs = append(errs, fmt.Errorf("--image %s: pictures are written as PNG; give a name that ends in .png", c.Image))
	}
	if c.Image != "" && same(c.Image, c.Trace) {
		errs = append(errs, fmt.Errorf("--image and --trace both name %s: give two files", c.Image))
	}
	for flag, path := range map[string]string{"--image": c.Image, "--trace": c.Trace} {
		if path != "" && c.Scene != "" && same(path, c.Scene) {
			errs = append(errs, fmt.Errorf("%s %s is the scene file itself: give another name", flag, path))
		}
	}
	if c.OutDir != "" {
		if st, err := os.Stat(c.OutDir); err != nil || !st.IsDir() {
			errs = append(errs, fmt.Errorf("--out-dir %s: there is no such folder; make it or give another", c.OutDir))
		}
	}
	return errors.Join(errs...)
}

// same tells whether two paths are one regular file, there or to be.
func same(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(sa, sb) && sa.Mode().IsRegular()
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB && b != ""
}
