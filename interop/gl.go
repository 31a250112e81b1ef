// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"particles/interop/driver"
)

// GL is what this package needs of OpenGL; whoever owns the context hands it in.
type GL = driver.GL

// maxGLDevices is more than any linked-GPU group has.
const maxGLDevices = 16

// GLDevices lists the devices that draw the OpenGL context which is current on
// this thread, so that a Context can be made on the same one. The error matches
// ErrUnavailable when OpenGL runs elsewhere, and ErrNoGLContext when none is current.
func GLDevices(d driver.Driver, gl GL) ([]Device, error) {
	if gl == nil {
		return nil, argErr("GLDevices", "nil GL")
	}
	if gl.CurrentContext() == 0 {
		return nil, stateErr("GLDevices", "", ErrNoGLContext)
	}
	if why := d.Properties().NoGL; why != nil {
		return nil, fmt.Errorf("interop: GLDevices: %w: %w", ErrUnavailable, why)
	}
	all, err := Devices(d)
	if err != nil {
		return nil, err
	}
	handles, err := glDevices(d, 0, gl)
	if errors.Is(err, driver.InvalidContext) && len(all) > 0 { // this driver wants any context current
		dev := all[0].handle
		ctx, code := d.DevicePrimaryCtxRetain(dev)
		if code != driver.Success {
			return nil, NewError(d, "cuDevicePrimaryCtxRetain", code, all[0].Name)
		}
		handles, err = glDevices(d, ctx, gl)
		d.DevicePrimaryCtxRelease(dev)
	}
	if err != nil {
		return nil, err
	}
	var out []Device
	for _, h := range handles {
		for _, dev := range all {
			if dev.handle == h {
				out = append(out, dev)
			}
		}
	}
	if len(out) == 0 {
		return nil, NewError(d, opGLGetDevices, driver.NoDevice, glText(gl))
	}
	return out, nil
}

func glDevices(d driver.Driver, ctx driver.Ctx, gl GL) ([]driver.Device, error) {
	var devs [maxGLDevices]driver.Device
	n, code := d.GLGetDevices(ctx, gl, devs[:])
	if code == driver.Success && n <= 0 {
		code = driver.NoDevice
	}
	if code != driver.Success {
		return nil, NewError(d, opGLGetDevices, code, glText(gl))
	}
	return devs[:min(n, maxGLDevices)], nil
}

// glText names who draws.
func glText(gl GL) string {
	_, renderer, version := gl.Describe()
	return fmt.Sprintf("OpenGL %s draws on %s", version, renderer)
}

// GLInterop shares the buffers and textures of one OpenGL context with one Context. All its
// methods belong to the OpenGL context's thread.
type GLInterop struct {
	ctx      *Context
	gl       GL
	home     uintptr // the OpenGL context
	tier     Tier
	fallback func(error)
	closed   atomic.Bool
	regs     []*registration // oldest first

	// Reused by every call, so that a frame allocates nothing. Only calls that have passed checkThread touch them.
	scratch []driver.Resource
	batch   batch
}

// OpenGL starts sharing with the OpenGL context that is current on this thread,
// in the best tier that the driver has: shared, or host on the host driver. The
// error matches ErrUnavailable, and ErrDeviceMismatch when OpenGL is known to
// draw on another device; OpenGLCopied works then.
func (c *Context) OpenGL(gl GL) (*GLInterop, error) {
	const op = "Context.OpenGL"
	in, err := c.openGL(op, gl)
	if err != nil {
		return nil, err
	}
	p := c.drv.Properties()
	if p.HostMemory {
		in.tier = TierHost
		return in, nil
	}
	if p.NoGL != nil {
		return nil, fmt.Errorf("interop: %s: %w: %w", op, ErrUnavailable, p.NoGL)
	}
	devs, err := glDevices(c.drv, c.h, gl)
	if err != nil {
		return nil, err
	}
	for _, d := range devs {
		if d == c.dev.handle {
			in.tier = TierShared
			return in, nil
		}
	}
	return nil, fmt.Errorf("interop: %s: %w: %w: %s, kernels run on device %d, %s",
		op, ErrUnavailable, ErrDeviceMismatch, glText(gl), c.dev.Ordinal, c.dev.Name)
}

// OpenGLCopied starts sharing in the copied tier, which works with any OpenGL.
func (c *Context) OpenGLCopied(gl GL) (*GLInterop, error) {
	in, err := c.openGL("Context.OpenGLCopied", gl)
	if err != nil {
		return nil, err
	}
	in.tier = TierCopied
	return in, nil
}

func (c *Context) openGL(op string, gl GL) (*GLInterop, error) {
	if err := c.check(op); err != nil {
		return nil, err
	}
	if gl == nil {
		return nil, argErr(op, "nil GL")
	}
	home := gl.CurrentContext()
	if home == 0 {
		return nil, stateErr(op, "", ErrNoGLContext)
	}
	return &GLInterop{ctx: c, gl: gl, home: home}, nil
}

// Tier tells how buffers are shared. With a fallback it can change from shared
// to copied at a RegisterBuffer.
func (in *GLInterop) Tier() Tier {
	if in == nil {
		return TierNone
	}
	return in.tier
}

// SetFallback allows the copied tier where the driver refuses to register a
// buffer (ErrUnavailable), as some do that had no objection before. From the
// first refusal on all new buffers are copied; f is told once why. Buffers that
// are registered stay as they are.
func (in *GLInterop) SetFallback(f func(reason error)) { in.fallback = f }

// Close closes what is still registered, last first: each is given back if
// mapped, then unregistered. What fails stays registered, and Close can be repeated.
func (in *GLInterop) Close() error {
	const op = "GLInterop.Close"
	if in == nil || in.ctx == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if in.closed.Load() {
		return nil
	}
	if in.ctx.stats().Registrations > 0 { // of this interop or another; its own list belongs to the thread
		if err := in.checkThread(op); err != nil {
			return err
		}
	}
	var errs []error
	for _, r := range slices.Backward(slices.Clone(in.regs)) {
		if err := r.Close(); err != nil {
			errs = append(errs, err)
		}
	}
	in.closed.Store(len(in.regs) == 0)
	return errors.Join(errs...)
}

// Abandon is Close for when the OpenGL context has been destroyed, so that no
// thread has it any more: all mappings and registrations are forgotten without a
// call to OpenGL or to the driver's graphics functions, and every Buffer and Array
// of them answers ErrClosed. The driver holds its part until the Context closes.
// Device memory of the copied tier is freed. It waits for the context's queued
// work, which may still use what was mapped.
//
// Closing in the right order (buffers, GLInterop, then the OpenGL context) is
// better: this is the way out when that has not been done. A kernel that writes to
// a mapped buffer while OpenGL frees it writes to nobody's memory.
func (in *GLInterop) Abandon() error {
	const op = "GLInterop.Abandon"
	if in == nil || in.ctx == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if in.closed.Load() {
		return nil
	}
	if in.gl.CurrentContext() == in.home {
		return stateErr(op, "the OpenGL context is current: use Close", ErrArgument)
	}
	var errs []error
	if code := in.ctx.quiet(in.ctx.drv.CtxSynchronize(in.ctx.h)); code != driver.Success {
		errs = append(errs, in.ctx.fail("cuCtxSynchronize", code, ""))
	}
	for _, r := range slices.Backward(slices.Clone(in.regs)) {
		if err := r.abandon(); err != nil {
			errs = append(errs, err)
		}
	}
	in.closed.Store(true)
	return errors.Join(errs...)
}

// enter is the first thing that every call does: until it has passed, nothing of the interop is written.
func (in *GLInterop) enter(op string) error {
	if in == nil || in.ctx == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if in.closed.Load() {
		return stateErr(op, "GL interop", ErrClosed)
	}
	if err := in.ctx.check(op); err != nil {
		return err
	}
	return in.checkThread(op)
}

// checkThread refuses where the driver would answer with codes that say little.
func (in *GLInterop) checkThread(op string) error {
	switch in.gl.CurrentContext() {
	case in.home:
		return nil
	case 0:
		return stateErr(op, "", ErrNoGLContext)
	}
	return stateErr(op, "", ErrWrongGLContext)
}

// forget takes a closed registration off the list.
func (in *GLInterop) forget(r *registration) {
	if i := slices.Index(in.regs, r); i >= 0 {
		in.regs = slices.Delete(in.regs, i, i+1)
	}
}

// join is errors.Join that keeps a single error as it is.
func join(errs ...error) error {
	var first error
	n := 0
	for _, e := range errs {
		if e != nil {
			if n++; n == 1 {
				first = e
			}
		}
	}
	if n <= 1 {
		return first
	}
	return errors.Join(errs...)
}

func isUnavailable(err error) bool { return errors.Is(err, ErrUnavailable) }
