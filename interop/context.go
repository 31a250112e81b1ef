// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"particles/interop/driver"
)

// DevicePtr is an address in device memory.
type DevicePtr = driver.DevicePtr

// Device is a processor that runs kernels.
type Device struct {
	Ordinal          int
	Name             string
	UUID             [16]byte
	CCMajor, CCMinor int    // compute capability; 0.0 on the host
	TotalMem         uint64 // bytes
	Driver           string // "cuda" or "host"
	Version          int    // of CUDA that the driver speaks: 13000 is 13.0

	handle driver.Device
}

// Devices lists the driver's devices by ordinal.
func Devices(d driver.Driver) ([]Device, error) {
	n, code := d.DeviceGetCount()
	if code != driver.Success {
		return nil, NewError(d, "cuDeviceGetCount", code, "")
	}
	out := make([]Device, 0, n)
	for i := range n {
		dev, err := device(d, i)
		if err != nil {
			return nil, err
		}
		out = append(out, dev)
	}
	return out, nil
}

func device(d driver.Driver, ordinal int) (Device, error) {
	dev := Device{Ordinal: ordinal, Driver: d.Properties().Name}
	what := fmt.Sprintf("device %d", ordinal)
	var code driver.Code
	if dev.handle, code = d.DeviceGet(ordinal); code != driver.Success {
		return dev, NewError(d, "cuDeviceGet", code, what)
	}
	if dev.Name, code = d.DeviceGetName(dev.handle); code != driver.Success {
		return dev, NewError(d, "cuDeviceGetName", code, what)
	}
	if dev.UUID, code = d.DeviceGetUUID(dev.handle); code != driver.Success {
		return dev, NewError(d, "cuDeviceGetUuid", code, what)
	}
	if dev.Version, code = d.DriverGetVersion(); code != driver.Success {
		return dev, NewError(d, "cuDriverGetVersion", code, what)
	}
	if dev.CCMajor, code = d.DeviceGetAttribute(driver.AttrComputeCapabilityMajor, dev.handle); code != driver.Success {
		return dev, NewError(d, "cuDeviceGetAttribute", code, what)
	}
	if dev.CCMinor, code = d.DeviceGetAttribute(driver.AttrComputeCapabilityMinor, dev.handle); code != driver.Success {
		return dev, NewError(d, "cuDeviceGetAttribute", code, what)
	}
	if dev.TotalMem, code = d.DeviceTotalMem(dev.handle); code != driver.Success {
		return dev, NewError(d, "cuDeviceTotalMem", code, what)
	}
	return dev, nil
}

// Context is a device's primary context, which other users in the process share
// and CUDA counts. All that is made from it must be closed before it, or is
// closed and named by Close.
type Context struct {
	drv    driver.Driver
	dev    Device
	h      driver.Ctx
	closed *atomic.Bool // apart, so that the cleanup may look at it
	registry

	broken  atomic.Int32 // the code of a kernel's failure, once reported
	closeMu sync.Mutex
	orderMu sync.Mutex
	order   driver.Event // orders one stream after another in SetReleaseStream
}

var contextsDropped atomic.Int64

// ContextsDropped counts the Contexts that were collected without Close. Their
// device memory is lost until the process ends: nothing is freed from the
// garbage collector's thread.
func ContextsDropped() int { return int(contextsDropped.Load()) }

// NewContext retains the primary context of the device with that ordinal.
func NewContext(d driver.Driver, ordinal int) (*Context, error) {
	dev, err := device(d, ordinal)
	if err != nil {
		return nil, err
	}
	h, code := d.DevicePrimaryCtxRetain(dev.handle)
	if code != driver.Success {
		return nil, NewError(d, "cuDevicePrimaryCtxRetain", code, dev.Name)
	}
	if h == 0 {
		return nil, NewError(d, "cuDevicePrimaryCtxRetain", driver.InvalidContext, "success without a context on "+dev.Name)
	}
	c := &Context{drv: d, dev: dev, h: h, closed: new(atomic.Bool)}
	c.init()
	// The cleanup only counts. It must not reference c, nor call the driver.
	runtime.AddCleanup(c, func(closed *atomic.Bool) {
		if !closed.Load() {
			contextsDropped.Add(1)
		}
	}, c.closed)
	return c, nil
}

// Device tells which device the context is on.
func (c *Context) Device() Device {
	if c == nil {
		return Device{}
	}
	return c.dev
}

// Driver gives the driver beneath, for what this package does not cover.
func (c *Context) Driver() driver.Driver {
	if c == nil {
		return nil
	}
	return c.drv
}

// Handle is the driver's CUcontext, for what this package does not cover; 0 once closed.
func (c *Context) Handle() driver.Ctx {
	if c == nil || c.drv == nil || c.closed.Load() {
		return 0
	}
	return c.h
}

// Stats counts what is live.
func (c *Context) Stats() Stats {
	if c == nil || c.drv == nil {
		return Stats{}
	}
	return c.stats()
}

// PriorityRange gives the least and the greatest stream priority; greater is a
// smaller number. Both are 0 where there are no priorities.
func (c *Context) PriorityRange() (least, greatest int) {
	if c.check("Context.PriorityRange") != nil {
		return 0, 0
	}
	least, greatest, code := c.drv.CtxGetStreamPriorityRange(c.h)
	if code != driver.Success {
		return 0, 0
	}
	return least, greatest
}

// MemInfo gives the device's free and total memory in bytes.
func (c *Context) MemInfo() (free, total uint64, err error) {
	if err := c.check("Context.MemInfo"); err != nil {
		return 0, 0, err
	}
	free, total, code := c.drv.MemGetInfo(c.h)
	if code != driver.Success {
		return 0, 0, c.fail("cuMemGetInfo", code, "")
	}
	return free, total, nil
}

// Synchronize waits for all work of the context, and reports the error that a
// kernel left, if any.
func (c *Context) Synchronize() error {
	if err := c.check("Context.Synchronize"); err != nil {
		return err
	}
	if code := c.drv.CtxSynchronize(c.h); code != driver.Success {
		return c.fail("cuCtxSynchronize", code, "")
	}
	return nil
}

// Close closes what is still open, last made first, and releases the primary
// context. The error then is a *LeakError. With OpenGL buffers still registered
// it must be called on their OpenGL thread, and else refuses, changing nothing
// (GLInterop.Abandon is for when that OpenGL context is gone).
func (c *Context) Close() error {
	if c == nil || c.drv == nil {
		return stateErr("Context.Close", "", ErrZeroValue)
	}
	c.closeMu.Lock()
	defer c.closeMu.Unlock()
	if c.closed.Load() {
		return nil
	}
	left := c.live()
	for _, o := range left {
		if r, ok := o.(*registration); ok {
			if err := r.in.checkThread("Context.Close"); err != nil {
				return err
			}
		}
	}
	var leak LeakError
	for _, o := range left {
		leak.Leaks = append(leak.Leaks, o.describe())
		if err := o.drop(); err != nil {
			leak.Errors = append(leak.Errors, err)
		}
	}
	c.closed.Store(true)
	var errs []error
	if c.order != 0 {
		if code := c.quiet(c.drv.EventDestroy(c.h, c.order)); code != driver.Success {
			errs = append(errs, c.fail("cuEventDestroy", code, ""))
		}
	}
	if code := c.quiet(c.drv.DevicePrimaryCtxRelease(c.dev.handle)); code != driver.Success {
		errs = append(errs, c.fail("cuDevicePrimaryCtxRelease", code, c.dev.Name))
	}
	if len(leak.Leaks) > 0 {
		errs = append(errs, &leak)
	}
	return errors.Join(errs...)
}

func (c *Context) check(op string) error {
	if c == nil || c.drv == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if c.closed.Load() {
		return stateErr(op, "context", ErrClosed)
	}
	return nil
}

func (c *Context) fail(op string, code driver.Code, detail string) error {
	if code.Lost() != "" {
		c.broken.Store(int32(code))
	}
	return NewError(c.drv, op, code, detail)
}
