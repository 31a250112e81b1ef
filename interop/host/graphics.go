// SPDX-License-Identifier: Apache-2.0

package host

import (
	"particles/interop/driver"
)

// resource is a registered OpenGL buffer or texture. It is used on the OpenGL
// thread only.
type resource struct {
	gl     driver.GL
	name   uint32
	mapped bool
	marked bool

	// Buffers.
	size   int
	access driver.Access
	ptr    driver.DevicePtr // while mapped

	// Textures.
	tex    driver.TextureGL // nil: a buffer
	target uint32
	flags  driver.ImageFlags
	parts  []part
}

// GLGetDevices: the CPU can share with any OpenGL context.
func (d *Driver) GLGetDevices(_ driver.Ctx, gl driver.GL, devs []driver.Device) (int, driver.Code) {
	if gl == nil || gl.CurrentContext() == 0 {
		return 0, driver.InvalidGraphicsContext
	}
	if len(devs) > 0 {
		devs[0] = 0
	}
	return 1, driver.Success
}

// GraphicsGLRegisterBuffer notes the buffer's size, which is then fixed.
func (d *Driver) GraphicsGLRegisterBuffer(ctx driver.Ctx, gl driver.GL, name uint32, a driver.Access) (driver.Resource, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	if gl == nil || a > driver.WriteDiscard {
		return 0, driver.InvalidValue
	}
	if gl.CurrentContext() == 0 {
		return 0, driver.InvalidGraphicsContext
	}
	size, _, ok := gl.BufferInfo(name)
	if !ok || size <= 0 {
		return 0, driver.InvalidHandle
	}
	r := &resource{gl: gl, name: name, size: size, access: a}
	return driver.Resource(c.resources.add(r)), driver.Success
}

// GraphicsUnregisterResource refuses while mapped, as CUDA does.
func (d *Driver) GraphicsUnregisterResource(ctx driver.Ctx, h driver.Resource) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	r, ok := c.resources.get(uintptr(h))
	switch {
	case !ok:
		return driver.InvalidHandle
	case r.gl.CurrentContext() == 0:
		return driver.InvalidGraphicsContext
	case r.mapped:
		return driver.AlreadyMapped
	}
	c.resources.remove(uintptr(h))
	for i := range r.parts {
		c.dropPart(&r.parts[i])
	}
	return c.sticky()
}

// GraphicsMapResources maps all buffers for the CPU, or none.
func (d *Driver) GraphicsMapResources(ctx driver.Ctx, rs []driver.Resource, on driver.Stream) driver.Code {
	c, _, code := d.stream(ctx, on)
	if code != driver.Success {
		return code
	}
	if code := c.checkAll(rs, false); code != driver.Success {
		return code
	}
	for i, h := range rs {
		r, _ := c.resources.get(uintptr(h))
		r.mapped = true
		if r.tex != nil {
			continue // its levels are fetched when they are asked for
		}
		p := r.gl.MapBuffer(r.name, r.size, r.access != driver.WriteDiscard, r.access != driver.ReadOnly, r.access == driver.WriteDiscard)
		if p == nil {
			r.mapped = false
			for _, h := range rs[:i] {
				c.unmap(h)
			}
			return driver.MapFailed
		}
		r.ptr = address(p)
		c.mem.add(span{base: r.ptr, size: r.size, kind: mappedSpan})
	}
	return driver.Success
}

// GraphicsUnmapResources waits for the stream, then unmaps. A broken context
// gives its mappings back too, and says that it is broken.
func (d *Driver) GraphicsUnmapResources(ctx driver.Ctx, rs []driver.Resource, on driver.Stream) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	s, ok := c.streams.get(uintptr(on))
	if !ok {
		return driver.InvalidHandle
	}
	if code := c.checkAll(rs, true); code != driver.Success {
		return code
	}
	s.wait(s.mark())
	lost := false
	for _, h := range rs {
		lost = !c.unmap(h) || lost
	}
	if lost {
		return driver.ContentsLost
	}
	return driver.Success
}

// checkAll makes sure that all are there, none twice, and all mapped or none.
func (c *context) checkAll(rs []driver.Resource, mapped bool) (code driver.Code) {
	if len(rs) == 0 {
		return driver.InvalidValue
	}
	n := 0
	for _, h := range rs {
		r, ok := c.resources.get(uintptr(h))
		if !ok {
			code = driver.InvalidHandle
			break
		}
		if r.gl.CurrentContext() == 0 {
			code = driver.InvalidGraphicsContext
			break
		}
		if r.marked || r.mapped != mapped {
			code = driver.AlreadyMapped
			if mapped {
				code = driver.NotMapped
			}
			break
		}
		r.marked = true
		n++
	}
	for _, h := range rs[:n] {
		r, _ := c.resources.get(uintptr(h))
		r.marked = false
	}
	return code
}

func (c *context) unmap(h driver.Resource) bool {
	r, _ := c.resources.get(uintptr(h))
	r.mapped = false
	if r.tex != nil {
		return r.giveBack()
	}
	c.mem.remove(r.ptr, mappedSpan)
	r.ptr = 0
	return r.gl.UnmapBuffer(r.name)
}

// GraphicsResourceGetMappedPointer gives address and size while mapped.
func (d *Driver) GraphicsResourceGetMappedPointer(ctx driver.Ctx, h driver.Resource) (driver.DevicePtr, int, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, 0, code
	}
	r, ok := c.resources.get(uintptr(h))
	switch {
	case !ok:
		return 0, 0, driver.InvalidHandle
	case r.tex != nil:
		return 0, 0, driver.NotMappedAsPointer
	case !r.mapped:
		return 0, 0, driver.NotMapped
	}
	return r.ptr, r.size, driver.Success
}
