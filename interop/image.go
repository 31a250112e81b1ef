// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"strings"

	"particles/interop/driver"
)

// ImageUse is what kernels do with a mapped texture. ImageReadOnly and
// ImageWriteDiscard exclude each other; the others are or-ed to them.
type ImageUse uint8

// The uses. ImageReadOnly promises that no kernel writes: nothing is copied back,
// and what is written all the same is undefined. ImageWriteDiscard promises that
// every texel that matters is written: what the texture held is undefined while
// mapped. Without either, kernels may read and write.
const (
	ImageReadWrite    ImageUse = 0
	ImageReadOnly     ImageUse = 1
	ImageWriteDiscard ImageUse = 2
	// ImageSurface gives kernels a surface (Array.Surface) to load and store
	// single texels through. Without it an Array is only copied to and from.
	ImageSurface ImageUse = 4
	// ImageGather allows texture gather on the array, for those who make texture
	// objects of Array.Handle themselves.
	ImageGather ImageUse = 8

	// ImageMutable allows storage made by glTexImage, which a later one silently
	// replaces. Each map then asks OpenGL for size and format and answers
	// ErrSizeChanged when they are others; new storage of the same size and format
	// cannot be seen, so register again after every glTexImage.
	ImageMutable ImageUse = 0x80
)

const imageFlags = ImageReadOnly | ImageWriteDiscard | ImageSurface | ImageGather

// String is the name of the use: "read-only, surface".
func (u ImageUse) String() string {
	if !u.valid() {
		return fmt.Sprintf("unknown image use %#x", uint8(u))
	}
	words := []string{"read-write"}
	switch {
	case u&ImageReadOnly != 0:
		words[0] = "read-only"
	case u&ImageWriteDiscard != 0:
		words[0] = "write-discard"
	}
	for _, f := range []struct {
		bit  ImageUse
		name string
	}{{ImageSurface, "surface"}, {ImageGather, "gather"}, {ImageMutable, "mutable"}} {
		if u&f.bit != 0 {
			words = append(words, f.name)
		}
	}
	return strings.Join(words, ", ")
}

func (u ImageUse) valid() bool {
	return u&^(imageFlags|ImageMutable) == 0 && u&(ImageReadOnly|ImageWriteDiscard) != ImageReadOnly|ImageWriteDiscard
}
func (u ImageUse) reads() bool  { return u&ImageWriteDiscard == 0 }
func (u ImageUse) writes() bool { return u&ImageReadOnly == 0 }

// targetNames are the texture targets that can be shared on every driver.
var targetNames = map[uint32]string{
	driver.Texture2D: "GL_TEXTURE_2D", driver.TextureRectangle: "GL_TEXTURE_RECTANGLE",
	driver.Texture2DArray: "GL_TEXTURE_2D_ARRAY", driver.TextureCubeMap: "GL_TEXTURE_CUBE_MAP", driver.Texture3D: "GL_TEXTURE_3D",
}

// RegisterImage registers an OpenGL texture: of target GL_TEXTURE_2D, RECTANGLE,
// 2D_ARRAY, CUBE_MAP or 3D, with a sized internal format of 1, 2 or 4 components
// of 8, 16 or 32 bits (not RGB, sRGB, depth or compressed), not multisampled. Its
// storage must be immutable (glTexStorage), or u must hold ImageMutable. The GL
// that was handed in must be a driver.TextureGL. Register once, not once a frame.
func (in *GLInterop) RegisterImage(name, target uint32, u ImageUse) (*GLImage, error) {
	const op = "GLInterop.RegisterImage"
	if err := in.enter(op); err != nil {
		return nil, err
	}
	if !u.valid() {
		return nil, argErr(op, "unknown use %#x; ImageReadWrite (0), ImageReadOnly (1) or ImageWriteDiscard (2), "+
			"with any of ImageSurface (4), ImageGather (8), ImageMutable (0x80)", uint8(u))
	}
	if targetNames[target] == "" {
		return nil, argErr(op, "target %#x of texture %d; GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP or GL_TEXTURE_3D", target, name)
	}
	tex, ok := in.gl.(driver.TextureGL)
	if !ok {
		return nil, argErr(op, "the GL that was handed in (%T) knows no textures; make it a driver.TextureGL", in.gl)
	}
	if why := in.ctx.drv.Properties().NoImages; why != nil {
		return nil, fmt.Errorf("interop: %s: %w: %w", op, ErrUnavailable, why)
	}
	for _, r := range in.regs {
		if i, ok := r.self.(*GLImage); ok && r.name == name {
			return nil, stateErr(op, i.reg.describe(), ErrDuplicate)
		}
	}
	i := &GLImage{tex: tex, target: target, use: u}
	i.reg.self, i.reg.name = i, name
	if err := i.look(op, in.ctx); err != nil {
		return nil, err
	}
	err := in.share(&i.reg, opGLRegisterImage, func() (driver.Resource, driver.Code) {
		return in.ctx.drv.GraphicsGLRegisterImage(in.ctx.h, in.gl, name, target, driver.ImageFlags(u&imageFlags))
	})
	if err != nil {
		return nil, err
	}
	return i, nil
}

// look asks OpenGL what the texture is, and refuses what cannot be shared.
func (i *GLImage) look(op string, c *Context) error {
	format, w, h, d, levels, immutable, ok := i.tex.TextureInfo(i.reg.name, i.target, 0)
	if !ok {
		return NewError(c.drv, opGLRegisterImage, driver.InvalidHandle,
			fmt.Sprintf("OpenGL has no texture %d of target %s", i.reg.name, targetNames[i.target]))
	}
	if !immutable && i.use&ImageMutable == 0 {
		return stateErr(op, fmt.Sprintf("GL texture %d", i.reg.name), ErrMutableStorage)
	}
	f, channels, ok := driver.TexelOf(format)
	if !ok {
		return argErr(op, "GL texture %d has internal format %#x; a sized one of 1, 2 or 4 components of 8, 16 or 32 bits, as GL_RGBA8 or GL_RGBA16F", i.reg.name, format)
	}
	i.format, i.w, i.h, i.d, i.levels = format, w, h, d, levels
	i.texel = driver.ArrayDesc{Format: f, Channels: channels, Surface: i.use&ImageSurface != 0}
	return nil
}

// level gives a level's size as an array, and how many layers or faces it has.
func (i *GLImage) levelDesc(level int) (d driver.ArrayDesc, layers int) {
	d, layers = i.texel, 1
	d.Width, d.Height = max(i.w>>level, 1), max(i.h>>level, 1)
	switch i.target {
	case driver.Texture3D:
		d.Depth = max(i.d>>level, 1)
	case driver.Texture2DArray:
		layers = i.d
	case driver.TextureCubeMap:
		layers = 6
	}
	return d, layers
}
