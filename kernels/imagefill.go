// SPDX-License-Identifier: Apache-2.0

package kernels

import "particles/interop/driver"

// ImageFill is ImageFill of src/imagefill.h: the parameters of image_fill, which
// draws a test picture into an RGBA8 texture through a surface.
type ImageFill struct {
	Surface       driver.Surface
	Width, Height uint32 // in texels
	N             uint32 // Width * Height, the number of indices to launch
	Phase         uint32
}

// Texel is what image_fill writes at x, y: red in the lowest byte. Whole numbers,
// so that every device draws the same bits.
func (p ImageFill) Texel(x, y uint32) uint32 {
	return x*255/max(p.Width-1, 1) | y*255/max(p.Height-1, 1)<<8 | (x^y^p.Phase)&255<<16 | 255<<24
}
