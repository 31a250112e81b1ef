// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"particles/interop/driver"
)

// HostBuffer is pinned memory of this process, which streams copy from and to
// while the caller goes on.
type HostBuffer struct {
	node
	ctx    *Context
	ptr    unsafe.Pointer
	size   int
	closed atomic.Bool
}

// AllocHost makes size bytes of pinned memory.
func (c *Context) AllocHost(size int) (*HostBuffer, error) {
	if err := c.check("Context.AllocHost"); err != nil {
		return nil, err
	}
	if size <= 0 {
		return nil, argErr("Context.AllocHost", "%d bytes", size)
	}
	p, err := c.allocHost(size)
	if err != nil {
		return nil, err
	}
	h := &HostBuffer{ctx: c, ptr: p, size: size}
	c.add(&h.node, kindHostBuffer, h)
	return h, nil
}

func (c *Context) allocHost(size int) (unsafe.Pointer, error) {
	p, code := c.drv.MemHostAlloc(c.h, size)
	if code == driver.Success && p == nil {
		code = driver.OutOfMemory
	}
	if code != driver.Success {
		return nil, c.fail("cuMemHostAlloc", code, fmt.Sprintf("asked for %s of pinned memory", bytesText(uint64(size))))
	}
	c.hostBytes.Add(int64(size))
	return p, nil
}

func (c *Context) freeHost(p unsafe.Pointer, size int) error {
	c.hostBytes.Add(-int64(size))
	if code := c.quiet(c.drv.MemFreeHost(c.h, p)); code != driver.Success {
		return c.fail("cuMemFreeHost", code, bytesText(uint64(size)))
	}
	return nil
}

// Bytes is the memory itself; nil once closed. It is not Go memory: do not keep
// it past Close, and do not touch what a queued copy is using.
func (h *HostBuffer) Bytes() []byte {
	if h == nil || h.ctx == nil || h.closed.Load() {
		return nil
	}
	return unsafe.Slice((*byte)(h.ptr), h.size)
}

// Size is in bytes; 0 once closed.
func (h *HostBuffer) Size() int { return len(h.Bytes()) }

// Close waits for the context's queued work, which may be copying, and frees
// the memory.
func (h *HostBuffer) Close() error {
	if h == nil || h.ctx == nil {
		return stateErr("HostBuffer.Close", "host buffer", ErrZeroValue)
	}
	if h.closed.Swap(true) {
		return nil
	}
	h.ctx.remove(&h.node)
	var wait error
	if code := h.ctx.quiet(h.ctx.drv.CtxSynchronize(h.ctx.h)); code != driver.Success {
		wait = h.ctx.fail("cuCtxSynchronize", code, "")
	}
	return join(wait, h.ctx.freeHost(h.ptr, h.size))
}

func (h *HostBuffer) check(op string) error {
	if h == nil || h.ctx == nil {
		return stateErr(op, "host buffer", ErrZeroValue)
	}
	if h.closed.Load() {
		return stateErr(op, "host buffer", ErrClosed)
	}
	return nil
}

// at must come after the range check.
func (h *HostBuffer) at(off int) unsafe.Pointer { return unsafe.Add(h.ptr, off) }

func (h *HostBuffer) describe() string { return "host buffer of " + bytesText(uint64(h.size)) }
func (h *HostBuffer) drop() error      { return h.Close() }
