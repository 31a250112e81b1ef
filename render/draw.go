// SPDX-License-Identifier: Apache-2.0

package render

import (
	"particles/render/gl"
	"particles/render/look"
)

// Begin clears the light and takes the camera's view for the draws that follow. It leaves the renderer's own framebuffer
// bound and the blending additive, until Resolve.
func (r *Renderer) Begin(c *Camera) {
	if r.w == 0 {
		return
	}
	r.viewProj = c.ViewProj(r.w, r.h)
	r.pixels = c.PixelsPerUnit(r.h)
	r.look.SetAuto(look.ColorRange, r.subject.Scalar.Unit, r.subject.Scalar.Min, r.subject.Scalar.Max)
	r.useColors()
	gl.BindFramebuffer(r.hdrFBO)
	gl.Viewport(0, 0, r.w, r.h)
	gl.Disable(gl.ScissorTest)
	gl.Disable(gl.DepthTest)
	gl.Disable(gl.CullFace)
	gl.Disable(gl.FramebufferSRGB)
	gl.ColorMask(true, true, true, true)
	gl.ClearColor(0, 0, 0, 0)
	gl.Clear(gl.ColorBufferBit)
	gl.Enable(gl.Blend)
	gl.BlendEquation(gl.FuncAdd)
	gl.BlendFunc(gl.One, gl.One)
	gl.Enable(gl.ProgramPoint)
}

// DrawPoints adds the light of the first n records of a slot, and puts the slot's fence behind the draw. n is cut to
// what the slot holds; 0 draws nothing.
func (r *Renderer) DrawPoints(s *Slots, slot, n int) {
	n = min(n, s.Records())
	if r.w != 0 && n > 0 {
		r.draw(s.slots[slot].vao, n)
	}
	s.fence(slot)
}

func (r *Renderer) draw(vao uint32, n int) {
	l := r.look
	l.SetAuto(look.PointSize, "", float64(look.AutoPointSize(n, r.subject.Radius)))
	size := float32(l.InForce(look.PointSize, 0))
	sprite := look.AutoExposure(n, size, r.subject.Radius) * float32(l.At(look.Opacity))
	p, lo, hi, pixel := &r.sprite, r.sizeMin, r.sizeMax, float32(0)
	if l.On(look.OnePixel) {
		p, lo, hi, pixel = &r.pixel, 1, 1, sprite*look.SpriteSum
	}
	lo = max(lo, 1) // smaller ones would miss all pixel centres now and then
	hi = max(hi, lo)
	gl.UseProgram(p.name)
	gl.UniformMatrix4(p.viewProj, &r.viewProj[0])
	gl.Uniform1f(p.pixels, size*r.pixels)
	gl.Uniform2f(p.limits, lo, hi)
	a, b := look.ColorScale(l.InForce(look.ColorRange, 0), l.InForce(look.ColorRange, 1))
	gl.Uniform2f(p.scale, a, b)
	gl.Uniform2f(p.light, sprite, pixel)
	gl.Uniform1i(p.colorsAt, 0)
	gl.BindTextureUnit(0, r.colorsTex)
	gl.BindVertexArray(vao)
	gl.DrawArrays(gl.Points, 0, n)
}

// Resolve makes the picture of the light: background, exposure, tone curve, sRGB and dither, over the whole of a
// framebuffer of the renderer's size: 0 for the window, or Target. It leaves that framebuffer bound with blending off. It
// may be called again without a draw, and shows the light of the last one.
func (r *Renderer) Resolve(fbo uint32) {
	if r.w == 0 {
		return
	}
	gl.BindFramebuffer(fbo)
	gl.Viewport(0, 0, r.w, r.h)
	gl.Disable(gl.Blend)
	gl.Disable(gl.ScissorTest)
	gl.Disable(gl.DepthTest)
	gl.Disable(gl.CullFace)
	gl.Disable(gl.FramebufferSRGB)
	gl.ColorMask(true, true, true, true)
	p := &r.resolve
	gl.UseProgram(p.name)
	gl.Uniform1i(p.hdr, 0)
	gl.Uniform2f(p.size, float32(r.w), float32(r.h))
	gl.Uniform1f(p.exposure, look.Gain(r.look.At(look.Exposure)))
	b := r.look.Parts(look.Background)
	gl.Uniform4f(p.background, look.Linear(b[0]), look.Linear(b[1]), look.Linear(b[2]), float32(r.look.At(look.Vignette)))
	gl.BindTextureUnit(0, r.hdr)
	gl.BindVertexArray(r.screenVAO)
	gl.DrawArrays(gl.Triangles, 0, 3)
}
