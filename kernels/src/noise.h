// SPDX-License-Identifier: Apache-2.0
//
// The curl of three gradient-noise potentials with its analytic derivatives. The noise is Perlin's of 2002: gradients towards
// the 12 edges of a cube (components 0, 1, -1), the fade 6t^5 - 15t^4 + 10t^3. One hash a corner gives all three
// potentials' gradients: the signs are independent, and the axis on which a gradient has its 0 goes round from potential to
// potential, so each potential alone is Perlin's and two of them are uncorrelated. sim/noise_test.go holds the float64 twin.
#pragma once
#include "lane.h"

struct NoiseOctave {
    float frequency;    // cells a metre
    float weight;       // m/s
    unsigned key[3];    // of the axes
    unsigned slice[2];  // keys of the two time slices
    unsigned unused;    // to 32 bytes
};

namespace {

// A lattice coordinate's own hash; a corner's is mixed from those of its three.
PK_FN U axis_hash(U h) {
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    return h;
}

// The three gradients of a corner, one above the other: g[3k + j] is component j of potential k.
struct Gradients {
    F g[9];
};

PK_FN Gradients gradients(U h, float weight) {
    h *= 0x9e3779b1u;
    // The axis of the 0, three times as likely as not: thirds of the signed range.
    M first = (I)h < -715827883, last = (I)h > 715827882;
    U one = bits(splat(weight)), zero = splat_bits(0);
    U n0 = sel_bits(first, zero, one), n2 = sel_bits(last, zero, one);
    U n1 = sel_bits(first | last, one, zero);
    const unsigned sign = 0x80000000u;
    Gradients r;
    r.g[0] = from_bits(((h << 9) & sign) | n0);
    r.g[1] = from_bits(((h << 10) & sign) | n1);
    r.g[2] = from_bits(((h << 11) & sign) | n2);
    r.g[3] = from_bits(((h << 12) & sign) | n2);
    r.g[4] = from_bits(((h << 13) & sign) | n0);
    r.g[5] = from_bits(((h << 14) & sign) | n1);
    r.g[6] = from_bits(((h << 15) & sign) | n1);
    r.g[7] = from_bits(((h << 16) & sign) | n2);
    r.g[8] = from_bits(((h << 17) & sign) | n0);
    return r;
}

// A corner's part of the curl. (dx, dy, dz): from the corner to the point; w: the corner's weight; (gx, gy, gz): the
// weight's gradient. Potential k there is w (G d)_k, so curl = w axial(G) + grad w x (G d).
template <bool moving>
PK_FN void corner(U h, const NoiseOctave& o, float c0, float c1, F dx, F dy, F dz, F w, F gx, F gy, F gz, F& u, F& v, F& s) {
    Gradients r = gradients(h ^ o.slice[0], c0);
    F* g = r.g;
    if (moving) {
        Gradients q = gradients(h ^ o.slice[1], c1);
        for (int i = 0; i < 9; i++) g[i] += q.g[i];
    }
    F p0 = g[0] * dx + g[1] * dy + g[2] * dz;
    F p1 = g[3] * dx + g[4] * dy + g[5] * dz;
    F p2 = g[6] * dx + g[7] * dy + g[8] * dz;
    u += w * (g[7] - g[5]) + gy * p2 - gz * p1;
    v += w * (g[2] - g[6]) + gz * p0 - gx * p2;
    s += w * (g[3] - g[1]) + gx * p1 - gy * p0;
}

PK_FN F fade(F t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
PK_FN F fade_slope(F t) {
    F q = t * (t - 1.0f);
    return q * q * 30.0f;
}

// curl adds an octave's velocity at (x, y, z), in metres, to (u, v, s). The derivatives are along the octave's own
// coordinates, so the frequency changes the size of the eddies and not their speed.
template <bool moving>
PK_FN void curl(const NoiseOctave& o, float c0, float c1, F x, F y, F z, F& u, F& v, F& s) {
    // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits, which saves four slow conversions. A whole x
    // may count to either of its cells; both give the same flow there. Beyond 2^22 cells the result is finite and means nothing.
    const float whole = 12582912.0f;
    F x0 = x * o.frequency - 0.5f + whole, y0 = y * o.frequency - 0.5f + whole, z0 = z * o.frequency - 0.5f + whole;
    F dx = x * o.frequency - (x0 - whole), dy = y * o.frequency - (y0 - whole), dz = z * o.frequency - (z0 - whole);

    U hx = bits(x0) * 0x8da6b343u + o.key[0], hy = bits(y0) * 0xd8163841u + o.key[1], hz = bits(z0) * 0xcb1ab31fu + o.key[2];
    U hx1 = axis_hash(hx + 0x8da6b343u), hy1 = axis_hash(hy + 0xd8163841u), hz1 = axis_hash(hz + 0xcb1ab31fu);
    hx = axis_hash(hx), hy = axis_hash(hy), hz = axis_hash(hz);
    U h00 = hx ^ hy, h10 = hx1 ^ hy, h01 = hx ^ hy1, h11 = hx1 ^ hy1;

    F ax = fade_slope(dx), ay = fade_slope(dy), az = fade_slope(dz);
    F wx1 = fade(dx), wy1 = fade(dy), wz1 = fade(dz);
    F wx0 = 1.0f - wx1, wy0 = 1.0f - wy1, wz0 = 1.0f - wz1;
    F ex = dx - 1.0f, ey = dy - 1.0f, ez = dz - 1.0f;
    F cu = splat(0), cv = splat(0), cs = splat(0);
#define PK_CORNER(h, x, y, z, wx, wy, wz, sx, sy, sz) \
    corner<moving>(h, o, c0, c1, x, y, z, wx * wy * wz, sx ax * (wy * wz), sy ay * (wx * wz), sz az * (wx * wy), cu, cv, cs)
    PK_CORNER(h00 ^ hz, dx, dy, dz, wx0, wy0, wz0, -, -, -);
    PK_CORNER(h10 ^ hz, ex, dy, dz, wx1, wy0, wz0, +, -, -);
    PK_CORNER(h01 ^ hz, dx, ey, dz, wx0, wy1, wz0, -, +, -);
    PK_CORNER(h11 ^ hz, ex, ey, dz, wx1, wy1, wz0, +, +, -);
    PK_CORNER(h00 ^ hz1, dx, dy, ez, wx0, wy0, wz1, -, -, +);
    PK_CORNER(h10 ^ hz1, ex, dy, ez, wx1, wy0, wz1, +, -, +);
    PK_CORNER(h01 ^ hz1, dx, ey, ez, wx0, wy1, wz1, -, +, +);
    PK_CORNER(h11 ^ hz1, ex, ey, ez, wx1, wy1, wz1, +, +, +);
#undef PK_CORNER
    u += cu * o.weight, v += cv * o.weight, s += cs * o.weight;
}

}  // namespace
