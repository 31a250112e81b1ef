// SPDX-License-Identifier: Apache-2.0

package ui

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"particles/render/gl"
)

//go:embed glsl/plot.vert
var plotVert string

//go:embed glsl/plot.frag
var plotFrag string

const (
	plotStride = NumPhases + NumGPU // floats a frame: running sums of the CPU phases, then of the GPU spans
	stripCPU   = 0
	stripGPU   = 1
)

// plot draws the frame-time strips into textures that imgui.Image shows. Drawing with our own pass costs one widget and
// no garbage, where ImGui's plots copy the values each frame and stop the program on an empty slice.
type plot struct {
	program                     uint32
	area, layout, lines, colors int32
	buffer, vao                 uint32
	strips                      [2]strip
	values                      [RingSize * plotStride]float32
	totals                      [2][RingSize]float32
	frames                      int // frames in values, from the oldest
	notFinite                   int // frames left out since a time was NaN or infinite
	scales                      [2]scale
	hover                       int     // column under the mouse, -1: none
	p99                         float32 // line in the CPU strip, ms
	pixel                       float32 // UI scale, for the width of lines
}

// scale is the vertical scale of a strip.
type scale struct {
	top    float32 // milliseconds at the top
	shrink int     // frames that a smaller top would have done
}

// strip is one texture and what was asked of it this frame.
type strip struct {
	texture, fbo uint32
	w, h         int
	wanted       bool // shown this frame: draw it
}

func newPlot() (*plot, error) {
	p, err := gl.NewProgram(gl.ShaderSource{Name: "plot.vert", Text: plotVert}, gl.ShaderSource{Name: "plot.frag", Text: plotFrag})
	if err != nil {
		return nil, fmt.Errorf("ui: %w", err)
	}
	pl := &plot{program: p, hover: -1, pixel: 1}
	pl.scales[stripCPU].top, pl.scales[stripGPU].top = 20, 2
	pl.area, pl.layout = gl.UniformLocation(p, "area"), gl.UniformLocation(p, "layout_")
	pl.lines, pl.colors = gl.UniformLocation(p, "lines"), gl.UniformLocation(p, "palette")
	pl.buffer, pl.vao = gl.CreateBuffer(), gl.CreateVertexArray()
	gl.NamedBufferStorage(pl.buffer, len(pl.values)*4, nil, gl.DynamicStorageBit)
	return pl, nil
}

// fill takes the ring's times, leaving out frames whose times are not finite. The newest frame is the last column.
func (p *plot) fill(r *Ring) {
	p.frames, p.notFinite = 0, 0
	if r != nil {
		p.frames = r.Len()
	}
	for c := range RingSize - p.frames {
		p.values[c*plotStride], p.values[c*plotStride+NumPhases] = -1, -1
	}
	cpu, gpu := p.totals[stripCPU][:0], p.totals[stripGPU][:0]
	for i := range p.frames {
		s := r.At(i)
		c := RingSize - p.frames + i
		v := p.values[c*plotStride : (c+1)*plotStride]
		cpuOK := sums(v[:NumPhases], s.Phase[:])
		gpuOK := sums(v[NumPhases:], s.GPU[:])
		if cpuOK {
			cpu = append(cpu, v[NumPhases-1])
		} else {
			v[0] = -1
		}
		if s.HasGPU && gpuOK {
			gpu = append(gpu, v[plotStride-1])
		} else {
			v[NumPhases] = -1
		}
		if !cpuOK || (s.HasGPU && !gpuOK) {
			p.notFinite++
		}
	}
	p.scales[stripCPU].follow(cpu)
	p.scales[stripGPU].follow(gpu)
}

// at is the ring's index of the frame in column c, -1 when the column is empty.
func (p *plot) at(c int) int { return max(c-(RingSize-p.frames), -1) }

// sums writes the running sums of parts, with negative (absent) ones as nothing; false when one is not finite.
func sums(dst, parts []float32) bool {
	var t float32
	for k, x := range parts {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
		t += max(x, 0)
		dst[k] = t
	}
	return !math.IsInf(float64(t), 0)
}

// follow picks the top of a strip: upwards at once, downwards only when it has stayed low for a while. It sorts totals.
func (s *scale) follow(totals []float32) {
	if len(totals) == 0 {
		return
	}
	slices.Sort(totals)
	median, high := totals[len(totals)/2], totals[(len(totals)-1)*98/100]
	want := niceTop(max(1.5*median, 1.15*high))
	if want < s.top && s.shrink < 90 {
		s.shrink++
		return
	}
	s.top, s.shrink = want, 0
}

// niceTop is the smallest round scale that holds ms.
func niceTop(ms float32) float32 {
	for top := float32(0.1); top < 1e7; top *= 10 {
		for _, m := range [7]float32{1, 2, 2.5, 3, 4, 6, 8} {
			if ms <= top*m {
				return top * m
			}
		}
	}
	return 1e7
}

// want asks for strip i at a size in pixels and returns its texture. The picture is drawn by draw.
func (p *plot) want(i, w, h int) uint32 {
	s := &p.strips[i]
	s.wanted = true
	if s.w != w || s.h != h || s.texture == 0 {
		gl.DeleteFramebuffer(s.fbo)
		gl.DeleteTexture(s.texture)
		s.w, s.h = max(w, 1), max(h, 1)
		s.texture, s.fbo = gl.CreateTexture(gl.Texture2D), gl.CreateFramebuffer()
		gl.TextureStorage2D(s.texture, 1, gl.RGBA8, s.w, s.h)
		gl.TextureParameter(s.texture, gl.MinFilter, gl.Nearest)
		gl.TextureParameter(s.texture, gl.MagFilter, gl.Nearest)
		gl.NamedFramebufferTexture(s.fbo, gl.ColorAttachment0, s.texture)
	}
	return s.texture
}

// draw draws the strips that were asked for since the last draw.
func (p *plot) draw() {
	if !p.strips[0].wanted && !p.strips[1].wanted {
		return
	}
	gl.NamedBufferSubData(p.buffer, 0, len(p.values)*4, unsafe.Pointer(&p.values[0]))
	gl.Disable(gl.Blend)
	gl.Disable(gl.CullFace)
	gl.Disable(gl.DepthTest)
	gl.Disable(gl.StencilTest)
	gl.Disable(gl.ScissorTest)
	gl.Disable(gl.FramebufferSRGB)
	gl.ColorMask(true, true, true, true)
	gl.UseProgram(p.program)
	gl.BindVertexArray(p.vao)
	gl.BindBufferBase(gl.ShaderStorageBuffer, 0, p.buffer)
	for i := range p.strips {
		s := &p.strips[i]
		if !s.wanted {
			continue
		}
		s.wanted = false
		gl.BindFramebuffer(s.fbo)
		gl.Viewport(0, 0, s.w, s.h)
		gl.Uniform4f(p.area, float32(s.w), float32(s.h), RingSize, p.scales[i].top)
		if i == stripCPU {
			p.parts(0, NumPhases, phaseColors[:])
			gl.Uniform4f(p.lines, 1000./60, 1000./30, p.p99, p.pixel)
		} else {
			p.parts(NumPhases, NumGPU, gpuColors[:])
			gl.Uniform4f(p.lines, 0, 0, 0, p.pixel)
		}
		gl.DrawArrays(gl.Triangles, 0, 3)
	}
}

// parts sets the uniforms that differ between the strips.
func (p *plot) parts(first, parts int, colors []color) {
	gl.Uniform4f(p.layout, float32(plotStride), float32(first), float32(parts), float32(p.hover))
	for k, c := range colors {
		gl.Uniform4f(p.colors+int32(k), c.X, c.Y, c.Z, c.W)
	}
}

func (p *plot) close() {
	gl.DeleteProgram(p.program)
	gl.DeleteBuffer(p.buffer)
	gl.DeleteVertexArray(p.vao)
	for i := range p.strips {
		gl.DeleteFramebuffer(p.strips[i].fbo)
		gl.DeleteTexture(p.strips[i].texture)
	}
}
