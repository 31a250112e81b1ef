// SPDX-License-Identifier: Apache-2.0
//
// Emitter: particles thrown from a disc (Reeves 1983), under gravity and drag, bouncing off the plane y = 0. sim/emitter.go fills the
// structs in. State is eight arrays of `stride` floats: x, y, z, vx,
// vy, vz, age, life. A particle is alive while age < life. Particle number k lives in slot k mod capacity.
#pragma once
#include "maths.h"
#include "random.h"

// The forces, the same for all particles.
struct EmitterForces {
    float gravity;    // m/s^2, downwards
    float drag;       // 1/s, linear
    float quadratic;  // 1/m
    int ground;       // 1: there is one
    float restitution, friction;
};

struct EmitterStep {
    pk_ptr state;
    unsigned long long stride;
    unsigned n;
    float dt;
    // Exact for gravity and linear drag: v' = e v + p g, x' = x + p v + r g, from the host in float64.
    float e, p, r;
    EmitterForces forces;
};

struct EmitterSpawn {
    pk_ptr state;  // of the first new particle's slot
    unsigned long long stride;
    unsigned n;
    unsigned serial0, serial1;  // the first new particle's number, low and high half
    unsigned key0, key1;
    float rest, interval;  // s: from the first birth to the end of the step; between births
    float speed, speed_spread, cone, life, life_spread, radius, height;  // cone: 1 - cos of its half angle
    EmitterForces forces;
};

struct EmitterPublish {
    pk_ptr state;
    unsigned long long stride;
    pk_ptr records;
    unsigned n;
    int colour;    // 0: speed, 1: age
    float hidden;  // NaN
};

// Into a ring of another capacity: the newest `kept` particles stay, all else is dead.
struct EmitterRepack {
    pk_ptr from, to;
    unsigned long long from_stride, to_stride;
    unsigned n;                   // slots of the new ring in use
    unsigned kept;
    unsigned from_last, to_last;  // slots of the newest particle
    unsigned from_capacity, to_capacity;
};

namespace {

struct Body {
    F x, y, z, vx, vy, vz;
};

// Half a step of quadratic drag alone, dv/dt = -q |v| v, whose solution is v / (1 + q |v| t).
PK_FN void slow_down(const EmitterForces& f, F t, Body& b) {
    if (f.quadratic == 0.0f) return;
    F speed = square_root(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
    F keep = 1.0f / (1.0f + speed * t * (0.5f * f.quadratic));
    b.vx *= keep, b.vy *= keep, b.vz *= keep;
}

// Bounce of a particle that went below the ground in a step of t from height y0 with vertical velocity v0. v^2 is linear in
// the height and v in time under constant acceleration, which gives velocity and time of the hit without iterating.
PK_FN void bounce(const EmitterForces& f, F t, F y0, F v0, Body& b) {
    M hit = b.y < 0.0f;
    if (!any(hit)) return;
    F zero = splat(0), tiny = splat(1e-30f);
    F v1 = b.vy, dv = v1 - v0;
    y0 = greater(y0, zero);
    F share = y0 / greater(y0 - b.y, tiny);
    F vh = -square_root(greater(v0 * v0 + (v1 * v1 - v0 * v0) * share, zero));
    M falls = dv < 0.0f;
    F rest = sel(falls, (v1 - vh) / sel(falls, dv, splat(-1)), 1.0f - share);  // share of the step left after the hit
    rest = lesser(greater(rest, zero), splat(1)) * t;
    F a = dv / greater(t, tiny);
    F up = vh * -f.restitution;
    F y = up * rest + a * rest * rest * 0.5f, vy = up + a * rest;
    M lies = y < 0.0f;
    y = sel(lies, zero, y), vy = sel(lies, zero, vy);
    // Coulomb: sliding loses friction times the normal impulse.
    F slide = square_root(b.vx * b.vx + b.vz * b.vz);
    F keep = greater(1.0f - (vy - v1) * f.friction / greater(slide, tiny), zero);
    b.y = sel(hit, y, b.y), b.vy = sel(hit, vy, b.vy);
    b.vx = sel(hit, b.vx * keep, b.vx), b.vz = sel(hit, b.vz * keep, b.vz);
}

PK_FN void advance(const EmitterForces& f, F t, F e, F p, F r, Body& b) {
    slow_down(f, t, b);
    F y0 = b.y, v0 = b.vy;
    b.x += b.vx * p, b.y += b.vy * p - r * f.gravity, b.z += b.vz * p;
    b.vx *= e, b.vy = b.vy * e - p * f.gravity, b.vz *= e;
    if (f.ground) bounce(f, t, y0, v0, b);
    slow_down(f, t, b);
}

template <class A>
PK_FN Body load_body(const float* s, unsigned long long stride, A at) {
    return Body{at.load(s), at.load(s + stride), at.load(s + 2 * stride), at.load(s + 3 * stride), at.load(s + 4 * stride), at.load(s + 5 * stride)};
}

template <class A>
PK_FN void store_body(float* s, unsigned long long stride, A at, const Body& b) {
    at.store(s, b.x), at.store(s + stride, b.y), at.store(s + 2 * stride, b.z);
    at.store(s + 3 * stride, b.vx), at.store(s + 4 * stride, b.vy), at.store(s + 5 * stride, b.vz);
}

template <class A>
PK_FN void emitter_step_body(const EmitterStep& p, A at) {
    float* s = (float*)p.state;
    F age = at.load(s + 6 * p.stride), life = at.load(s + 7 * p.stride);
    if (all(age >= life)) return;  // the dead stay as they are
    Body b = load_body(s, p.stride, at);
    advance(p.forces, splat(p.dt), splat(p.e), splat(p.p), splat(p.r), b);
    store_body(s, p.stride, at, b);
    at.store(s + 6 * p.stride, age + p.dt);
}

template <class A>
PK_FN void emitter_spawn_body(const EmitterSpawn& p, A at) {
    U low = p.serial0 + at.index();
    U high = p.serial1 + sel_bits(low < p.serial0, splat_bits(1), splat_bits(0));
    U h = mix32(mix32(low ^ p.key0) + high * 0x9e3779b1u + p.key1);
    U h1 = mix32(h + 0x9e3779b9u), h2 = mix32(h + 0x3c6ef372u), h3 = mix32(h + 0xdaa66d2bu);
    U h4 = mix32(h + 0x78dde6e4u), h5 = mix32(h + 0x1715609du), h6 = mix32(h + 0xb54cda56u);

    // Uniform over the cone's solid angle, and over the disc.
    F cosine = 1.0f - unit(h1) * p.cone;
    F sine = square_root(greater(1.0f - cosine * cosine, splat(0)));
    F sp, cp, sd, cd;
    sincos_turns(unit(h2), sp, cp);
    sincos_turns(unit(h3), sd, cd);
    F radius = square_root(unit(h4)) * p.radius;
    F speed = (1.0f + signed_unit(h5) * p.speed_spread) * p.speed;
    F life = (1.0f + signed_unit(h6) * p.life_spread) * p.life;
    Body b = Body{radius * cd, splat(p.height), radius * sd, speed * sine * cp, speed * cosine, speed * sine * sp};

    // Born within the step: it moves for the rest of it.
    F t = greater(p.rest - to_float((I)at.index()) * p.interval, splat(0));
    F e, pt, r;
    drag_integrals(t, p.forces.drag, e, pt, r);
    advance(p.forces, t, e, pt, r, b);

    float* s = (float*)p.state;
    store_body(s, p.stride, at, b);
    at.store(s + 6 * p.stride, t);
    at.store(s + 7 * p.stride, life);
}

template <class A>
PK_FN void emitter_publish_body(const EmitterPublish& p, A at) {
    const float* s = (const float*)p.state;
    Body b = load_body(s, p.stride, at);
    F age = at.load(s + 6 * p.stride), life = at.load(s + 7 * p.stride);
    F colour = p.colour == 0 ? square_root(b.vx * b.vx + b.vy * b.vy + b.vz * b.vz) : age;
    at.record((float*)p.records, b.x, b.y, b.z, sel(age < life, colour, splat(p.hidden)));
}

// One slot of the new ring; not worth vectors, since it gathers.
PK_FN void repack_slot(const EmitterRepack& p, unsigned j) {
    const float* from = (const float*)p.from;
    float* to = (float*)p.to + j;
    unsigned age = p.to_last >= j ? p.to_last - j : p.to_last + p.to_capacity - j;  // particles born after it
    bool keep = age < p.kept;
    if (keep) from += p.from_last >= age ? p.from_last - age : p.from_last + p.from_capacity - age;
    for (int i = 0; i < 8; i++) to[i * p.to_stride] = keep ? from[i * p.from_stride] : 0.0f;
}

}  // namespace

PK_KERNEL(emitter_step, EmitterStep)
PK_KERNEL(emitter_spawn, EmitterSpawn)
PK_KERNEL(emitter_publish, EmitterPublish)
PK_BODIES(emitter_repack, EmitterRepack)

#ifdef __CUDACC__

extern "C" __global__ void __launch_bounds__(256) emitter_repack(const EmitterRepack p) {
    unsigned j = blockIdx.x * 256u + threadIdx.x;
    if (j < p.n) repack_slot(p, j);
}

#else

PK_BODY(emitter_repack, EmitterRepack) {
    for (long long j = work.begin; j < work.end; j++) repack_slot(p, (unsigned)j);
}

#endif
