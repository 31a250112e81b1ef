// SPDX-License-Identifier: Apache-2.0

package choose

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"particles/interop"
	"particles/interop/cuda"
	"particles/interop/driver"
	"particles/interop/host"
)

// Options is what the user asked for. The zero value is all automatic, without
// OpenGL.
type Options struct {
	Driver string // "auto" or "", "cuda", "host"
	Tier   string // "auto" or "", "shared", "copied", "host"
	Device string // "auto" or "", or the device's ordinal or UUID (a beginning of it is enough), as interop.FindDevice takes it
	GL     driver.GL
	Logf   func(format string, a ...any) // nil: silent

	Host     host.Options
	OpenCUDA func() (driver.Driver, error) // nil: cuda.Open
}

// Choice is what was picked. Tier and Reason change once if the driver refuses
// to register a buffer although it promised to share (only in automatic mode, in
// a call of RegisterBuffer).
type Choice struct {
	Context *interop.Context
	GL      *interop.GLInterop // nil without OpenGL
	Tier    interop.Tier       // TierNone without OpenGL
	Driver  string             // "cuda", "host"
	Device  string             // its name
	Reason  string             // why it is not the first choice; empty when it is

	o Options
}

// Open picks. The error says why what was asked for cannot be had, and the cure.
func Open(o Options) (*Choice, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Driver == "host" {
		return openHost(o, "asked for with --driver host")
	}
	c, err := openCUDA(o)
	if err == nil {
		c.logf("%s", c)
		return c, nil
	}
	var never *refusal
	if o.Driver == "cuda" || errors.As(err, &never) {
		return nil, fmt.Errorf("cannot use CUDA: %w", err)
	}
	return openHost(o, sentence(err))
}

// refusal is a failure that automatic mode must not step over: the user asked for
// what only CUDA has, or OpenGL itself is not in order.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

func (o *Options) check() error {
	known := func(what string, v *string, names ...string) error {
		if *v == "" {
			*v = "auto"
		}
		for _, n := range names {
			if *v == n {
				return nil
			}
		}
		return fmt.Errorf("unknown %s %q; one of %s", what, *v, strings.Join(names, ", "))
	}
	if err := known("driver", &o.Driver, "auto", "cuda", "host"); err != nil {
		return err
	}
	if err := known("interop tier", &o.Tier, "auto", "shared", "copied", "host"); err != nil {
		return err
	}
	if o.Device == "" {
		o.Device = "auto"
	}
	if n, err := strconv.Atoi(o.Device); o.Device != "auto" && (err != nil || n < 0) && !strings.HasPrefix(strings.ToLower(o.Device), "gpu-") {
		return fmt.Errorf("device %q; auto, a number from 0, or a UUID that begins with GPU- (nvidia-smi -L lists them)", o.Device)
	}
	if o.Tier == "host" && o.Driver == "cuda" {
		return errors.New("interop tier host goes with the host driver; use --driver host, or --interop shared or copied")
	}
	if o.Tier == "host" {
		o.Driver = "host"
	}
	if o.Tier == "shared" && o.Driver == "host" {
		return errors.New("interop tier shared needs CUDA; the host driver maps OpenGL's buffers itself: leave out --interop, or use --driver cuda")
	}
	if o.OpenCUDA == nil {
		o.OpenCUDA = func() (driver.Driver, error) { return cuda.Open() }
	}
	return nil
}

// openHost takes the host driver, which works everywhere.
func openHost(o Options, reason string) (*Choice, error) {
	if o.Tier == "shared" {
		return nil, fmt.Errorf("interop tier shared needs CUDA: %s", reason)
	}
	ctx, err := interop.NewContext(host.New(o.Host), 0)
	if err != nil {
		return nil, err
	}
	c := newChoice(o, ctx)
	c.Reason = reason
	if o.GL != nil {
		open := ctx.OpenGL
		if o.Tier == "copied" {
			open = ctx.OpenGLCopied
		}
		if c.GL, err = open(o.GL); err != nil {
			return nil, errors.Join(err, ctx.Close())
		}
		c.Tier = c.GL.Tier()
	}
	c.logf("%s", c)
	return c, nil
}

func newChoice(o Options, ctx *interop.Context) *Choice {
	return &Choice{Context: ctx, Driver: ctx.Device().Driver, Device: ctx.Device().Name, o: o}
}

// openCUDA takes CUDA in the best tier that there is and that is allowed.
func openCUDA(o Options) (*Choice, error) {
	d, err := o.OpenCUDA()
	if err != nil {
		return nil, err
	}
	devs, err := interop.Devices(d)
	if err != nil {
		return nil, err
	}
	if len(devs) == 0 {
		return nil, interop.NewError(d, "cuDeviceGetCount", driver.NoDevice, "")
	}
	for _, dev := range devs {
		o.logf("CUDA device %d: %s, %s, compute capability %d.%d, %.1f GiB",
			dev.Ordinal, dev.Name, dev.UUIDText(), dev.CCMajor, dev.CCMinor, float64(dev.TotalMem)/(1<<30))
	}
	var drawing []interop.Device
	var glErr error
	if o.GL != nil {
		drawing, glErr = interop.GLDevices(d, o.GL)
		if errors.Is(glErr, interop.ErrNoGLContext) && o.GL.CurrentContext() == 0 {
			return nil, &refusal{glErr} // the caller's mistake, not the machine's
		}
	}
	order, err := candidates(o, devs, drawing)
	if err != nil {
		return nil, &refusal{err}
	}
	var ctx *interop.Context
	var errs []error
	for _, dev := range order {
		if ctx, err = interop.NewContext(d, dev.Ordinal); err == nil {
			break
		}
		errs = append(errs, err)
	}
	if ctx == nil {
		return nil, errors.Join(errs...)
	}
	c := newChoice(o, ctx)
	if o.GL == nil {
		return c, nil
	}
	if err := c.openGL(glErr); err != nil {
		return nil, &refusal{errors.Join(err, ctx.Close())}
	}
	return c, nil
}

// candidates lists the devices to try: the one asked for, or those that draw
// and then the others.
func candidates(o Options, devs, drawing []interop.Device) ([]interop.Device, error) {
	if o.Device != "auto" {
		dev, err := interop.FindDevice(devs, o.Device)
		if err != nil {
			return nil, err
		}
		return []interop.Device{dev}, nil
	}
	order := append([]interop.Device(nil), drawing...)
	for _, d := range devs {
		seen := false
		for _, x := range drawing {
			seen = seen || x.Ordinal == d.Ordinal
		}
		if !seen {
			order = append(order, d)
		}
	}
	return order, nil
}

// openGL starts sharing: shared if it can be, else copied, as the options allow.
// why is what is known against sharing.
func (c *Choice) openGL(why error) error {
	gl := c.o.GL
	if c.o.Tier == "copied" {
		in, err := c.Context.OpenGLCopied(gl)
		if err != nil {
			return err
		}
		c.GL, c.Tier, c.Reason = in, in.Tier(), "copied tier asked for with --interop copied"
		return nil
	}
	if why == nil {
		var in *interop.GLInterop
		if in, why = c.Context.OpenGL(gl); why == nil {
			c.GL, c.Tier = in, in.Tier()
			if c.o.Tier == "auto" {
				in.SetFallback(c.fellBack)
			}
			return nil
		}
	}
	if c.o.Tier == "shared" {
		return fmt.Errorf("cannot share buffers: %s: %w", shareReason(gl, c.Device, why), why)
	}
	in, err := c.Context.OpenGLCopied(gl)
	if err != nil {
		return errors.Join(why, err)
	}
	c.GL, c.Tier, c.Reason = in, in.Tier(), shareReason(gl, c.Device, why)
	return nil
}

// fellBack notes that the driver refused a buffer although it had promised.
func (c *Choice) fellBack(why error) {
	c.Tier, c.Reason = interop.TierCopied, shareReason(c.o.GL, c.Device, why)
	c.logf("%s", c)
}

// ToHost replaces the choice by the host driver when the GPU's driver refused
// the kernels (interop.ErrImageRefused), which shows only when they are loaded.
// It closes c. Where CUDA was asked for by name, or because is anything else, it
// answers because and leaves c alone.
func (c *Choice) ToHost(because error) (*Choice, error) {
	if !errors.Is(because, interop.ErrImageRefused) || c.Driver != "cuda" || c.o.Driver == "cuda" || c.o.Tier == "shared" {
		return nil, because
	}
	err := c.Close()
	var leak *interop.LeakError
	switch {
	case errors.As(err, &leak):
		c.logf("%v", err) // it has been freed
	case err != nil:
		return nil, errors.Join(because, err)
	}
	return openHost(c.o, sentence(because))
}

// Close ends the sharing, then the context. The error names what was left open.
func (c *Choice) Close() error {
	if c == nil || c.Context == nil {
		return nil
	}
	if c.GL != nil {
		if err := c.GL.Close(); err != nil {
			return err
		}
	}
	return c.Context.Close()
}

// Last reports that nothing is left to fall back to: kernels run in this process, on the host driver, which has no device
// that could be lost.
func (c *Choice) Last() bool { return c.Context.Driver().Properties().HostMemory }

// String is one line for the log.
func (c *Choice) String() string {
	s := fmt.Sprintf("driver %s on %s", c.Driver, c.Device)
	if c.GL != nil {
		s += fmt.Sprintf(", OpenGL buffers %s", c.Tier)
	}
	if c.Reason != "" {
		s += ": " + c.Reason
	}
	return s
}

func (o Options) logf(format string, a ...any) {
	if o.Logf != nil {
		o.Logf(format, a...)
	}
}

func (c *Choice) logf(format string, a ...any) { c.o.logf(format, a...) }
