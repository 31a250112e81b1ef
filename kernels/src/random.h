// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers: the same (key, index, step) gives the same number in any order and on any device. mix32 is
// Chris Wellons' lowbias32 (2018), a bijection of 32-bit numbers with an avalanche bias of 0.17 %.
#pragma once
#include "lane.h"

namespace {

PK_FN U mix32(U x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

// unit gives 24 of the bits as a number of [0, 1).
PK_FN F unit(U h) { return to_float((I)(h >> 8)) * 5.9604644775390625e-8f; }

// signed_unit gives a number of [-1, 1).
PK_FN F signed_unit(U h) { return to_float((I)h >> 7) * 5.9604644775390625e-8f; }

// tent gives a number of (-1, 1) whose density falls linearly from the middle: two 16-bit halves added.
PK_FN F tent(U h) { return (to_float((I)(h >> 16)) + to_float((I)(h & 0xffffu)) - 65535.0f) * 1.52587890625e-5f; }

}  // namespace
