// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"

	"particles/interop/driver"
)

// single is a batch of one resource.
func (in *GLInterop) single(r driver.Resource) []driver.Resource {
	in.rs = append(in.rs[:0], r)
	return in.rs
}

// begin maps a level on s, or changes nothing.
func (i *GLImage) begin(op string, s *Stream, layer, level int) error {
	if err := i.mappable(op, s, layer, level); err != nil {
		return err
	}
	i.layer, i.level = layer, level
	if err := i.reap(false); err != nil {
		return err
	}
	var err error
	if i.tier == TierCopied {
		err = i.beginCopied(s)
	} else {
		err = i.beginShared(op, s)
	}
	if err != nil {
		return err
	}
	s.hold()
	i.stream = s
	i.gen.Add(1)
	i.in.ctx.mappings.Add(1)
	return nil
}

// mappable makes the checks that need no driver call.
func (i *GLImage) mappable(op string, s *Stream, layer, level int) error {
	if i == nil || i.in == nil {
		return stateErr(op, "GL image", ErrZeroValue)
	}
	c := i.in.ctx
	if err := c.check(op); err != nil {
		return err
	}
	switch {
	case i.closed:
		return stateErr(op, i.describe(), ErrClosed)
	case i.poison != nil:
		return fmt.Errorf("interop: %s: %s: %w: %w", op, i.describe(), ErrPoisoned, i.poison)
	case i.IsMapped():
		return stateErr(op, i.describe(), ErrAlreadyMapped)
	}
	if err := c.stream(op, s); err != nil {
		return err
	}
	if err := i.in.checkThread(op); err != nil {
		return err
	}
	if level < 0 || level >= i.levels {
		return argErr(op, "level %d of %s, which has %d", level, i.describe(), i.levels)
	}
	desc, layers := i.levelDesc(level)
	if layer < 0 || layer >= layers {
		return argErr(op, "layer %d of %s, which has %d", layer, i.describe(), layers)
	}
	i.desc = desc
	if i.use&ImageMutable == 0 {
		return nil
	}
	format, w, h, d, _, _, ok := i.tex.TextureInfo(i.name, i.target, 0)
	if !ok {
		return stateErr(op, i.describe()+", deleted in OpenGL", ErrSizeChanged)
	}
	if format != i.format || w != i.w || h != i.h || d != i.d {
		return stateErr(op, fmt.Sprintf("%s of format %#x then, %dx%dx%d of format %#x now", i.describe(), i.format, w, h, d, format), ErrSizeChanged)
	}
	return nil
}

func (i *GLImage) beginShared(op string, s *Stream) error {
	c := i.in.ctx
	if code := c.drv.GraphicsMapResources(c.h, i.in.single(i.res), s.h); code != driver.Success {
		return c.fail(opGLMap, code, i.describe())
	}
	if err := i.locate(op); err != nil {
		return join(err, i.undo(s))
	}
	return nil
}

// locate gets the level's array, makes sure of its size, and makes its surface.
func (i *GLImage) locate(op string) error {
	c := i.in.ctx
	a, code := c.drv.GraphicsSubResourceGetMappedArray(c.h, i.res, i.layer, i.level)
	if code == driver.Success && a == 0 {
		code = driver.NotMappedAsArray
	}
	if code != driver.Success {
		return c.fail(opGLArray, code, fmt.Sprintf("%s, layer %d, level %d", i.describe(), i.layer, i.level))
	}
	d, code := c.drv.Array3DGetDescriptor(c.h, a)
	if code != driver.Success {
		return c.fail("cuArray3DGetDescriptor", code, i.describe())
	}
	// A driver may have newer formats for the same texels: what it does not size is not compared.
	if d.Width != i.desc.Width || max(d.Height, 1) != i.desc.Height || (d.TexelBytes() != 0 && d.TexelBytes() != i.desc.TexelBytes()) {
		return stateErr(op, fmt.Sprintf("%s mapped as %dx%d of %d bytes a texel", i.describe(), d.Width, d.Height, d.TexelBytes()), ErrSizeChanged)
	}
	i.arr = a
	if i.use&ImageSurface == 0 {
		return nil
	}
	surf, err := c.surface(a, i)
	i.surf.Store(uint64(surf))
	return err
}

func (c *Context) surface(a driver.Array, i *GLImage) (driver.Surface, error) {
	surf, code := c.drv.SurfObjectCreate(c.h, a)
	if code == driver.Success && surf == 0 {
		code = driver.InvalidHandle
	}
	if code != driver.Success {
		return 0, c.fail("cuSurfObjectCreate", code, i.describe())
	}
	return surf, nil
}

// undo unmaps what a failed begin has mapped.
func (i *GLImage) undo(s *Stream) error {
	c := i.in.ctx
	i.arr = 0
	if code := c.drv.GraphicsUnmapResources(c.h, i.in.single(i.res), s.h); code != driver.Success && code != driver.ContentsLost {
		i.poison = c.fail(opGLUnmap, code, i.describe())
		return i.poison
	}
	return nil
}

// beginCopied loads OpenGL's texels if they are to be read.
func (i *GLImage) beginCopied(s *Stream) error {
	c := i.in.ctx
	p, err := i.copyPart()
	if err != nil {
		return err
	}
	if i.use.reads() {
		if !i.tex.ReadTexture(i.name, i.target, i.level, i.layer, p.stage, p.size) {
			return fmt.Errorf("interop: OpenGL refuses to read %s, layer %d, level %d: %w", i.describe(), i.layer, i.level, ErrSizeChanged)
		}
		if code := c.drv.Memcpy3DAsync(c.h, i.copyOf(p, true), s.h); code != driver.Success {
			return c.fail("cuMemcpy3DAsync", code, i.describe())
		}
	}
	i.part, i.arr = p, p.arr
	i.surf.Store(uint64(p.surf))
	return nil
}

// copyPart finds or makes the array and the staging memory of the level.
func (i *GLImage) copyPart() (*imagePart, error) {
	for _, p := range i.parts {
		if p.layer == i.layer && p.level == i.level {
			return p, nil
		}
	}
	c := i.in.ctx
	p := &imagePart{layer: i.layer, level: i.level, size: i.desc.Size()}
	undo := func(err error) error { return join(err, c.freePart(p, i.describe())) }
	var code driver.Code
	if p.arr, code = c.drv.Array3DCreate(c.h, i.desc); code == driver.Success && p.arr == 0 {
		code = driver.OutOfMemory
	}
	if code != driver.Success {
		p.arr = 0
		return nil, c.fail("cuArray3DCreate", code, c.sizes(p.size))
	}
	c.bufferBytes.Add(int64(p.size))
	var err error
	if p.stage, err = c.allocHost(p.size); err != nil {
		return nil, undo(err)
	}
	if i.use&ImageSurface != 0 {
		if p.surf, err = c.surface(p.arr, i); err != nil {
			return nil, undo(err)
		}
	}
	i.parts = append(i.parts, p)
	return p, nil
}

func (i *GLImage) copyOf(p *imagePart, toArray bool) driver.Copy3D {
	return driver.Copy3D{
		Array: p.arr, ToArray: toArray, Host: p.stage,
		WidthBytes: i.desc.Width * i.desc.TexelBytes(), Height: i.desc.Height, Depth: max(i.desc.Depth, 1),
	}
}

// end gives the mapping of that generation back, if it is still there.
func (i *GLImage) end(op string, gen uint64) error {
	if i.gen.Load() != gen {
		return nil
	}
	if err := i.in.checkThread(op); err != nil {
		return err
	}
	var err error
	if i.tier == TierCopied {
		err = i.endCopied()
	} else {
		err = i.endShared()
	}
	i.gen.Add(1)
	return join(err, i.ended())
}

func (i *GLImage) endShared() error {
	c, s := i.in.ctx, i.stream
	var errs [2]error
	if surf := driver.Surface(i.surf.Load()); surf != 0 {
		errs[0] = i.retire(surf, s)
	}
	if code := c.quiet(c.drv.GraphicsUnmapResources(c.h, i.in.single(i.res), s.h)); code != driver.Success {
		errs[1] = c.fail(opGLUnmap, code, i.describe())
		if code != driver.ContentsLost { // then it is given back all the same
			i.poison = errs[1]
		}
	}
	return join(errs[:]...)
}

func (i *GLImage) endCopied() error {
	c, s, p := i.in.ctx, i.stream, i.part
	var errs [3]error
	if i.use.writes() {
		if code := c.drv.Memcpy3DAsync(c.h, i.copyOf(p, false), s.h); code != driver.Success {
			errs[0] = c.fail("cuMemcpy3DAsync", code, i.describe())
		}
	}
	errs[1] = s.wait()
	if i.use.writes() && errs[0] == nil && errs[1] == nil &&
		!i.tex.WriteTexture(i.name, i.target, i.level, i.layer, p.stage, p.size) {
		errs[2] = NewError(c.drv, "glTextureSubImage", driver.ContentsLost, i.describe())
	}
	return join(errs[:]...)
}

// ended forgets the mapping.
func (i *GLImage) ended() error {
	s := i.stream
	i.stream, i.part, i.arr = nil, nil, 0
	i.surf.Store(0)
	i.in.ctx.mappings.Add(-1)
	return s.letGo()
}

// retire keeps a surface until s has passed what is queued now: kernels use it.
func (i *GLImage) retire(surf driver.Surface, s *Stream) error {
	c := i.in.ctx
	var ev driver.Event
	var code driver.Code
	call := "cuEventCreate"
	if n := len(i.events); n > 0 {
		ev, i.events = i.events[n-1], i.events[:n-1]
	} else if ev, code = c.drv.EventCreate(c.h, driver.EventDisableTiming); code == driver.Success && ev == 0 {
		code = driver.InvalidHandle
	}
	if code == driver.Success {
		call = "cuEventRecord"
		code = c.drv.EventRecord(c.h, ev, s.h)
	}
	if code == driver.Success {
		i.retired = append(i.retired, retired{surf: surf, ev: ev})
		return nil
	}
	err := c.quietFail(call, code, i)
	if ev != 0 {
		i.events = append(i.events, ev)
	}
	// Without the event the stream is waited for.
	if code := c.quiet(c.drv.StreamSynchronize(c.h, s.h)); code != driver.Success {
		err = join(err, c.fail("cuStreamSynchronize", code, i.describe()))
	}
	return join(err, i.destroy(surf))
}

func (c *Context) quietFail(call string, code driver.Code, i *GLImage) error {
	if c.quiet(code) == driver.Success {
		return nil
	}
	return c.fail(call, code, i.describe())
}

func (i *GLImage) destroy(surf driver.Surface) error {
	c := i.in.ctx
	return c.quietFail("cuSurfObjectDestroy", c.drv.SurfObjectDestroy(c.h, surf), i)
}

// reap destroys the surfaces that no kernel uses any more; all of them, waiting,
// when last, and then the events too.
func (i *GLImage) reap(last bool) error {
	c := i.in.ctx
	var err error
	kept := i.retired[:0]
	for _, r := range i.retired {
		code := driver.Success
		call := "cuEventQuery"
		if last {
			call = "cuEventSynchronize"
			code = c.drv.EventSynchronize(c.h, r.ev)
		} else if code = c.drv.EventQuery(c.h, r.ev); code == driver.NotReady {
			kept = append(kept, r)
			continue
		}
		if !last && code != driver.Success {
			kept = append(kept, r)
			err = join(err, c.quietFail(call, code, i))
			continue
		}
		err = join(err, c.quietFail(call, code, i), i.destroy(r.surf))
		i.events = append(i.events, r.ev)
	}
	i.retired = kept
	if !last {
		return err
	}
	for _, ev := range i.events {
		err = join(err, c.quietFail("cuEventDestroy", c.drv.EventDestroy(c.h, ev), i))
	}
	i.events = nil
	return err
}
