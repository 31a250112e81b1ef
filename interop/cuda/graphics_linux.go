// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package cuda

// #include "cu.h"
// #cgo noescape cu_gl_map
// #cgo nocallback cu_gl_map
// #cgo noescape cu_gl_unmap
// #cgo nocallback cu_gl_unmap
// #cgo nocallback cu_gl_pointer
import "C"

import (
	"unsafe"

	"particles/interop/driver"
)

// GLGetDevices calls cuGLGetDevices_v2 for the context current on this thread.
func (d *Driver) GLGetDevices(ctx driver.Ctx, _ driver.GL, devs []driver.Device) (int, driver.Code) {
	if d.noGL != nil {
		return 0, driver.NotSupported
	}
	if len(devs) == 0 {
		return 0, driver.InvalidValue
	}
	return ints(C.cu_gl_devices(d.lib, C.uintptr_t(ctx), (*C.int)(unsafe.Pointer(&devs[0])), C.uint(len(devs))))
}

// GraphicsGLRegisterBuffer calls cuGraphicsGLRegisterBuffer.
func (d *Driver) GraphicsGLRegisterBuffer(ctx driver.Ctx, _ driver.GL, name uint32, a driver.Access) (driver.Resource, driver.Code) {
	if d.noGL != nil {
		return 0, driver.NotSupported
	}
	v := C.cu_gl_register(d.lib, C.uintptr_t(ctx), C.uint(name), C.uint(a))
	return driver.Resource(v.a), driver.Code(v.r)
}

// GraphicsUnregisterResource calls cuGraphicsUnregisterResource.
func (d *Driver) GraphicsUnregisterResource(ctx driver.Ctx, r driver.Resource) driver.Code {
	if d.noGL != nil {
		return driver.NotSupported
	}
	return driver.Code(C.cu_gl_unregister(d.lib, C.uintptr_t(ctx), C.uintptr_t(r)))
}

// GraphicsMapResources calls cuGraphicsMapResources.
func (d *Driver) GraphicsMapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	if d.noGL != nil {
		return driver.NotSupported
	}
	if len(rs) == 0 {
		return driver.InvalidValue
	}
	return driver.Code(C.cu_gl_map(d.lib, C.uintptr_t(ctx), (*C.uintptr_t)(unsafe.Pointer(&rs[0])), C.uint(len(rs)), C.uintptr_t(s)))
}

// GraphicsUnmapResources calls cuGraphicsUnmapResources.
func (d *Driver) GraphicsUnmapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	if d.noGL != nil {
		return driver.NotSupported
	}
	if len(rs) == 0 {
		return driver.InvalidValue
	}
	return driver.Code(C.cu_gl_unmap(d.lib, C.uintptr_t(ctx), (*C.uintptr_t)(unsafe.Pointer(&rs[0])), C.uint(len(rs)), C.uintptr_t(s)))
}

// GraphicsResourceGetMappedPointer calls cuGraphicsResourceGetMappedPointer_v2.
func (d *Driver) GraphicsResourceGetMappedPointer(ctx driver.Ctx, r driver.Resource) (driver.DevicePtr, int, driver.Code) {
	if d.noGL != nil {
		return 0, 0, driver.NotSupported
	}
	v := C.cu_gl_pointer(d.lib, C.uintptr_t(ctx), C.uintptr_t(r))
	return driver.DevicePtr(v.a), int(v.b), driver.Code(v.r)
}
