// SPDX-License-Identifier: Apache-2.0
//
// Linear flow in a plane, x' = A x: nodes, saddles and spirals. A particle that leaves the disc of radius 1, or comes to its middle,
// starts anew at a random place. sim/linear.go fills the structs in. State: x and y.
#pragma once
#include "maths.h"
#include "random.h"

struct LinearStep {
    pk_ptr x, y;
    unsigned n;
    unsigned key;   // of (seed, step)
    float exp[4];   // e^(A dt), by rows
    float restart;  // 1: every particle starts anew
};

struct LinearPublish {
    pk_ptr x, y, records;
    unsigned n;
    float a[4];  // 1/s, by rows
};

namespace {

template <class A>
PK_FN void linear_step_body(const LinearStep& p, A at) {
    F x = at.load((const float*)p.x), y = at.load((const float*)p.y);
    F u = x * p.exp[0] + y * p.exp[1], v = x * p.exp[2] + y * p.exp[3];
    F r = u * u + v * v;
    M anew = (M)(r > 1.0f) | (M)(r < 1e-4f) | (M)(splat(p.restart) > 0.0f);
    U h = mix32(at.index() ^ p.key);
    F radius = square_root(unit(h)), sine, cosine;
    sincos_turns(unit(mix32(h + 0x9e3779b9u)), sine, cosine);
    at.store((float*)p.x, sel(anew, radius * cosine, u));
    at.store((float*)p.y, sel(anew, radius * sine, v));
}

template <class A>
PK_FN void linear_publish_body(const LinearPublish& p, A at) {
    F x = at.load((const float*)p.x), y = at.load((const float*)p.y);
    F u = x * p.a[0] + y * p.a[1], v = x * p.a[2] + y * p.a[3];
    at.record((float*)p.records, x, y, splat(0), square_root(u * u + v * v));
}

}  // namespace

PK_KERNEL(linear_step, LinearStep)
PK_KERNEL(linear_publish, LinearPublish)
