// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"fmt"
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// CreateTexture makes a texture object of a target (Texture1D, Texture2D).
func CreateTexture(target uint32) uint32 {
	var n uint32
	gl.CreateTextures(target, 1, &n)
	return n
}

// DeleteTexture deletes a texture; 0 is ignored.
func DeleteTexture(name uint32) { gl.DeleteTextures(1, &name) }

// TextureStorage1D gives immutable storage of w texels.
func TextureStorage1D(name uint32, levels int, format uint32, w int) {
	gl.TextureStorage1D(name, int32(levels), format, int32(w))
}

// TextureStorage2D gives immutable storage of w by h texels.
func TextureStorage2D(name uint32, levels int, format uint32, w, h int) {
	gl.TextureStorage2D(name, int32(levels), format, int32(w), int32(h))
}

// TextureStorage3D gives immutable storage of w by h by d texels: slices of a 3-D texture, layers of an array.
func TextureStorage3D(name uint32, levels int, format uint32, w, h, d int) {
	gl.TextureStorage3D(name, int32(levels), format, int32(w), int32(h), int32(d))
}

// TextureSubImage1D writes texels of level 0.
func TextureSubImage1D(name uint32, x, w int, format, typ uint32, pixels unsafe.Pointer) {
	gl.TextureSubImage1D(name, 0, int32(x), int32(w), format, typ, pixels)
}

// TextureSubImage2D writes a rectangle of level 0.
func TextureSubImage2D(name uint32, x, y, w, h int, format, typ uint32, pixels unsafe.Pointer) {
	gl.TextureSubImage2D(name, 0, int32(x), int32(y), int32(w), int32(h), format, typ, pixels)
}

// TextureParameter sets an integer parameter (filters, wrap, swizzle).
func TextureParameter(name, param uint32, v int) { gl.TextureParameteri(name, param, int32(v)) }

// BindTextureUnit binds a texture to a unit, by its own target.
func BindTextureUnit(unit, name uint32) { gl.BindTextureUnit(unit, name) }

// CreateFramebuffer makes a framebuffer object.
func CreateFramebuffer() uint32 {
	var n uint32
	gl.CreateFramebuffers(1, &n)
	return n
}

// DeleteFramebuffer deletes a framebuffer; 0 is ignored.
func DeleteFramebuffer(name uint32) { gl.DeleteFramebuffers(1, &name) }

// NamedFramebufferTexture attaches level 0 of a texture.
func NamedFramebufferTexture(fbo, attachment, texture uint32) {
	gl.NamedFramebufferTexture(fbo, attachment, texture, 0)
}

// CheckFramebuffer says why a framebuffer cannot be drawn to; nil when it can.
func CheckFramebuffer(fbo uint32) error {
	if s := gl.CheckNamedFramebufferStatus(fbo, gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		return fmt.Errorf("gl: framebuffer is not complete: status %#x", s)
	}
	return nil
}

// BindFramebuffer binds a framebuffer (0: the window's) for drawing and reading.
func BindFramebuffer(fbo uint32) { gl.BindFramebuffer(gl.FRAMEBUFFER, fbo) }

// ReadPixels reads a rectangle of the bound framebuffer, rows from the bottom. It waits for the GPU.
func ReadPixels(x, y, w, h int, format, typ uint32, pixels unsafe.Pointer) {
	gl.ReadPixels(int32(x), int32(y), int32(w), int32(h), format, typ, pixels)
}

// BlitColor copies colour from one framebuffer to another, scaled with a filter (Nearest, Linear).
func BlitColor(src, dst uint32, sw, sh, dw, dh int, filter uint32) {
	gl.BlitNamedFramebuffer(src, dst, 0, 0, int32(sw), int32(sh), 0, 0, int32(dw), int32(dh), gl.COLOR_BUFFER_BIT, filter)
}

// TextureBuffer shows a buffer's contents as a buffer texture (TexelBuffer) of a format.
func TextureBuffer(name, format, buffer uint32) { gl.TextureBuffer(name, format, buffer) }

// ClearTexture fills level 0 with zeros.
func ClearTexture(name, format, typ uint32) { gl.ClearTexImage(name, 0, format, typ, nil) }
