// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"particles/interop/driver"
)

// Options says how the host driver works. The zero value is right for most.
type Options struct {
	// Workers is the number of cores to use; 0: all that this process may use.
	Workers int
	// Memory bounds the bytes that can be allocated; 0: the machine's memory.
	Memory uint64
}

// Driver is the host driver. It has one device, number 0: this machine's CPU.
type Driver struct {
	opt Options

	mu      sync.Mutex
	refs    int
	lastCtx driver.Ctx
	primary atomic.Pointer[context]
	failure atomic.Pointer[failure] // the last one, for ErrorText
}

// New makes a driver. It starts nothing before a context is retained.
func New(o Options) *Driver {
	if o.Workers <= 0 {
		o.Workers = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0)))
	}
	return &Driver{opt: o}
}

// context is the primary context of the one device.
type context struct {
	d         *Driver
	id        driver.Ctx
	start     time.Time
	pool      *pool
	wg        sync.WaitGroup // the streams' goroutines
	runningMu sync.Mutex
	running   map[*stream]struct{} // also those destroyed with work left
	failed    atomic.Pointer[failure]
	streams   table[*stream]
	events    table[*event]
	modules   table[*module]
	functions table[*function]
	resources table[*resource]
	arrays    table[*array]
	surfaces  surfaces
	mem       spans
}

type module struct {
	img       driver.Image
	mu        sync.Mutex
	functions map[string]driver.Function
}

// The range of stream priorities, as on NVIDIA's devices.
const (
	leastPriority    = 0
	greatestPriority = -5
)

// version is the CUDA version whose rules this driver keeps.
const version = 12000

// Properties: device memory is this process's memory.
func (d *Driver) Properties() driver.Properties {
	return driver.Properties{Name: "host", HostMemory: true}
}

// ErrorName is the code's name.
func (d *Driver) ErrorName(c driver.Code) string { return c.Name() }

// ErrorText is the code's text; for a failed launch, which kernel panicked and why.
func (d *Driver) ErrorText(c driver.Code) string {
	if f := d.failure.Load(); f != nil && c == driver.LaunchFailed {
		return fmt.Sprintf("kernel %s panicked: %v", f.kernel, f.value)
	}
	return c.Text()
}

// DriverGetVersion gives the CUDA version whose rules are kept.
func (d *Driver) DriverGetVersion() (int, driver.Code) { return version, driver.Success }

// DeviceGetCount is 1.
func (d *Driver) DeviceGetCount() (int, driver.Code) { return 1, driver.Success }

// DeviceGet knows ordinal 0.
func (d *Driver) DeviceGet(ordinal int) (driver.Device, driver.Code) {
	if ordinal != 0 {
		return 0, driver.InvalidDevice
	}
	return 0, driver.Success
}

// DeviceGetName names the processor and the number of cores used.
func (d *Driver) DeviceGetName(dev driver.Device) (string, driver.Code) {
	if dev != 0 {
		return "", driver.InvalidDevice
	}
	name := cpuName()
	if name == "" {
		name = runtime.GOARCH + " CPU"
	}
	if d.opt.Workers == 1 {
		return name + " (1 core)", driver.Success
	}
	return fmt.Sprintf("%s (%d cores)", name, d.opt.Workers), driver.Success
}

// DeviceGetUUID is the same for the same machine and processor.
func (d *Driver) DeviceGetUUID(dev driver.Device) (u [16]byte, c driver.Code) {
	if dev != 0 {
		return u, driver.InvalidDevice
	}
	h := fnv.New128a()
	name, _ := os.Hostname()
	fmt.Fprintf(h, "host\x00%s\x00%s", name, cpuName())
	h.Sum(u[:0])
	return u, driver.Success
}

// The limits of a launch, as on every CUDA device that nothing is asked of.
const (
	maxBlock  = 1024
	maxShared = 48 << 10 // bytes
)

// DeviceGetAttribute knows the number of cores and a launch's limits; other attributes that make no
// sense here are 0.
func (d *Driver) DeviceGetAttribute(attr int, dev driver.Device) (int, driver.Code) {
	if dev != 0 {
		return 0, driver.InvalidDevice
	}
	switch attr {
	case driver.AttrMultiprocessorCount:
		return d.opt.Workers, driver.Success
	case driver.AttrMaxThreadsPerBlock:
		return maxBlock, driver.Success
	case driver.AttrMaxSharedMemoryPerBlock:
		return maxShared, driver.Success
	case driver.AttrIntegrated:
		return 1, driver.Success
	}
	return 0, driver.Success
}

// DeviceTotalMem is the machine's memory.
func (d *Driver) DeviceTotalMem(dev driver.Device) (uint64, driver.Code) {
	if dev != 0 {
		return 0, driver.InvalidDevice
	}
	_, total := memInfo()
	if d.opt.Memory > 0 {
		total = d.opt.Memory
	}
	return total, driver.Success
}

// DevicePrimaryCtxRetain starts the context, or counts one more user.
func (d *Driver) DevicePrimaryCtxRetain(dev driver.Device) (driver.Ctx, driver.Code) {
	if dev != 0 {
		return 0, driver.InvalidDevice
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refs == 0 {
		d.lastCtx++
		d.primary.Store(&context{d: d, id: d.lastCtx, start: time.Now(), pool: newPool(d.opt.Workers), running: map[*stream]struct{}{}})
	}
	d.refs++
	return d.primary.Load().id, driver.Success
}

// DevicePrimaryCtxRelease lets go; the last user's call waits for the queued
// work, ends the goroutines and frees what is left.
func (d *Driver) DevicePrimaryCtxRelease(dev driver.Device) driver.Code {
	if dev != 0 {
		return driver.InvalidDevice
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refs == 0 {
		return driver.InvalidContext
	}
	if d.refs--; d.refs > 0 {
		return driver.Success
	}
	c := d.primary.Swap(nil)
	for _, s := range c.live() {
		s.close()
	}
	c.wg.Wait()
	c.pool.close()
	c.mem.clear()
	return driver.Success
}

// use gives the context that a handle stands for, or why it cannot be used.
func (d *Driver) use(ctx driver.Ctx) (*context, driver.Code) {
	c := d.primary.Load()
	if c == nil || c.id != ctx {
		return nil, driver.InvalidContext
	}
	if c.failed.Load() != nil {
		return c, c.sticky()
	}
	return c, driver.Success
}

// sticky is the error that a broken context answers to everything.
func (c *context) sticky() driver.Code {
	f := c.failed.Load()
	if f == nil {
		return driver.Success
	}
	c.d.failure.Store(f)
	return driver.LaunchFailed
}

// CtxSynchronize waits for all streams.
func (d *Driver) CtxSynchronize(ctx driver.Ctx) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	c.drain()
	return c.sticky()
}

// drain waits for what all streams have queued so far, destroyed ones too.
func (c *context) drain() {
	for _, s := range c.live() {
		s.wait(s.mark())
	}
}

func (c *context) live() []*stream {
	c.runningMu.Lock()
	defer c.runningMu.Unlock()
	return slices.Collect(maps.Keys(c.running))
}

// CtxGetStreamPriorityRange: greater priorities get workers first.
func (d *Driver) CtxGetStreamPriorityRange(ctx driver.Ctx) (least, greatest int, code driver.Code) {
	if _, code := d.use(ctx); code != driver.Success {
		return 0, 0, code
	}
	return leastPriority, greatestPriority, driver.Success
}
