// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"unsafe"

	"particles/interop/driver"
)

// GLBuffer is the registration of an OpenGL buffer. Map gives its memory as a
// Buffer; while it is mapped OpenGL must not touch it. Its methods belong to the
// OpenGL context's thread.
type GLBuffer struct {
	reg    registration
	have   int // bytes of the GL storage when registered
	access Access

	dev   driver.DevicePtr // copied tier
	stage unsafe.Pointer   // copied tier, pinned
}

// RegisterBuffer registers the first size bytes of an OpenGL buffer object. Its
// storage must be immutable (glBufferStorage), or a must hold Mutable. Register
// once, not once a frame: it costs milliseconds.
func (in *GLInterop) RegisterBuffer(name uint32, size int, a Access) (*GLBuffer, error) {
	const op = "GLInterop.RegisterBuffer"
	if err := in.enter(op); err != nil {
		return nil, err
	}
	if !a.valid() {
		return nil, argErr(op, "unknown access %#x; ReadWrite (0), ReadOnly (1) or WriteDiscard (2), with or without Mutable (0x80)", uint8(a))
	}
	if name == 0 || size <= 0 {
		return nil, argErr(op, "%d bytes of GL buffer %d", size, name)
	}
	for _, r := range in.regs {
		if b, ok := r.self.(*GLBuffer); ok && r.name == name {
			return nil, stateErr(op, b.reg.describe(), ErrDuplicate)
		}
	}
	have, immutable, ok := in.gl.BufferInfo(name)
	switch {
	case !ok:
		return nil, NewError(in.ctx.drv, opGLRegister, driver.InvalidHandle, fmt.Sprintf("OpenGL has no buffer %d", name))
	case !immutable && a&Mutable == 0:
		return nil, stateErr(op, fmt.Sprintf("GL buffer %d", name), ErrMutableStorage)
	case size > have:
		return nil, argErr(op, "%d bytes of GL buffer %d, which has %d", size, name, have)
	}
	b := &GLBuffer{have: have, access: a}
	b.reg.self, b.reg.name, b.reg.size = b, name, size
	err := in.share(&b.reg, opGLRegister, func() (driver.Resource, driver.Code) {
		return in.ctx.drv.GraphicsGLRegisterBuffer(in.ctx.h, in.gl, name, driver.Access(a&^Mutable))
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// MapBuffer registers and maps in one step, for a buffer that is mapped once or
// seldom. The Buffer owns the registration: closing it unmaps on s, then
// unregisters. Every frame use RegisterBuffer and WithMapped instead: registering
// takes milliseconds.
//
// When unmapping or unregistering fails the error is returned, and what is left
// is closed by GLInterop.Close.
func (in *GLInterop) MapBuffer(s *Stream, name uint32, size int, a Access) (Buffer, error) {
	const op = "GLInterop.MapBuffer"
	if err := in.enter(op); err != nil {
		return Buffer{}, err
	}
	if err := in.ctx.stream(op, s); err != nil { // before anything is registered
		return Buffer{}, err
	}
	b, err := in.RegisterBuffer(name, size, a)
	if err != nil {
		return Buffer{}, err
	}
	m, err := b.Map(s)
	if err != nil {
		return Buffer{}, join(err, b.Close())
	}
	b.reg.owned = true
	return m, nil
}

// Map maps the buffer: kernels queued on s from now on run after the OpenGL
// commands issued before. Closing the Buffer gives it back on s: OpenGL commands
// issued after that run after the kernels.
func (b *GLBuffer) Map(s *Stream) (Buffer, error) { return b.begin("GLBuffer.Map", s) }

// WithMapped maps the buffer on s for the time of fn, and gives it back on the
// same stream, also when fn fails or panics. fn's error is returned as it is,
// unless giving back fails too. It allocates nothing.
func (b *GLBuffer) WithMapped(s *Stream, fn func(Buffer) error) (err error) {
	const op = "GLBuffer.WithMapped"
	if b != nil && b.reg.in != nil && fn == nil {
		return argErr(op, "nil function")
	}
	v, err := b.begin(op, s)
	if err != nil {
		return err
	}
	defer func() {
		if e := (mapping{&b.reg, v.gen}).end(op); e != nil {
			err = join(err, e)
		}
	}()
	return fn(v)
}

func (b *GLBuffer) begin(op string, s *Stream) (Buffer, error) {
	if b == nil || b.reg.in == nil {
		return Buffer{}, stateErr(op, "GL buffer", ErrZeroValue)
	}
	if err := b.reg.in.begin(op, s, b.reg.alone[:]); err != nil {
		return Buffer{}, err
	}
	return b.view(), nil
}

// view is the Buffer of the present mapping.
func (b *GLBuffer) view() Buffer {
	return Buffer{m: &b.reg.memory, gen: b.reg.gen.Load(), size: b.reg.size}
}

// WithMappedAll maps the buffers on s in one driver call, all or none, for the
// time of fn, and gives them back in one call, also when fn fails or panics. The
// slice given to fn is in bs's order and is valid only within it. It allocates
// nothing; fn should not be a closure made anew every frame.
func (in *GLInterop) WithMappedAll(s *Stream, bs []*GLBuffer, fn func([]Buffer) error) (err error) {
	const op = "GLInterop.WithMappedAll"
	if err := in.enter(op); err != nil {
		return err
	}
	if fn == nil {
		return argErr(op, "nil function")
	}
	b := in.batch
	in.batch = batch{} // a call within fn makes its own
	b.rs, b.ms, b.views = b.rs[:0], b.ms[:0], b.views[:0]
	defer func() { in.batch = b }()
	for _, x := range bs {
		if x == nil || x.reg.in == nil {
			return stateErr(op, "GL buffer", ErrZeroValue)
		}
		b.rs = append(b.rs, &x.reg)
	}
	if err := in.begin(op, s, b.rs); err != nil {
		return err
	}
	for _, x := range bs {
		b.ms = append(b.ms, x.reg.now())
		b.views = append(b.views, x.view())
	}
	defer func() {
		if e := in.end(op, b.ms); e != nil {
			err = join(err, e)
		}
	}()
	return fn(b.views)
}

// batch is what a WithMappedAll works on, reused by the next.
type batch struct {
	rs    []*registration
	ms    []mapping
	views []Buffer
}

// IsMapped reports whether a mapping has not been given back.
func (b *GLBuffer) IsMapped() bool { return b != nil && b.reg.mapped() }

// Handle is the driver's handle; 0 after Close and in the copied tier.
func (b *GLBuffer) Handle() GraphicsHandle {
	if b == nil {
		return 0
	}
	return b.reg.handle()
}

// Name is the OpenGL buffer's name.
func (b *GLBuffer) Name() uint32 {
	if b == nil {
		return 0
	}
	return b.reg.name
}

// Size is the number of bytes registered.
func (b *GLBuffer) Size() int {
	if b == nil {
		return 0
	}
	return b.reg.size
}

// Tier tells how this buffer is shared.
func (b *GLBuffer) Tier() Tier {
	if b == nil {
		return TierNone
	}
	return b.reg.tier
}

// String tells name, size, handle and state.
func (b *GLBuffer) String() string {
	if b == nil || b.reg.in == nil {
		return "GLBuffer(zero)"
	}
	return fmt.Sprintf("GLBuffer(name %d, %s, %s, %s, handle %#x, %s)",
		b.reg.name, bytesText(uint64(b.reg.size)), b.access, b.reg.tier, uintptr(b.Handle()), b.reg.state())
}

// Close gives back the mapping, if there is one, and unregisters. Delete the
// OpenGL buffer only after it. On the wrong thread it refuses, changing nothing;
// when the driver refuses to unregister, the buffer stays registered, and Close
// can be repeated. When the driver refuses to unmap, the buffer stays registered
// too, and the next Close tries both again. Closing again does nothing.
func (b *GLBuffer) Close() error {
	const op = "GLBuffer.Close"
	if b == nil || b.reg.in == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	return b.reg.close(op)
}

func (b *GLBuffer) text() string {
	return fmt.Sprintf("GL buffer %d of %s", b.reg.name, bytesText(uint64(b.reg.size)))
}

func (b *GLBuffer) current(op string) error {
	if b.access&Mutable == 0 {
		return nil
	}
	have, _, ok := b.reg.in.gl.BufferInfo(b.reg.name)
	if !ok {
		return stateErr(op, b.text()+", deleted in OpenGL", ErrSizeChanged)
	}
	if have != b.have {
		return stateErr(op, fmt.Sprintf("%s, %d bytes then and %d now", b.text(), b.have, have), ErrSizeChanged)
	}
	return nil
}

func (b *GLBuffer) copied() error {
	c := b.reg.in.ctx
	dev, err := c.alloc(b.reg.size)
	if err != nil {
		return err
	}
	stage, err := c.allocHost(b.reg.size)
	if err != nil {
		return join(err, c.free(dev, b.reg.size))
	}
	b.dev, b.stage = dev, stage
	return nil
}

func (b *GLBuffer) locate(op string, s *Stream) error {
	c := b.reg.in.ctx
	if b.reg.tier == TierCopied {
		if b.access.reads() {
			b.reg.in.gl.ReadBuffer(b.reg.name, b.stage, b.reg.size)
			if code := c.drv.MemcpyHtoDAsync(c.h, b.dev, b.stage, b.reg.size, s.h); code != driver.Success {
				return c.fail("cuMemcpyHtoDAsync", code, b.text())
			}
		}
		b.reg.ptr.Store(uint64(b.dev))
		return nil
	}
	p, size, code := c.drv.GraphicsResourceGetMappedPointer(c.h, b.reg.res)
	if code == driver.Success && p == 0 {
		code = driver.NotMappedAsPointer
	}
	if code != driver.Success {
		return c.fail(opGLPointer, code, b.text())
	}
	if size < b.reg.size {
		return stateErr(op, fmt.Sprintf("%s mapped with only %d bytes", b.text(), size), ErrSizeChanged)
	}
	b.reg.ptr.Store(uint64(p))
	return nil
}

func (b *GLBuffer) leave(s *Stream) error {
	c := b.reg.in.ctx
	if b.reg.tier != TierCopied || !b.access.writes() {
		return nil
	}
	if code := c.drv.MemcpyDtoHAsync(c.h, b.stage, b.dev, b.reg.size, s.h); code != driver.Success {
		return c.fail("cuMemcpyDtoHAsync", code, b.text())
	}
	return nil
}

func (b *GLBuffer) store() error {
	if b.access.writes() {
		b.reg.in.gl.WriteBuffer(b.reg.name, b.stage, b.reg.size)
	}
	return nil
}

func (b *GLBuffer) left()         { b.reg.ptr.Store(0) }
func (b *GLBuffer) settle() error { return nil }

func (b *GLBuffer) free() error {
	if b.reg.tier != TierCopied {
		return nil
	}
	c := b.reg.in.ctx
	return join(c.free(b.dev, b.reg.size), c.freeHost(b.stage, b.reg.size))
}
