//go:build linux && cgo

/* SPDX-License-Identifier: Apache-2.0 */

#define _GNU_SOURCE
#include "cu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *cu_open(const char *path, char *err, size_t n)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!h)
		snprintf(err, n, "%s", dlerror());
	return h;
}

void cu_close(void *handle) { dlclose(handle); }

static void note(char *list, size_t n, const char *name)
{
	size_t used = strlen(list);
	snprintf(list + used, n - used, "%s%s", used ? " " : "", name);
}

int cu_load(cu_lib *l, void *handle, char *required, char *gl, char *images, size_t n)
{
	int missing = 0;
	required[0] = gl[0] = images[0] = 0;
	/* ISO C has no conversion from void * to a function pointer; POSIX's way. */
#define FIND(name) *(void **)(&l->name) = dlsym(handle, #name)
#define X(name, args) \
	FIND(name); \
	if (!l->name) { \
		note(required, n, #name); \
		missing++; \
	}
	CU_REQUIRED(X)
#undef X
#define X(name, args) \
	FIND(name); \
	if (!l->name) \
		note(gl, n, #name);
	CU_GL(X)
#undef X
#define X(name, args) \
	FIND(name); \
	if (!l->name) \
		note(images, n, #name);
	CU_IMAGES(X)
#undef X
#define X(name, args) FIND(name);
	CU_OPTIONAL(X)
#undef X
	return missing;
}

/* Calls without a context. */

int cu_init(cu_lib *l) { return l->cuInit(0); }

cu_ints cu_version(cu_lib *l)
{
	cu_ints v = {0};
	v.r = l->cuDriverGetVersion(&v.a);
	return v;
}

const char *cu_name(cu_lib *l, int code)
{
	const char *s = NULL;
	return l->cuGetErrorName(code, &s) == 0 && s ? s : "";
}

const char *cu_text(cu_lib *l, int code)
{
	const char *s = NULL;
	return l->cuGetErrorString(code, &s) == 0 && s ? s : "";
}

cu_ints cu_count(cu_lib *l)
{
	cu_ints v = {0};
	v.r = l->cuDeviceGetCount(&v.a);
	return v;
}

cu_ints cu_device(cu_lib *l, int ordinal)
{
	cu_ints v = {0};
	v.r = l->cuDeviceGet(&v.a, ordinal);
	return v;
}

int cu_device_name(cu_lib *l, int dev, char *name, int n) { return l->cuDeviceGetName(name, n, dev); }

int cu_uuid(cu_lib *l, int dev, char *uuid)
{
	return l->cuDeviceGetUuid_v2 ? l->cuDeviceGetUuid_v2(uuid, dev) : l->cuDeviceGetUuid(uuid, dev);
}

cu_ints cu_attribute(cu_lib *l, int attr, int dev)
{
	cu_ints v = {0};
	v.r = l->cuDeviceGetAttribute(&v.a, attr, dev);
	return v;
}

cu_u64s cu_total(cu_lib *l, int dev)
{
	size_t n = 0;
	cu_u64s v = {0};
	v.r = l->cuDeviceTotalMem_v2(&n, dev);
	v.a = n;
	return v;
}

cu_u64s cu_retain(cu_lib *l, int dev)
{
	enum { CU_CTX_SCHED_BLOCKING_SYNC = 4 };
	uintptr_t ctx = 0;
	cu_u64s v = {0};
	/* Waiting should sleep, not spin a core. Another user of the primary
	 * context may have set its own way: the answer is of no account. */
	if (l->cuDevicePrimaryCtxSetFlags_v2)
		(void)l->cuDevicePrimaryCtxSetFlags_v2(dev, CU_CTX_SCHED_BLOCKING_SYNC);
	v.r = l->cuDevicePrimaryCtxRetain(&ctx, dev);
	v.a = ctx;
	return v;
}

int cu_release(cu_lib *l, int dev) { return l->cuDevicePrimaryCtxRelease_v2(dev); }

/* Calls in a context: pushed before and popped after, so that the thread's own
 * current context stays as it was. */

/* The call's own result counts, also should the pop fail: what it made is there
 * and must not be lost. */
static inline int pop(cu_lib *l, int r)
{
	uintptr_t old;
	(void)l->cuCtxPopCurrent_v2(&old);
	return r;
}

#define WITH(call) \
	do { \
		int push_ = l->cuCtxPushCurrent_v2(ctx); \
		return push_ ? push_ : pop(l, (call)); \
	} while (0)

#define WITH_INTO(result, call) \
	do { \
		result = l->cuCtxPushCurrent_v2(ctx); \
		if (!result) \
			result = pop(l, (call)); \
	} while (0)

int cu_ctx_sync(cu_lib *l, uintptr_t ctx) { WITH(l->cuCtxSynchronize()); }

cu_ints cu_priorities(cu_lib *l, uintptr_t ctx)
{
	cu_ints v = {0};
	WITH_INTO(v.r, l->cuCtxGetStreamPriorityRange(&v.a, &v.b));
	return v;
}

cu_u64s cu_mem_info(cu_lib *l, uintptr_t ctx)
{
	size_t a = 0, b = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuMemGetInfo_v2(&a, &b));
	v.a = a, v.b = b;
	return v;
}

cu_u64s cu_alloc(cu_lib *l, uintptr_t ctx, size_t n)
{
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuMemAlloc_v2(&v.a, n));
	return v;
}

int cu_free(cu_lib *l, uintptr_t ctx, uint64_t p) { WITH(l->cuMemFree_v2(p)); }

cu_u64s cu_host_alloc(cu_lib *l, uintptr_t ctx, size_t n)
{
	enum { CU_MEMHOSTALLOC_PORTABLE = 1 };
	void *p = NULL;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuMemHostAlloc(&p, n, CU_MEMHOSTALLOC_PORTABLE));
	v.a = (uintptr_t)p;
	return v;
}

int cu_host_free(cu_lib *l, uintptr_t ctx, uintptr_t p) { WITH(l->cuMemFreeHost((void *)p)); }

int cu_htod(cu_lib *l, uintptr_t ctx, uint64_t d, uintptr_t s, size_t n, uintptr_t st)
{
	WITH(l->cuMemcpyHtoDAsync_v2(d, (const void *)s, n, st));
}

int cu_dtoh(cu_lib *l, uintptr_t ctx, uintptr_t d, uint64_t s, size_t n, uintptr_t st)
{
	WITH(l->cuMemcpyDtoHAsync_v2((void *)d, s, n, st));
}

int cu_dtod(cu_lib *l, uintptr_t ctx, uint64_t d, uint64_t s, size_t n, uintptr_t st)
{
	WITH(l->cuMemcpyDtoDAsync_v2(d, s, n, st));
}

int cu_memset(cu_lib *l, uintptr_t ctx, uint64_t d, unsigned v, int width, size_t count, uintptr_t st)
{
	switch (width) {
	case 1:
		WITH(l->cuMemsetD8Async(d, (unsigned char)v, count, st));
	case 2:
		WITH(l->cuMemsetD16Async(d, (unsigned short)v, count, st));
	default:
		WITH(l->cuMemsetD32Async(d, v, count, st));
	}
}

cu_u64s cu_stream(cu_lib *l, uintptr_t ctx, int priority)
{
	enum { CU_STREAM_NON_BLOCKING = 1 };
	uintptr_t s = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, priority));
	v.a = s;
	return v;
}

int cu_stream_destroy(cu_lib *l, uintptr_t ctx, uintptr_t s) { WITH(l->cuStreamDestroy_v2(s)); }
int cu_stream_query(cu_lib *l, uintptr_t ctx, uintptr_t s) { WITH(l->cuStreamQuery(s)); }
int cu_stream_sync(cu_lib *l, uintptr_t ctx, uintptr_t s) { WITH(l->cuStreamSynchronize(s)); }
int cu_stream_wait(cu_lib *l, uintptr_t ctx, uintptr_t s, uintptr_t e) { WITH(l->cuStreamWaitEvent(s, e, 0)); }

cu_u64s cu_event(cu_lib *l, uintptr_t ctx, unsigned flags)
{
	uintptr_t e = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuEventCreate(&e, flags));
	v.a = e;
	return v;
}

int cu_event_destroy(cu_lib *l, uintptr_t ctx, uintptr_t e) { WITH(l->cuEventDestroy_v2(e)); }
int cu_event_record(cu_lib *l, uintptr_t ctx, uintptr_t e, uintptr_t s) { WITH(l->cuEventRecord(e, s)); }
int cu_event_query(cu_lib *l, uintptr_t ctx, uintptr_t e) { WITH(l->cuEventQuery(e)); }
int cu_event_sync(cu_lib *l, uintptr_t ctx, uintptr_t e) { WITH(l->cuEventSynchronize(e)); }

cu_float cu_elapsed(cu_lib *l, uintptr_t ctx, uintptr_t from, uintptr_t to)
{
	cu_float v = {0};
	WITH_INTO(v.r, l->cuEventElapsedTime(&v.ms, from, to));
	return v;
}

cu_u64s cu_module(cu_lib *l, uintptr_t ctx, const char *ptx, char *log, unsigned n)
{
	enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };
	int keys[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)n};
	uintptr_t m = 0;
	cu_u64s v = {0};
	log[0] = 0;
	WITH_INTO(v.r, l->cuModuleLoadDataEx(&m, ptx, 2, keys, values));
	log[n - 1] = 0;
	v.a = m;
	return v;
}

int cu_module_unload(cu_lib *l, uintptr_t ctx, uintptr_t m) { WITH(l->cuModuleUnload(m)); }

cu_u64s cu_function(cu_lib *l, uintptr_t ctx, uintptr_t m, const char *name)
{
	uintptr_t f = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuModuleGetFunction(&f, m, name));
	v.a = f;
	return v;
}

size_t cu_param_size(cu_lib *l, uintptr_t ctx, uintptr_t f)
{
	size_t off = 0, size = 0;
	int r;
	if (!l->cuFuncGetParamInfo)
		return 0;
	WITH_INTO(r, l->cuFuncGetParamInfo(f, 0, &off, &size));
	return r ? 0 : size;
}

int cu_launch(cu_lib *l, uintptr_t ctx, uintptr_t f, unsigned grid, unsigned block, unsigned shared, uintptr_t st, void *params)
{
	void *args[] = {params}; /* the driver copies what it points to */
	WITH(l->cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, st, args, NULL));
}

cu_ints cu_gl_devices(cu_lib *l, uintptr_t ctx, int *devs, unsigned n)
{
	enum { CU_GL_DEVICE_LIST_ALL = 1 };
	unsigned count = 0;
	cu_ints v = {0};
	if (ctx)
		WITH_INTO(v.r, l->cuGLGetDevices_v2(&count, devs, n, CU_GL_DEVICE_LIST_ALL));
	else
		v.r = l->cuGLGetDevices_v2(&count, devs, n, CU_GL_DEVICE_LIST_ALL);
	v.a = (int)count;
	return v;
}

cu_u64s cu_gl_register(cu_lib *l, uintptr_t ctx, unsigned name, unsigned flags)
{
	uintptr_t r = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuGraphicsGLRegisterBuffer(&r, name, flags));
	v.a = r;
	return v;
}

int cu_gl_unregister(cu_lib *l, uintptr_t ctx, uintptr_t r) { WITH(l->cuGraphicsUnregisterResource(r)); }

int cu_gl_map(cu_lib *l, uintptr_t ctx, uintptr_t *rs, unsigned n, uintptr_t st)
{
	WITH(l->cuGraphicsMapResources(n, rs, st));
}

int cu_gl_unmap(cu_lib *l, uintptr_t ctx, uintptr_t *rs, unsigned n, uintptr_t st)
{
	WITH(l->cuGraphicsUnmapResources(n, rs, st));
}

cu_u64s cu_gl_pointer(cu_lib *l, uintptr_t ctx, uintptr_t r)
{
	size_t n = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuGraphicsResourceGetMappedPointer_v2(&v.a, &n, r));
	v.b = n;
	return v;
}

/* Images. */

_Static_assert(sizeof(cu_array_desc) == 40 && sizeof(cu_resource_desc) == 144 && sizeof(cu_copy3d) == 200, "as in cuda.h");

cu_u64s cu_gl_register_image(cu_lib *l, uintptr_t ctx, unsigned name, unsigned target, unsigned flags)
{
	uintptr_t r = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuGraphicsGLRegisterImage(&r, name, target, flags));
	v.a = r;
	return v;
}

cu_u64s cu_gl_array(cu_lib *l, uintptr_t ctx, uintptr_t r, unsigned layer, unsigned level)
{
	uintptr_t a = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuGraphicsSubResourceGetMappedArray(&a, r, layer, level));
	v.a = a;
	return v;
}

cu_u64s cu_array(cu_lib *l, uintptr_t ctx, size_t w, size_t h, size_t d, int format, unsigned channels, int surface)
{
	enum { CUDA_ARRAY3D_SURFACE_LDST = 2 };
	cu_array_desc desc = {w, h, d, format, channels, surface ? CUDA_ARRAY3D_SURFACE_LDST : 0};
	uintptr_t a = 0;
	cu_u64s v = {0};
	WITH_INTO(v.r, l->cuArray3DCreate_v2(&a, &desc));
	v.a = a;
	return v;
}

cu_desc cu_array_descriptor(cu_lib *l, uintptr_t ctx, uintptr_t a)
{
	cu_desc v = {0};
	WITH_INTO(v.r, l->cuArray3DGetDescriptor_v2(&v.d, a));
	return v;
}

int cu_array_destroy(cu_lib *l, uintptr_t ctx, uintptr_t a) { WITH(l->cuArrayDestroy(a)); }

cu_u64s cu_surface(cu_lib *l, uintptr_t ctx, uintptr_t a)
{
	cu_resource_desc desc = {0}; /* type 0: CU_RESOURCE_TYPE_ARRAY */
	cu_u64s v = {0};
	desc.res.array = a;
	WITH_INTO(v.r, l->cuSurfObjectCreate(&v.a, &desc));
	return v;
}

int cu_surface_destroy(cu_lib *l, uintptr_t ctx, uint64_t s) { WITH(l->cuSurfObjectDestroy(s)); }

int cu_copy_array(cu_lib *l, uintptr_t ctx, uintptr_t a, int to_array, uintptr_t host, uint64_t device,
		  size_t width_bytes, size_t height, size_t depth, uintptr_t st)
{
	enum { HOST = 1, DEVICE = 2, ARRAY = 3 }; /* CUmemorytype */
	cu_copy_end linear = {0}, array = {0};
	cu_copy3d c = {0};
	linear.type = host ? HOST : DEVICE;
	linear.host = (const void *)host;
	linear.device = device;
	linear.pitch = width_bytes;
	linear.height = height;
	array.type = ARRAY;
	array.array = a;
	c.src = to_array ? linear : array;
	c.dst = to_array ? array : linear;
	c.width_bytes = width_bytes, c.height = height, c.depth = depth;
	WITH(l->cuMemcpy3DAsync_v2(&c, st));
}
