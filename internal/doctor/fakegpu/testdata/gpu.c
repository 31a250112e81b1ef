/* SPDX-License-Identifier: Apache-2.0 */

/* Put before the stand-in libcuda (which it is linked with), this makes a device
 * of it on which a round trip comes out right: it runs the kernel flow_publish,
 * and moves what was written into a mapped buffer to OpenGL when it is unmapped.
 * Environment:
 *   FAKE_HANG=call, FAKE_ABORT=call  never come back from it, or abort in it: one of
 *                                    those that this file defines
 *   FAKE_GARBAGE=1                   the kernel writes wrong values
 *   FAKE_LOST=1                      nothing is moved to OpenGL
 *   FAKE_WATCHDOG=1                  kernels have a time limit
 *   CUDA_VISIBLE_DEVICES             empty or -1 hides the device, as with the real one */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int R;
typedef uintptr_t H;

static int is(const char *variable, const char *value)
{
	char *e = getenv(variable);
	return e && !strcmp(e, value);
}

static void *next(const char *name)
{
	while (is("FAKE_HANG", name))
		sleep(1000);
	if (is("FAKE_ABORT", name))
		abort();
	return dlsym(RTLD_NEXT, name);
}
#define NEXT(...) ((R(*)(__VA_ARGS__))next(__func__))

R cuInit(unsigned flags)
{
	if (is("CUDA_VISIBLE_DEVICES", "") || is("CUDA_VISIBLE_DEVICES", "-1"))
		return 100;
	return NEXT(unsigned)(flags);
}

R cuDevicePrimaryCtxRetain(H *c, int dev) { return NEXT(H *, int)(c, dev); }
R cuModuleLoadDataEx(H *m, const void *ptx, unsigned n, int *keys, void **values)
{
	return NEXT(H *, const void *, unsigned, int *, void **)(m, ptx, n, keys, values);
}

R cuDeviceGetAttribute(int *v, int attribute, int dev)
{
	R r = NEXT(int *, int, int)(v, attribute, dev);
	if (!r && attribute == 17)
		*v = is("FAKE_WATCHDOG", "1");
	return r;
}

static int publishing;

R cuModuleGetFunction(H *f, H m, const char *name)
{
	publishing = !strcmp(name, "flow_publish");
	return NEXT(H *, H, const char *)(f, m, name);
}

R cuFuncGetParamInfo(H f, size_t i, size_t *offset, size_t *size)
{
	(void)f, (void)i, (void)offset, (void)size;
	return 1;
}

R cuLaunchKernel(H f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, H s, void **params, void **extra)
{
	struct { uint64_t state, stride, records; uint32_t n; float hidden; } *p = params[0];
	R r = NEXT(H, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, H, void **, void **)(f, gx, gy, gz, bx, by, bz, shared, s, params, extra);
	if (r || !publishing)
		return r;
	float *in = (float *)(uintptr_t)p->state, *out = (float *)(uintptr_t)p->records;
	for (uint32_t i = 0; i < p->n; i++, out += 4) {
		float v[6];
		for (int k = 0; k < 6; k++)
			v[k] = in[k * p->stride + i];
		out[0] = v[0], out[1] = v[1], out[2] = v[2];
		out[3] = sqrtf(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) + (is("FAKE_GARBAGE", "1") ? 1 : 0);
	}
	return 0;
}

static unsigned names[4096];

R cuGraphicsGLRegisterBuffer(H *res, unsigned name, unsigned flags)
{
	R r = NEXT(H *, unsigned, unsigned)(res, name, flags);
	if (!r && *res < 4096)
		names[*res] = name;
	return r;
}

R cuGraphicsMapResources(unsigned n, H *rs, H s) { return NEXT(unsigned, H *, H)(n, rs, s); }

R cuGraphicsUnmapResources(unsigned n, H *rs, H s)
{
	void *(*proc)(const char *) = dlsym(dlopen("libEGL.so.1", RTLD_NOW), "eglGetProcAddress");
	void (*size)(unsigned, unsigned, int64_t *) = proc("glGetNamedBufferParameteri64v");
	void (*put)(unsigned, intptr_t, intptr_t, const void *) = proc("glNamedBufferSubData");
	R (*pointer)(uint64_t *, size_t *, H) = next("cuGraphicsResourceGetMappedPointer_v2");
	for (unsigned i = 0; i < n && !is("FAKE_LOST", "1"); i++) {
		uint64_t p = 0;
		size_t mapped = 0;
		int64_t bytes = 0;
		if (rs[i] >= 4096 || pointer(&p, &mapped, rs[i]))
			continue;
		size(names[rs[i]], 0x8764, &bytes);
		put(names[rs[i]], 0, bytes, (void *)(uintptr_t)p);
	}
	return NEXT(unsigned, H *, H)(n, rs, s);
}
