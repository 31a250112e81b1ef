// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"

	"particles/interop/driver"
)

// Buffer is device memory: allocated, or the mapping of an OpenGL buffer. It is
// a small value, an owner and a generation: copies are free, and once the memory
// has been given back every copy answers ErrClosed and address 0, also after the
// next mapping of the same OpenGL buffer.
type Buffer struct {
	m         *memory
	gen       uint64
	off, size int
	slice     bool
}

// memory owns what Buffers point into. gen is odd while the memory is there.
type memory struct {
	node
	ctx    *Context
	reg    *registration // the mapped resource; nil: allocated
	gen    atomic.Uint64
	ptr    atomic.Uint64
	size   int
	stream atomic.Pointer[Stream] // that the memory is given back on
}

// Alloc makes size bytes of device memory, not cleared. Without enough of it the
// error matches ErrOutOfMemory and tells the sizes.
func (c *Context) Alloc(size int) (Buffer, error) {
	if err := c.check("Context.Alloc"); err != nil {
		return Buffer{}, err
	}
	if size <= 0 {
		return Buffer{}, argErr("Context.Alloc", "%d bytes", size)
	}
	p, err := c.alloc(size)
	if err != nil {
		return Buffer{}, err
	}
	m := &memory{ctx: c, size: size}
	m.ptr.Store(uint64(p))
	m.gen.Store(1)
	c.add(&m.node, kindBuffer, m)
	return Buffer{m: m, gen: 1, size: size}, nil
}

func (c *Context) alloc(size int) (driver.DevicePtr, error) {
	p, code := c.drv.MemAlloc(c.h, size)
	if code != driver.Success {
		return 0, c.fail("cuMemAlloc", code, c.sizes(size))
	}
	if p == 0 {
		return 0, c.fail("cuMemAlloc", driver.InvalidValue, fmt.Sprintf("success without memory for %s", bytesText(uint64(size))))
	}
	c.bufferBytes.Add(int64(size))
	return p, nil
}

func (c *Context) free(p driver.DevicePtr, size int) error {
	c.bufferBytes.Add(-int64(size))
	if code := c.quiet(c.drv.MemFree(c.h, p)); code != driver.Success {
		return c.fail("cuMemFree", code, fmt.Sprintf("%s at %#x", bytesText(uint64(size)), uint64(p)))
	}
	return nil
}

// sizes tells what was asked for and what there is.
func (c *Context) sizes(size int) string {
	s := fmt.Sprintf("asked %s for %s", c.dev.Name, bytesText(uint64(size)))
	if free, total, code := c.drv.MemGetInfo(c.h); code == driver.Success {
		s += fmt.Sprintf(", %s of %s free", bytesText(free), bytesText(total))
	}
	return s
}

// DevicePtr is the address for a kernel's parameters; 0 once given back.
func (b Buffer) DevicePtr() DevicePtr {
	if b.m == nil {
		return 0
	}
	p := b.m.ptr.Load()
	if b.m.gen.Load() != b.gen {
		return 0
	}
	return DevicePtr(p) + DevicePtr(b.off)
}

// Size is in bytes; 0 once given back.
func (b Buffer) Size() int {
	if b.m == nil || b.m.gen.Load() != b.gen {
		return 0
	}
	return b.size
}

// Slice is the part [off, off+n) of b. It dies with b, and owns nothing.
func (b Buffer) Slice(off, n int) (Buffer, error) {
	if err := b.check("Buffer.Slice"); err != nil {
		return Buffer{}, err
	}
	if off < 0 || n <= 0 || off > b.size-n {
		return Buffer{}, argErr("Buffer.Slice", "bytes %d to %d of a buffer of %d", off, off+n, b.size)
	}
	return Buffer{m: b.m, gen: b.gen, off: b.off + off, size: n, slice: true}, nil
}

// CopyFrom queues on s a copy of all of src, which must have b's size.
func (b Buffer) CopyFrom(s *Stream, src Buffer) error {
	const op = "Buffer.CopyFrom"
	if err := b.ready(op, s); err != nil {
		return err
	}
	if err := src.ready(op, s); err != nil {
		return err
	}
	if src.size != b.size {
		return argErr(op, "%d bytes into a buffer of %d; slice the larger one", src.size, b.size)
	}
	c := b.m.ctx
	if code := c.drv.MemcpyDtoDAsync(c.h, b.DevicePtr(), src.DevicePtr(), b.size, s.h); code != driver.Success {
		return c.fail("cuMemcpyDtoDAsync", code, bytesText(uint64(b.size)))
	}
	return nil
}

// CopyToHost queues on s a copy of b's first n bytes to dst[off:off+n]. The
// bytes are there once the stream has passed.
func (b Buffer) CopyToHost(s *Stream, dst *HostBuffer, off, n int) error {
	const op = "Buffer.CopyToHost"
	if err := b.hostCopy(op, s, dst, off, n); err != nil || n == 0 {
		return err
	}
	c := b.m.ctx
	if code := c.drv.MemcpyDtoHAsync(c.h, dst.at(off), b.DevicePtr(), n, s.h); code != driver.Success {
		return c.fail("cuMemcpyDtoHAsync", code, bytesText(uint64(n)))
	}
	return nil
}

// CopyFromHost queues on s a copy of src[off:off+n] to b's first n bytes. src
// must not be written before the stream has passed.
func (b Buffer) CopyFromHost(s *Stream, src *HostBuffer, off, n int) error {
	const op = "Buffer.CopyFromHost"
	if err := b.hostCopy(op, s, src, off, n); err != nil || n == 0 {
		return err
	}
	c := b.m.ctx
	if code := c.drv.MemcpyHtoDAsync(c.h, b.DevicePtr(), src.at(off), n, s.h); code != driver.Success {
		return c.fail("cuMemcpyHtoDAsync", code, bytesText(uint64(n)))
	}
	return nil
}

func (b Buffer) hostCopy(op string, s *Stream, h *HostBuffer, off, n int) error {
	if err := b.ready(op, s); err != nil {
		return err
	}
	if err := h.check(op); err != nil {
		return err
	}
	if h.ctx != b.m.ctx {
		return stateErr(op, "host buffer", ErrWrongContext)
	}
	if n < 0 || n > b.size || off < 0 || off > h.size-n {
		return argErr(op, "%d bytes at %d of a host buffer of %d, with a buffer of %d", n, off, h.size, b.size)
	}
	return nil
}

// Fill queues on s setting every value of width bytes (1, 2 or 4) to value. The
// buffer's size must be a multiple of width.
func (b Buffer) Fill(s *Stream, value uint32, width int) error {
	const op = "Buffer.Fill"
	if err := b.ready(op, s); err != nil {
		return err
	}
	if width != 1 && width != 2 && width != 4 {
		return argErr(op, "width %d; 1, 2 or 4", width)
	}
	if uint64(value) >= 1<<(8*width) {
		return argErr(op, "value %#x does not fit in %d bytes", value, width)
	}
	if b.size%width != 0 {
		return argErr(op, "width %d does not divide the buffer's %d bytes", width, b.size)
	}
	c := b.m.ctx
	var code driver.Code
	call := "cuMemsetD8Async"
	switch width {
	case 1:
		code = c.drv.MemsetD8Async(c.h, b.DevicePtr(), uint8(value), b.size, s.h)
	case 2:
		call = "cuMemsetD16Async"
		code = c.drv.MemsetD16Async(c.h, b.DevicePtr(), uint16(value), b.size/2, s.h)
	case 4:
		call = "cuMemsetD32Async"
		code = c.drv.MemsetD32Async(c.h, b.DevicePtr(), value, b.size/4, s.h)
	}
	if code != driver.Success {
		return c.fail(call, code, bytesText(uint64(b.size)))
	}
	return nil
}

// SetReleaseStream changes the stream on which Close gives the memory back. The
// new stream first waits for the work queued on the old one.
func (b Buffer) SetReleaseStream(s *Stream) error {
	const op = "Buffer.SetReleaseStream"
	if err := b.ready(op, s); err != nil {
		return err
	}
	if b.slice {
		return argErr(op, "a slice owns nothing; use the buffer that it is of")
	}
	old := b.m.stream.Load()
	if old == s {
		return nil
	}
	if old != nil {
		if err := b.m.ctx.orderAfter(s, old); err != nil {
			return err
		}
	}
	s.hold()
	if b.m.gen.Load() != b.gen || !b.m.stream.CompareAndSwap(old, s) {
		return join(stateErr(op, "buffer", ErrClosed), s.letGo())
	}
	if old != nil {
		return old.letGo()
	}
	return nil
}

// orderAfter makes later work on s wait for the work queued so far on earlier.
func (c *Context) orderAfter(s, earlier *Stream) error {
	c.orderMu.Lock()
	defer c.orderMu.Unlock()
	if c.order == 0 {
		e, code := c.drv.EventCreate(c.h, driver.EventDisableTiming)
		if code != driver.Success {
			return c.fail("cuEventCreate", code, "")
		}
		c.order = e
	}
	if code := c.drv.EventRecord(c.h, c.order, earlier.h); code != driver.Success {
		return c.fail("cuEventRecord", code, "")
	}
	if code := c.drv.StreamWaitEvent(c.h, s.h, c.order); code != driver.Success {
		return c.fail("cuStreamWaitEvent", code, "")
	}
	return nil
}

// Close gives the memory back, once: a mapping is unmapped on its stream, and
// allocated memory is freed after the work that was queued. Closing again, also
// a copy of b, does nothing. A mapping must be closed on its OpenGL thread, and
// else refuses with the mapping intact.
func (b Buffer) Close() error {
	const op = "Buffer.Close"
	if b.m == nil {
		return stateErr(op, "buffer", ErrZeroValue)
	}
	if b.m.gen.Load() != b.gen {
		return nil
	}
	if b.slice {
		return argErr(op, "a slice owns nothing; close the buffer that it is of")
	}
	if b.m.reg != nil {
		return mapping{b.m.reg, b.gen}.end(op)
	}
	if !b.m.gen.CompareAndSwap(b.gen, b.gen+1) {
		return nil
	}
	m := b.m
	p := driver.DevicePtr(m.ptr.Swap(0))
	m.ctx.remove(&m.node)
	var errs [3]error
	if s := m.stream.Swap(nil); s != nil {
		errs[0] = s.wait()
		errs[1] = s.letGo()
	}
	errs[2] = m.ctx.free(p, m.size)
	return join(errs[:]...)
}

func (b Buffer) check(op string) error {
	if b.m == nil {
		return stateErr(op, "buffer", ErrZeroValue)
	}
	if b.m.gen.Load() != b.gen {
		return stateErr(op, "buffer", ErrClosed)
	}
	return nil
}

// ready refuses a buffer or a stream that is not usable, or not together.
func (b Buffer) ready(op string, s *Stream) error {
	if err := b.check(op); err != nil {
		return err
	}
	return b.m.ctx.stream(op, s)
}

// String tells the size and the address, or the state.
func (b Buffer) String() string {
	switch {
	case b.m == nil:
		return "Buffer(zero)"
	case b.Size() == 0:
		return "Buffer(closed)"
	}
	return fmt.Sprintf("Buffer(%s at %#x)", bytesText(uint64(b.size)), uint64(b.DevicePtr()))
}

func (m *memory) describe() string { return "buffer of " + bytesText(uint64(m.size)) }
func (m *memory) Close() error     { return Buffer{m: m, gen: m.gen.Load(), size: m.size}.Close() }
func (m *memory) drop() error      { return m.Close() }
