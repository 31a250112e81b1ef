// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"fmt"
	"maps"
	"unsafe"

	"particles/interop/driver"
)

var _ driver.Driver = (*Driver)(nil)

// Properties implements driver.Driver. It is no driver call.
func (d *Driver) Properties() driver.Properties {
	p := d.inner.Properties()
	if d.shared {
		p.HostMemory = false
	}
	return p
}

// ErrorName implements driver.Driver. It is no driver call.
func (d *Driver) ErrorName(c driver.Code) string { return d.inner.ErrorName(c) }

// ErrorText implements driver.Driver. It is no driver call.
func (d *Driver) ErrorText(c driver.Code) string { return d.inner.ErrorText(c) }

// DriverGetVersion implements driver.Driver.
func (d *Driver) DriverGetVersion() (v int, c driver.Code) {
	c = d.do("cuDriverGetVersion", "", nil, func() (c driver.Code) { v, c = d.inner.DriverGetVersion(); return c }, nil)
	return v, c
}

// DeviceGetCount implements driver.Driver.
func (d *Driver) DeviceGetCount() (n int, c driver.Code) {
	c = d.do("cuDeviceGetCount", "", nil, func() (c driver.Code) { n, c = d.inner.DeviceGetCount(); return c }, nil)
	return n, c
}

// DeviceGet implements driver.Driver.
func (d *Driver) DeviceGet(ordinal int) (dev driver.Device, c driver.Code) {
	c = d.do("cuDeviceGet", fmt.Sprint(ordinal), nil, func() (c driver.Code) { dev, c = d.inner.DeviceGet(ordinal); return c }, nil)
	return dev, c
}

// DeviceGetName implements driver.Driver.
func (d *Driver) DeviceGetName(dev driver.Device) (s string, c driver.Code) {
	c = d.do("cuDeviceGetName", fmt.Sprint(dev), nil, func() (c driver.Code) { s, c = d.inner.DeviceGetName(dev); return c }, nil)
	return s, c
}

// DeviceGetUUID implements driver.Driver.
func (d *Driver) DeviceGetUUID(dev driver.Device) (u [16]byte, c driver.Code) {
	c = d.do("cuDeviceGetUuid", fmt.Sprint(dev), nil, func() (c driver.Code) { u, c = d.inner.DeviceGetUUID(dev); return c }, nil)
	return u, c
}

// DeviceGetAttribute implements driver.Driver.
func (d *Driver) DeviceGetAttribute(attr int, dev driver.Device) (v int, c driver.Code) {
	c = d.do("cuDeviceGetAttribute", fmt.Sprintf("%d, %d", attr, dev), nil,
		func() (c driver.Code) { v, c = d.inner.DeviceGetAttribute(attr, dev); return c }, nil)
	return v, c
}

// DeviceTotalMem implements driver.Driver.
func (d *Driver) DeviceTotalMem(dev driver.Device) (n uint64, c driver.Code) {
	c = d.do("cuDeviceTotalMem", fmt.Sprint(dev), nil, func() (c driver.Code) { n, c = d.inner.DeviceTotalMem(dev); return c }, nil)
	return n, c
}

// DevicePrimaryCtxRetain implements driver.Driver.
func (d *Driver) DevicePrimaryCtxRetain(dev driver.Device) (ctx driver.Ctx, c driver.Code) {
	c = d.do("cuDevicePrimaryCtxRetain", fmt.Sprint(dev), nil,
		func() (c driver.Code) { ctx, c = d.inner.DevicePrimaryCtxRetain(dev); return c },
		func() { d.contexts[dev]++; d.live[ctx] = dev })
	return ctx, c
}

// DevicePrimaryCtxRelease implements driver.Driver. What the last release takes
// with it is a violation: it should have been given back before.
func (d *Driver) DevicePrimaryCtxRelease(dev driver.Device) driver.Code {
	return d.do("cuDevicePrimaryCtxRelease", fmt.Sprint(dev), func() problem {
		if d.contexts[dev] == 0 {
			return wrong(driver.InvalidContext, "device %d has no retained context", dev)
		}
		if s := d.left(); d.contexts[dev] == 1 && len(d.live) == 1 && s != "nothing" {
			d.violations = append(d.violations, "the last release of the context took with it: "+s)
		}
		return problem{}
	}, func() driver.Code { return d.inner.DevicePrimaryCtxRelease(dev) }, func() {
		if d.contexts[dev]--; d.contexts[dev] > 0 {
			return
		}
		delete(d.contexts, dev)
		maps.DeleteFunc(d.live, func(_ driver.Ctx, x driver.Device) bool { return x == dev })
		if len(d.live) == 0 {
			d.rules.init()
		}
	})
}

// CtxSynchronize implements driver.Driver.
func (d *Driver) CtxSynchronize(ctx driver.Ctx) driver.Code {
	return d.do("cuCtxSynchronize", "", func() problem { return d.ctx(ctx) }, func() driver.Code { return d.inner.CtxSynchronize(ctx) }, func() {
		for _, s := range d.streams {
			s.done = s.work
		}
	})
}

// CtxGetStreamPriorityRange implements driver.Driver.
func (d *Driver) CtxGetStreamPriorityRange(ctx driver.Ctx) (least, greatest int, c driver.Code) {
	c = d.do("cuCtxGetStreamPriorityRange", "", func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { least, greatest, c = d.inner.CtxGetStreamPriorityRange(ctx); return c }, nil)
	return least, greatest, c
}

// MemGetInfo implements driver.Driver.
func (d *Driver) MemGetInfo(ctx driver.Ctx) (free, total uint64, c driver.Code) {
	c = d.do("cuMemGetInfo", "", func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { free, total, c = d.inner.MemGetInfo(ctx); return c }, nil)
	return free, total, c
}

// MemAlloc implements driver.Driver.
func (d *Driver) MemAlloc(ctx driver.Ctx, size int) (p driver.DevicePtr, c driver.Code) {
	c = d.do("cuMemAlloc", fmt.Sprint(size), func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { p, c = d.inner.MemAlloc(ctx, size); return c }, func() { d.buffers[p] = size })
	return p, c
}

// MemFree implements driver.Driver.
func (d *Driver) MemFree(ctx driver.Ctx, p driver.DevicePtr) driver.Code {
	return d.do("cuMemFree", fmt.Sprintf("%#x", uint64(p)), func() problem {
		if d.buffers[p] == 0 {
			return wrong(driver.InvalidValue, "%#x is no buffer, or was freed", uint64(p))
		}
		return d.ctx(ctx)
	}, func() driver.Code { return d.inner.MemFree(ctx, p) }, func() { delete(d.buffers, p) })
}

// MemHostAlloc implements driver.Driver.
func (d *Driver) MemHostAlloc(ctx driver.Ctx, size int) (p unsafe.Pointer, c driver.Code) {
	c = d.do("cuMemHostAlloc", fmt.Sprint(size), func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { p, c = d.inner.MemHostAlloc(ctx, size); return c }, func() { d.hosts[p] = size })
	return p, c
}

// MemFreeHost implements driver.Driver.
func (d *Driver) MemFreeHost(ctx driver.Ctx, p unsafe.Pointer) driver.Code {
	return d.do("cuMemFreeHost", fmt.Sprintf("%p", p), func() problem {
		if d.hosts[p] == 0 {
			return wrong(driver.InvalidValue, "%p is no pinned memory, or was freed", p)
		}
		return d.ctx(ctx)
	}, func() driver.Code { return d.inner.MemFreeHost(ctx, p) }, func() { delete(d.hosts, p) })
}

// onStream is a call that queues work on s, if more holds. uses are the addresses
// and handles that the work is known to touch.
func (d *Driver) onStream(name, args string, ctx driver.Ctx, s driver.Stream, uses []uint64, more func() problem, call func() driver.Code) driver.Code {
	return d.do(name, fmt.Sprintf("%s, stream %#x", args, uintptr(s)), func() problem {
		return first(d.ctx(ctx), d.stream(s), more(), d.ordered(s, uses...))
	}, call, func() {
		d.queued(s)
		for _, x := range d.touched(uses...) {
			x.used[s] = d.streams[s].work
		}
	})
}

// MemcpyHtoDAsync implements driver.Driver.
func (d *Driver) MemcpyHtoDAsync(ctx driver.Ctx, dst driver.DevicePtr, src unsafe.Pointer, n int, s driver.Stream) driver.Code {
	return d.onStream("cuMemcpyHtoDAsync", fmt.Sprintf("%#x, %d", uint64(dst), n), ctx, s, []uint64{uint64(dst)},
		func() problem { return first(d.device(dst, n), d.pinned(src, n)) },
		func() driver.Code { return d.inner.MemcpyHtoDAsync(ctx, dst, src, n, s) })
}

// MemcpyDtoHAsync implements driver.Driver.
func (d *Driver) MemcpyDtoHAsync(ctx driver.Ctx, dst unsafe.Pointer, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return d.onStream("cuMemcpyDtoHAsync", fmt.Sprintf("%#x, %d", uint64(src), n), ctx, s, []uint64{uint64(src)},
		func() problem { return first(d.device(src, n), d.pinned(dst, n)) },
		func() driver.Code { return d.inner.MemcpyDtoHAsync(ctx, dst, src, n, s) })
}

// MemcpyDtoDAsync implements driver.Driver.
func (d *Driver) MemcpyDtoDAsync(ctx driver.Ctx, dst, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return d.onStream("cuMemcpyDtoDAsync", fmt.Sprintf("%#x, %#x, %d", uint64(dst), uint64(src), n), ctx, s, []uint64{uint64(dst), uint64(src)},
		func() problem { return first(d.device(dst, n), d.device(src, n)) },
		func() driver.Code { return d.inner.MemcpyDtoDAsync(ctx, dst, src, n, s) })
}

func (d *Driver) fill(name string, ctx driver.Ctx, dst driver.DevicePtr, width, n int, s driver.Stream, call func() driver.Code) driver.Code {
	return d.onStream(name, fmt.Sprintf("%#x, %d", uint64(dst), n), ctx, s, []uint64{uint64(dst)}, func() problem {
		if dst%driver.DevicePtr(width) != 0 {
			return wrong(driver.InvalidValue, "%#x is not aligned for %d bytes", uint64(dst), width)
		}
		return d.device(dst, n*width)
	}, call)
}

// MemsetD8Async implements driver.Driver.
func (d *Driver) MemsetD8Async(ctx driver.Ctx, dst driver.DevicePtr, v uint8, n int, s driver.Stream) driver.Code {
	return d.fill("cuMemsetD8Async", ctx, dst, 1, n, s, func() driver.Code { return d.inner.MemsetD8Async(ctx, dst, v, n, s) })
}

// MemsetD16Async implements driver.Driver.
func (d *Driver) MemsetD16Async(ctx driver.Ctx, dst driver.DevicePtr, v uint16, n int, s driver.Stream) driver.Code {
	return d.fill("cuMemsetD16Async", ctx, dst, 2, n, s, func() driver.Code { return d.inner.MemsetD16Async(ctx, dst, v, n, s) })
}

// MemsetD32Async implements driver.Driver.
func (d *Driver) MemsetD32Async(ctx driver.Ctx, dst driver.DevicePtr, v uint32, n int, s driver.Stream) driver.Code {
	return d.fill("cuMemsetD32Async", ctx, dst, 4, n, s, func() driver.Code { return d.inner.MemsetD32Async(ctx, dst, v, n, s) })
}
