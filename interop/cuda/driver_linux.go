// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package cuda

// #include <stdlib.h>
// #include "cu.h"
import "C"

import (
	"strings"
	"unsafe"

	"particles/interop/driver"
)

var _ driver.Driver = (*Driver)(nil)

// Properties: device memory is the GPU's.
func (d *Driver) Properties() driver.Properties {
	return driver.Properties{Name: "cuda", NoGL: d.noGL, NoImages: d.noImages}
}

// ErrorName is the driver's own name for a code.
func (d *Driver) ErrorName(c driver.Code) string { return C.GoString(C.cu_name(d.lib, C.int(c))) }

// ErrorText is the driver's own text for a code.
func (d *Driver) ErrorText(c driver.Code) string { return C.GoString(C.cu_text(d.lib, C.int(c))) }

// DriverGetVersion calls cuDriverGetVersion.
func (d *Driver) DriverGetVersion() (int, driver.Code) { return ints(C.cu_version(d.lib)) }

// DeviceGetCount calls cuDeviceGetCount.
func (d *Driver) DeviceGetCount() (int, driver.Code) { return ints(C.cu_count(d.lib)) }

// DeviceGet calls cuDeviceGet.
func (d *Driver) DeviceGet(ordinal int) (driver.Device, driver.Code) {
	v, code := ints(C.cu_device(d.lib, C.int(ordinal)))
	return driver.Device(v), code
}

// DeviceGetName calls cuDeviceGetName.
func (d *Driver) DeviceGetName(dev driver.Device) (string, driver.Code) {
	const room = 256
	b := (*C.char)(C.calloc(1, room))
	defer C.free(unsafe.Pointer(b))
	code := driver.Code(C.cu_device_name(d.lib, C.int(dev), b, room-1))
	return C.GoString(b), code
}

// DeviceGetUUID calls cuDeviceGetUuid_v2, or the older cuDeviceGetUuid.
func (d *Driver) DeviceGetUUID(dev driver.Device) (u [16]byte, c driver.Code) {
	b := (*C.char)(C.calloc(1, 16))
	defer C.free(unsafe.Pointer(b))
	c = driver.Code(C.cu_uuid(d.lib, C.int(dev), b))
	copy(u[:], unsafe.Slice((*byte)(unsafe.Pointer(b)), 16))
	return u, c
}

// DeviceGetAttribute calls cuDeviceGetAttribute.
func (d *Driver) DeviceGetAttribute(attr int, dev driver.Device) (int, driver.Code) {
	return ints(C.cu_attribute(d.lib, C.int(attr), C.int(dev)))
}

// DeviceTotalMem calls cuDeviceTotalMem_v2.
func (d *Driver) DeviceTotalMem(dev driver.Device) (uint64, driver.Code) {
	v := C.cu_total(d.lib, C.int(dev))
	return uint64(v.a), driver.Code(v.r)
}

// DevicePrimaryCtxRetain calls cuDevicePrimaryCtxRetain, after asking for waits
// that sleep.
func (d *Driver) DevicePrimaryCtxRetain(dev driver.Device) (driver.Ctx, driver.Code) {
	v := C.cu_retain(d.lib, C.int(dev))
	return driver.Ctx(v.a), driver.Code(v.r)
}

// DevicePrimaryCtxRelease calls cuDevicePrimaryCtxRelease_v2.
func (d *Driver) DevicePrimaryCtxRelease(dev driver.Device) driver.Code {
	return driver.Code(C.cu_release(d.lib, C.int(dev)))
}

// CtxSynchronize calls cuCtxSynchronize.
func (d *Driver) CtxSynchronize(ctx driver.Ctx) driver.Code {
	return driver.Code(C.cu_ctx_sync(d.lib, C.uintptr_t(ctx)))
}

// CtxGetStreamPriorityRange calls cuCtxGetStreamPriorityRange.
func (d *Driver) CtxGetStreamPriorityRange(ctx driver.Ctx) (least, greatest int, c driver.Code) {
	v := C.cu_priorities(d.lib, C.uintptr_t(ctx))
	return int(v.a), int(v.b), driver.Code(v.r)
}

func ints(v C.cu_ints) (int, driver.Code) { return int(v.a), driver.Code(v.r) }

// logSize is the room for the PTX compiler's messages.
const logSize = 8192

// ModuleLoadDataEx calls cuModuleLoadDataEx with the image's PTX.
func (d *Driver) ModuleLoadDataEx(ctx driver.Ctx, img driver.Image) (driver.Module, string, driver.Code) {
	if len(img.PTX) == 0 {
		return 0, "the image has no PTX", driver.InvalidImage
	}
	ptx := C.CString(string(img.PTX)) // ends in NUL, as the driver wants it
	defer C.free(unsafe.Pointer(ptx))
	log := (*C.char)(C.calloc(1, logSize))
	defer C.free(unsafe.Pointer(log))
	v := C.cu_module(d.lib, C.uintptr_t(ctx), ptx, log, logSize)
	return driver.Module(v.a), strings.TrimSpace(C.GoString(log)), driver.Code(v.r)
}

// ModuleUnload calls cuModuleUnload.
func (d *Driver) ModuleUnload(ctx driver.Ctx, m driver.Module) driver.Code {
	return driver.Code(C.cu_module_unload(d.lib, C.uintptr_t(ctx), C.uintptr_t(m)))
}

// ModuleGetFunction calls cuModuleGetFunction.
func (d *Driver) ModuleGetFunction(ctx driver.Ctx, m driver.Module, name string) (driver.Function, driver.Code) {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	v := C.cu_function(d.lib, C.uintptr_t(ctx), C.uintptr_t(m), s)
	return driver.Function(v.a), driver.Code(v.r)
}

// ParamSize is the size in bytes of a kernel's parameter struct, or 0 where the
// driver cannot tell (cuFuncGetParamInfo is new in CUDA 12.4).
func (d *Driver) ParamSize(ctx driver.Ctx, f driver.Function) int {
	return int(C.cu_param_size(d.lib, C.uintptr_t(ctx), C.uintptr_t(f)))
}
