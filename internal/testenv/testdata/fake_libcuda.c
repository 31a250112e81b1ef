/* SPDX-License-Identifier: Apache-2.0 */

/* A stand-in for libcuda.so.1, to try CUDA's failures where there is no NVIDIA
 * GPU. It computes nothing: kernels do nothing, device memory is heap. It keeps
 * the driver's rules by itself: 201 without a current context on this thread, a
 * stack of contexts a thread, 208 for mapping twice (all or none) and for
 * unregistering while mapped, 211 for unmapping what is not, 400 for unknown
 * handles, 2 out of memory.
 *
 *   cc -shared -fPIC -o libcuda.so.1 fake_libcuda.c
 *   LD_LIBRARY_PATH=<its folder> <program>
 *
 * -DNO_GL leaves out the OpenGL calls, -DNO_IMAGES those for textures, -DOLD what
 * an old driver lacks.
 * Environment, read at each call:
 *   FAKE_CU="cuInit=803,cuLaunchKernel=719@20"  fail, from the k-th call on
 *   FAKE_CU_LOG=file      a line a call, and a STATE line of what is not given back
 *                         when the last user releases a primary context
 *   FAKE_CU_DRIVER=12080  the version
 *   FAKE_CU_MEM=bytes     memory of each device
 *   FAKE_CU_DEVICES=n     number of devices
 *   FAKE_CU_CC=90         compute capability, times ten
 *   FAKE_CU_PARAM=bytes   size of every kernel's parameter struct
 *   FAKE_GL_DEVICE=i      the device that draws; -1: OpenGL is elsewhere
 *   FAKE_GL_SIZE=bytes    the size that every mapping is said to have
 *   FAKE_GL_NULL=1        registering succeeds with handle 0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int R;
typedef uintptr_t H;
#define F __attribute__((visibility("default"))) R

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static struct { char name[64]; int calls; } seen[128];

enum { MAXDEV = 8, MAXRES = 512 };
static struct { int retained; size_t used; } devs[MAXDEV];
static struct { int live, mapped; void *mem; int image; } res[MAXRES];
static long streams, events, modules, pinned, arrays, surfaces;

/* The textures that can be registered are all FAKE_GL_IMAGE: "64x32x1" of RGBA8. */
struct array { size_t w, h, d; int format; unsigned channels, flags; int owned; char *mem; };
static struct array glarray[MAXRES];

static __thread H stack[64];
static __thread int depth;

static long num(const char *name, long otherwise)
{
	char *e = getenv(name);
	return e && *e ? strtol(e, 0, 0) : otherwise;
}

static R gate(const char *fn)
{
	int k = 0;
	R r = 0;
	char *e, *l;
	pthread_mutex_lock(&mu);
	for (int i = 0; i < 128; i++) {
		if (!seen[i].name[0])
			snprintf(seen[i].name, sizeof seen[i].name, "%s", fn);
		if (!strcmp(seen[i].name, fn)) {
			k = ++seen[i].calls;
			break;
		}
	}
	if ((e = getenv("FAKE_CU"))) {
		char b[1024], *s, *t;
		snprintf(b, sizeof b, "%s", e);
		for (t = strtok_r(b, ",", &s); t; t = strtok_r(0, ",", &s)) {
			char name[64];
			int code = 0, from = 1;
			if (sscanf(t, " %63[^=]=%d@%d", name, &code, &from) >= 2 && !strcmp(name, fn) && k >= from)
				r = code;
		}
	}
	if ((l = getenv("FAKE_CU_LOG"))) {
		FILE *f = fopen(l, "a");
		if (f) {
			fprintf(f, "%ld %s #%d -> %d\n", (long)syscall(SYS_gettid), fn, k, r);
			fclose(f);
		}
	}
	pthread_mutex_unlock(&mu);
	return r;
}

#define G() do { R r_ = gate(__func__); if (r_) return r_; } while (0)
/* current: the number of the current context's device, from 1; 0 none. */
static H current(void) { return depth ? stack[depth - 1] : 0; }
#define C() do { G(); if (!current()) return 201; } while (0)

F cuInit(unsigned f) { G(); return f ? 1 : 0; }
F cuDriverGetVersion(int *v) { G(); *v = num("FAKE_CU_DRIVER", 13000); return 0; }

F cuGetErrorName(R c, const char **s)
{
	static const struct { int c; const char *s; } names[] = {
		{0, "CUDA_SUCCESS"}, {1, "CUDA_ERROR_INVALID_VALUE"}, {2, "CUDA_ERROR_OUT_OF_MEMORY"},
		{4, "CUDA_ERROR_DEINITIALIZED"}, {34, "CUDA_ERROR_STUB_LIBRARY"}, {100, "CUDA_ERROR_NO_DEVICE"},
		{101, "CUDA_ERROR_INVALID_DEVICE"}, {201, "CUDA_ERROR_INVALID_CONTEXT"}, {208, "CUDA_ERROR_ALREADY_MAPPED"},
		{211, "CUDA_ERROR_NOT_MAPPED"}, {219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"},
		{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"}, {304, "CUDA_ERROR_OPERATING_SYSTEM"},
		{400, "CUDA_ERROR_INVALID_HANDLE"}, {500, "CUDA_ERROR_NOT_FOUND"}, {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
		{719, "CUDA_ERROR_LAUNCH_FAILED"}, {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"}, {999, "CUDA_ERROR_UNKNOWN"},
	};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].c == c)
			return *s = names[i].s, 0;
	return *s = 0, 1;
}

F cuGetErrorString(R c, const char **s)
{
	static __thread char b[48];
	snprintf(b, sizeof b, "stand-in text of %d", c);
	return *s = b, 0;
}

static int count(void) { long n = num("FAKE_CU_DEVICES", 1); return n > MAXDEV ? MAXDEV : n; }
#define D(d) do { if ((d) < 0 || (d) >= count()) return 101; } while (0)
static size_t total(void) { return num("FAKE_CU_MEM", 1L << 30); }

F cuDeviceGetCount(int *n) { G(); *n = count(); return 0; }
F cuDeviceGet(int *d, int i) { G(); D(i); *d = i; return 0; }
F cuDeviceGetName(char *s, int n, int d) { G(); D(d); snprintf(s, n, "Stand-in GPU %d", d); return 0; }
F cuDeviceGetUuid(char *u, int d) { G(); D(d); memset(u, 7 + d, 16); return 0; }
F cuDeviceTotalMem_v2(size_t *b, int d) { G(); D(d); *b = total(); return 0; }
F cuDeviceGetAttribute(int *v, int a, int d)
{
	G();
	D(d);
	long cc = num("FAKE_CU_CC", 90);
	*v = a == 75 ? cc / 10 : a == 76 ? cc % 10 : a == 1 ? 1024 : a == 16 ? 4 : 0;
	return 0;
}

/* state writes what has not been given back. It is called at the last release of
 * a primary context, not at exit: Go programs leave without running destructors. */
static void state(void)
{
	char *l = getenv("FAKE_CU_LOG");
	FILE *f = l ? fopen(l, "a") : 0;
	int contexts = 0, live = 0, mapped = 0;
	size_t bytes = 0;
	if (!f)
		return;
	for (int i = 0; i < MAXDEV; i++)
		contexts += devs[i].retained, bytes += devs[i].used;
	for (int i = 0; i < MAXRES; i++)
		live += res[i].live, mapped += res[i].mapped;
	fprintf(f, "STATE contexts=%d bytes=%zu pinned=%ld registered=%d mapped=%d streams=%ld events=%ld modules=%ld",
		contexts, bytes, pinned, live, mapped, streams, events, modules);
	if (arrays || surfaces)
		fprintf(f, " arrays=%ld surfaces=%ld", arrays, surfaces);
	fputs("\n", f);
	fclose(f);
}

F cuDevicePrimaryCtxSetFlags_v2(int d, unsigned f) { G(); D(d); (void)f; return 0; }
F cuDevicePrimaryCtxRetain(H *c, int d) { G(); D(d); devs[d].retained++; *c = d + 1; return 0; }
F cuDevicePrimaryCtxRelease_v2(int d)
{
	G();
	D(d);
	if (!devs[d].retained)
		return 201;
	if (!--devs[d].retained)
		state();
	return 0;
}
F cuCtxPushCurrent_v2(H c)
{
	G();
	if (c < 1 || c > MAXDEV || !devs[c - 1].retained || depth == 64)
		return 201;
	stack[depth++] = c;
	return 0;
}
F cuCtxPopCurrent_v2(H *c) { G(); if (!depth) return 201; *c = stack[--depth]; return 0; }
F cuCtxGetCurrent(H *c) { G(); *c = current(); return 0; }
F cuCtxSynchronize(void) { C(); return 0; }
F cuCtxGetStreamPriorityRange(int *l, int *g) { C(); *l = 0; *g = -5; return 0; }

F cuMemGetInfo_v2(size_t *f, size_t *t) { C(); *t = total(); *f = *t - devs[current() - 1].used; return 0; }
F cuMemAlloc_v2(uint64_t *p, size_t n)
{
	C();
	size_t *used = &devs[current() - 1].used;
	if (!n)
		return 1;
	if (n > total() - *used)
		return 2;
	size_t *q = calloc(1, n + 16);
	if (!q)
		return 2;
	q[0] = n;
	*used += n;
	*p = (uint64_t)(uintptr_t)(q + 2);
	return 0;
}
F cuMemFree_v2(uint64_t p)
{
	C();
	if (p) {
		size_t *q = (size_t *)(uintptr_t)p - 2;
		devs[current() - 1].used -= q[0];
		free(q);
	}
	return 0;
}
F cuMemHostAlloc(void **p, size_t n, unsigned f) { C(); (void)f; pinned++; *p = calloc(1, n); return *p ? 0 : 2; }
F cuMemFreeHost(void *p) { C(); pinned--; free(p); return 0; }
#define P(x) ((void *)(uintptr_t)(x))
F cuMemcpyHtoDAsync_v2(uint64_t d, const void *s, size_t n, H st) { C(); if (!st) return 400; memcpy(P(d), s, n); return 0; }
F cuMemcpyDtoHAsync_v2(void *d, uint64_t s, size_t n, H st) { C(); if (!st) return 400; memcpy(d, P(s), n); return 0; }
F cuMemcpyDtoDAsync_v2(uint64_t d, uint64_t s, size_t n, H st) { C(); if (!st) return 400; memmove(P(d), P(s), n); return 0; }
#define FILL(type) C(); if (!st) return 400; for (size_t i = 0; i < n; i++) ((type *)P(d))[i] = v; return 0;
F cuMemsetD8Async(uint64_t d, unsigned char v, size_t n, H st) { FILL(unsigned char) }
F cuMemsetD16Async(uint64_t d, unsigned short v, size_t n, H st) { FILL(unsigned short) }
F cuMemsetD32Async(uint64_t d, unsigned v, size_t n, H st) { FILL(unsigned) }

#ifndef OLD
F cuStreamCreateWithPriority(H *s, unsigned f, int p) { C(); (void)p; if (f != 1) return 1; streams++; *s = (H)malloc(8); return 0; }
F cuStreamWaitEvent(H s, H e, unsigned f) { C(); (void)f; return s && e ? 0 : 400; }
#endif
F cuStreamDestroy_v2(H s) { C(); if (!s) return 400; streams--; free((void *)s); return 0; }
F cuStreamQuery(H s) { C(); return s ? 0 : 400; }
F cuStreamSynchronize(H s) { C(); return s ? 0 : 400; }
F cuEventCreate(H *e, unsigned f) { C(); (void)f; events++; *e = (H)malloc(8); return 0; }
F cuEventDestroy_v2(H e) { C(); events--; free((void *)e); return 0; }
F cuEventRecord(H e, H s) { C(); return e && s ? 0 : 400; }
F cuEventQuery(H e) { C(); return e ? 0 : 400; }
F cuEventSynchronize(H e) { C(); return e ? 0 : 400; }
F cuEventElapsedTime(float *ms, H a, H b) { C(); if (!a || !b) return 400; *ms = 0.25f; return 0; }

F cuModuleLoadDataEx(H *m, const void *ptx, unsigned n, int *keys, void **values)
{
	R r = gate(__func__);
	if (!current())
		return 201;
	if (!r && !strstr(ptx, ".version"))
		r = 218;
	if (r) {
		for (unsigned i = 0; i < n; i++)
			if (keys[i] == 5)
				strcpy(values[i], "ptxas application ptx input, line 1; fatal : stand-in refuses");
		return r;
	}
	modules++;
	*m = (H)malloc(8);
	return 0;
}
F cuModuleUnload(H m) { C(); if (!m) return 400; modules--; free((void *)m); return 0; }
static int copies;
F cuModuleGetFunction(H *f, H m, const char *name)
{
	C();
	copies = !strncmp(name, "copy", 4);
	*f = m;
	return strncmp(name, "no_", 3) ? 0 : 500;
}
F cuFuncGetParamInfo(H f, size_t i, size_t *off, size_t *size)
{
	C();
	*size = num("FAKE_CU_PARAM", 0);
	*off = 0;
	return f && i == 0 && *size ? 0 : 1;
}
F cuLaunchKernel(H f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
		 unsigned shared, H st, void **params, void **extra)
{
	C();
	(void)shared, (void)extra;
	if (!f || !st)
		return 400;
	if (!gx || !gy || !gz || !bx || !by || !bz || gx > 2147483647u || gy > 65535 || bx * by * bz > 1024 || !params || !params[0])
		return 1;
	/* Kernels called "copy..." copy their parameters, {address, size, bytes...},
	 * to that address, so that a test can see what arrives. */
	if (copies) {
		uint64_t *p = params[0];
		memcpy(P(p[0]), p, p[1]);
	}
	return 0;
}

#ifndef NO_GL
F cuGLGetDevices_v2(unsigned *n, int *d, unsigned most, unsigned list)
{
	G();
	long gl = num("FAKE_GL_DEVICE", 0);
	if (list != 1)
		return 1;
	if (gl < 0)
		return 100;
	*n = 1;
	if (most)
		d[0] = gl;
	return 0;
}
F cuGraphicsGLRegisterBuffer(H *r, unsigned name, unsigned flags)
{
	C();
	if (flags > 2)
		return 1;
	if (!name)
		return 400;
	if ((long)current() - 1 != num("FAKE_GL_DEVICE", 0))
		return 101;
	if (num("FAKE_GL_NULL", 0))
		return *r = 0, 0;
	for (int i = 1; i < MAXRES; i++)
		if (!res[i].live) {
			res[i].live = 1;
			res[i].mapped = 0;
			res[i].image = 0;
			res[i].mem = calloc(1, 64 << 20);
			*r = i;
			return 0;
		}
	return 2;
}
static int known(H h) { return h > 0 && h < MAXRES && res[h].live; }
F cuGraphicsUnregisterResource(H h)
{
	C();
	if (!known(h))
		return 400;
	if (res[h].mapped)
		return 208;
	res[h].live = 0;
	free(res[h].mem);
	return 0;
}
static R all(unsigned n, H *hs, int from, R wrong)
{
	for (unsigned i = 0; i < n; i++) {
		R r = !known(hs[i]) ? 400 : res[hs[i]].mapped != from ? wrong : 0;
		if (r) {
			while (i--)
				res[hs[i]].mapped = from;
			return r;
		}
		res[hs[i]].mapped = !from;
	}
	return 0;
}
F cuGraphicsMapResources(unsigned n, H *hs, H s) { C(); return s ? all(n, hs, 0, 208) : 400; }
F cuGraphicsUnmapResources(unsigned n, H *hs, H s) { C(); return s ? all(n, hs, 1, 211) : 400; }
F cuGraphicsResourceGetMappedPointer_v2(uint64_t *p, size_t *n, H h)
{
	C();
	if (!known(h))
		return 400;
	if (!res[h].mapped)
		return 211;
	if (res[h].image)
		return 213;
	*p = (uint64_t)(uintptr_t)res[h].mem;
	*n = num("FAKE_GL_SIZE", 64 << 20);
	return 0;
}

#ifndef NO_IMAGES
F cuGraphicsGLRegisterImage(H *r, unsigned name, unsigned target, unsigned flags)
{
	C();
	if ((flags & ~15u) || (flags & 3) == 3)
		return 1;
	if (target != 0x0DE1 && target != 0x806F && target != 0x84F5 && target != 0x8513 && target != 0x8C1A)
		return 1;
	if (!name)
		return 400;
	if ((long)current() - 1 != num("FAKE_GL_DEVICE", 0))
		return 101;
	if (num("FAKE_GL_NULL", 0))
		return *r = 0, 0;
	for (int i = 1; i < MAXRES; i++)
		if (!res[i].live) {
			unsigned w = 64, h = 32, d = 0;
			char *e = getenv("FAKE_GL_IMAGE");
			if (e)
				sscanf(e, "%ux%ux%u", &w, &h, &d);
			res[i].live = 1;
			res[i].mapped = 0;
			res[i].image = 1;
			res[i].mem = calloc(1, (size_t)w * h * (d ? d : 1) * 4);
			glarray[i] = (struct array){w, h, d, 1, 4, flags & 4 ? 2 : 0, 0, res[i].mem};
			*r = i;
			return 0;
		}
	return 2;
}
F cuGraphicsSubResourceGetMappedArray(H *a, H h, unsigned layer, unsigned level)
{
	C();
	if (!known(h))
		return 400;
	if (!res[h].image)
		return 212;
	if (!res[h].mapped)
		return 211;
	if (layer > 5 || level)
		return 1;
	*a = (H)&glarray[h];
	return 0;
}
struct desc { size_t w, h, d; int format; unsigned channels, flags; };
static size_t bytes(const struct array *a)
{
	size_t n = a->format == 1 || a->format == 8 ? 1 : a->format == 3 || a->format == 10 || a->format == 32 ? 4 : 2;
	return a->w * n * a->channels * (a->h ? a->h : 1) * (a->d ? a->d : 1);
}
F cuArray3DCreate_v2(H *out, const struct desc *d)
{
	C();
	if (!d->w || !d->channels || d->channels == 3 || d->channels > 4)
		return 1;
	struct array *a = calloc(1, sizeof *a);
	*a = (struct array){d->w, d->h, d->d, d->format, d->channels, d->flags, 1, 0};
	a->mem = calloc(1, bytes(a));
	arrays++;
	*out = (H)a;
	return 0;
}
F cuArray3DGetDescriptor_v2(struct desc *d, H h)
{
	C();
	struct array *a = (struct array *)h;
	if (!a)
		return 400;
	*d = (struct desc){a->w, a->h, a->d, a->format, a->channels, a->flags};
	return 0;
}
F cuArrayDestroy(H h)
{
	C();
	struct array *a = (struct array *)h;
	if (!a || !a->owned)
		return 400;
	free(a->mem);
	free(a);
	arrays--;
	return 0;
}
struct resource { int type; H array; };
F cuSurfObjectCreate(uint64_t *s, const struct resource *r)
{
	C();
	if (r->type || !r->array)
		return 1;
	if (!(((struct array *)r->array)->flags & 2))
		return 1;
	surfaces++;
	*s = (uint64_t)r->array;
	return 0;
}
F cuSurfObjectDestroy(uint64_t s) { C(); if (!s) return 400; surfaces--; return 0; }
struct end { size_t x, y, z, lod; int type; void *host; uint64_t device; H array; void *reserved; size_t pitch, height; };
struct copy { struct end src, dst; size_t w, h, d; };
static char *at(const struct end *e) { return e->type == 3 ? ((struct array *)e->array)->mem : e->type == 1 ? e->host : P(e->device); }
F cuMemcpy3DAsync_v2(const struct copy *c, H st)
{
	C();
	if (!st)
		return 400;
	const struct end *a = c->src.type == 3 ? &c->src : &c->dst, *l = c->src.type == 3 ? &c->dst : &c->src;
	if (a->type != 3 || l->type == 3 || l->pitch < c->w || l->height < c->h || c->w * c->h * c->d != bytes((struct array *)a->array))
		return 1;
	memmove(at(&c->dst), at(&c->src), c->w * c->h * c->d);
	return 0;
}
#endif
#endif
