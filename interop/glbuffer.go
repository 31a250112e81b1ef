// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"unsafe"

	"particles/interop/driver"
)

// GraphicsHandle is a CUgraphicsResource. It is never an address.
type GraphicsHandle = driver.Resource

// GLBuffer is the registration of an OpenGL buffer. Map gives its memory as a
// Buffer; while it is mapped OpenGL must not touch it. Its methods belong to the
// OpenGL context's thread.
type GLBuffer struct {
	node
	in     *GLInterop
	name   uint32
	size   int // bytes registered
	have   int // bytes of the GL storage when registered
	access Access
	tier   Tier
	res    driver.Resource // shared and host tiers
	mem    memory          // the mapping's owner, reused by every mapping
	poison error
	closed bool
	marked bool // seen in this batch
	owned  bool // by its mapping (MapBuffer): the end of that unregisters

	dev   driver.DevicePtr // copied tier
	stage unsafe.Pointer   // copied tier, pinned
}

// initCopied makes the buffers of the copied tier.
func (b *GLBuffer) initCopied() error {
	c := b.in.ctx
	dev, err := c.alloc(b.size)
	if err != nil {
		return err
	}
	stage, err := c.allocHost(b.size)
	if err != nil {
		return join(err, c.free(dev, b.size))
	}
	b.tier, b.dev, b.stage = TierCopied, dev, stage
	return nil
}

// Map maps the buffer: kernels queued on s from now on run after the OpenGL
// commands issued before. Closing the Buffer gives it back on s: OpenGL commands
// issued after that run after the kernels.
func (b *GLBuffer) Map(s *Stream) (Buffer, error) {
	const op = "GLBuffer.Map"
	if err := b.check(op); err != nil {
		return Buffer{}, err
	}
	b.in.one[0] = b
	if err := b.in.begin(op, s, b.in.one[:]); err != nil {
		return Buffer{}, err
	}
	return b.view(), nil
}

// WithMapped maps the buffer on s for the time of fn, and gives it back on the
// same stream, also when fn fails or panics. fn's error is returned as it is,
// unless giving back fails too. It allocates nothing.
func (b *GLBuffer) WithMapped(s *Stream, fn func(Buffer) error) (err error) {
	const op = "GLBuffer.WithMapped"
	if err := b.check(op); err != nil {
		return err
	}
	if fn == nil {
		return argErr(op, "nil function")
	}
	b.in.one[0] = b
	if err := b.in.begin(op, s, b.in.one[:]); err != nil {
		return err
	}
	v := b.view()
	defer func() {
		if e := b.in.endOne(op, v); e != nil {
			err = join(err, e)
		}
	}()
	return fn(v)
}

// view is the Buffer of the present mapping.
func (b *GLBuffer) view() Buffer {
	return Buffer{m: &b.mem, gen: b.mem.gen.Load(), size: b.size}
}

// IsMapped reports whether a mapping has not been given back.
func (b *GLBuffer) IsMapped() bool { return b != nil && b.mem.gen.Load()&1 == 1 }

// Handle is the driver's handle; 0 after Close and in the copied tier.
func (b *GLBuffer) Handle() GraphicsHandle {
	if b == nil || b.closed {
		return 0
	}
	return b.res
}

// Name is the OpenGL buffer's name.
func (b *GLBuffer) Name() uint32 {
	if b == nil {
		return 0
	}
	return b.name
}

// Size is the number of bytes registered.
func (b *GLBuffer) Size() int {
	if b == nil {
		return 0
	}
	return b.size
}

// Tier tells how this buffer is shared.
func (b *GLBuffer) Tier() Tier {
	if b == nil {
		return TierNone
	}
	return b.tier
}

// String tells name, size, handle and state.
func (b *GLBuffer) String() string {
	if b == nil || b.in == nil {
		return "GLBuffer(zero)"
	}
	state := "registered"
	switch {
	case b.closed:
		state = "closed"
	case b.poison != nil:
		state = "poisoned"
	case b.IsMapped():
		state = "mapped"
	}
	return fmt.Sprintf("GLBuffer(name %d, %s, %s, %s, handle %#x, %s)",
		b.name, bytesText(uint64(b.size)), b.access, b.tier, uintptr(b.Handle()), state)
}

// Close gives back the mapping, if there is one, and unregisters. Delete the
// OpenGL buffer only after it. On the wrong thread it refuses, changing nothing;
// when the driver refuses to unregister, the buffer stays registered, and Close
// can be repeated. When the driver refuses to unmap, the buffer stays registered
// too, and the next Close tries both again. Closing again does nothing.
func (b *GLBuffer) Close() error {
	const op = "GLBuffer.Close"
	if b == nil || b.in == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if b.closed {
		return nil
	}
	if err := b.in.checkThread(op); err != nil {
		return err
	}
	b.owned = false // unregistered here
	var unmap error
	if b.IsMapped() {
		if unmap = b.in.endOne(op, b.view()); b.poison != nil && b.in.ctx.broken.Load() == 0 {
			return unmap // still mapped for the driver, which would refuse to unregister
		}
	}
	if b.poison != nil {
		if unmap = join(unmap, b.in.unmapAgain(b)); b.poison != nil {
			return unmap
		}
	}
	return join(unmap, b.unregister())
}

func (b *GLBuffer) unregister() error {
	c := b.in.ctx
	var errs [2]error
	if b.tier == TierCopied {
		errs[0] = c.free(b.dev, b.size)
		errs[1] = c.freeHost(b.stage, b.size)
	} else if code := c.quiet(c.drv.GraphicsUnregisterResource(c.h, b.res)); code != driver.Success {
		return c.fail(opGLUnregister, code, fmt.Sprintf("%s, handle %#x", b.describe(), uintptr(b.res)))
	}
	b.forget()
	return join(errs[:]...)
}

func (b *GLBuffer) check(op string) error {
	if b == nil || b.in == nil {
		return stateErr(op, "GL buffer", ErrZeroValue)
	}
	return nil
}

func (b *GLBuffer) describe() string {
	s := fmt.Sprintf("GL buffer %d of %s", b.name, bytesText(uint64(b.size)))
	if b.IsMapped() {
		s += " (mapped)"
	}
	return s
}

func (b *GLBuffer) interop() *GLInterop { return b.in }

func (b *GLBuffer) drop() error {
	err := b.Close()
	if !b.closed && b.poison != nil { // once more
		err = join(err, b.Close())
	}
	if !b.closed { // the context goes, and the registration with it
		b.forget()
	}
	return err
}

func (b *GLBuffer) forget() {
	b.closed = true
	b.in.forget(b)
	b.in.ctx.remove(&b.node)
}

func (b *GLBuffer) abandon() error {
	if b.closed {
		return nil
	}
	c := b.in.ctx
	var errs [3]error
	if gen := b.mem.gen.Load(); gen&1 == 1 && b.mem.gen.CompareAndSwap(gen, gen+1) {
		b.mem.ptr.Store(0)
		c.mappings.Add(-1)
		errs[0] = b.mem.stream.Swap(nil).letGo()
	}
	if b.tier == TierCopied {
		errs[1] = c.free(b.dev, b.size)
		errs[2] = c.freeHost(b.stage, b.size)
	}
	b.forget()
	return join(errs[:]...)
}
