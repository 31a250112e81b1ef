// SPDX-License-Identifier: Apache-2.0
//
// The lane type: what a kernel's arithmetic is written over. Under the CUDA compiler a lane is one float; under g++ it is a
// vector of PK_LANES floats (GCC vector extensions). Common subset of CUDA C++ (NVRTC, no standard headers) and C++17.
// Everything sits in an anonymous namespace: with ordinary templates the linker would keep one copy of a body for all
// instruction sets, and an old processor would run the newest one's.
#pragma once

typedef unsigned long long pk_ptr;  // a device address, 64 bits on every host

#ifdef __CUDACC__

#define PK_FN static __device__ __forceinline__
namespace {

typedef float F;
typedef int I;
typedef unsigned U;
typedef bool M;

PK_FN F sel(M m, F a, F b) { return m ? a : b; }
PK_FN U sel_bits(M m, U a, U b) { return m ? a : b; }
PK_FN bool any(M m) { return m; }
PK_FN bool all(M m) { return m; }
PK_FN I floor_to_int(F x) { return __float2int_rd(x); }
PK_FN F to_float(I x) { return __int2float_rn(x); }
PK_FN U bits(F x) { return __float_as_uint(x); }
PK_FN F from_bits(U x) { return __uint_as_float(x); }
PK_FN F square_root(F x) { return __fsqrt_rn(x); }
PK_FN F splat(float x) { return x; }
PK_FN U splat_bits(unsigned x) { return x; }

// At is the place of a thread in its launch.
struct At {
    unsigned i;
    __device__ __forceinline__ F load(const float* p) const { return p[i]; }
    __device__ __forceinline__ void store(float* p, F v) const { p[i] = v; }
    __device__ __forceinline__ U index() const { return i; }
    __device__ __forceinline__ M inside() const { return true; }
    __device__ __forceinline__ void record(float* p, F x, F y, F z, F s) const {
        ((float4*)p)[i] = make_float4(x, y, z, s);
    }
};

}  // namespace

// PK_KERNEL makes a kernel of an element-wise body: template <class A> void name##_body(const Params&, A). Every parameter
// struct says in its field n how many indices the launch has: the last block's other threads do nothing.
// Four blocks a multiprocessor leave 64 registers a thread, with which no kernel spills.
#define PK_KERNEL(name, Params)                                               \
    extern "C" __global__ void __launch_bounds__(256, 4) name(const Params p) { \
        unsigned i = blockIdx.x * 256u + threadIdx.x;                         \
        if (i < p.n) name##_body(p, At{i});                                   \
    }

// PK_BODIES declares a kernel whose shape differs between the two: a __global__ function of its own, and a PK_BODY.
#define PK_BODIES(name, Params)

#else  // the host

#include "lane_host.h"

#endif
