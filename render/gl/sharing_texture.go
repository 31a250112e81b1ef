// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// TextureInfo describes one level of a texture object: sized internal format, size in texels (depth: the slices of a 3-D
// texture, the layers of an array, else 1), number of levels, whether glTexStorage made it. ok is false when name is no
// texture of the target or has no such level.
func (s *Sharing) TextureInfo(name, target uint32, level int) (format uint32, width, height, depth, levels int, immutable, ok bool) {
	if name == 0 || level < 0 || !gl.IsTexture(name) || uint32(s.texture(name, gl.TEXTURE_TARGET)) != target {
		return 0, 0, 0, 0, 0, false, false
	}
	if immutable = s.texture(name, gl.TEXTURE_IMMUTABLE_FORMAT) != 0; immutable {
		levels = int(s.texture(name, gl.TEXTURE_IMMUTABLE_LEVELS))
	} else if target == gl.TEXTURE_RECTANGLE {
		levels = 1
	} else {
		for levels < 32 && s.level(name, levels, gl.TEXTURE_WIDTH) > 0 {
			levels++
		}
	}
	if level >= levels {
		return 0, 0, 0, 0, 0, false, false
	}
	width, height, depth = s.level(name, level, gl.TEXTURE_WIDTH), s.level(name, level, gl.TEXTURE_HEIGHT), 1
	if target == gl.TEXTURE_3D || target == gl.TEXTURE_2D_ARRAY {
		depth = s.level(name, level, gl.TEXTURE_DEPTH)
	}
	format = uint32(s.level(name, level, gl.TEXTURE_INTERNAL_FORMAT))
	return format, width, height, depth, levels, immutable, width > 0
}

func (s *Sharing) texture(name, param uint32) int32 {
	s.word = 0
	gl.GetTextureParameteriv(name, param, &s.word)
	return s.word
}

func (s *Sharing) level(name uint32, level int, param uint32) int {
	s.word = 0
	gl.GetTextureLevelParameteriv(name, int32(level), param, &s.word)
	return int(s.word)
}

// ReadTexture copies one level out: one layer of an array, one face of a cube, all slices of a 3-D texture. It waits for
// the GPU. size must be that of the level; false: it is not, or the format has no transfer.
func (s *Sharing) ReadTexture(name, target uint32, level, layer int, dst unsafe.Pointer, size int) bool {
	t, ok := s.transfer(name, target, level, layer, size)
	if !ok {
		return false
	}
	s.plain(gl.PIXEL_PACK_BUFFER_BINDING, gl.PIXEL_PACK_BUFFER, &packState)
	gl.GetTextureSubImage(name, int32(level), 0, 0, t.z, t.w, t.h, t.d, t.format, t.typ, int32(size), dst)
	s.restore(gl.PIXEL_PACK_BUFFER, &packState)
	return true
}

// WriteTexture copies one level in, as ReadTexture copies it out.
func (s *Sharing) WriteTexture(name, target uint32, level, layer int, src unsafe.Pointer, size int) bool {
	t, ok := s.transfer(name, target, level, layer, size)
	if !ok {
		return false
	}
	s.plain(gl.PIXEL_UNPACK_BUFFER_BINDING, gl.PIXEL_UNPACK_BUFFER, &unpackState)
	if target == gl.TEXTURE_2D || target == gl.TEXTURE_RECTANGLE {
		gl.TextureSubImage2D(name, int32(level), 0, 0, t.w, t.h, t.format, t.typ, src)
	} else {
		gl.TextureSubImage3D(name, int32(level), 0, 0, t.z, t.w, t.h, t.d, t.format, t.typ, src)
	}
	s.restore(gl.PIXEL_UNPACK_BUFFER, &unpackState)
	return true
}

type transfer struct {
	z, w, h, d  int32
	format, typ uint32
}

func (s *Sharing) transfer(name, target uint32, level, layer, size int) (t transfer, ok bool) {
	internal, w, h, d, _, _, ok := s.TextureInfo(name, target, level)
	if !ok || layer < 0 {
		return t, false
	}
	t = transfer{z: int32(layer), w: int32(w), h: int32(h), d: 1}
	switch target {
	case gl.TEXTURE_3D:
		t.d = int32(d)
		ok = layer == 0
	case gl.TEXTURE_2D_ARRAY:
		ok = layer < d
	case gl.TEXTURE_CUBE_MAP:
		ok = layer < 6
	default:
		ok = layer == 0
	}
	var texel int
	t.format, t.typ, texel = pixels(internal)
	return t, ok && texel > 0 && w*h*int(t.d)*texel == size
}

// pixels gives the client format that holds an internal format's texels as they are, and the size of one; 0: none.
func pixels(internal uint32) (format, typ uint32, size int) {
	p := pixelFormats[internal]
	return p[0], p[1], channelsOf[p[0]] * bytesOf[p[1]]
}

var (
	channelsOf = map[uint32]int{gl.RED: 1, gl.RG: 2, gl.RGBA: 4, gl.RED_INTEGER: 1, gl.RG_INTEGER: 2, gl.RGBA_INTEGER: 4}
	bytesOf    = map[uint32]int{
		gl.UNSIGNED_BYTE: 1, gl.BYTE: 1, gl.UNSIGNED_SHORT: 2, gl.SHORT: 2, gl.HALF_FLOAT: 2,
		gl.UNSIGNED_INT: 4, gl.INT: 4, gl.FLOAT: 4,
	}
)

var pixelFormats = map[uint32][2]uint32{
	gl.R8: {gl.RED, gl.UNSIGNED_BYTE}, gl.RG8: {gl.RG, gl.UNSIGNED_BYTE}, gl.RGBA8: {gl.RGBA, gl.UNSIGNED_BYTE},
	gl.R16: {gl.RED, gl.UNSIGNED_SHORT}, gl.RG16: {gl.RG, gl.UNSIGNED_SHORT}, gl.RGBA16: {gl.RGBA, gl.UNSIGNED_SHORT},
	gl.R8_SNORM: {gl.RED, gl.BYTE}, gl.RG8_SNORM: {gl.RG, gl.BYTE}, gl.RGBA8_SNORM: {gl.RGBA, gl.BYTE},
	gl.R16_SNORM: {gl.RED, gl.SHORT}, gl.RG16_SNORM: {gl.RG, gl.SHORT}, gl.RGBA16_SNORM: {gl.RGBA, gl.SHORT},
	gl.R16F: {gl.RED, gl.HALF_FLOAT}, gl.RG16F: {gl.RG, gl.HALF_FLOAT}, gl.RGBA16F: {gl.RGBA, gl.HALF_FLOAT},
	gl.R32F: {gl.RED, gl.FLOAT}, gl.RG32F: {gl.RG, gl.FLOAT}, gl.RGBA32F: {gl.RGBA, gl.FLOAT},
	gl.R8I: {gl.RED_INTEGER, gl.BYTE}, gl.RG8I: {gl.RG_INTEGER, gl.BYTE}, gl.RGBA8I: {gl.RGBA_INTEGER, gl.BYTE},
	gl.R8UI: {gl.RED_INTEGER, gl.UNSIGNED_BYTE}, gl.RG8UI: {gl.RG_INTEGER, gl.UNSIGNED_BYTE}, gl.RGBA8UI: {gl.RGBA_INTEGER, gl.UNSIGNED_BYTE},
	gl.R16I: {gl.RED_INTEGER, gl.SHORT}, gl.RG16I: {gl.RG_INTEGER, gl.SHORT}, gl.RGBA16I: {gl.RGBA_INTEGER, gl.SHORT},
	gl.R16UI: {gl.RED_INTEGER, gl.UNSIGNED_SHORT}, gl.RG16UI: {gl.RG_INTEGER, gl.UNSIGNED_SHORT}, gl.RGBA16UI: {gl.RGBA_INTEGER, gl.UNSIGNED_SHORT},
	gl.R32I: {gl.RED_INTEGER, gl.INT}, gl.RG32I: {gl.RG_INTEGER, gl.INT}, gl.RGBA32I: {gl.RGBA_INTEGER, gl.INT},
	gl.R32UI: {gl.RED_INTEGER, gl.UNSIGNED_INT}, gl.RG32UI: {gl.RG_INTEGER, gl.UNSIGNED_INT}, gl.RGBA32UI: {gl.RGBA_INTEGER, gl.UNSIGNED_INT},
}

// What decides how texels lie in client memory; alignment first.
var (
	packState   = [6]uint32{gl.PACK_ALIGNMENT, gl.PACK_ROW_LENGTH, gl.PACK_IMAGE_HEIGHT, gl.PACK_SKIP_PIXELS, gl.PACK_SKIP_ROWS, gl.PACK_SKIP_IMAGES}
	unpackState = [6]uint32{gl.UNPACK_ALIGNMENT, gl.UNPACK_ROW_LENGTH, gl.UNPACK_IMAGE_HEIGHT, gl.UNPACK_SKIP_PIXELS, gl.UNPACK_SKIP_ROWS, gl.UNPACK_SKIP_IMAGES}
)

// plain makes transfers go to client memory without gaps, and notes the program's own state for restore.
func (s *Sharing) plain(binding, target uint32, params *[6]uint32) {
	for i, p := range params {
		gl.GetIntegerv(p, &s.saved[i])
		want := int32(0)
		if i == 0 {
			want = 1
		}
		if s.saved[i] != want {
			gl.PixelStorei(p, want)
		}
	}
	gl.GetIntegerv(binding, &s.word)
	if s.buffer = uint32(s.word); s.buffer != 0 {
		gl.BindBuffer(target, 0)
	}
}

func (s *Sharing) restore(target uint32, params *[6]uint32) {
	for i, p := range params {
		gl.PixelStorei(p, s.saved[i])
	}
	if s.buffer != 0 {
		gl.BindBuffer(target, s.buffer)
	}
}
