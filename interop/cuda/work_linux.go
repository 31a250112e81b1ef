// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package cuda

// #include "cu.h"
// #cgo noescape cu_launch
// #cgo nocallback cu_launch
// #cgo nocallback cu_htod
// #cgo nocallback cu_dtoh
// #cgo nocallback cu_dtod
// #cgo nocallback cu_memset
// #cgo nocallback cu_event_record
// #cgo nocallback cu_event_query
// #cgo nocallback cu_stream_query
// #cgo nocallback cu_stream_wait
import "C"

import (
	"unsafe"

	"particles/interop/driver"
)

// MemGetInfo calls cuMemGetInfo_v2.
func (d *Driver) MemGetInfo(ctx driver.Ctx) (free, total uint64, c driver.Code) {
	v := C.cu_mem_info(d.lib, C.uintptr_t(ctx))
	return uint64(v.a), uint64(v.b), driver.Code(v.r)
}

// MemAlloc calls cuMemAlloc_v2.
func (d *Driver) MemAlloc(ctx driver.Ctx, size int) (driver.DevicePtr, driver.Code) {
	v := C.cu_alloc(d.lib, C.uintptr_t(ctx), C.size_t(size))
	return driver.DevicePtr(v.a), driver.Code(v.r)
}

// MemFree calls cuMemFree_v2.
func (d *Driver) MemFree(ctx driver.Ctx, p driver.DevicePtr) driver.Code {
	return driver.Code(C.cu_free(d.lib, C.uintptr_t(ctx), C.uint64_t(p)))
}

// MemHostAlloc calls cuMemHostAlloc; the memory is pinned for all contexts.
func (d *Driver) MemHostAlloc(ctx driver.Ctx, size int) (unsafe.Pointer, driver.Code) {
	v := C.cu_host_alloc(d.lib, C.uintptr_t(ctx), C.size_t(size))
	return pointer(uintptr(v.a)), driver.Code(v.r)
}

// pointer is the one place where an address becomes a pointer: memory of the
// driver's, in which the garbage collector has no part.
func pointer(u uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&u)) }

// MemFreeHost calls cuMemFreeHost.
func (d *Driver) MemFreeHost(ctx driver.Ctx, p unsafe.Pointer) driver.Code {
	return driver.Code(C.cu_host_free(d.lib, C.uintptr_t(ctx), C.uintptr_t(uintptr(p))))
}

// MemcpyHtoDAsync calls cuMemcpyHtoDAsync_v2.
func (d *Driver) MemcpyHtoDAsync(ctx driver.Ctx, dst driver.DevicePtr, src unsafe.Pointer, n int, s driver.Stream) driver.Code {
	return driver.Code(C.cu_htod(d.lib, C.uintptr_t(ctx), C.uint64_t(dst), C.uintptr_t(uintptr(src)), C.size_t(n), C.uintptr_t(s)))
}

// MemcpyDtoHAsync calls cuMemcpyDtoHAsync_v2.
func (d *Driver) MemcpyDtoHAsync(ctx driver.Ctx, dst unsafe.Pointer, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return driver.Code(C.cu_dtoh(d.lib, C.uintptr_t(ctx), C.uintptr_t(uintptr(dst)), C.uint64_t(src), C.size_t(n), C.uintptr_t(s)))
}

// MemcpyDtoDAsync calls cuMemcpyDtoDAsync_v2.
func (d *Driver) MemcpyDtoDAsync(ctx driver.Ctx, dst, src driver.DevicePtr, n int, s driver.Stream) driver.Code {
	return driver.Code(C.cu_dtod(d.lib, C.uintptr_t(ctx), C.uint64_t(dst), C.uint64_t(src), C.size_t(n), C.uintptr_t(s)))
}

// MemsetD8Async calls cuMemsetD8Async.
func (d *Driver) MemsetD8Async(ctx driver.Ctx, dst driver.DevicePtr, v uint8, count int, s driver.Stream) driver.Code {
	return d.memset(ctx, dst, uint32(v), 1, count, s)
}

// MemsetD16Async calls cuMemsetD16Async.
func (d *Driver) MemsetD16Async(ctx driver.Ctx, dst driver.DevicePtr, v uint16, count int, s driver.Stream) driver.Code {
	return d.memset(ctx, dst, uint32(v), 2, count, s)
}

// MemsetD32Async calls cuMemsetD32Async.
func (d *Driver) MemsetD32Async(ctx driver.Ctx, dst driver.DevicePtr, v uint32, count int, s driver.Stream) driver.Code {
	return d.memset(ctx, dst, v, 4, count, s)
}

func (d *Driver) memset(ctx driver.Ctx, dst driver.DevicePtr, v uint32, width, count int, s driver.Stream) driver.Code {
	return driver.Code(C.cu_memset(d.lib, C.uintptr_t(ctx), C.uint64_t(dst), C.uint(v), C.int(width), C.size_t(count), C.uintptr_t(s)))
}

// StreamCreateWithPriority calls cuStreamCreateWithPriority, non-blocking.
func (d *Driver) StreamCreateWithPriority(ctx driver.Ctx, priority int) (driver.Stream, driver.Code) {
	v := C.cu_stream(d.lib, C.uintptr_t(ctx), C.int(priority))
	return driver.Stream(v.a), driver.Code(v.r)
}

// StreamDestroy calls cuStreamDestroy_v2.
func (d *Driver) StreamDestroy(ctx driver.Ctx, s driver.Stream) driver.Code {
	return driver.Code(C.cu_stream_destroy(d.lib, C.uintptr_t(ctx), C.uintptr_t(s)))
}

// StreamQuery calls cuStreamQuery.
func (d *Driver) StreamQuery(ctx driver.Ctx, s driver.Stream) driver.Code {
	return driver.Code(C.cu_stream_query(d.lib, C.uintptr_t(ctx), C.uintptr_t(s)))
}

// StreamSynchronize calls cuStreamSynchronize.
func (d *Driver) StreamSynchronize(ctx driver.Ctx, s driver.Stream) driver.Code {
	return driver.Code(C.cu_stream_sync(d.lib, C.uintptr_t(ctx), C.uintptr_t(s)))
}

// StreamWaitEvent calls cuStreamWaitEvent.
func (d *Driver) StreamWaitEvent(ctx driver.Ctx, s driver.Stream, e driver.Event) driver.Code {
	return driver.Code(C.cu_stream_wait(d.lib, C.uintptr_t(ctx), C.uintptr_t(s), C.uintptr_t(e)))
}

// EventCreate calls cuEventCreate.
func (d *Driver) EventCreate(ctx driver.Ctx, flags uint32) (driver.Event, driver.Code) {
	v := C.cu_event(d.lib, C.uintptr_t(ctx), C.uint(flags))
	return driver.Event(v.a), driver.Code(v.r)
}

// EventDestroy calls cuEventDestroy_v2.
func (d *Driver) EventDestroy(ctx driver.Ctx, e driver.Event) driver.Code {
	return driver.Code(C.cu_event_destroy(d.lib, C.uintptr_t(ctx), C.uintptr_t(e)))
}

// EventRecord calls cuEventRecord.
func (d *Driver) EventRecord(ctx driver.Ctx, e driver.Event, s driver.Stream) driver.Code {
	return driver.Code(C.cu_event_record(d.lib, C.uintptr_t(ctx), C.uintptr_t(e), C.uintptr_t(s)))
}

// EventQuery calls cuEventQuery.
func (d *Driver) EventQuery(ctx driver.Ctx, e driver.Event) driver.Code {
	return driver.Code(C.cu_event_query(d.lib, C.uintptr_t(ctx), C.uintptr_t(e)))
}

// EventSynchronize calls cuEventSynchronize.
func (d *Driver) EventSynchronize(ctx driver.Ctx, e driver.Event) driver.Code {
	return driver.Code(C.cu_event_sync(d.lib, C.uintptr_t(ctx), C.uintptr_t(e)))
}

// EventElapsedTime calls cuEventElapsedTime.
func (d *Driver) EventElapsedTime(ctx driver.Ctx, from, to driver.Event) (float32, driver.Code) {
	v := C.cu_elapsed(d.lib, C.uintptr_t(ctx), C.uintptr_t(from), C.uintptr_t(to))
	return float32(v.ms), driver.Code(v.r)
}

// maxParams is the greatest size of a parameter struct, smallParams one that most fit in.
const (
	maxParams   = 4096
	smallParams = 256
)

// LaunchKernel calls cuLaunchKernel, in as many blocks as n indices need. The
// kernel must leave out the indices from n on.
//
// The parameters are copied to this function's stack, because cgo looks through
// the whole Go object that a pointer points into and refuses one that holds Go
// pointers, as a model with its parameters in a field does. A uintptr instead
// would not follow a struct on the caller's stack when that stack moves.
func (d *Driver) LaunchKernel(ctx driver.Ctx, f driver.Function, l driver.Shape, s driver.Stream, params unsafe.Pointer, size int) driver.Code {
	if l.N <= 0 || l.Block <= 0 || l.SharedBytes < 0 || size < 0 || size > maxParams || (params == nil && size > 0) {
		return driver.InvalidValue
	}
	grid := C.uint((l.N-1)/l.Block + 1)
	from := unsafe.Slice((*byte)(params), size)
	if size > smallParams {
		return d.launchLarge(ctx, f, grid, l, s, from)
	}
	var room [smallParams]byte
	copy(room[:], from)
	return driver.Code(C.cu_launch(d.lib, C.uintptr_t(ctx), C.uintptr_t(f), grid, C.uint(l.Block), C.uint(l.SharedBytes), C.uintptr_t(s), unsafe.Pointer(&room)))
}

// launchLarge is apart, so that a small launch need not clear the room of a large one.
//
//go:noinline
func (d *Driver) launchLarge(ctx driver.Ctx, f driver.Function, grid C.uint, l driver.Shape, s driver.Stream, from []byte) driver.Code {
	var room [maxParams]byte
	copy(room[:], from)
	return driver.Code(C.cu_launch(d.lib, C.uintptr_t(ctx), C.uintptr_t(f), grid, C.uint(l.Block), C.uint(l.SharedBytes), C.uintptr_t(s), unsafe.Pointer(&room)))
}
