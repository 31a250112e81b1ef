/* SPDX-License-Identifier: Apache-2.0 */

/* The CUDA driver API as far as this project needs it, called through pointers
 * found at run time: no CUDA header or library is needed to build. Signatures
 * are those of the CUDA Driver API reference; CUresult is int, handles are
 * uintptr_t so that Go keeps them as integers, CUdeviceptr is uint64_t.
 *
 * Symbols: the documented names are macros for versioned ones. Those listed here
 * are the versions with 64-bit sizes and no per-thread default stream (_ptsz). */
#ifndef PARTICLES_CU_H
#define PARTICLES_CU_H

#include <stddef.h>
#include <stdint.h>

/* CUDA_ARRAY3D_DESCRIPTOR, CUDA_RESOURCE_DESC and CUDA_MEMCPY3D of cuda.h, for
 * 64-bit systems. */
typedef struct {
	size_t width, height, depth;
	int format;
	unsigned channels, flags;
} cu_array_desc;

typedef struct {
	int type;
	union {
		uintptr_t array;
		int reserved[32];
	} res;
	unsigned flags;
} cu_resource_desc;

typedef struct {
	size_t x, y, z, lod;
	int type;
	const void *host;
	uint64_t device;
	uintptr_t array;
	void *reserved;
	size_t pitch, height;
} cu_copy_end;

typedef struct {
	cu_copy_end src, dst;
	size_t width_bytes, height, depth;
} cu_copy3d;

/* X(symbol, parameters): without these the driver is too old to be used. */
#define CU_REQUIRED(X) \
	X(cuInit, (unsigned)) \
	X(cuDriverGetVersion, (int *)) \
	X(cuGetErrorName, (int, const char **)) \
	X(cuGetErrorString, (int, const char **)) \
	X(cuDeviceGetCount, (int *)) \
	X(cuDeviceGet, (int *, int)) \
	X(cuDeviceGetName, (char *, int, int)) \
	X(cuDeviceGetAttribute, (int *, int, int)) \
	X(cuDeviceTotalMem_v2, (size_t *, int)) \
	X(cuDeviceGetUuid, (char *, int)) \
	X(cuDevicePrimaryCtxRetain, (uintptr_t *, int)) \
	X(cuDevicePrimaryCtxRelease_v2, (int)) \
	X(cuCtxPushCurrent_v2, (uintptr_t)) \
	X(cuCtxPopCurrent_v2, (uintptr_t *)) \
	X(cuCtxSynchronize, (void)) \
	X(cuCtxGetStreamPriorityRange, (int *, int *)) \
	X(cuMemGetInfo_v2, (size_t *, size_t *)) \
	X(cuMemAlloc_v2, (uint64_t *, size_t)) \
	X(cuMemFree_v2, (uint64_t)) \
	X(cuMemHostAlloc, (void **, size_t, unsigned)) \
	X(cuMemFreeHost, (void *)) \
	X(cuMemcpyHtoDAsync_v2, (uint64_t, const void *, size_t, uintptr_t)) \
	X(cuMemcpyDtoHAsync_v2, (void *, uint64_t, size_t, uintptr_t)) \
	X(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, uintptr_t)) \
	X(cuMemsetD8Async, (uint64_t, unsigned char, size_t, uintptr_t)) \
	X(cuMemsetD16Async, (uint64_t, unsigned short, size_t, uintptr_t)) \
	X(cuMemsetD32Async, (uint64_t, unsigned, size_t, uintptr_t)) \
	X(cuStreamCreateWithPriority, (uintptr_t *, unsigned, int)) \
	X(cuStreamDestroy_v2, (uintptr_t)) \
	X(cuStreamQuery, (uintptr_t)) \
	X(cuStreamSynchronize, (uintptr_t)) \
	X(cuStreamWaitEvent, (uintptr_t, uintptr_t, unsigned)) \
	X(cuEventCreate, (uintptr_t *, unsigned)) \
	X(cuEventDestroy_v2, (uintptr_t)) \
	X(cuEventRecord, (uintptr_t, uintptr_t)) \
	X(cuEventQuery, (uintptr_t)) \
	X(cuEventSynchronize, (uintptr_t)) \
	X(cuEventElapsedTime, (float *, uintptr_t, uintptr_t)) \
	X(cuModuleLoadDataEx, (uintptr_t *, const void *, unsigned, int *, void **)) \
	X(cuModuleUnload, (uintptr_t)) \
	X(cuModuleGetFunction, (uintptr_t *, uintptr_t, const char *)) \
	X(cuLaunchKernel, (uintptr_t, unsigned, unsigned, unsigned, unsigned, unsigned, \
			   unsigned, unsigned, uintptr_t, void **, void **))

/* Without these only the copied tier is left. */
#define CU_GL(X) \
	X(cuGLGetDevices_v2, (unsigned *, int *, unsigned, unsigned)) \
	X(cuGraphicsGLRegisterBuffer, (uintptr_t *, unsigned, unsigned)) \
	X(cuGraphicsUnregisterResource, (uintptr_t)) \
	X(cuGraphicsMapResources, (unsigned, uintptr_t *, uintptr_t)) \
	X(cuGraphicsUnmapResources, (unsigned, uintptr_t *, uintptr_t)) \
	X(cuGraphicsResourceGetMappedPointer_v2, (uint64_t *, size_t *, uintptr_t))

/* Without these there are buffers only, no images. */
#define CU_IMAGES(X) \
	X(cuGraphicsGLRegisterImage, (uintptr_t *, unsigned, unsigned, unsigned)) \
	X(cuGraphicsSubResourceGetMappedArray, (uintptr_t *, uintptr_t, unsigned, unsigned)) \
	X(cuArray3DCreate_v2, (uintptr_t *, const cu_array_desc *)) \
	X(cuArray3DGetDescriptor_v2, (cu_array_desc *, uintptr_t)) \
	X(cuArrayDestroy, (uintptr_t)) \
	X(cuSurfObjectCreate, (uint64_t *, const cu_resource_desc *)) \
	X(cuSurfObjectDestroy, (uint64_t)) \
	X(cuMemcpy3DAsync_v2, (const cu_copy3d *, uintptr_t))

/* Better with these. */
#define CU_OPTIONAL(X) \
	X(cuDeviceGetUuid_v2, (char *, int)) \
	X(cuDevicePrimaryCtxSetFlags_v2, (int, unsigned)) \
	X(cuFuncGetParamInfo, (uintptr_t, size_t, size_t *, size_t *))

typedef struct cu_lib {
#define X(name, args) int (*name) args;
	CU_REQUIRED(X)
	CU_GL(X)
	CU_IMAGES(X)
	CU_OPTIONAL(X)
#undef X
} cu_lib;

/* Results that come with a value are returned by value, so that no pointer to
 * Go memory is needed. r is the CUresult. */
typedef struct { int r, a, b; } cu_ints;
typedef struct { int r; uint64_t a, b; } cu_u64s;
typedef struct { int r; float ms; } cu_float;

/* cu_open answers NULL and writes the loader's message to err. */
void *cu_open(const char *path, char *err, size_t n);
/* cu_load fills the table. It writes the names of missing symbols, divided by
 * spaces, and returns the number of missing required ones. */
int cu_load(cu_lib *l, void *handle, char *required, char *gl, char *images, size_t n);
void cu_close(void *handle);

int cu_init(cu_lib *l);
cu_ints cu_version(cu_lib *l);
const char *cu_name(cu_lib *l, int code);
const char *cu_text(cu_lib *l, int code);
cu_ints cu_count(cu_lib *l);
cu_ints cu_device(cu_lib *l, int ordinal);
int cu_device_name(cu_lib *l, int dev, char *name, int n);
int cu_uuid(cu_lib *l, int dev, char *uuid);
cu_ints cu_attribute(cu_lib *l, int attr, int dev);
cu_u64s cu_total(cu_lib *l, int dev);
cu_u64s cu_retain(cu_lib *l, int dev);
int cu_release(cu_lib *l, int dev);
int cu_ctx_sync(cu_lib *l, uintptr_t ctx);
cu_ints cu_priorities(cu_lib *l, uintptr_t ctx);

cu_u64s cu_mem_info(cu_lib *l, uintptr_t ctx);
cu_u64s cu_alloc(cu_lib *l, uintptr_t ctx, size_t n);
int cu_free(cu_lib *l, uintptr_t ctx, uint64_t p);
cu_u64s cu_host_alloc(cu_lib *l, uintptr_t ctx, size_t n);
int cu_host_free(cu_lib *l, uintptr_t ctx, uintptr_t p);
int cu_htod(cu_lib *l, uintptr_t ctx, uint64_t d, uintptr_t s, size_t n, uintptr_t st);
int cu_dtoh(cu_lib *l, uintptr_t ctx, uintptr_t d, uint64_t s, size_t n, uintptr_t st);
int cu_dtod(cu_lib *l, uintptr_t ctx, uint64_t d, uint64_t s, size_t n, uintptr_t st);
int cu_memset(cu_lib *l, uintptr_t ctx, uint64_t d, unsigned v, int width, size_t count, uintptr_t st);

cu_u64s cu_stream(cu_lib *l, uintptr_t ctx, int priority);
int cu_stream_destroy(cu_lib *l, uintptr_t ctx, uintptr_t s);
int cu_stream_query(cu_lib *l, uintptr_t ctx, uintptr_t s);
int cu_stream_sync(cu_lib *l, uintptr_t ctx, uintptr_t s);
int cu_stream_wait(cu_lib *l, uintptr_t ctx, uintptr_t s, uintptr_t e);
cu_u64s cu_event(cu_lib *l, uintptr_t ctx, unsigned flags);
int cu_event_destroy(cu_lib *l, uintptr_t ctx, uintptr_t e);
int cu_event_record(cu_lib *l, uintptr_t ctx, uintptr_t e, uintptr_t s);
int cu_event_query(cu_lib *l, uintptr_t ctx, uintptr_t e);
int cu_event_sync(cu_lib *l, uintptr_t ctx, uintptr_t e);
cu_float cu_elapsed(cu_lib *l, uintptr_t ctx, uintptr_t from, uintptr_t to);

cu_u64s cu_module(cu_lib *l, uintptr_t ctx, const char *ptx, char *log, unsigned n);
int cu_module_unload(cu_lib *l, uintptr_t ctx, uintptr_t m);
cu_u64s cu_function(cu_lib *l, uintptr_t ctx, uintptr_t m, const char *name);
/* cu_param_size: the size of the function's first parameter, 0 if not known. */
size_t cu_param_size(cu_lib *l, uintptr_t ctx, uintptr_t f);
int cu_launch(cu_lib *l, uintptr_t ctx, uintptr_t f, unsigned grid, unsigned block, unsigned shared, uintptr_t st, void *params);

cu_ints cu_gl_devices(cu_lib *l, uintptr_t ctx, int *devs, unsigned n);
cu_u64s cu_gl_register(cu_lib *l, uintptr_t ctx, unsigned name, unsigned flags);
int cu_gl_unregister(cu_lib *l, uintptr_t ctx, uintptr_t r);
int cu_gl_map(cu_lib *l, uintptr_t ctx, uintptr_t *rs, unsigned n, uintptr_t st);
int cu_gl_unmap(cu_lib *l, uintptr_t ctx, uintptr_t *rs, unsigned n, uintptr_t st);
cu_u64s cu_gl_pointer(cu_lib *l, uintptr_t ctx, uintptr_t r);

/* Images. flags: CU_GRAPHICS_REGISTER_FLAGS. */
cu_u64s cu_gl_register_image(cu_lib *l, uintptr_t ctx, unsigned name, unsigned target, unsigned flags);
cu_u64s cu_gl_array(cu_lib *l, uintptr_t ctx, uintptr_t r, unsigned layer, unsigned level);
cu_u64s cu_array(cu_lib *l, uintptr_t ctx, size_t w, size_t h, size_t d, int format, unsigned channels, int surface);
typedef struct { int r; cu_array_desc d; } cu_desc;
cu_desc cu_array_descriptor(cu_lib *l, uintptr_t ctx, uintptr_t a);
int cu_array_destroy(cu_lib *l, uintptr_t ctx, uintptr_t a);
cu_u64s cu_surface(cu_lib *l, uintptr_t ctx, uintptr_t a);
int cu_surface_destroy(cu_lib *l, uintptr_t ctx, uint64_t s);
/* cu_copy_array: of host and device one is 0. */
int cu_copy_array(cu_lib *l, uintptr_t ctx, uintptr_t a, int to_array, uintptr_t host, uint64_t device,
		  size_t width_bytes, size_t height, size_t depth, uintptr_t st);

#endif
