// SPDX-License-Identifier: Apache-2.0
//
// The lane type on the host: PK_LANES floats in a GCC vector. Includes no C++ library header, so that nothing is shared between
// instruction sets.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define PK_FN static inline __attribute__((always_inline))
#define PK_MEMBER inline __attribute__((always_inline))
#define PK_WIDE __attribute__((vector_size(4 * PK_LANES)))

#include "work.h"

namespace {

typedef float F PK_WIDE;
typedef int I PK_WIDE;
typedef unsigned U PK_WIDE;
typedef int M PK_WIDE;  // all ones or zero in each lane, as comparisons give

static_assert(sizeof(float) == 4 && sizeof(pk_ptr) == 8 && sizeof(float*) == 8, "a 64-bit machine");

PK_FN F splat(float x) { return x - F{}; }
PK_FN U splat_bits(unsigned x) { return x | U{}; }
PK_FN F sel(M m, F a, F b) { return m ? a : b; }
PK_FN U sel_bits(M m, U a, U b) { return m ? a : b; }
PK_FN U bits(F x) { return (U)x; }
PK_FN F from_bits(U x) { return (F)x; }
PK_FN F to_float(I x) { return __builtin_convertvector(x, F); }

PK_FN bool any(M m) {
#if defined(__AVX2__) && PK_LANES == 8
    return _mm256_movemask_ps((__m256)m) != 0;
#elif defined(__SSE2__) && PK_LANES == 4
    return _mm_movemask_ps((__m128)m) != 0;
#else
    int r = 0;
    for (int l = 0; l < PK_LANES; l++) r |= m[l];
    return r != 0;
#endif
}

PK_FN bool all(M m) { return !any(~m); }

PK_FN F square_root(F x) {
#if defined(__AVX2__) && PK_LANES == 8
    return (F)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__) && PK_LANES == 4
    return (F)_mm_sqrt_ps((__m128)x);
#elif defined(__ARM_NEON) && PK_LANES == 4
    return (F)vsqrtq_f32((float32x4_t)x);
#else
#error "no square root for this lane type"
#endif
}

// Truncates; what does not fit an int gives some int, as the CUDA body does (not the same one).
PK_FN I truncate(F x) {
#if defined(__AVX2__) && PK_LANES == 8
    return (I)_mm256_cvttps_epi32((__m256)x);
#elif defined(__SSE2__) && PK_LANES == 4
    return (I)_mm_cvttps_epi32((__m128)x);
#elif defined(__ARM_NEON) && PK_LANES == 4
    return (I)vcvtq_s32_f32((float32x4_t)x);
#else
#error "no conversion for this lane type"
#endif
}

PK_FN I floor_to_int(F x) {
    I i = truncate(x);
    return i + (I)(to_float(i) > x);  // a true comparison is -1
}

PK_FN U iota() {
    U u;
    for (int l = 0; l < PK_LANES; l++) u[l] = (unsigned)l;
    return u;
}

// records stores the lanes' x, y, z, s one after the other: a 4 by 4 transposition.
PK_FN void records(float* p, F x, F y, F z, F s) {
#if defined(__AVX2__) && PK_LANES == 8
    __m256 xy0 = _mm256_unpacklo_ps((__m256)x, (__m256)y), xy1 = _mm256_unpackhi_ps((__m256)x, (__m256)y);
    __m256 zs0 = _mm256_unpacklo_ps((__m256)z, (__m256)s), zs1 = _mm256_unpackhi_ps((__m256)z, (__m256)s);
    __m256 r04 = _mm256_shuffle_ps(xy0, zs0, 0x44), r15 = _mm256_shuffle_ps(xy0, zs0, 0xee);
    __m256 r26 = _mm256_shuffle_ps(xy1, zs1, 0x44), r37 = _mm256_shuffle_ps(xy1, zs1, 0xee);
    _mm256_storeu_ps(p, _mm256_permute2f128_ps(r04, r15, 0x20));
    _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(r26, r37, 0x20));
    _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(r04, r15, 0x31));
    _mm256_storeu_ps(p + 24, _mm256_permute2f128_ps(r26, r37, 0x31));
#elif defined(__SSE2__) && PK_LANES == 4
    __m128 a = (__m128)x, b = (__m128)y, c = (__m128)z, d = (__m128)s;
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(p, a);
    _mm_storeu_ps(p + 4, b);
    _mm_storeu_ps(p + 8, c);
    _mm_storeu_ps(p + 12, d);
#else
    for (int l = 0; l < PK_LANES; l++) {
        p[4 * l] = x[l], p[4 * l + 1] = y[l], p[4 * l + 2] = z[l], p[4 * l + 3] = s[l];
    }
#endif
}

// At is a full vector's place in its launch: the first lane's index. Memory need not be aligned.
struct At {
    long long i;
    PK_MEMBER F load(const float* p) const {
        F v;
        __builtin_memcpy(&v, p + i, sizeof v);
        return v;
    }
    PK_MEMBER void store(float* p, F v) const { __builtin_memcpy(p + i, &v, sizeof v); }
    PK_MEMBER U index() const { return (unsigned)i + iota(); }
    PK_MEMBER M inside() const { return ~M{}; }
    PK_MEMBER void record(float* p, F x, F y, F z, F s) const { records(p + 4 * i, x, y, z, s); }
};

// Tail is the place of the last, partial vector: n lanes of it are inside. Nothing is read or written past them.
struct Tail {
    long long i;
    int n;
    PK_MEMBER F load(const float* p) const {
        F v = {};
        for (int l = 0; l < n; l++) v[l] = p[i + l];
        return v;
    }
    PK_MEMBER void store(float* p, F v) const {
        for (int l = 0; l < n; l++) p[i + l] = v[l];
    }
    PK_MEMBER U index() const { return (unsigned)i + iota(); }
    PK_MEMBER M inside() const { return (M)((I)iota() < n); }
    PK_MEMBER void record(float* p, F x, F y, F z, F s) const {
        for (int l = 0; l < n; l++) {
            float* r = p + 4 * (i + l);
            r[0] = x[l], r[1] = y[l], r[2] = z[l], r[3] = s[l];
        }
    }
};

}  // namespace

// PK_BODY begins the function that does a kernel's work on the host, with `p` its parameters and `work` its share of the launch.
#define PK_BODY(name, Params)                                      \
    static void name##_typed(const Params& p, const pk_work& work); \
    static void name##_host(const void* p, const pk_work* work) { name##_typed(*(const Params*)p, *work); } \
    static void name##_typed(const Params& p, const pk_work& work)

// PK_KERNEL makes it of an element-wise body, for full vectors and the last, partial one.
#define PK_KERNEL(name, Params)                                                                 \
    PK_BODY(name, Params) {                                                                     \
        long long i = work.begin;                                                               \
        for (; i + PK_LANES <= work.end; i += PK_LANES) name##_body(p, At{i});                  \
        if (i < work.end) name##_body(p, Tail{i, (int)(work.end - i)});                         \
    }

// PK_BODIES declares a kernel with a PK_BODY of its own.
#define PK_BODIES(name, Params) static void name##_host(const void* p, const pk_work* work);
