// SPDX-License-Identifier: Apache-2.0

package host

import (
	"sync"
	"unsafe"

	"particles/interop/driver"
)

// array is a CUarray of the host driver: a HostSurface and behind it the texels,
// in one piece of memory that C++ bodies may read.
type array struct {
	desc   driver.ArrayDesc
	head   *driver.HostSurface
	texels unsafe.Pointer
	owned  bool // made by Array3DCreate; else it lives as long as its resource
	span   driver.DevicePtr
}

// headRoom keeps the texels aligned behind the HostSurface.
const headRoom = 64

// newArray makes the memory of an array.
func (c *context) newArray(d driver.ArrayDesc, owned bool) (*array, driver.Code) {
	p, code := c.alloc(headRoom+d.Size(), arraySpan)
	if code != driver.Success {
		return nil, code
	}
	a := &array{desc: d, owned: owned, span: address(p), head: (*driver.HostSurface)(p), texels: unsafe.Add(p, headRoom)}
	row := uint64(d.Width) * uint64(d.TexelBytes())
	*a.head = driver.HostSurface{
		Texels: a.texels, Width: uint32(d.Width), Height: uint32(max(d.Height, 1)), Depth: uint32(max(d.Depth, 1)),
		Texel: uint32(d.TexelBytes()), RowBytes: row, SliceSize: row * uint64(max(d.Height, 1)),
	}
	return a, driver.Success
}

// surfaces counts the surface objects by address.
type surfaces struct {
	mu sync.Mutex
	n  map[driver.Surface]int
}

// GraphicsGLRegisterImage notes what the texture is.
func (d *Driver) GraphicsGLRegisterImage(ctx driver.Ctx, gl driver.GL, name, target uint32, f driver.ImageFlags) (driver.Resource, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	tex, ok := gl.(driver.TextureGL)
	const all = driver.ImageReadOnly | driver.ImageWriteDiscard | driver.ImageSurface | driver.ImageGather
	if !ok || f&^all != 0 || f&(driver.ImageReadOnly|driver.ImageWriteDiscard) == driver.ImageReadOnly|driver.ImageWriteDiscard {
		return 0, driver.InvalidValue
	}
	if gl.CurrentContext() == 0 {
		return 0, driver.InvalidGraphicsContext
	}
	format, _, _, _, _, _, ok := tex.TextureInfo(name, target, 0)
	if !ok {
		return 0, driver.InvalidHandle
	}
	if _, _, ok := driver.TexelOf(format); !ok {
		return 0, driver.InvalidValue
	}
	r := &resource{gl: gl, tex: tex, name: name, target: target, flags: f}
	return driver.Resource(c.resources.add(r)), driver.Success
}

// part is one level of one layer of a registered texture.
type part struct {
	layer, level int
	h            driver.Array
	a            *array
	used         bool // in this mapping
}

// GraphicsSubResourceGetMappedArray gives one level of one layer. What it holds
// is fetched from OpenGL now, unless the flags promise that it is overwritten.
func (d *Driver) GraphicsSubResourceGetMappedArray(ctx driver.Ctx, h driver.Resource, layer, level int) (driver.Array, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	r, ok := c.resources.get(uintptr(h))
	switch {
	case !ok:
		return 0, driver.InvalidHandle
	case r.tex == nil:
		return 0, driver.NotMappedAsArray
	case !r.mapped:
		return 0, driver.NotMapped
	}
	desc, layers, ok := r.describe(level)
	if !ok || layer < 0 || layer >= layers {
		return 0, driver.InvalidValue
	}
	p, code := c.part(r, layer, level, desc)
	if code != driver.Success {
		return 0, code
	}
	if p.used {
		return p.h, driver.Success
	}
	if r.flags&driver.ImageWriteDiscard == 0 && !r.tex.ReadTexture(r.name, r.target, level, layer, p.a.texels, desc.Size()) {
		return 0, driver.MapFailed
	}
	p.used = true
	return p.h, driver.Success
}

// part finds or makes the memory of a level; it is kept, as frames use the same.
func (c *context) part(r *resource, layer, level int, desc driver.ArrayDesc) (*part, driver.Code) {
	for i := range r.parts {
		p := &r.parts[i]
		if p.layer != layer || p.level != level {
			continue
		}
		if p.a.desc == desc {
			return p, driver.Success
		}
		c.dropPart(p) // new storage
		r.parts = append(r.parts[:i], r.parts[i+1:]...)
		break
	}
	a, code := c.newArray(desc, false)
	if code != driver.Success {
		return nil, code
	}
	r.parts = append(r.parts, part{layer: layer, level: level, a: a, h: driver.Array(c.arrays.add(a))})
	return &r.parts[len(r.parts)-1], driver.Success
}

func (c *context) dropPart(p *part) {
	c.arrays.remove(uintptr(p.h))
	c.freeArray(p.a)
}

func (c *context) freeArray(a *array) {
	if s, ok := c.mem.remove(a.span, arraySpan); ok {
		s.free()
	}
}

// describe gives a level as an array, and the number of layers or faces.
func (r *resource) describe(level int) (d driver.ArrayDesc, layers int, ok bool) {
	format, w, h, depth, _, _, ok := r.tex.TextureInfo(r.name, r.target, level)
	if !ok {
		return d, 0, false
	}
	f, channels, ok := driver.TexelOf(format)
	d = driver.ArrayDesc{Width: w, Height: h, Format: f, Channels: channels, Surface: r.flags&driver.ImageSurface != 0}
	layers = 1
	switch r.target {
	case driver.Texture3D:
		d.Depth = depth
	case driver.Texture2DArray:
		layers = depth
	case driver.TextureCubeMap:
		layers = 6
	}
	return d, layers, ok
}

// giveBack writes the levels that were used back to OpenGL.
func (r *resource) giveBack() bool {
	ok := true
	for i := range r.parts {
		p := &r.parts[i]
		if p.used && r.flags&driver.ImageReadOnly == 0 {
			ok = r.tex.WriteTexture(r.name, r.target, p.level, p.layer, p.a.texels, p.a.desc.Size()) && ok
		}
		p.used = false
	}
	return ok
}

// Array3DCreate makes an array, cleared.
func (d *Driver) Array3DCreate(ctx driver.Ctx, desc driver.ArrayDesc) (driver.Array, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	if desc.Width <= 0 || desc.Height < 0 || desc.Depth < 0 || desc.TexelBytes() <= 0 || desc.Channels == 3 || desc.Channels > 4 {
		return 0, driver.InvalidValue
	}
	a, code := c.newArray(desc, true)
	if code != driver.Success {
		return 0, code
	}
	return driver.Array(c.arrays.add(a)), driver.Success
}

// Array3DGetDescriptor tells what an array is.
func (d *Driver) Array3DGetDescriptor(ctx driver.Ctx, h driver.Array) (driver.ArrayDesc, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return driver.ArrayDesc{}, code
	}
	a, ok := c.arrays.get(uintptr(h))
	if !ok {
		return driver.ArrayDesc{}, driver.InvalidHandle
	}
	return a.desc, driver.Success
}

// ArrayDestroy waits for all queued work, and frees. A texture's own arrays are refused.
func (d *Driver) ArrayDestroy(ctx driver.Ctx, h driver.Array) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	a, ok := c.arrays.get(uintptr(h))
	if !ok || !a.owned {
		return driver.InvalidHandle
	}
	c.arrays.remove(uintptr(h))
	c.drain()
	c.freeArray(a)
	return c.sticky()
}

// SurfObjectCreate gives the address of the array's HostSurface.
func (d *Driver) SurfObjectCreate(ctx driver.Ctx, h driver.Array) (driver.Surface, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	a, ok := c.arrays.get(uintptr(h))
	if !ok {
		return 0, driver.InvalidHandle
	}
	if !a.desc.Surface {
		return 0, driver.InvalidValue
	}
	s := driver.Surface(uintptr(unsafe.Pointer(a.head)))
	c.surfaces.mu.Lock()
	defer c.surfaces.mu.Unlock()
	if c.surfaces.n == nil {
		c.surfaces.n = map[driver.Surface]int{}
	}
	c.surfaces.n[s]++
	return s, driver.Success
}

// SurfObjectDestroy forgets a surface.
func (d *Driver) SurfObjectDestroy(ctx driver.Ctx, s driver.Surface) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	c.surfaces.mu.Lock()
	defer c.surfaces.mu.Unlock()
	if c.surfaces.n[s] == 0 {
		return driver.InvalidHandle
	}
	c.surfaces.n[s]-- // the key stays, so that a frame makes none anew
	return c.sticky()
}

// Memcpy3DAsync queues a copy between an array and memory.
func (d *Driver) Memcpy3DAsync(ctx driver.Ctx, k driver.Copy3D, on driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, on)
	if code != driver.Success {
		return code
	}
	a, ok := c.arrays.get(uintptr(k.Array))
	if !ok {
		return driver.InvalidHandle
	}
	linear := k.Device
	if k.Host != nil {
		if k.Device != 0 {
			return driver.InvalidValue
		}
		linear = address(k.Host)
	}
	n := k.WidthBytes * k.Height * k.Depth
	if k.WidthBytes <= 0 || n != a.desc.Size() || uint64(k.WidthBytes) != a.head.RowBytes || !c.mem.holds(linear, n) {
		return driver.InvalidValue
	}
	q := s.begin()
	q.op, q.dst, q.src, q.n = opCopy, a.texels, pointer(linear), n
	if !k.ToArray {
		q.dst, q.src = q.src, q.dst
	}
	s.end()
	return driver.Success
}
