// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"particles/interop/driver"
)

// GLImage is the registration of an OpenGL texture. Mapping gives one level of
// one layer as an Array; while it is mapped OpenGL must not touch the texture. Its
// methods belong to the OpenGL context's thread.
type GLImage struct {
	reg             registration
	tex             driver.TextureGL
	target          uint32
	use             ImageUse
	format          uint32           // OpenGL's
	texel           driver.ArrayDesc // without a size
	w, h, d, levels int              // of level 0

	// The mapping.
	layer, level int
	arr          driver.Array
	surf         atomic.Uint64
	desc         driver.ArrayDesc
	part         *imagePart // copied tier

	parts   []*imagePart // copied tier: one for each level that was mapped
	retired []retired    // surfaces that queued kernels may still use
	events  []driver.Event
}

// imagePart is a level's own array in the copied tier.
type imagePart struct {
	layer, level int
	arr          driver.Array
	surf         driver.Surface
	stage        unsafe.Pointer
	size         int
}

// retired is a surface of a mapping that was given back.
type retired struct {
	surf driver.Surface
	ev   driver.Event // passed: no kernel uses it any more
}

// Map maps one level of one layer: kernels queued on s from now on run after
// the OpenGL commands issued before. layer is a layer of an array, a face of a
// cube map (0: +x), else 0; a 3-D texture is mapped with all slices. Closing the
// Array gives it back on s. A layer or level that the texture lacks is refused.
func (i *GLImage) Map(s *Stream, layer, level int) (Array, error) {
	return i.begin("GLImage.Map", s, layer, level)
}

// WithMapped maps one level of one layer on s for the time of fn, and gives it
// back on the same stream, also when fn fails or panics. fn's error is returned
// as it is, unless giving back fails too. It allocates nothing.
func (i *GLImage) WithMapped(s *Stream, layer, level int, fn func(Array) error) (err error) {
	const op = "GLImage.WithMapped"
	if fn == nil {
		return argErr(op, "nil function")
	}
	a, err := i.begin(op, s, layer, level)
	if err != nil {
		return err
	}
	defer func() {
		if e := (mapping{&i.reg, a.gen}).end(op); e != nil {
			err = join(err, e)
		}
	}()
	return fn(a)
}

// begin maps a level on s, or changes nothing.
func (i *GLImage) begin(op string, s *Stream, layer, level int) (Array, error) {
	if i == nil || i.reg.in == nil {
		return Array{}, stateErr(op, "GL image", ErrZeroValue)
	}
	in, alone := i.reg.in, i.reg.alone[:]
	if err := in.mappable(op, s, alone); err != nil {
		return Array{}, err
	}
	if level < 0 || level >= i.levels {
		return Array{}, argErr(op, "level %d of %s, which has %d", level, i.text(), i.levels)
	}
	desc, layers := i.levelDesc(level)
	if layer < 0 || layer >= layers {
		return Array{}, argErr(op, "layer %d of %s, which has %d", layer, i.text(), layers)
	}
	i.layer, i.level, i.desc = layer, level, desc
	if err := i.reap(false); err != nil {
		return Array{}, err
	}
	if err := in.mapAll(op, s, alone); err != nil {
		return Array{}, err
	}
	return Array{i: i, gen: i.reg.gen.Load()}, nil
}

// IsMapped reports whether a mapping has not been given back.
func (i *GLImage) IsMapped() bool { return i != nil && i.reg.mapped() }

// Handle is the driver's handle; 0 after Close and in the copied tier.
func (i *GLImage) Handle() GraphicsHandle {
	if i == nil {
		return 0
	}
	return i.reg.handle()
}

// Name is the OpenGL texture's name.
func (i *GLImage) Name() uint32 {
	if i == nil {
		return 0
	}
	return i.reg.name
}

// Size is that of level 0 in texels; depth counts the slices of a 3-D texture
// or the layers of an array, else it is 1.
func (i *GLImage) Size() (width, height, depth int) {
	if i == nil {
		return 0, 0, 0
	}
	return i.w, i.h, i.d
}

// Levels is the number of levels.
func (i *GLImage) Levels() int {
	if i == nil {
		return 0
	}
	return i.levels
}

// Tier tells how this texture is shared.
func (i *GLImage) Tier() Tier {
	if i == nil {
		return TierNone
	}
	return i.reg.tier
}

// String tells name, size, handle and state.
func (i *GLImage) String() string {
	if i == nil || i.reg.in == nil {
		return "GLImage(zero)"
	}
	return fmt.Sprintf("GLImage(name %d, %dx%dx%d, %s, %s, handle %#x, %s)",
		i.reg.name, i.w, i.h, i.d, i.use, i.reg.tier, uintptr(i.Handle()), i.reg.state())
}

// Close gives back the mapping, if there is one, waits for the kernels that use
// its surfaces, and unregisters. Delete the texture only after it. On the wrong
// thread it refuses, changing nothing; when the driver refuses to unregister, the
// image stays registered, and Close can be repeated; so it does when the driver
// refuses to unmap. Closing again does nothing.
func (i *GLImage) Close() error {
	const op = "GLImage.Close"
	if i == nil || i.reg.in == nil {
		return stateErr(op, "", ErrZeroValue)
	}
	return i.reg.close(op)
}

func (i *GLImage) text() string {
	return fmt.Sprintf("GL texture %d of %dx%dx%d", i.reg.name, i.w, i.h, i.d)
}

func (i *GLImage) current(op string) error {
	if i.use&ImageMutable == 0 {
		return nil
	}
	format, w, h, d, _, _, ok := i.tex.TextureInfo(i.reg.name, i.target, 0)
	if !ok {
		return stateErr(op, i.text()+", deleted in OpenGL", ErrSizeChanged)
	}
	if format != i.format || w != i.w || h != i.h || d != i.d {
		return stateErr(op, fmt.Sprintf("%s of format %#x then, %dx%dx%d of format %#x now", i.text(), i.format, w, h, d, format), ErrSizeChanged)
	}
	return nil
}

// copied makes nothing yet: arrays are made as levels are mapped.
func (i *GLImage) copied() error { return nil }

func (i *GLImage) locate(op string, s *Stream) error {
	if i.reg.tier == TierCopied {
		return i.load(s)
	}
	c := i.reg.in.ctx
	a, code := c.drv.GraphicsSubResourceGetMappedArray(c.h, i.reg.res, i.layer, i.level)
	if code == driver.Success && a == 0 {
		code = driver.NotMappedAsArray
	}
	if code != driver.Success {
		return c.fail(opGLArray, code, fmt.Sprintf("%s, layer %d, level %d", i.text(), i.layer, i.level))
	}
	d, code := c.drv.Array3DGetDescriptor(c.h, a)
	if code != driver.Success {
		return c.fail("cuArray3DGetDescriptor", code, i.text())
	}
	// A driver may have newer formats for the same texels: what it does not size is not compared.
	if d.Width != i.desc.Width || max(d.Height, 1) != i.desc.Height || (d.TexelBytes() != 0 && d.TexelBytes() != i.desc.TexelBytes()) {
		return stateErr(op, fmt.Sprintf("%s mapped as %dx%d of %d bytes a texel", i.text(), d.Width, d.Height, d.TexelBytes()), ErrSizeChanged)
	}
	i.arr = a
	if i.use&ImageSurface == 0 {
		return nil
	}
	surf, err := c.surface(a, i)
	i.surf.Store(uint64(surf))
	return err
}

// load is locate in the copied tier.
func (i *GLImage) load(s *Stream) error {
	c := i.reg.in.ctx
	p, err := i.copyPart()
	if err != nil {
		return err
	}
	if i.use.reads() {
		if !i.tex.ReadTexture(i.reg.name, i.target, i.level, i.layer, p.stage, p.size) {
			return fmt.Errorf("interop: OpenGL refuses to read %s, layer %d, level %d: %w", i.text(), i.layer, i.level, ErrSizeChanged)
		}
		if code := c.drv.Memcpy3DAsync(c.h, i.copyOf(p, true), s.h); code != driver.Success {
			return c.fail("cuMemcpy3DAsync", code, i.text())
		}
	}
	i.part, i.arr = p, p.arr
	i.surf.Store(uint64(p.surf))
	return nil
}

func (i *GLImage) leave(s *Stream) error {
	c := i.reg.in.ctx
	switch surf := driver.Surface(i.surf.Load()); {
	case i.reg.tier != TierCopied && surf != 0:
		return i.retire(surf, s)
	case i.reg.tier == TierCopied && i.use.writes():
		if code := c.drv.Memcpy3DAsync(c.h, i.copyOf(i.part, false), s.h); code != driver.Success {
			return c.fail("cuMemcpy3DAsync", code, i.text())
		}
	}
	return nil
}

func (i *GLImage) store() error {
	if i.use.writes() && !i.tex.WriteTexture(i.reg.name, i.target, i.level, i.layer, i.part.stage, i.part.size) {
		return NewError(i.reg.in.ctx.drv, "glTextureSubImage", driver.ContentsLost, i.text())
	}
	return nil
}

func (i *GLImage) left() {
	i.part, i.arr = nil, 0
	i.surf.Store(0)
}

func (i *GLImage) settle() error { return i.reap(true) }
func (i *GLImage) free() error   { return i.freeParts() }
