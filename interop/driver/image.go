// SPDX-License-Identifier: Apache-2.0

package driver

import "unsafe"

// Handles of what a texture's texels are reached by. Zero is no object.
type (
	// Array is a CUarray: texels in a layout that only the driver knows.
	Array uintptr
	// Surface is what a kernel writes an Array through: a CUsurfObject, or on the
	// host driver the address of a HostSurface. It goes into a parameter struct
	// as an unsigned 64-bit integer.
	Surface uint64
)

// HostSurface is what a Surface points to on the host driver. kernels/src/surface.h
// holds its C twin. Rows lie one after the other without gaps.
type HostSurface struct {
	Texels              unsafe.Pointer
	Width, Height       uint32 // in texels
	Depth               uint32 // slices; 1 for what has no depth
	Texel               uint32 // bytes of one
	RowBytes, SliceSize uint64
}

// ArrayFormat is a CUarray_format: what one component of a texel is.
type ArrayFormat uint32

// The formats that OpenGL's textures come in.
const (
	UInt8   ArrayFormat = 0x01
	UInt16  ArrayFormat = 0x02
	UInt32  ArrayFormat = 0x03
	SInt8   ArrayFormat = 0x08
	SInt16  ArrayFormat = 0x09
	SInt32  ArrayFormat = 0x0a
	Half    ArrayFormat = 0x10
	Float32 ArrayFormat = 0x20
)

// Bytes is the size of one component, 0 for an unknown format.
func (f ArrayFormat) Bytes() int {
	switch f {
	case UInt8, SInt8:
		return 1
	case UInt16, SInt16, Half:
		return 2
	case UInt32, SInt32, Float32:
		return 4
	}
	return 0
}

// ArrayDesc is a CUDA_ARRAY3D_DESCRIPTOR. Sizes are in texels; Height and Depth
// are 0 where the array has no such axis.
type ArrayDesc struct {
	Width, Height, Depth int
	Format               ArrayFormat
	Channels             int
	Surface              bool // kernels may write it (CUDA_ARRAY3D_SURFACE_LDST)
}

// TexelBytes is the size of one texel.
func (d ArrayDesc) TexelBytes() int { return d.Format.Bytes() * d.Channels }

// Size is the size of all texels in bytes.
func (d ArrayDesc) Size() int {
	return d.Width * max(d.Height, 1) * max(d.Depth, 1) * d.TexelBytes()
}

// Copy3D is a copy between all of an Array and memory in which the rows lie
// without gaps: exactly one of Host (pinned) and Device is set.
type Copy3D struct {
	Array   Array
	ToArray bool // else from it
	Host    unsafe.Pointer
	Device  DevicePtr
	// Of the array: bytes of a row, rows, slices; at least 1 each.
	WidthBytes, Height, Depth int
}

// ImageFlags are the values of CU_GRAPHICS_REGISTER_FLAGS that images have; they
// may be or-ed, but for the two that say who writes.
type ImageFlags uint32

// The flags of GraphicsGLRegisterImage.
const (
	ImageReadOnly     ImageFlags = 1
	ImageWriteDiscard ImageFlags = 2
	ImageSurface      ImageFlags = 4 // CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST
	ImageGather       ImageFlags = 8 // CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER
)

// Texture targets, as OpenGL numbers them.
const (
	Texture2D        uint32 = 0x0DE1
	Texture3D        uint32 = 0x806F
	TextureRectangle uint32 = 0x84F5
	TextureCubeMap   uint32 = 0x8513
	Texture2DArray   uint32 = 0x8C1A
)

// TextureGL is a GL that knows textures too. Whoever shares images hands in one
// of these. All methods are called on the context's thread.
type TextureGL interface {
	GL
	// TextureInfo describes one level of a texture: its sized internal format
	// (GL_RGBA8), its size in texels (depth: slices of a 3-D texture, layers of an
	// array, 1 for the others) and how many levels there are. immutable means
	// that glTexStorage made it; ok is false when name is no texture of the
	// target, or has no such level.
	TextureInfo(name, target uint32, level int) (format uint32, width, height, depth, levels int, immutable, ok bool)
	// ReadTexture copies one level out: one layer of an array, one face of a cube,
	// all slices of a 3-D texture (layer 0). size is checked; false: refused.
	ReadTexture(name, target uint32, level, layer int, dst unsafe.Pointer, size int) bool
	// WriteTexture copies one level in.
	WriteTexture(name, target uint32, level, layer int, src unsafe.Pointer, size int) bool
}

// TexelOf tells what an OpenGL sized internal format stores, for those that CUDA
// can register (CUDA Driver API, cuGraphicsGLRegisterImage: 1, 2 or 4 components
// that are floats or normalised or plain integers).
func TexelOf(internalFormat uint32) (f ArrayFormat, channels int, ok bool) {
	t, ok := texels[internalFormat]
	return t.f, t.channels, ok
}

type texel struct {
	f        ArrayFormat
	channels int
}

// The numbers are OpenGL's (glcorearb.h).
var texels = map[uint32]texel{
	0x8229: {UInt8, 1}, 0x822B: {UInt8, 2}, 0x8058: {UInt8, 4}, // R8, RG8, RGBA8
	0x822A: {UInt16, 1}, 0x822C: {UInt16, 2}, 0x805B: {UInt16, 4}, // R16, RG16, RGBA16
	0x8F94: {SInt8, 1}, 0x8F95: {SInt8, 2}, 0x8F97: {SInt8, 4}, // R8_SNORM ...
	0x8F98: {SInt16, 1}, 0x8F99: {SInt16, 2}, 0x8F9B: {SInt16, 4}, // R16_SNORM ...
	0x822D: {Half, 1}, 0x822F: {Half, 2}, 0x881A: {Half, 4}, // R16F, RG16F, RGBA16F
	0x822E: {Float32, 1}, 0x8230: {Float32, 2}, 0x8814: {Float32, 4}, // R32F, RG32F, RGBA32F
	0x8231: {SInt8, 1}, 0x8237: {SInt8, 2}, 0x8D8E: {SInt8, 4}, // R8I, RG8I, RGBA8I
	0x8232: {UInt8, 1}, 0x8238: {UInt8, 2}, 0x8D7C: {UInt8, 4}, // R8UI ...
	0x8233: {SInt16, 1}, 0x8239: {SInt16, 2}, 0x8D88: {SInt16, 4}, // R16I ...
	0x8234: {UInt16, 1}, 0x823A: {UInt16, 2}, 0x8D76: {UInt16, 4}, // R16UI ...
	0x8235: {SInt32, 1}, 0x823B: {SInt32, 2}, 0x8D82: {SInt32, 4}, // R32I ...
	0x8236: {UInt32, 1}, 0x823C: {UInt32, 2}, 0x8D70: {UInt32, 4}, // R32UI ...
}
