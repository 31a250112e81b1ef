// SPDX-License-Identifier: Apache-2.0

package interop

import "particles/interop/driver"

// What a GLImage holds beside its registration: surfaces that queued kernels may still use, and the copied tier's arrays.

func (c *Context) surface(a driver.Array, i *GLImage) (driver.Surface, error) {
	surf, code := c.drv.SurfObjectCreate(c.h, a)
	if code == driver.Success && surf == 0 {
		code = driver.InvalidHandle
	}
	if code != driver.Success {
		return 0, c.fail("cuSurfObjectCreate", code, i.text())
	}
	return surf, nil
}

// copyPart finds or makes the array and the staging memory of the level.
func (i *GLImage) copyPart() (*imagePart, error) {
	for _, p := range i.parts {
		if p.layer == i.layer && p.level == i.level {
			return p, nil
		}
	}
	c := i.reg.in.ctx
	p := &imagePart{layer: i.layer, level: i.level, size: i.desc.Size()}
	undo := func(err error) error { return join(err, c.freePart(p, i.text())) }
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

func (i *GLImage) freeParts() error {
	c := i.reg.in.ctx
	var err error
	for _, p := range i.parts {
		err = join(err, c.freePart(p, i.text()))
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

// retire keeps a surface until s has passed what is queued now: kernels use it.
func (i *GLImage) retire(surf driver.Surface, s *Stream) error {
	c := i.reg.in.ctx
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
		err = join(err, c.fail("cuStreamSynchronize", code, i.text()))
	}
	return join(err, i.destroy(surf))
}

func (c *Context) quietFail(call string, code driver.Code, i *GLImage) error {
	if c.quiet(code) == driver.Success {
		return nil
	}
	return c.fail(call, code, i.text())
}

func (i *GLImage) destroy(surf driver.Surface) error {
	c := i.reg.in.ctx
	return c.quietFail("cuSurfObjectDestroy", c.drv.SurfObjectDestroy(c.h, surf), i)
}

// reap destroys the surfaces that no kernel uses any more; all of them, waiting,
// when last, and then the events too.
func (i *GLImage) reap(last bool) error {
	c := i.reg.in.ctx
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
