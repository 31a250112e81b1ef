// SPDX-License-Identifier: Apache-2.0

package ui

import (
	_ "embed"
	"fmt"
	"slices"
	"unsafe"

	"particles/render/gl"
	"particles/trace"
)

//go:embed glsl/plot.vert
var plotVert string

//go:embed glsl/plot.frag
var plotFrag string

// PlotFrames is how many frames the plot shows.
const PlotFrames = 240

// phaseNames and gpuNames are the names in legend and tooltip.
var (
	phaseNames = names[trace.Phase](trace.NumPhases)
	gpuNames   = names[trace.GPUPart](trace.NumGPUParts)
)

func names[T interface {
	~uint8
	String() string
}](n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = T(i).String()
	}
	return list
}

const (
	plotStride = trace.NumPhases + trace.NumGPUParts // floats a frame: running sums of the CPU phases, then of the GPU spans
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
	values                      *[PlotFrames * plotStride]float32 // apart: its address goes to C, with all that lies beside it
	totals                      [2][PlotFrames]float32
	samples                     []trace.Sample // shown, the oldest first; only within Frame
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
	pl := &plot{program: p, hover: -1, pixel: 1, values: new([PlotFrames * plotStride]float32)}
	pl.scales[stripCPU].top, pl.scales[stripGPU].top = 20, 2
	pl.area, pl.layout = gl.UniformLocation(p, "area"), gl.UniformLocation(p, "layout_")
	pl.lines, pl.colors = gl.UniformLocation(p, "lines"), gl.UniformLocation(p, "palette")
	pl.buffer, pl.vao = gl.CreateBuffer(), gl.CreateVertexArray()
	gl.NamedBufferStorage(pl.buffer, len(pl.values)*4, nil, gl.DynamicStorageBit)
	return pl, nil
}

// fill takes the newest frames. The newest is the last column.
func (p *plot) fill(samples []trace.Sample) {
	p.samples = samples[max(len(samples)-PlotFrames, 0):]
	for c := range PlotFrames - len(p.samples) {
		p.values[c*plotStride], p.values[c*plotStride+trace.NumPhases] = -1, -1
	}
	cpu, gpu := p.totals[stripCPU][:0], p.totals[stripGPU][:0]
	for i := range p.samples {
		s := &p.samples[i]
		c := PlotFrames - len(p.samples) + i
		v := p.values[c*plotStride : (c+1)*plotStride]
		cpu = append(cpu, sums(v[:trace.NumPhases], s.Phase[:]))
		if s.HasGPU() {
			gpu = append(gpu, sums(v[trace.NumPhases:], s.GPU[:]))
		} else {
			v[trace.NumPhases] = -1
		}
	}
	p.scales[stripCPU].follow(cpu)
	p.scales[stripGPU].follow(gpu)
}

// at is the index in samples of the frame in column c, -1 when the column is empty.
func (p *plot) at(c int) int { return max(c-(PlotFrames-len(p.samples)), -1) }

// sums writes the running sums of parts (ns) in milliseconds, and gives the last.
func sums[T int32 | uint32](dst []float32, parts []T) float32 {
	var t float32
	for k, ns := range parts {
		t += max(float32(ns), 0) * 1e-6
		dst[k] = t
	}
	return t
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
		gl.Uniform4f(p.area, float32(s.w), float32(s.h), PlotFrames, p.scales[i].top)
		if i == stripCPU {
			p.parts(0, trace.NumPhases, phaseColors[:])
			gl.Uniform4f(p.lines, 1000./60, 1000./30, p.p99, p.pixel)
		} else {
			p.parts(trace.NumPhases, trace.NumGPUParts, gpuColors[:])
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
