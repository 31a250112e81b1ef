// SPDX-License-Identifier: Apache-2.0
//
// A test picture, drawn straight into an RGBA8 texture: red grows to the right, green upwards (OpenGL's first row is the
// lowest), blue is a pattern that moves with phase. In whole numbers, so that every device draws the same bits.
// kernels/texel.go holds the reference.
#pragma once
#include "surface.h"

struct ImageFill {
    pk_surface surface;
    unsigned width, height;  // of the image, in texels
    unsigned n;              // width * height
    unsigned phase;
};

namespace {

template <class A>
PK_FN void image_fill_body(const ImageFill& p, A at) {
    U i = at.index();
    U y = i / splat_bits(p.width), x = i - y * splat_bits(p.width);
    U red = x * 255u / splat_bits(p.width > 1 ? p.width - 1 : 1);
    U green = y * 255u / splat_bits(p.height > 1 ? p.height - 1 : 1);
    U blue = (x ^ y ^ splat_bits(p.phase)) & 255u;
    surface_store(p.surface, p.width, at, red | green << 8 | blue << 16 | splat_bits(255u << 24));
}

}  // namespace

PK_KERNEL(image_fill, ImageFill)
