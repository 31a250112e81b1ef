// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package cuda

// #include "cu.h"
// #cgo nocallback cu_gl_array
// #cgo nocallback cu_array_descriptor
// #cgo nocallback cu_surface
// #cgo nocallback cu_surface_destroy
// #cgo nocallback cu_copy_array
import "C"

import "particles/interop/driver"

// GraphicsGLRegisterImage calls cuGraphicsGLRegisterImage.
func (d *Driver) GraphicsGLRegisterImage(ctx driver.Ctx, _ driver.GL, name, target uint32, f driver.ImageFlags) (driver.Resource, driver.Code) {
	if d.noGL != nil || d.noImages != nil {
		return 0, driver.NotSupported
	}
	v := C.cu_gl_register_image(d.lib, C.uintptr_t(ctx), C.uint(name), C.uint(target), C.uint(f))
	return driver.Resource(v.a), driver.Code(v.r)
}

// GraphicsSubResourceGetMappedArray calls cuGraphicsSubResourceGetMappedArray.
func (d *Driver) GraphicsSubResourceGetMappedArray(ctx driver.Ctx, r driver.Resource, layer, level int) (driver.Array, driver.Code) {
	if d.noImages != nil {
		return 0, driver.NotSupported
	}
	if layer < 0 || level < 0 {
		return 0, driver.InvalidValue
	}
	v := C.cu_gl_array(d.lib, C.uintptr_t(ctx), C.uintptr_t(r), C.uint(layer), C.uint(level))
	return driver.Array(v.a), driver.Code(v.r)
}

// Array3DCreate calls cuArray3DCreate_v2.
func (d *Driver) Array3DCreate(ctx driver.Ctx, a driver.ArrayDesc) (driver.Array, driver.Code) {
	if d.noImages != nil {
		return 0, driver.NotSupported
	}
	if a.Width <= 0 || a.Height < 0 || a.Depth < 0 {
		return 0, driver.InvalidValue
	}
	surface := C.int(0)
	if a.Surface {
		surface = 1
	}
	v := C.cu_array(d.lib, C.uintptr_t(ctx), C.size_t(a.Width), C.size_t(a.Height), C.size_t(a.Depth),
		C.int(a.Format), C.uint(a.Channels), surface)
	return driver.Array(v.a), driver.Code(v.r)
}

// Array3DGetDescriptor calls cuArray3DGetDescriptor_v2.
func (d *Driver) Array3DGetDescriptor(ctx driver.Ctx, a driver.Array) (driver.ArrayDesc, driver.Code) {
	if d.noImages != nil {
		return driver.ArrayDesc{}, driver.NotSupported
	}
	const surfaceLoadStore = 2
	v := C.cu_array_descriptor(d.lib, C.uintptr_t(ctx), C.uintptr_t(a))
	return driver.ArrayDesc{
		Width: int(v.d.width), Height: int(v.d.height), Depth: int(v.d.depth),
		Format: driver.ArrayFormat(v.d.format), Channels: int(v.d.channels), Surface: v.d.flags&surfaceLoadStore != 0,
	}, driver.Code(v.r)
}

// ArrayDestroy calls cuArrayDestroy.
func (d *Driver) ArrayDestroy(ctx driver.Ctx, a driver.Array) driver.Code {
	if d.noImages != nil {
		return driver.NotSupported
	}
	return driver.Code(C.cu_array_destroy(d.lib, C.uintptr_t(ctx), C.uintptr_t(a)))
}

// SurfObjectCreate calls cuSurfObjectCreate.
func (d *Driver) SurfObjectCreate(ctx driver.Ctx, a driver.Array) (driver.Surface, driver.Code) {
	if d.noImages != nil {
		return 0, driver.NotSupported
	}
	v := C.cu_surface(d.lib, C.uintptr_t(ctx), C.uintptr_t(a))
	return driver.Surface(v.a), driver.Code(v.r)
}

// SurfObjectDestroy calls cuSurfObjectDestroy.
func (d *Driver) SurfObjectDestroy(ctx driver.Ctx, s driver.Surface) driver.Code {
	if d.noImages != nil {
		return driver.NotSupported
	}
	return driver.Code(C.cu_surface_destroy(d.lib, C.uintptr_t(ctx), C.uint64_t(s)))
}

// Memcpy3DAsync calls cuMemcpy3DAsync_v2.
func (d *Driver) Memcpy3DAsync(ctx driver.Ctx, c driver.Copy3D, s driver.Stream) driver.Code {
	if d.noImages != nil {
		return driver.NotSupported
	}
	if c.WidthBytes <= 0 || c.Height <= 0 || c.Depth <= 0 || (c.Host == nil) == (c.Device == 0) {
		return driver.InvalidValue
	}
	to := C.int(0)
	if c.ToArray {
		to = 1
	}
	return driver.Code(C.cu_copy_array(d.lib, C.uintptr_t(ctx), C.uintptr_t(c.Array), to, C.uintptr_t(uintptr(c.Host)),
		C.uint64_t(c.Device), C.size_t(c.WidthBytes), C.size_t(c.Height), C.size_t(c.Depth), C.uintptr_t(s)))
}
