// SPDX-License-Identifier: Apache-2.0
//
// Flow: particles carried by curl noise (Bridson, Hourihan, Nordenstam 2007). sim/flow.go fills the structs in. State is six arrays of `stride` floats: x, y, z, vx, vy, vz.
#pragma once
#include "noise.h"
#include "random.h"

// A mean wind and up to six octaves of curl noise.
struct FlowField {
    NoiseOctave octave[6];
    int octaves;
    float c0, c1;  // weights of the two time slices; c1 == 0: the field stands still and the second is not looked at
    float wind[3];  // m/s
};

struct FlowStep {
    pk_ptr state;
    unsigned long long stride;
    unsigned n;
    unsigned key0, key1;  // of (seed, step)
    unsigned death;       // a particle is replaced in this step when its 31-bit random number is below
    FlowField field;
    // x += a u + b v', v = u + e (v' - u): Adams-Bashforth for a tracer, the exact exponential for one with inertia. u is
    // the flow at x, v' the velocity kept from the last step.
    float a, b, e;
    float half[3];  // m, the box, centred at the origin
    float margin;   // m, thickness of the reservoir around the box
    float pick[2];  // shares of the reservoir's volume: x slabs; x and y slabs
    int source;                 // 0: replaced anywhere in the box; 1: at the source
    float source_centre[3];  // m
    float source_radius;     // m
};

struct FlowPublish {
    pk_ptr state;
    unsigned long long stride;
    pk_ptr records;
    unsigned n;
    float hidden;  // NaN
};

namespace {

// A particle without a velocity yet: in the reservoir, waiting, or just replaced. It is not drawn.
PK_FN F fresh_mark() { return splat(3e38f); }
PK_FN M is_fresh(F vx) { return vx > 1e38f; }

PK_FN void flow_at(const FlowField& f, F x, F y, F z, F& u, F& v, F& w) {
    u = splat(f.wind[0]), v = splat(f.wind[1]), w = splat(f.wind[2]);
    if (f.c1 == 0.0f)
        for (int o = 0; o < f.octaves; o++) curl<false>(f.octave[o], f.c0, f.c1, x, y, z, u, v, w);
    else
        for (int o = 0; o < f.octaves; o++) curl<true>(f.octave[o], f.c0, f.c1, x, y, z, u, v, w);
}

// A depth in the reservoir: outside the half width, on the side of a's sign.
PK_FN F shell(F a, float half, float margin) {
    F d = a * margin;
    return sel(a < 0.0f, d - half, d + half);
}

// Where a particle is put: back into the box (or at the source), or outside it. Outside is a reservoir as dense as the box,
// laid out anew each step; what the flow carries from it into the box replaces what leaves, so that a uniform cloud
// stays uniform although the box is open. With a source, outside is a place to wait.
PK_FN void flow_place(const FlowStep& p, M outside, U h, F& x, F& y, F& z) {
    U ha = mix32(h + p.key1), hb = mix32(ha + 0x9e3779b9u), hc = mix32(hb + 0x9e3779b9u);
    if (p.source) {
        x = sel(outside, splat(p.half[0] * 4.0f), p.source_centre[0] + tent(ha) * p.source_radius);
        y = sel(outside, splat(p.half[1] * 4.0f), p.source_centre[1] + tent(hb) * p.source_radius);
        z = sel(outside, splat(p.half[2] * 4.0f), p.source_centre[2] + tent(hc) * p.source_radius);
        return;
    }
    F a = signed_unit(ha), b = signed_unit(hb), c = signed_unit(hc);
    F pick = unit(hc * 0x2c1b3c6du);  // low bits of hc, which c does not see
    M inx = pick < p.pick[0], inxy = pick < p.pick[1];
    F sx = sel(inx, shell(a, p.half[0], p.margin), a * p.half[0]);
    F sy = sel(inx, b * (p.half[1] + p.margin), sel(inxy, shell(b, p.half[1], p.margin), b * p.half[1]));
    F sz = sel(inxy, c * (p.half[2] + p.margin), shell(c, p.half[2], p.margin));
    x = sel(outside, sx, a * p.half[0]);
    y = sel(outside, sy, b * p.half[1]);
    z = sel(outside, sz, c * p.half[2]);
}

// NaN is outside.
PK_FN M flow_inside(const FlowStep& p, F x, F y, F z) {
    return (x <= p.half[0]) & (x >= -p.half[0]) & (y <= p.half[1]) & (y >= -p.half[1]) & (z <= p.half[2]) & (z >= -p.half[2]);
}

template <class A>
PK_FN void flow_step_body(const FlowStep& p, A at) {
    float* s = (float*)p.state;
    F x = at.load(s), y = at.load(s + p.stride), z = at.load(s + 2 * p.stride);
    F vx = at.load(s + 3 * p.stride), vy = at.load(s + 4 * p.stride), vz = at.load(s + 5 * p.stride);
    F u, v, w;
    flow_at(p.field, x, y, z, u, v, w);
    M fresh = is_fresh(vx);
    vx = sel(fresh, u, vx), vy = sel(fresh, v, vy), vz = sel(fresh, w, vz);
    x += u * p.a + vx * p.b;
    y += v * p.a + vy * p.b;
    z += w * p.a + vz * p.b;
    vx = u + (vx - u) * p.e;
    vy = v + (vy - v) * p.e;
    vz = w + (vz - w) * p.e;

    U h = mix32(at.index() ^ p.key0);
    M dead = (I)(h >> 1) < (int)p.death;
    M gone = (M)(flow_inside(p, x, y, z) == 0);
    M replace = dead | gone;
    if (any(replace)) {
        F nx, ny, nz;
        // With a source the dead come back there, wherever they were; without, what is outside stays outside.
        flow_place(p, p.source ? (M)(gone & (dead == 0)) : gone, h, nx, ny, nz);
        x = sel(replace, nx, x), y = sel(replace, ny, y), z = sel(replace, nz, z);
        vx = sel(replace, fresh_mark(), vx);
        vy = sel(replace, splat(0), vy), vz = sel(replace, splat(0), vz);
    }
    at.store(s, x), at.store(s + p.stride, y), at.store(s + 2 * p.stride, z);
    at.store(s + 3 * p.stride, vx), at.store(s + 4 * p.stride, vy), at.store(s + 5 * p.stride, vz);
}

// flow_spawn lays particles out for the first time: uniformly in box and reservoir together (death holds the share of
// the box), with the flow's velocity so that they can be drawn at once; with a source all wait (death is 0).
template <class A>
PK_FN void flow_spawn_body(const FlowStep& p, A at) {
    float* s = (float*)p.state;
    U h = mix32(at.index() ^ p.key0);
    M outside = (I)(h >> 1) >= (int)p.death;
    F x, y, z, u, v, w;
    flow_place(p, outside, h, x, y, z);
    flow_at(p.field, x, y, z, u, v, w);
    u = sel(outside, fresh_mark(), u);
    at.store(s, x), at.store(s + p.stride, y), at.store(s + 2 * p.stride, z);
    at.store(s + 3 * p.stride, u), at.store(s + 4 * p.stride, v), at.store(s + 5 * p.stride, w);
}

template <class A>
PK_FN void flow_publish_body(const FlowPublish& p, A at) {
    const float* s = (const float*)p.state;
    F x = at.load(s), y = at.load(s + p.stride), z = at.load(s + 2 * p.stride);
    F vx = at.load(s + 3 * p.stride), vy = at.load(s + 4 * p.stride), vz = at.load(s + 5 * p.stride);
    M fresh = is_fresh(vx);
    vx = sel(fresh, splat(0), vx);
    F speed = square_root(vx * vx + vy * vy + vz * vz);
    at.record((float*)p.records, x, y, z, sel(fresh, splat(p.hidden), speed));
}

}  // namespace

PK_KERNEL(flow_step, FlowStep)
PK_KERNEL(flow_spawn, FlowStep)
PK_KERNEL(flow_publish, FlowPublish)
