// SPDX-License-Identifier: Apache-2.0

package gl

import gl "github.com/go-gl/gl/v4.5-core/gl"

// Enable switches a capability on.
func Enable(capability uint32) { gl.Enable(capability) }

// Disable switches a capability off.
func Disable(capability uint32) { gl.Disable(capability) }

// Viewport sets the viewport, in pixels, origin at the lower left.
func Viewport(x, y, w, h int) { gl.Viewport(int32(x), int32(y), int32(w), int32(h)) }

// Scissor sets the scissor box, in pixels, origin at the lower left; w and h must not be negative.
func Scissor(x, y, w, h int) { gl.Scissor(int32(x), int32(y), int32(w), int32(h)) }

// ClearColor sets the colour that Clear writes.
func ClearColor(r, g, b, a float32) { gl.ClearColor(r, g, b, a) }

// Clear clears the bound framebuffer's planes named by mask (ColorBufferBit, DepthBufferBit).
func Clear(mask uint32) { gl.Clear(mask) }

// BlendFunc sets one pair of blend factors for colour and alpha.
func BlendFunc(src, dst uint32) { gl.BlendFunc(src, dst) }

// BlendFuncSeparate sets the blend factors of colour and of alpha.
func BlendFuncSeparate(srcRGB, dstRGB, srcA, dstA uint32) {
	gl.BlendFuncSeparate(srcRGB, dstRGB, srcA, dstA)
}

// BlendEquation sets how source and destination are combined.
func BlendEquation(mode uint32) { gl.BlendEquation(mode) }

// DepthMask enables writing of depth.
func DepthMask(on bool) { gl.DepthMask(on) }

// DepthFunc sets the comparison of the depth test.
func DepthFunc(f uint32) { gl.DepthFunc(f) }

// ColorMask enables writing of the four channels.
func ColorMask(r, g, b, a bool) { gl.ColorMask(r, g, b, a) }

// PixelStore sets how pixels are laid out in memory (PackAlignment, UnpackAlignment, UnpackRowLength).
func PixelStore(name uint32, v int) { gl.PixelStorei(name, int32(v)) }

// Flush hands all queued commands to the driver without waiting.
func Flush() { gl.Flush() }

// Finish waits until all commands are done. Never in a frame.
func Finish() { gl.Finish() }

// GetError returns the oldest unread error, NoError when there is none. It waits for the driver: not for the frame path.
func GetError() uint32 { return gl.GetError() }

// GetInteger reads one integer of state. It may wait for the driver and allocates: not for the frame path.
func GetInteger(name uint32) int {
	var v int32
	gl.GetIntegerv(name, &v)
	return int(v)
}

// GetInteger64 reads one 64-bit integer of state into out (a heap address, see the package comment). Timestamp
// gives the server's time in nanoseconds once all earlier commands reached it.
func GetInteger64(name uint32, out *int64) { gl.GetInteger64v(name, out) }
