// SPDX-License-Identifier: Apache-2.0

package kernels

// Texel is what image_fill writes at x, y: red in the lowest byte. Whole numbers,
// so that every device draws the same bits.
func (p ImageFill) Texel(x, y uint32) uint32 {
	return x*255/max(p.Width-1, 1) | y*255/max(p.Height-1, 1)<<8 | (x^y^p.Phase)&255<<16 | 255<<24
}
