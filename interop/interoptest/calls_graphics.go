// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"fmt"
	"strings"

	"particles/interop/driver"
)

// GLGetDevices implements driver.Driver.
func (d *Driver) GLGetDevices(ctx driver.Ctx, gl driver.GL, devs []driver.Device) (n int, c driver.Code) {
	c = d.do("cuGLGetDevices", "", func() problem {
		if gl == nil || gl.CurrentContext() == 0 {
			return wrong(driver.InvalidGraphicsContext, "no OpenGL context is current on this thread")
		}
		return problem{}
	}, func() (c driver.Code) { n, c = d.inner.GLGetDevices(ctx, gl, devs); return c }, nil)
	return n, c
}

func (d *Driver) register(name, args string, ctx driver.Ctx, gl driver.GL, image bool, call func() (driver.Resource, driver.Code)) (r driver.Resource, c driver.Code) {
	c = d.do(name, args, func() problem {
		if gl == nil || gl.CurrentContext() == 0 {
			return wrong(driver.InvalidGraphicsContext, "no OpenGL context is current on this thread")
		}
		return d.ctx(ctx)
	}, func() (c driver.Code) { r, c = call(); return c }, func() {
		d.resources[r] = &resource{gl: gl, home: gl.CurrentContext(), image: image}
	})
	return r, c
}

// GraphicsGLRegisterBuffer implements driver.Driver.
func (d *Driver) GraphicsGLRegisterBuffer(ctx driver.Ctx, gl driver.GL, name uint32, a driver.Access) (driver.Resource, driver.Code) {
	return d.register("cuGraphicsGLRegisterBuffer", fmt.Sprintf("%d, flags %d", name, a), ctx, gl, false,
		func() (driver.Resource, driver.Code) { return d.inner.GraphicsGLRegisterBuffer(ctx, gl, name, a) })
}

// GraphicsGLRegisterImage implements driver.Driver.
func (d *Driver) GraphicsGLRegisterImage(ctx driver.Ctx, gl driver.GL, name, target uint32, f driver.ImageFlags) (driver.Resource, driver.Code) {
	return d.register("cuGraphicsGLRegisterImage", fmt.Sprintf("%d, target %#x, flags %d", name, target, f), ctx, gl, true,
		func() (driver.Resource, driver.Code) {
			return d.inner.GraphicsGLRegisterImage(ctx, gl, name, target, f)
		})
}

// GraphicsUnregisterResource implements driver.Driver.
func (d *Driver) GraphicsUnregisterResource(ctx driver.Ctx, r driver.Resource) driver.Code {
	return d.do("cuGraphicsUnregisterResource", fmt.Sprintf("%#x", uintptr(r)), func() problem {
		x := d.resources[r]
		if x == nil {
			return wrong(driver.InvalidHandle, "resource %#x is not registered", uintptr(r))
		}
		if x.mapped {
			return wrong(driver.AlreadyMapped, "resource %#x is mapped", uintptr(r))
		}
		return first(d.ctx(ctx), x.current())
	}, func() driver.Code { return d.inner.GraphicsUnregisterResource(ctx, r) }, func() { delete(d.resources, r) })
}

func batchText(rs []driver.Resource, s driver.Stream) string {
	var b strings.Builder
	for _, r := range rs {
		fmt.Fprintf(&b, "%#x, ", uintptr(r))
	}
	return fmt.Sprintf("%sstream %#x", b.String(), uintptr(s))
}

// GraphicsMapResources implements driver.Driver.
func (d *Driver) GraphicsMapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	return d.do("cuGraphicsMapResources", batchText(rs, s),
		func() problem { return first(d.ctx(ctx), d.stream(s), d.batch(rs, false, s)) },
		func() driver.Code { return d.inner.GraphicsMapResources(ctx, rs, s) },
		func() {
			d.queued(s)
			for _, r := range rs {
				x := d.resources[r]
				x.mapped, x.on, x.at, x.used = true, s, d.streams[s].work, map[driver.Stream]int{}
			}
		})
}

// GraphicsUnmapResources implements driver.Driver. On another stream than the
// map's it wants that stream to wait for the map, and for all work that is known to
// use the mapping: CUDA accepts it without, and kernels run into OpenGL's drawing.
func (d *Driver) GraphicsUnmapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	lost := false
	code := d.do("cuGraphicsUnmapResources", batchText(rs, s),
		func() problem { return first(d.ctx(ctx), d.stream(s), d.batch(rs, true, s)) },
		func() driver.Code {
			c := d.inner.GraphicsUnmapResources(ctx, rs, s)
			if lost = c == driver.ContentsLost; lost { // unmapped all the same
				return driver.Success
			}
			return c
		},
		func() {
			for _, r := range rs {
				x := d.resources[r]
				for _, a := range x.arrays {
					delete(d.arrays, a)
				}
				x.mapped, x.on, x.ptr, x.used, x.arrays = false, 0, 0, nil, x.arrays[:0]
			}
			d.queued(s)
		})
	if lost {
		return driver.ContentsLost
	}
	return code
}

// GraphicsResourceGetMappedPointer implements driver.Driver.
func (d *Driver) GraphicsResourceGetMappedPointer(ctx driver.Ctx, r driver.Resource) (p driver.DevicePtr, size int, c driver.Code) {
	c = d.do("cuGraphicsResourceGetMappedPointer", fmt.Sprintf("%#x", uintptr(r)), func() problem {
		x := d.resources[r]
		switch {
		case x == nil:
			return wrong(driver.InvalidHandle, "resource %#x is not registered", uintptr(r))
		case x.image:
			return wrong(driver.NotMappedAsPointer, "resource %#x is a texture", uintptr(r))
		case !x.mapped:
			return wrong(driver.NotMapped, "resource %#x is not mapped", uintptr(r))
		}
		return d.ctx(ctx)
	}, func() (c driver.Code) { p, size, c = d.inner.GraphicsResourceGetMappedPointer(ctx, r); return c },
		func() { d.resources[r].ptr, d.resources[r].size = p, size })
	return p, size, c
}

// GraphicsSubResourceGetMappedArray implements driver.Driver.
func (d *Driver) GraphicsSubResourceGetMappedArray(ctx driver.Ctx, r driver.Resource, layer, level int) (a driver.Array, c driver.Code) {
	c = d.do("cuGraphicsSubResourceGetMappedArray", fmt.Sprintf("%#x, %d, %d", uintptr(r), layer, level), func() problem {
		x := d.resources[r]
		switch {
		case x == nil:
			return wrong(driver.InvalidHandle, "resource %#x is not registered", uintptr(r))
		case !x.image:
			return wrong(driver.NotMappedAsArray, "resource %#x is a buffer", uintptr(r))
		case !x.mapped:
			return wrong(driver.NotMapped, "resource %#x is not mapped", uintptr(r))
		}
		return d.ctx(ctx)
	}, func() (c driver.Code) {
		a, c = d.inner.GraphicsSubResourceGetMappedArray(ctx, r, layer, level)
		return c
	}, func() {
		d.arrays[a] = false
		d.resources[r].arrays = append(d.resources[r].arrays, a)
	})
	return a, c
}

// Array3DCreate implements driver.Driver.
func (d *Driver) Array3DCreate(ctx driver.Ctx, desc driver.ArrayDesc) (a driver.Array, c driver.Code) {
	c = d.do("cuArray3DCreate", fmt.Sprintf("%dx%dx%d", desc.Width, desc.Height, desc.Depth), func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { a, c = d.inner.Array3DCreate(ctx, desc); return c }, func() { d.arrays[a] = true })
	return a, c
}

// Array3DGetDescriptor implements driver.Driver.
func (d *Driver) Array3DGetDescriptor(ctx driver.Ctx, a driver.Array) (desc driver.ArrayDesc, c driver.Code) {
	c = d.do("cuArray3DGetDescriptor", fmt.Sprintf("%#x", uintptr(a)), func() problem { return first(d.ctx(ctx), d.array(a)) },
		func() (c driver.Code) { desc, c = d.inner.Array3DGetDescriptor(ctx, a); return c }, nil)
	return desc, c
}

// ArrayDestroy implements driver.Driver.
func (d *Driver) ArrayDestroy(ctx driver.Ctx, a driver.Array) driver.Code {
	return d.do("cuArrayDestroy", fmt.Sprintf("%#x", uintptr(a)), func() problem {
		if p := first(d.ctx(ctx), d.array(a)); p.code != driver.Success {
			return p
		}
		if !d.arrays[a] {
			return wrong(driver.InvalidHandle, "array %#x is a texture's", uintptr(a))
		}
		return problem{}
	}, func() driver.Code { return d.inner.ArrayDestroy(ctx, a) }, func() { delete(d.arrays, a) })
}

// SurfObjectCreate implements driver.Driver.
func (d *Driver) SurfObjectCreate(ctx driver.Ctx, a driver.Array) (s driver.Surface, c driver.Code) {
	c = d.do("cuSurfObjectCreate", fmt.Sprintf("%#x", uintptr(a)), func() problem { return first(d.ctx(ctx), d.array(a)) },
		func() (c driver.Code) { s, c = d.inner.SurfObjectCreate(ctx, a); return c }, func() { d.surfaces[s]++; d.surfaceOf[s] = a })
	return s, c
}

// SurfObjectDestroy implements driver.Driver.
func (d *Driver) SurfObjectDestroy(ctx driver.Ctx, s driver.Surface) driver.Code {
	return d.do("cuSurfObjectDestroy", fmt.Sprintf("%#x", uint64(s)), func() problem {
		if d.surfaces[s] == 0 {
			return wrong(driver.InvalidHandle, "surface %#x is not there", uint64(s))
		}
		return d.ctx(ctx)
	}, func() driver.Code { return d.inner.SurfObjectDestroy(ctx, s) }, func() { d.surfaces[s]-- })
}

// Memcpy3DAsync implements driver.Driver.
func (d *Driver) Memcpy3DAsync(ctx driver.Ctx, k driver.Copy3D, s driver.Stream) driver.Code {
	n := k.WidthBytes * k.Height * k.Depth
	return d.onStream("cuMemcpy3DAsync", fmt.Sprintf("array %#x, to it %t, %d bytes", uintptr(k.Array), k.ToArray, n), ctx, s, []uint64{uint64(k.Array), uint64(k.Device)}, func() problem {
		linear := d.device(k.Device, n)
		if k.Host != nil {
			linear = d.pinned(k.Host, n)
		}
		return first(d.array(k.Array), linear)
	}, func() driver.Code { return d.inner.Memcpy3DAsync(ctx, k, s) })
}
