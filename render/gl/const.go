// SPDX-License-Identifier: Apache-2.0

package gl

import gl "github.com/go-gl/gl/v4.5-core/gl"

// The constants that the program uses, under Go names.
const (
	NoError = gl.NO_ERROR

	Blend           = gl.BLEND
	CullFace        = gl.CULL_FACE
	DepthTest       = gl.DEPTH_TEST
	ScissorTest     = gl.SCISSOR_TEST
	StencilTest     = gl.STENCIL_TEST
	FramebufferSRGB = gl.FRAMEBUFFER_SRGB
	ProgramPoint    = gl.PROGRAM_POINT_SIZE
	Multisample     = gl.MULTISAMPLE

	ColorBufferBit = gl.COLOR_BUFFER_BIT
	DepthBufferBit = gl.DEPTH_BUFFER_BIT

	Zero             = gl.ZERO
	One              = gl.ONE
	SrcAlpha         = gl.SRC_ALPHA
	OneMinusSrcAlpha = gl.ONE_MINUS_SRC_ALPHA
	FuncAdd          = gl.FUNC_ADD

	Points        = gl.POINTS
	Lines         = gl.LINES
	LineStrip     = gl.LINE_STRIP
	Triangles     = gl.TRIANGLES
	TriangleStrip = gl.TRIANGLE_STRIP

	Float         = gl.FLOAT
	HalfFloat     = gl.HALF_FLOAT
	Byte          = gl.BYTE
	UnsignedByte  = gl.UNSIGNED_BYTE
	UnsignedShort = gl.UNSIGNED_SHORT
	UnsignedInt   = gl.UNSIGNED_INT

	Red     = gl.RED
	RG      = gl.RG
	RGB     = gl.RGB
	RGBA    = gl.RGBA
	R8      = gl.R8
	R32F    = gl.R32F
	RGB8    = gl.RGB8
	RGBA8   = gl.RGBA8
	SRGB8   = gl.SRGB8
	SRGB8A8 = gl.SRGB8_ALPHA8
	RGBA16F = gl.RGBA16F
	RGBA32F = gl.RGBA32F

	Texture1D   = gl.TEXTURE_1D
	Texture2D   = gl.TEXTURE_2D
	TexelBuffer = gl.TEXTURE_BUFFER
	MinFilter   = gl.TEXTURE_MIN_FILTER
	MagFilter   = gl.TEXTURE_MAG_FILTER
	WrapS       = gl.TEXTURE_WRAP_S
	WrapT       = gl.TEXTURE_WRAP_T
	SwizzleR    = gl.TEXTURE_SWIZZLE_R
	SwizzleG    = gl.TEXTURE_SWIZZLE_G
	SwizzleB    = gl.TEXTURE_SWIZZLE_B
	SwizzleA    = gl.TEXTURE_SWIZZLE_A
	Nearest     = gl.NEAREST
	Linear      = gl.LINEAR
	ClampToEdge = gl.CLAMP_TO_EDGE
	Repeat      = gl.REPEAT

	ColorAttachment0 = gl.COLOR_ATTACHMENT0

	StreamDraw  = gl.STREAM_DRAW
	StaticDraw  = gl.STATIC_DRAW
	DynamicDraw = gl.DYNAMIC_DRAW

	MapReadBit        = gl.MAP_READ_BIT
	MapWriteBit       = gl.MAP_WRITE_BIT
	MapInvalidateBit  = gl.MAP_INVALIDATE_BUFFER_BIT
	MapPersistentBit  = gl.MAP_PERSISTENT_BIT
	MapCoherentBit    = gl.MAP_COHERENT_BIT
	DynamicStorageBit = gl.DYNAMIC_STORAGE_BIT

	OutOfMemory = gl.OUT_OF_MEMORY
	BufferSize  = gl.BUFFER_SIZE

	UniformBuffer       = gl.UNIFORM_BUFFER
	ShaderStorageBuffer = gl.SHADER_STORAGE_BUFFER

	PackAlignment   = gl.PACK_ALIGNMENT
	UnpackAlignment = gl.UNPACK_ALIGNMENT
	UnpackRowLength = gl.UNPACK_ROW_LENGTH

	Timestamp      = gl.TIMESTAMP
	MaxTextureSize = gl.MAX_TEXTURE_SIZE
)
