// SPDX-License-Identifier: Apache-2.0
//
// Functions over lanes that no instruction gives, accurate to some 1e-7.
#pragma once
#include "lane.h"

namespace {

PK_FN F greater(F a, F b) { return sel(a > b, a, b); }
PK_FN F lesser(F a, F b) { return sel(a < b, a, b); }

// Sine and cosine of `turns` times 2 pi, for turns in [0, 1]: reduced to an eighth of a turn, then Taylor series.
PK_FN void sincos_turns(F turns, F& sine, F& cosine) {
    I quarter = floor_to_int(turns * 4.0f + 0.5f);
    F a = (turns - to_float(quarter) * 0.25f) * 6.28318530717958648f;
    F q = a * a;
    F s = a * (1.0f + q * (-1.66666667e-1f + q * (8.33333333e-3f + q * (-1.98412698e-4f + q * 2.75573192e-6f))));
    F c = 1.0f + q * (-0.5f + q * (4.16666667e-2f + q * (-1.38888889e-3f + q * 2.48015873e-5f)));
    M odd = (quarter & 1) != 0;
    F sq = sel(odd, c, s), cq = sel(odd, s, c);
    sine = sel((quarter & 2) != 0, -sq, sq);
    cosine = sel(((quarter + 1) & 2) != 0, -cq, cq);
}

// e^-z for z of [0, 80].
PK_FN F exp_minus(F z) {
    F y = z * -1.44269504088896341f;
    I n = floor_to_int(y + 0.5f);
    F f = (y - to_float(n)) * 0.693147180559945309f;  // in [-0.35, 0.35]
    F e = 1.0f + f * (1.0f + f * (0.5f + f * (1.66666667e-1f + f * (4.16666667e-2f + f * (8.33333333e-3f + f * 1.38888889e-3f)))));
    return e * from_bits((U)(n + 127) << 23);
}

// Motion over a time t against a drag of k per second: e = exp(-kt), p = (1 - e)/k, r = (t - p)/k, all exact in the limit of no
// drag (1, t, t^2/2). With z = kt, r = t^2 phi2(z): a series where z is small and the closed form would cancel.
PK_FN void drag_integrals(F t, float k, F& e, F& p, F& r) {
    F z = t * k;
    F phi2 = 0.5f + z * (-1.66666667e-1f + z * (4.16666667e-2f + z * (-8.33333333e-3f + z * (1.38888889e-3f + z * (-1.98412698e-4f + z * 2.48015873e-5f)))));
    F phi1 = 1.0f - z * phi2;
    M large = z > 0.5f;
    if (any(large)) {
        F x = lesser(greater(z, splat(0.5f)), splat(80.0f));
        F closed = (1.0f - exp_minus(x)) / x;
        phi1 = sel(large, closed, phi1);
        phi2 = sel(large, (1.0f - closed) / x, phi2);
    }
    e = 1.0f - z * phi1;
    p = t * phi1;
    r = t * t * phi2;
}

}  // namespace
