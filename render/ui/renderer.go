// SPDX-License-Identifier: Apache-2.0

package ui

import (
	_ "embed"
	"fmt"
	"unsafe"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/gl"
)

//go:embed glsl/ui.vert
var uiVert string

//go:embed glsl/ui.frag
var uiFrag string

// renderer draws ImGui's triangles. It is the frame's last pass: it sets all state it needs and gives none back. After
// draw, blending and the scissor test are on, depth test, culling and sRGB conversion off, the target framebuffer, the
// UI's program, vertex array and texture are bound.
type renderer struct {
	program  uint32
	vao      uint32
	vertices uint32
	indices  uint32
	vertCap  int // bytes
	indexCap int
	atlas    uint32 // font texture
	window   int32  // uniform location
	stride   int
	index    uint32 // gl type of an index
	indexLen int
}

func newRenderer() (*renderer, error) {
	p, err := gl.NewProgram(gl.ShaderSource{Name: "ui.vert", Text: uiVert}, gl.ShaderSource{Name: "ui.frag", Text: uiFrag})
	if err != nil {
		return nil, fmt.Errorf("ui: %w", err)
	}
	r := &renderer{program: p, window: gl.UniformLocation(p, "window")}
	size, pos, uv, col := imgui.VertexBufferLayout()
	r.stride, r.indexLen, r.index = size, imgui.IndexBufferLayout(), gl.UnsignedShort
	if r.indexLen == 4 {
		r.index = gl.UnsignedInt
	}
	r.vao, r.vertices, r.indices = gl.CreateVertexArray(), gl.CreateBuffer(), gl.CreateBuffer()
	gl.VertexArrayAttrib(r.vao, 0, 0, 2, gl.Float, false, pos)
	gl.VertexArrayAttrib(r.vao, 1, 0, 2, gl.Float, false, uv)
	gl.VertexArrayAttrib(r.vao, 2, 0, 4, gl.UnsignedByte, true, col)
	return r, nil
}

// setAtlas makes the font texture: one channel of coverage, read as white with that alpha.
func (r *renderer) setAtlas(pixels unsafe.Pointer, w, h int) imgui.TextureID {
	gl.DeleteTexture(r.atlas)
	r.atlas = gl.CreateTexture(gl.Texture2D)
	gl.TextureStorage2D(r.atlas, 1, gl.R8, w, h)
	gl.PixelStore(gl.UnpackAlignment, 1)
	gl.TextureSubImage2D(r.atlas, 0, 0, w, h, gl.Red, gl.UnsignedByte, pixels)
	gl.PixelStore(gl.UnpackAlignment, 4)
	gl.TextureParameter(r.atlas, gl.MinFilter, gl.Linear)
	gl.TextureParameter(r.atlas, gl.MagFilter, gl.Linear)
	for _, s := range [3]uint32{gl.SwizzleR, gl.SwizzleG, gl.SwizzleB} {
		gl.TextureParameter(r.atlas, s, gl.One)
	}
	gl.TextureParameter(r.atlas, gl.SwizzleA, gl.Red)
	return imgui.TextureID(r.atlas)
}

// reserve gives a buffer room for n bytes, orphaning what the GPU may still read.
func reserve(name uint32, capacity *int, n int) {
	if n > *capacity {
		*capacity = n + n/2 + 4096
	}
	gl.NamedBufferData(name, *capacity, nil, gl.StreamDraw)
}

// draw draws into fbo, which has the framebuffer size of s. ImGui must have rendered.
func (r *renderer) draw(data imgui.DrawData, fbo uint32, s Size) {
	lists := data.CommandLists()
	vertBytes, indexBytes := 0, 0
	for _, l := range lists {
		_, v := l.VertexBuffer()
		_, i := l.IndexBuffer()
		vertBytes, indexBytes = vertBytes+v, indexBytes+i
	}
	if vertBytes == 0 {
		return
	}
	capV, capI := r.vertCap, r.indexCap
	reserve(r.vertices, &r.vertCap, vertBytes)
	reserve(r.indices, &r.indexCap, indexBytes)
	if capV == 0 || capI == 0 {
		gl.VertexArrayVertexBuffer(r.vao, 0, r.vertices, 0, r.stride)
		gl.VertexArrayElementBuffer(r.vao, r.indices)
	}
	r.begin(fbo, s)
	sx, sy := float32(s.FramebufferW)/float32(s.W), float32(s.FramebufferH)/float32(s.H)
	vertAt, indexAt := 0, 0
	texture := uint32(0)
	for _, l := range lists {
		vp, v := l.VertexBuffer()
		ip, i := l.IndexBuffer()
		if v == 0 || i == 0 {
			continue
		}
		gl.NamedBufferSubData(r.vertices, vertAt, v, vp)
		gl.NamedBufferSubData(r.indices, indexAt, i, ip)
		for _, c := range l.Commands() {
			n := c.ElementCount()
			if n == 0 || c.HasUserCallback() {
				continue
			}
			x, y, w, h := scissor(c.ClipRect(), sx, sy, s.FramebufferW, s.FramebufferH)
			if w <= 0 || h <= 0 {
				continue
			}
			gl.Scissor(x, y, w, h)
			if t := uint32(c.TextureID()); t != texture {
				texture = t
				gl.BindTextureUnit(0, t)
			}
			gl.DrawElementsBaseVertex(gl.Triangles, n, r.index, indexAt+c.IndexOffset()*r.indexLen, vertAt/r.stride+c.VertexOffset())
		}
		vertAt, indexAt = vertAt+v, indexAt+i
	}
}

// begin sets the state of the pass.
func (r *renderer) begin(fbo uint32, s Size) {
	gl.BindFramebuffer(fbo)
	gl.Viewport(0, 0, s.FramebufferW, s.FramebufferH)
	gl.Enable(gl.Blend)
	gl.BlendEquation(gl.FuncAdd)
	gl.BlendFuncSeparate(gl.SrcAlpha, gl.OneMinusSrcAlpha, gl.One, gl.OneMinusSrcAlpha)
	gl.Disable(gl.CullFace)
	gl.Disable(gl.DepthTest)
	gl.Disable(gl.StencilTest)
	gl.Disable(gl.FramebufferSRGB)
	gl.Enable(gl.ScissorTest)
	gl.ColorMask(true, true, true, true)
	gl.UseProgram(r.program)
	gl.Uniform4f(r.window, 2/float32(s.W), -2/float32(s.H), -1, 1)
	gl.BindVertexArray(r.vao)
}

// scissor turns a clip rectangle in window units (y down) into a scissor box in pixels (y up) within the framebuffer.
func scissor(c imgui.Vec4, sx, sy float32, fw, fh int) (x, y, w, h int) {
	x0, y0 := max(int(c.X*sx), 0), max(int(c.Y*sy), 0)
	x1, y1 := min(int(c.Z*sx), fw), min(int(c.W*sy), fh)
	return x0, fh - y1, x1 - x0, y1 - y0
}

func (r *renderer) close() {
	gl.DeleteProgram(r.program)
	gl.DeleteVertexArray(r.vao)
	gl.DeleteBuffer(r.vertices)
	gl.DeleteBuffer(r.indices)
	gl.DeleteTexture(r.atlas)
	*r = renderer{}
}
