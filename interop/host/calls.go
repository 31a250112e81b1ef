// SPDX-License-Identifier: Apache-2.0

package host

import (
	"unsafe"

	"particles/interop/driver"
)

// MemGetInfo gives what can be allocated, and the machine's memory.
func (d *Driver) MemGetInfo(ctx driver.Ctx) (free, total uint64, code driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, 0, code
	}
	free, total = c.room()
	return free, total, driver.Success
}

func (c *context) room() (free, total uint64) {
	free, total = memInfo()
	if limit := c.d.opt.Memory; limit > 0 {
		c.mem.mu.RLock()
		used := uint64(c.mem.used)
		c.mem.mu.RUnlock()
		return limit - min(used, limit), limit
	}
	return free, total
}

// MemAlloc makes cleared, page-aligned memory. More than the machine has free is
// refused now, rather than by the system's killing the process later.
func (d *Driver) MemAlloc(ctx driver.Ctx, size int) (driver.DevicePtr, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	p, code := c.alloc(size, deviceSpan)
	return address(p), code
}

func (c *context) alloc(size int, k spanKind) (unsafe.Pointer, driver.Code) {
	if size <= 0 {
		return nil, driver.InvalidValue
	}
	if free, total := c.room(); total > 0 && uint64(size) > free {
		return nil, driver.OutOfMemory
	}
	p, free, ok := allocate(size)
	if !ok {
		return nil, driver.OutOfMemory
	}
	c.mem.add(span{base: address(p), size: size, kind: k, free: free})
	return p, driver.Success
}

// MemFree waits for all queued work, and frees.
func (d *Driver) MemFree(ctx driver.Ctx, p driver.DevicePtr) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	return c.free(p, deviceSpan)
}

// free works in a broken context too: the memory goes back either way.
func (c *context) free(p driver.DevicePtr, k spanKind) driver.Code {
	if p == 0 {
		return driver.Success
	}
	s, ok := c.mem.remove(p, k)
	if !ok {
		return driver.InvalidValue
	}
	c.drain()
	s.free()
	return c.sticky()
}

// MemHostAlloc is like MemAlloc: all memory here is the host's.
func (d *Driver) MemHostAlloc(ctx driver.Ctx, size int) (unsafe.Pointer, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return nil, code
	}
	return c.alloc(size, hostSpan)
}

// MemFreeHost waits for all queued work, and frees.
func (d *Driver) MemFreeHost(ctx driver.Ctx, p unsafe.Pointer) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	return c.free(address(p), hostSpan)
}

// MemcpyHtoDAsync queues a copy.
func (d *Driver) MemcpyHtoDAsync(ctx driver.Ctx, dst driver.DevicePtr, src unsafe.Pointer, n int, s driver.Stream) driver.Code {
	return d.copy(ctx, dst, address(src), n, s)
}

// MemcpyDtoHAsync queues a copy.
func (d *Driver) MemcpyDtoHAsync(ctx driver.Ctx, dst unsafe.Pointer, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return d.copy(ctx, address(dst), src, n, s)
}

// MemcpyDtoDAsync queues a copy.
func (d *Driver) MemcpyDtoDAsync(ctx driver.Ctx, dst, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return d.copy(ctx, dst, src, n, s)
}

func (d *Driver) copy(ctx driver.Ctx, dst, src driver.DevicePtr, n int, h driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, h)
	if code != driver.Success {
		return code
	}
	if !c.mem.holds(dst, n) || !c.mem.holds(src, n) {
		return driver.InvalidValue
	}
	if n == 0 {
		return driver.Success
	}
	k := s.begin()
	k.op, k.dst, k.src, k.n = opCopy, pointer(dst), pointer(src), n
	s.end()
	return driver.Success
}

// MemsetD8Async queues a fill.
func (d *Driver) MemsetD8Async(ctx driver.Ctx, dst driver.DevicePtr, v uint8, count int, s driver.Stream) driver.Code {
	return d.fill(ctx, dst, uint32(v), 1, count, s)
}

// MemsetD16Async queues a fill.
func (d *Driver) MemsetD16Async(ctx driver.Ctx, dst driver.DevicePtr, v uint16, count int, s driver.Stream) driver.Code {
	return d.fill(ctx, dst, uint32(v), 2, count, s)
}

// MemsetD32Async queues a fill.
func (d *Driver) MemsetD32Async(ctx driver.Ctx, dst driver.DevicePtr, v uint32, count int, s driver.Stream) driver.Code {
	return d.fill(ctx, dst, v, 4, count, s)
}

func (d *Driver) fill(ctx driver.Ctx, dst driver.DevicePtr, v uint32, width, count int, h driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, h)
	if code != driver.Success {
		return code
	}
	if count < 0 || dst%driver.DevicePtr(width) != 0 || !c.mem.holds(dst, count*width) {
		return driver.InvalidValue
	}
	if count == 0 {
		return driver.Success
	}
	k := s.begin()
	k.op, k.dst, k.value, k.width, k.n = opFill, pointer(dst), v, width, count
	s.end()
	return driver.Success
}

// StreamCreateWithPriority starts a stream and its goroutine.
func (d *Driver) StreamCreateWithPriority(ctx driver.Ctx, priority int) (driver.Stream, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	priority = min(max(priority, greatestPriority), leastPriority) // as CUDA does
	return driver.Stream(c.streams.add(newStream(c, priority))), driver.Success
}

// StreamDestroy returns at once; what is queued still runs.
func (d *Driver) StreamDestroy(ctx driver.Ctx, h driver.Stream) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	s, ok := c.streams.remove(uintptr(h))
	if !ok {
		return driver.InvalidHandle
	}
	s.close()
	return c.sticky()
}

// StreamQuery answers NotReady while work is queued.
func (d *Driver) StreamQuery(ctx driver.Ctx, h driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, h)
	if code != driver.Success {
		return code
	}
	if !s.passed(s.mark()) {
		return driver.NotReady
	}
	return c.sticky()
}

// StreamSynchronize waits for the work queued so far.
func (d *Driver) StreamSynchronize(ctx driver.Ctx, h driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, h)
	if code != driver.Success {
		return code
	}
	s.wait(s.mark())
	return c.sticky()
}

// StreamWaitEvent makes later work on the stream wait for the event's mark.
func (d *Driver) StreamWaitEvent(ctx driver.Ctx, h driver.Stream, e driver.Event) driver.Code {
	c, s, code := d.stream(ctx, h)
	if code != driver.Success {
		return code
	}
	ev, ok := c.events.get(uintptr(e))
	if !ok {
		return driver.InvalidHandle
	}
	on, at, _ := ev.mark()
	if on == nil || on == s || on.passed(at) {
		return driver.Success
	}
	k := s.begin()
	k.op, k.on, k.at = opWait, on, at
	s.end()
	return driver.Success
}

// stream gives the context and the stream that handles stand for.
func (d *Driver) stream(ctx driver.Ctx, h driver.Stream) (*context, *stream, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return nil, nil, code
	}
	s, ok := c.streams.get(uintptr(h))
	if !ok {
		return nil, nil, driver.InvalidHandle
	}
	return c, s, driver.Success
}

// EventCreate makes an event.
func (d *Driver) EventCreate(ctx driver.Ctx, flags uint32) (driver.Event, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	if flags&^(driver.EventBlockingSync|driver.EventDisableTiming) != 0 {
		return 0, driver.InvalidValue
	}
	e := &event{timing: flags&driver.EventDisableTiming == 0}
	return driver.Event(c.events.add(e)), driver.Success
}

// EventDestroy forgets the event; waits for it that are queued stay.
func (d *Driver) EventDestroy(ctx driver.Ctx, h driver.Event) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	if _, ok := c.events.remove(uintptr(h)); !ok {
		return driver.InvalidHandle
	}
	return c.sticky()
}
