// SPDX-License-Identifier: Apache-2.0
//
// A reduction over floats: how many count, how many are no finite numbers and which is the first of those, the least, the greatest
// and the sum of the others. reduce_groups gives each group's part, reduce_all merges the groups in their order, so that a device
// gives the same bits each time. sim/reduce.go launches both.
#pragma once
#include "maths.h"

struct ReduceResult {
    double sum;
    float least, most;   // the largest float and its negative when none counts
    unsigned count, bad;
    unsigned first_bad;  // 2^32 - 1: none
    unsigned unused;
};

struct ReduceGroups {
    pk_ptr values;   // float
    pk_ptr below;    // float, or 0; with it only values below theirs count
    pk_ptr results;  // ReduceResult, one a group
    unsigned n;      // 256 for each group
    unsigned length, stride;  // values, and floats from one to the next
    unsigned chunk;  // values of a group
};

struct ReduceAll {
    pk_ptr groups, result;  // ReduceResult
    unsigned n;             // 256
    unsigned length;        // groups, at most 256
};

namespace {

PK_FN ReduceResult reduce_empty() {
    ReduceResult r = {0.0, 3.40282347e38f, -3.40282347e38f, 0, 0, ~0u, 0};
    return r;
}

PK_FN void reduce_merge(ReduceResult& a, const ReduceResult& b) {
    a.sum += b.sum;
    a.least = b.least < a.least ? b.least : a.least;
    a.most = b.most > a.most ? b.most : a.most;
    a.count += b.count, a.bad += b.bad;
    a.first_bad = b.first_bad < a.first_bad ? b.first_bad : a.first_bad;
}

PK_FN void reduce_value(ReduceResult& r, unsigned i, float v, const float* below) {
    if (v - v != 0.0f) {
        r.bad++;
        r.first_bad = i < r.first_bad ? i : r.first_bad;
    } else if (!below || v < below[i]) {
        r.sum += (double)v;
        r.least = v < r.least ? v : r.least;
        r.most = v > r.most ? v : r.most;
        r.count++;
    }
}

}  // namespace

PK_BODIES(reduce_groups, ReduceGroups)
PK_BODIES(reduce_all, ReduceAll)

#ifdef __CUDACC__

namespace {

// reduce_block merges the threads' results in the order of a tree; thread 0 returns the block's.
PK_FN ReduceResult reduce_block(ReduceResult mine) {
    __shared__ ReduceResult room[256];
    unsigned t = threadIdx.x;
    room[t] = mine;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) reduce_merge(room[t], room[t + half]);
    }
    return room[0];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) reduce_groups(const ReduceGroups p) {
    unsigned long long from = (unsigned long long)blockIdx.x * p.chunk, to = from + p.chunk;
    if (to > p.length) to = p.length;
    ReduceResult r = reduce_empty();
    for (unsigned long long i = from + threadIdx.x; i < to; i += 256)
        reduce_value(r, (unsigned)i, ((const float*)p.values)[i * p.stride], (const float*)p.below);
    r = reduce_block(r);
    if (threadIdx.x == 0) ((ReduceResult*)p.results)[blockIdx.x] = r;
}

extern "C" __global__ void __launch_bounds__(256) reduce_all(const ReduceAll p) {
    ReduceResult r = threadIdx.x < p.length ? ((const ReduceResult*)p.groups)[threadIdx.x] : reduce_empty();
    r = reduce_block(r);
    if (threadIdx.x == 0) *(ReduceResult*)p.result = r;
}

#else

namespace {

// reduce_lanes takes 256 values that lie one after another: sums of 32 floats at most, then in double.
PK_FN void reduce_lanes(ReduceResult& r, unsigned first, const float* v, const float* below) {
    F sum = {}, least = splat(r.least), most = splat(r.most);
    I count = {};
    M bad = {};
    for (long long i = 0; i < 256; i += PK_LANES) {
        F x = At{i}.load(v);
        M odd = (M)((x - x) != 0.0f), in = ~odd;
        if (below) in &= (M)(x < At{i}.load(below));
        sum += sel(in, x, splat(0));
        least = sel(in, lesser(x, least), least), most = sel(in, greater(x, most), most);
        count -= in;
        bad |= odd;
    }
    if (any(bad)) {
        for (unsigned i = 0; i < 256; i++) reduce_value(r, first + i, v[i], below ? below - first : below);
        return;
    }
    for (int l = 0; l < PK_LANES; l++) {
        r.sum += (double)sum[l], r.count += (unsigned)count[l];
        r.least = least[l] < r.least ? least[l] : r.least, r.most = most[l] > r.most ? most[l] : r.most;
    }
}

}  // namespace

PK_BODY(reduce_groups, ReduceGroups) {
    const float *values = (const float*)p.values, *below = (const float*)p.below;
    for (long long group = work.begin / 256; group * 256 < work.end; group++) {
        unsigned long long i = (unsigned long long)group * p.chunk, to = i + p.chunk;
        if (to > p.length) to = p.length;
        ReduceResult r = reduce_empty();
        if (p.stride == 1)
            for (; i + 256 <= to; i += 256) reduce_lanes(r, (unsigned)i, values + i, below ? below + i : below);
        for (; i < to; i++) reduce_value(r, (unsigned)i, values[i * p.stride], below);
        ((ReduceResult*)p.results)[group] = r;
    }
}

PK_BODY(reduce_all, ReduceAll) {
    if (work.begin != 0) return;
    ReduceResult r = reduce_empty();
    for (unsigned i = 0; i < p.length; i++) reduce_merge(r, ((const ReduceResult*)p.groups)[i]);
    *(ReduceResult*)p.result = r;
}

#endif
