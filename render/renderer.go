// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"unsafe"

	"particles/assets"
	"particles/render/gl"
	"particles/render/look"
	"particles/shaders"
	"particles/sim/param"
)

// Renderer draws particles into a target of its own and resolves that to a picture.
type Renderer struct {
	w, h int // 0 while there is nothing to draw on

	hdr, hdrFBO uint32 // light, RGBA16F
	ldr, ldrFBO uint32 // picture, RGBA8

	sprite, pixel pointProgram
	resolve       resolveProgram
	screenVAO     uint32

	colors, colorsTex uint32            // colour map, 256 linear RGBA32F
	colorMap          int               // in colors, -1: none yet
	maps              [][256][4]float32 // all colour maps as linear light, in the order of their names
	look              *param.Set
	subject           Subject
	sizeMin, sizeMax  float32 // pixels of a sprite's diameter; smaller ones are drawn at sizeMin and dimmed

	viewProj [16]float32 // by columns; a field, as its address goes to C
	pixels   float32     // of a world unit at distance 1
}

type pointProgram struct {
	name                           uint32
	viewProj, pixels               int32
	limits, scale, light, colorsAt int32
}

type resolveProgram struct {
	name                            uint32
	hdr, size, exposure, background int32
}

// NewRenderer compiles the shaders and makes the targets for a picture of w by h pixels (0 by 0 is allowed). The context
// must be current and gl.Init done.
func NewRenderer(w, h int) (_ *Renderer, err error) {
	r := &Renderer{colorMap: -1, subject: Subject{Radius: 1, Scalar: param.Quantity{Max: 1}}, sizeMin: 1.5, sizeMax: 64}
	if r.look, err = param.NewSet(look.Group); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if r.sprite, err = newPointProgram("sprite.frag"); err != nil {
		return nil, err
	}
	if r.pixel, err = newPointProgram("pixel.frag"); err != nil {
		return nil, err
	}
	if r.resolve.name, err = program("screen.vert", "resolve.frag"); err != nil {
		return nil, err
	}
	p := &r.resolve
	p.hdr, p.size = gl.UniformLocation(p.name, "hdr"), gl.UniformLocation(p.name, "size")
	p.exposure, p.background = gl.UniformLocation(p.name, "exposure"), gl.UniformLocation(p.name, "background")
	r.screenVAO = gl.CreateVertexArray()
	r.colors = gl.CreateBuffer()
	gl.NamedBufferStorage(r.colors, 256*16, nil, gl.DynamicStorageBit)
	r.colorsTex = gl.CreateTexture(gl.TexelBuffer)
	gl.TextureBuffer(r.colorsTex, gl.RGBA32F, r.colors)
	for _, name := range assets.ColorMaps() {
		m, err := assets.ColorMap(name)
		if err != nil {
			return nil, err
		}
		var linear [256][4]float32
		for i, c := range m {
			linear[i] = [4]float32{look.Linear(float64(c[0]) / 255), look.Linear(float64(c[1]) / 255), look.Linear(float64(c[2]) / 255), 1}
		}
		r.maps = append(r.maps, linear)
	}
	if err := r.Resize(w, h); err != nil {
		return nil, err
	}
	return r, nil
}

func program(vert, frag string) (uint32, error) {
	vs, err := shaders.Source(vert)
	if err != nil {
		return 0, err
	}
	fs, err := shaders.Source(frag)
	if err != nil {
		return 0, err
	}
	return gl.NewProgram(gl.ShaderSource{Name: vert, Text: vs}, gl.ShaderSource{Name: frag, Text: fs})
}

func newPointProgram(frag string) (p pointProgram, err error) {
	if p.name, err = program("points.vert", frag); err != nil {
		return p, err
	}
	p.viewProj, p.pixels = gl.UniformLocation(p.name, "viewProj"), gl.UniformLocation(p.name, "pixels")
	p.limits, p.scale = gl.UniformLocation(p.name, "limits"), gl.UniformLocation(p.name, "scale")
	p.light, p.colorsAt = gl.UniformLocation(p.name, "light"), gl.UniformLocation(p.name, "colors")
	return p, nil
}

// Size returns the picture's size in pixels.
func (r *Renderer) Size() (w, h int) { return r.w, r.h }

// Resize gives the targets another size in pixels. The same size is a no-op; 0 or less in either direction (a window
// that is minimised) frees the targets, and drawing does nothing until the next size.
func (r *Renderer) Resize(w, h int) error {
	if w <= 0 || h <= 0 {
		w, h = 0, 0
	}
	if w == r.w && h == r.h {
		return nil
	}
	r.freeTargets()
	if w == 0 {
		return nil
	}
	if most := gl.GetInteger(gl.MaxTextureSize); w > most || h > most {
		return fmt.Errorf("render: a picture of %d x %d pixels: this OpenGL can do %d at most in each direction", w, h, most)
	}
	var err error
	if r.hdr, r.hdrFBO, err = target(gl.RGBA16F, w, h); err == nil {
		r.ldr, r.ldrFBO, err = target(gl.RGBA8, w, h)
	}
	if err != nil {
		r.freeTargets()
		return fmt.Errorf("render: targets of %d x %d pixels (%.0f MB): %w", w, h, float64(w)*float64(h)*12/1e6, err)
	}
	gl.ClearTexture(r.hdr, gl.RGBA, gl.HalfFloat) // new memory may hold anything, NaN too
	r.w, r.h = w, h
	return nil
}

func target(format uint32, w, h int) (tex, fbo uint32, err error) {
	tex = gl.CreateTexture(gl.Texture2D)
	gl.TextureStorage2D(tex, 1, format, w, h)
	gl.TextureParameter(tex, gl.MinFilter, gl.Nearest)
	gl.TextureParameter(tex, gl.MagFilter, gl.Nearest)
	fbo = gl.CreateFramebuffer()
	gl.NamedFramebufferTexture(fbo, gl.ColorAttachment0, tex)
	return tex, fbo, gl.CheckFramebuffer(fbo)
}

func (r *Renderer) freeTargets() {
	gl.DeleteFramebuffer(r.hdrFBO)
	gl.DeleteFramebuffer(r.ldrFBO)
	gl.DeleteTexture(r.hdr)
	gl.DeleteTexture(r.ldr)
	r.hdr, r.hdrFBO, r.ldr, r.ldrFBO, r.w, r.h = 0, 0, 0, 0, 0, 0
}

// Look gives the live values of look.Group: what is set there is seen by the next Begin. It belongs to the renderer's thread.
func (r *Renderer) Look() *param.Set { return r.look }

// Subject is what the picture shows, as far as sizes and colours depend on it.
type Subject struct {
	Radius float32        // of the scene in world units, for the automatic size and exposure
	Scalar param.Quantity // what the records' scalar is; its range is the colour map's unless the look has one of its own
}

// SetSubject says what is drawn from the next Begin on, and allocates nothing.
func (r *Renderer) SetSubject(s Subject) { r.subject = s }

// useColors uploads the colour map that the look asks for, if it is another one.
func (r *Renderer) useColors() {
	if i := int(r.look.At(look.ColorMap)); i != r.colorMap {
		gl.NamedBufferSubData(r.colors, 0, len(r.maps[i])*16, unsafe.Pointer(&r.maps[i][0]))
		r.colorMap = i
	}
}

// Target returns the framebuffer object that ReadImage reads, for Resolve and for whatever is drawn over the picture.
// It changes with Resize; 0 while the size is 0.
func (r *Renderer) Target() uint32 { return r.ldrFBO }

// Close deletes all OpenGL objects. Again: no-op.
func (r *Renderer) Close() {
	r.freeTargets()
	gl.DeleteProgram(r.sprite.name)
	gl.DeleteProgram(r.pixel.name)
	gl.DeleteProgram(r.resolve.name)
	gl.DeleteVertexArray(r.screenVAO)
	gl.DeleteTexture(r.colorsTex)
	gl.DeleteBuffer(r.colors)
	*r = Renderer{}
}
