// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"particles/interop/driver"
)

// GLImage is the registration of an OpenGL texture. Mapping gives one level of
// one layer as an Array; while it is mapped OpenGL must not touch the texture. Its
// methods belong to the OpenGL context's thread.
type GLImage struct {
	node
	in           *GLInterop
	tex          driver.TextureGL
	name, target uint32
	use          ImageUse
	tier         Tier
	format       uint32           // OpenGL's
	texel        driver.ArrayDesc // without a size
	w, h, d      int              // of level 0
	levels       int
	res          driver.Resource // shared and host tiers
	poison       error
	closed       bool

	// The mapping. gen is odd while there is one.
	gen          atomic.Uint64
	stream       *Stream
	layer, level int
	arr          driver.Array
	surf         atomic.Uint64
	desc         driver.ArrayDesc
	part         *imagePart // copied tier

	parts   []*imagePart // copied tier: one for each level that was mapped
	retired []retired    // surfaces that queued kernels may still use
	events  []driver.Event
}

// imagePart is a level's own array in the copied tier.
type imagePart struct {
	layer, level int
	arr          driver.Array
	surf         driver.Surface
	stage        unsafe.Pointer
	size         int
}

// retired is a surface of a mapping that was given back.
type retired struct {
	surf driver.Surface
	ev   driver.Event // passed: no kernel uses it any more
}

// Map maps one level of one layer: kernels queued on s from now on run after
// the OpenGL commands issued before. layer is a layer of an array, a face of a
// cube map (0: +x), else 0; a 3-D texture is mapped with all slices. Closing the
// Array gives it back on s. A layer or level that the texture lacks is refused.
func (i *GLImage) Map(s *Stream, layer, level int) (Array, error) {
	const op = "GLImage.Map"
	if err := i.begin(op, s, layer, level); err != nil {
		return Array{}, err
	}
	return i.array(), nil
}

// WithMapped maps one level of one layer on s for the time of fn, and gives it
// back on the same stream, also when fn fails or panics. fn's error is returned
// as it is, unless giving back fails too. It allocates nothing.
func (i *GLImage) WithMapped(s *Stream, layer, level int, fn func(Array) error) (err error) {
	const op = "GLImage.WithMapped"
	if fn == nil {
		return argErr(op, "nil function")
	}
	if err := i.begin(op, s, layer, level); err != nil {
		return err
	}
	a := i.array()
	defer func() {
		if e := i.end(op, a.gen); e != nil {
			err = join(err, e)
		}
	}()
	return fn(a)
}

func (i *GLImage) array() Array { return Array{i: i, gen: i.gen.Load()} }

// IsMapped reports whether a mapping has not been given back.
func (i *GLImage) IsMapped() bool { return i != nil && i.gen.Load()&1 == 1 }

// Handle is the driver's handle; 0 after Close and in the copied tier.
func (i *GLImage) Handle() GraphicsHandle {
	if i == nil || i.closed {
		return 0
	}
	return i.res
}

// Name is the OpenGL texture's name.
func (i *GLImage) Name() uint32 {
	if i == nil {
		return 0
	}
	return i.name
}

// Size is that of level 0 in texels; depth counts the slices of a 3-D texture
// or the layers of an array, else it is 1.
func (i *GLImage) Size() (width, height, depth int) {
	if i == nil {
		return 0, 0, 0
	}
	return i.w, i.h, i.d
}

// Levels is the number of levels.
func (i *GLImage) Levels() int {
	if i == nil {
		return 0
	}
	return i.levels
}

// Tier tells how this texture is shared.
func (i *GLImage) Tier() Tier {
	if i == nil {
		return TierNone
	}
	return i.tier
}

// String tells name, size, handle and state.
func (i *GLImage) String() string {
	if i == nil || i.in == nil {
		return "GLImage(zero)"
	}
	state := "registered"
	switch {
	case i.closed:
		state = "closed"
	case i.poison != nil:
		state = "poisoned"
	case i.IsMapped():
		state = "mapped"
	}
	return fmt.Sprintf("GLImage(name %d, %dx%dx%d, %s, %s, handle %#x, %s)",
		i.name, i.w, i.h, i.d, i.use, i.tier, uintptr(i.Handle()), state)
}

// Close gives back the mapping, if there is one, waits for the kernels that use
// its surfaces, and unregisters. Delete the texture only after it. On the wrong
// thread it refuses, changing nothing; when the driver refuses to unregister, the
// image stays registered, and Close can be repeated; so it does when the driver
// refuses to unmap. Closing again does nothing.
func (i *GLImage) Close() error {
	const op = "GLImage.Close"
	if i == nil || i.in == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	if i.closed {
		return nil
	}
	if err := i.in.checkThread(op); err != nil {
		return err
	}
	var errs [4]error
	if i.IsMapped() {
		if errs[0] = i.end(op, i.gen.Load()); i.poison != nil && i.in.ctx.broken.Load() == 0 {
			return errs[0] // still mapped for the driver, which would refuse to unregister
		}
	}
	if i.poison != nil {
		if errs[0] = join(errs[0], i.unmapAgain()); i.poison != nil {
			return errs[0]
		}
	}
	errs[1] = i.reap(true)
	if i.res != 0 {
		c := i.in.ctx
		if code := c.quiet(c.drv.GraphicsUnregisterResource(c.h, i.res)); code != driver.Success {
			errs[2] = c.fail(opGLUnregister, code, fmt.Sprintf("%s, handle %#x", i.describe(), uintptr(i.res)))
			return join(errs[:]...)
		}
	}
	errs[3] = i.freeParts()
	i.forget()
	return join(errs[:]...)
}

func (i *GLImage) freeParts() error {
	c := i.in.ctx
	var err error
	for _, p := range i.parts {
		err = join(err, c.freePart(p, i.describe()))
	}
	i.parts, i.part = nil, nil
	return err
}

func (c *Context) freePart(p *imagePart, what string) error {
	var errs [3]error
	if p.surf != 0 {
		if code := c.quiet(c.drv.SurfObjectDestroy(c.h, p.surf)); code != driver.Success {
			errs[0] = c.fail("cuSurfObjectDestroy", code, what)
		}
	}
	if p.arr != 0 {
		if code := c.quiet(c.drv.ArrayDestroy(c.h, p.arr)); code != driver.Success {
			errs[1] = c.fail("cuArrayDestroy", code, what)
		}
		c.bufferBytes.Add(-int64(p.size))
	}
	if p.stage != nil {
		errs[2] = c.freeHost(p.stage, p.size)
	}
	return join(errs[:]...)
}

// unmapAgain tries once more what failed, before unregistering.
func (i *GLImage) unmapAgain() error {
	done, err := i.in.unmapOne(i.res, i.describe())
	if done {
		i.poison = nil
	}
	return err
}

func (i *GLImage) forget() {
	i.closed = true
	i.in.forget(i)
	i.in.ctx.remove(&i.node)
}

func (i *GLImage) interop() *GLInterop { return i.in }

func (i *GLImage) describe() string {
	s := fmt.Sprintf("GL texture %d of %dx%dx%d", i.name, i.w, i.h, i.d)
	if i.IsMapped() {
		s += " (mapped)"
	}
	return s
}

func (i *GLImage) drop() error {
	err := i.Close()
	if !i.closed && i.poison != nil { // once more
		err = join(err, i.Close())
	}
	if !i.closed { // the context goes, and the registration with it
		i.forget()
	}
	return err
}

func (i *GLImage) abandon() error {
	if i.closed {
		return nil
	}
	var errs [3]error
	if gen := i.gen.Load(); gen&1 == 1 && i.gen.CompareAndSwap(gen, gen+1) {
		errs[0] = i.ended()
	}
	errs[1] = i.reap(true)
	errs[2] = i.freeParts()
	i.forget()
	return join(errs[:]...)
}

func isUnavailable(err error) bool { return errors.Is(err, ErrUnavailable) }
