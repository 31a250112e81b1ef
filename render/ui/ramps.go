// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"unsafe"

	"particles/render/gl"
)

// ramps keeps the colour maps as rows of one texture.
type ramps struct {
	name  uint32
	first *[256][3]uint8 // of the list that the texture was made from
	last  *[256][3]uint8
	n     int
}

// texture gives the texture of a list of maps, made anew when the list is another; 0 when there is none.
func (r *ramps) texture(maps []ColorMap) uint32 {
	if len(maps) == 0 {
		return 0
	}
	first, last := maps[0].Colors, maps[len(maps)-1].Colors
	if r.name != 0 && r.n == len(maps) && r.first == first && r.last == last {
		return r.name
	}
	gl.DeleteTexture(r.name)
	r.first, r.last, r.n = first, last, len(maps)
	pixels := make([]uint8, 0, 256*3*len(maps))
	for _, m := range maps {
		for i := range 256 {
			c := [3]uint8{}
			if m.Colors != nil {
				c = m.Colors[i]
			}
			pixels = append(pixels, c[:]...)
		}
	}
	r.name = gl.CreateTexture(gl.Texture2D)
	gl.TextureStorage2D(r.name, 1, gl.RGB8, 256, len(maps))
	gl.PixelStore(gl.UnpackAlignment, 1)
	gl.TextureSubImage2D(r.name, 0, 0, 256, len(maps), gl.RGB, gl.UnsignedByte, unsafe.Pointer(&pixels[0]))
	gl.PixelStore(gl.UnpackAlignment, 4)
	gl.TextureParameter(r.name, gl.MinFilter, gl.Linear)
	gl.TextureParameter(r.name, gl.MagFilter, gl.Linear)
	gl.TextureParameter(r.name, gl.WrapS, gl.ClampToEdge)
	gl.TextureParameter(r.name, gl.WrapT, gl.ClampToEdge)
	return r.name
}

func (r *ramps) close() { gl.DeleteTexture(r.name) }
