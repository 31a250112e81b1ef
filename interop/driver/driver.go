// SPDX-License-Identifier: Apache-2.0

package driver

import "unsafe"

// Handles of the driver's objects. Zero is no object.
type (
	// DevicePtr is an address in device memory (CUdeviceptr). It is an integer,
	// never a Go pointer: only kernels and the driver follow it.
	DevicePtr uint64
	// Device is a CUdevice, which is not always the ordinal.
	Device int32
	// Ctx is a CUcontext.
	Ctx uintptr
	// Stream is a CUstream.
	Stream uintptr
	// Event is a CUevent.
	Event uintptr
	// Module is a CUmodule.
	Module uintptr
	// Function is a CUfunction.
	Function uintptr
	// Resource is a CUgraphicsResource.
	Resource uintptr
)

// Shape is the extent of a launch: N > 0 indices, in blocks of Block threads,
// with SharedBytes of dynamic shared memory for each block.
type Shape struct {
	N, Block, SharedBytes int
}

// Work is a piece of a launch that a host kernel is to do: the indices [Begin, End),
// whole blocks of Block but for the last of the launch.
type Work struct {
	Begin, End int // Begin is a multiple of Block
	Block      int
	Worker     int    // who does it, from 0: no two pieces that run at once have the same
	Scratch    []byte // the launch's SharedBytes, the worker's own, with anything in it
}

// HostKernel runs a kernel's body over a piece of a launch. params is the launch's
// parameter struct, which stays valid until the launch is complete and must not be
// changed. Several pieces of one launch run at once on different goroutines.
type HostKernel func(params unsafe.Pointer, w Work)

// Image is a module in all the forms that drivers load: PTX text for CUDA, Go
// functions by kernel name for the host.
type Image struct {
	Name string // for messages: "flow"
	PTX  []byte // text, the closing NUL not needed
	Host map[string]HostKernel
}

// Access is how a kernel uses a mapped OpenGL buffer: the values of
// CU_GRAPHICS_REGISTER_FLAGS.
type Access uint32

// The accesses that the driver knows.
const (
	ReadWrite    Access = 0 // CU_GRAPHICS_REGISTER_FLAGS_NONE
	ReadOnly     Access = 1 // CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY
	WriteDiscard Access = 2 // CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD: the old contents are not needed
)

// Flags of EventCreate (CUevent_flags).
const (
	EventBlockingSync  uint32 = 1
	EventDisableTiming uint32 = 2
)

// Attribute numbers of DeviceAttribute (CUdevice_attribute).
const (
	AttrMaxThreadsPerBlock       = 1
	AttrMultiprocessorCount      = 16
	AttrIntegrated               = 18
	AttrKernelExecTimeout        = 17
	AttrComputeCapabilityMajor   = 75
	AttrComputeCapabilityMinor   = 76
	AttrMaxSharedMemoryPerBlock  = 8
	AttrClockRateKHz             = 13
	AttrMaxThreadsPerMultiproc   = 39
	AttrGlobalMemoryBusWidthBits = 37
)

// Properties says what kind of driver this is.
type Properties struct {
	Name string // "cuda" or "host"
	// HostMemory: device memory is this process's own memory, so sharing an
	// OpenGL buffer means mapping it for the CPU.
	HostMemory bool
	// NoGL is why the driver cannot share OpenGL buffers at all (functions
	// missing in the library), or nil.
	NoGL error
	// NoImages is why the driver cannot share OpenGL textures, or nil.
	NoImages error
}

// Driver is the CUDA driver API, as far as this project needs it. A method is
// named after the call that it makes. ctx is made current for the time of the
// call. Sizes and offsets are in bytes.
type Driver interface {
	Properties() Properties
	// ErrorName and ErrorText describe a code: "CUDA_ERROR_ALREADY_MAPPED".
	ErrorName(c Code) string
	ErrorText(c Code) string

	DriverGetVersion() (int, Code) // 12080 is CUDA 12.8
	DeviceGetCount() (int, Code)
	DeviceGet(ordinal int) (Device, Code)
	DeviceGetName(d Device) (string, Code)
	DeviceGetUUID(d Device) ([16]byte, Code)
	DeviceGetAttribute(attr int, d Device) (int, Code)
	DeviceTotalMem(d Device) (uint64, Code)

	DevicePrimaryCtxRetain(d Device) (Ctx, Code)
	DevicePrimaryCtxRelease(d Device) Code
	CtxSynchronize(ctx Ctx) Code
	CtxGetStreamPriorityRange(ctx Ctx) (least, greatest int, c Code)

	MemGetInfo(ctx Ctx) (free, total uint64, c Code)
	MemAlloc(ctx Ctx, size int) (DevicePtr, Code)
	MemFree(ctx Ctx, p DevicePtr) Code // waits for work that uses the memory
	MemHostAlloc(ctx Ctx, size int) (unsafe.Pointer, Code)
	MemFreeHost(ctx Ctx, p unsafe.Pointer) Code
	// The copies and fills are asynchronous: host memory must come from
	// MemHostAlloc and live until the stream has passed.
	MemcpyHtoDAsync(ctx Ctx, dst DevicePtr, src unsafe.Pointer, n int, s Stream) Code
	MemcpyDtoHAsync(ctx Ctx, dst unsafe.Pointer, src DevicePtr, n int, s Stream) Code
	MemcpyDtoDAsync(ctx Ctx, dst, src DevicePtr, n int, s Stream) Code
	MemsetD8Async(ctx Ctx, dst DevicePtr, v uint8, count int, s Stream) Code
	MemsetD16Async(ctx Ctx, dst DevicePtr, v uint16, count int, s Stream) Code
	MemsetD32Async(ctx Ctx, dst DevicePtr, v uint32, count int, s Stream) Code

	StreamCreateWithPriority(ctx Ctx, priority int) (Stream, Code) // non-blocking
	StreamDestroy(ctx Ctx, s Stream) Code
	StreamQuery(ctx Ctx, s Stream) Code
	StreamSynchronize(ctx Ctx, s Stream) Code
	StreamWaitEvent(ctx Ctx, s Stream, e Event) Code

	EventCreate(ctx Ctx, flags uint32) (Event, Code)
	EventDestroy(ctx Ctx, e Event) Code
	EventRecord(ctx Ctx, e Event, s Stream) Code
	EventQuery(ctx Ctx, e Event) Code
	EventSynchronize(ctx Ctx, e Event) Code
	EventElapsedTime(ctx Ctx, from, to Event) (ms float32, c Code)

	// ModuleLoadDataEx loads the form of the image that suits the driver; log
	// is the compiler's, in failure only.
	ModuleLoadDataEx(ctx Ctx, img Image) (m Module, log string, c Code)
	ModuleUnload(ctx Ctx, m Module) Code
	ModuleGetFunction(ctx Ctx, m Module, name string) (Function, Code)
	// LaunchKernel runs f, with one parameter struct of size bytes, which is
	// copied before it returns.
	LaunchKernel(ctx Ctx, f Function, l Shape, s Stream, params unsafe.Pointer, size int) Code

	// GLGetDevices fills devs with the devices that draw the current OpenGL
	// context and returns their number. ctx may be 0.
	GLGetDevices(ctx Ctx, gl GL, devs []Device) (int, Code)
	GraphicsGLRegisterBuffer(ctx Ctx, gl GL, name uint32, a Access) (Resource, Code)
	GraphicsUnregisterResource(ctx Ctx, r Resource) Code
	// Map and unmap act on all resources or on none; rs is not kept.
	GraphicsMapResources(ctx Ctx, rs []Resource, s Stream) Code
	GraphicsUnmapResources(ctx Ctx, rs []Resource, s Stream) Code
	GraphicsResourceGetMappedPointer(ctx Ctx, r Resource) (DevicePtr, int, Code)

	// Images: where Properties.NoImages is set these answer NotSupported.
	// GraphicsGLRegisterImage takes a GL that is a TextureGL.
	GraphicsGLRegisterImage(ctx Ctx, gl GL, name, target uint32, f ImageFlags) (Resource, Code)
	GraphicsSubResourceGetMappedArray(ctx Ctx, r Resource, layer, level int) (Array, Code)
	Array3DCreate(ctx Ctx, d ArrayDesc) (Array, Code)
	Array3DGetDescriptor(ctx Ctx, a Array) (ArrayDesc, Code)
	ArrayDestroy(ctx Ctx, a Array) Code
	SurfObjectCreate(ctx Ctx, a Array) (Surface, Code)
	SurfObjectDestroy(ctx Ctx, s Surface) Code
	Memcpy3DAsync(ctx Ctx, c Copy3D, s Stream) Code
}

// GL is what interop needs of OpenGL. Whoever owns the OpenGL context hands it
// in. All methods are called on the context's thread, with it current (but for
// CurrentContext, which asks).
type GL interface {
	CurrentContext() uintptr // 0: none current on this thread; cheap
	Describe() (vendor, renderer, version string)
	// BufferInfo: ok is false when name is no buffer object. immutable means
	// that glBufferStorage made its storage.
	BufferInfo(name uint32) (size int, immutable, ok bool)
	MapBuffer(name uint32, size int, read, write, discard bool) unsafe.Pointer // nil: refused
	UnmapBuffer(name uint32) bool                                              // false: the contents were lost
	ReadBuffer(name uint32, dst unsafe.Pointer, size int)                      // glGetNamedBufferSubData
	WriteBuffer(name uint32, src unsafe.Pointer, size int)                     // glNamedBufferSubData
}
