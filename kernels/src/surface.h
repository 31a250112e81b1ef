// SPDX-License-Identifier: Apache-2.0
//
// Surfaces: texels of a mapped OpenGL texture, written by texel number (row by row). On CUDA a surface is a CUsurfObject; on
// the host the address of a HostSurface, whose Go twin is driver.HostSurface.
#pragma once
#include "lane.h"

typedef unsigned long long pk_surface;

#ifdef __CUDACC__

namespace {

PK_FN void surface_store(pk_ptr surface, unsigned width, At at, U texel) {
    surf2Dwrite(texel, (cudaSurfaceObject_t)surface, (int)(at.i % width) * 4, (int)(at.i / width));
}

}  // namespace

#else

struct HostSurface {
    char* texels;
    unsigned width, height, depth, texel;
    unsigned long long row_bytes, slice_size;
};

namespace {

PK_FN int lanes(const At&) { return PK_LANES; }
PK_FN int lanes(const Tail& at) { return at.n; }

template <class A>
PK_FN void surface_store(pk_ptr surface, unsigned width, A at, U texel) {
    const HostSurface* s = (const HostSurface*)surface;
    for (int l = 0; l < lanes(at); l++) {
        unsigned i = (unsigned)at.i + (unsigned)l, v = texel[l];
        __builtin_memcpy(s->texels + s->row_bytes * (i / width) + 4ull * (i % width), &v, sizeof v);
    }
}

}  // namespace

#endif
