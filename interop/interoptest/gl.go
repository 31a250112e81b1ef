// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"unsafe"

	"particles/interop/driver"
)

// GL is an OpenGL in memory: a driver.TextureGL whose current context, buffers
// and textures the test sets. It keeps OpenGL's rules: a mapped buffer cannot be
// mapped again, read or written, and without a current context nothing works.
// What breaks a rule is counted in Broken. It belongs to one goroutine.
type GL struct {
	Current uintptr // CurrentContext's answer; NewGL sets 1
	Lose    bool    // UnmapBuffer and WriteTexture answer false
	Refuse  bool    // MapBuffer answers nil, ReadTexture false
	Broken  int
	buffers map[uint32]*glBuffer
	texs    map[uint32]*glTexture
	last    uint32
}

type glBuffer struct {
	data      []byte
	immutable bool
	mapped    bool
}

type glTexture struct {
	target, format uint32
	w, h, d        int
	immutable      bool
	levels         [][]byte // all layers of a level, one after the other
}

var _ driver.TextureGL = (*GL)(nil)

// NewGL makes an OpenGL with a current context.
func NewGL() *GL {
	return &GL{Current: 1, buffers: map[uint32]*glBuffer{}, texs: map[uint32]*glTexture{}}
}

// NewBuffer makes a buffer with immutable storage, cleared.
func (g *GL) NewBuffer(size int) uint32 {
	g.last++
	g.buffers[g.last] = &glBuffer{data: make([]byte, size), immutable: true}
	return g.last
}

// BufferData gives a buffer new mutable storage, as glBufferData does.
func (g *GL) BufferData(name uint32, size int) {
	b := g.use(name)
	b.data, b.immutable = make([]byte, size), false
}

// DeleteBuffer deletes a buffer.
func (g *GL) DeleteBuffer(name uint32) { delete(g.buffers, name) }

// Bytes gives the contents, as a draw would see them: breaking the rules while mapped.
func (g *GL) Bytes(name uint32) []byte { return g.use(name).data }

// Mapped tells whether a buffer is mapped.
func (g *GL) Mapped(name uint32) bool { return g.buffers[name].mapped }

// use finds a buffer that OpenGL wants to touch.
func (g *GL) use(name uint32) *glBuffer {
	b := g.buffers[name]
	if b == nil {
		g.Broken++
		return &glBuffer{}
	}
	if b.mapped || g.Current == 0 {
		g.Broken++
	}
	return b
}

// NewTexture makes a texture with immutable storage, cleared. format is a sized
// internal format that driver.TexelOf knows; depth is the number of slices or
// layers, 1 for the targets that have none.
func (g *GL) NewTexture(target, format uint32, width, height, depth, levels int) uint32 {
	g.last++
	t := &glTexture{target: target, immutable: true}
	g.texs[g.last] = t
	t.storage(format, width, height, depth, levels)
	return g.last
}

// TexImage gives a texture new mutable storage of one level, as glTexImage does.
func (g *GL) TexImage(name, format uint32, width, height int) {
	t := g.texs[name]
	t.immutable = false
	t.storage(format, width, height, t.d, 1)
}

func (t *glTexture) storage(format uint32, w, h, d, levels int) {
	t.format, t.w, t.h, t.d, t.levels = format, w, h, d, nil
	for level := range levels {
		_, _, size, layers := t.size(level)
		t.levels = append(t.levels, make([]byte, size*layers))
	}
}

// size gives a level's width and height, the bytes of one layer (of all slices
// of a 3-D texture) and the number of layers.
func (t *glTexture) size(level int) (w, h, bytes, layers int) {
	f, channels, _ := driver.TexelOf(t.format)
	w, h, layers = max(t.w>>level, 1), max(t.h>>level, 1), 1
	bytes = w * h * f.Bytes() * channels
	switch t.target {
	case driver.Texture3D:
		bytes *= max(t.d>>level, 1)
	case driver.Texture2DArray:
		layers = t.d
	case driver.TextureCubeMap:
		layers = 6
	}
	return w, h, bytes, layers
}

// DeleteTexture deletes a texture.
func (g *GL) DeleteTexture(name uint32) { delete(g.texs, name) }

// Texels gives the contents of one layer of a level, as a draw would see them.
func (g *GL) Texels(name uint32, layer, level int) []byte {
	t := g.texs[name]
	_, _, size, _ := t.size(level)
	return t.levels[level][layer*size:][:size]
}

// CurrentContext implements driver.GL.
func (g *GL) CurrentContext() uintptr { return g.Current }

// Describe implements driver.GL.
func (g *GL) Describe() (vendor, renderer, version string) {
	return "interoptest", "OpenGL in memory", "4.5"
}

// BufferInfo implements driver.GL.
func (g *GL) BufferInfo(name uint32) (size int, immutable, ok bool) {
	b := g.buffers[name]
	if b == nil || g.Current == 0 {
		return 0, false, false
	}
	return len(b.data), b.immutable, true
}

// MapBuffer implements driver.GL.
func (g *GL) MapBuffer(name uint32, size int, _, _, _ bool) unsafe.Pointer {
	b := g.use(name)
	if g.Refuse || b.mapped || size > len(b.data) || len(b.data) == 0 {
		return nil
	}
	b.mapped = true
	return unsafe.Pointer(&b.data[0])
}

// UnmapBuffer implements driver.GL.
func (g *GL) UnmapBuffer(name uint32) bool {
	b := g.buffers[name]
	if b == nil || !b.mapped || g.Current == 0 {
		g.Broken++
		return false
	}
	b.mapped = false
	return !g.Lose
}

// ReadBuffer implements driver.GL.
func (g *GL) ReadBuffer(name uint32, dst unsafe.Pointer, size int) {
	copy(unsafe.Slice((*byte)(dst), size), g.use(name).data)
}

// WriteBuffer implements driver.GL.
func (g *GL) WriteBuffer(name uint32, src unsafe.Pointer, size int) {
	copy(g.use(name).data, unsafe.Slice((*byte)(src), size))
}

// TextureInfo implements driver.TextureGL.
func (g *GL) TextureInfo(name, target uint32, level int) (format uint32, width, height, depth, levels int, immutable, ok bool) {
	t := g.texs[name]
	if t == nil || g.Current == 0 || t.target != target || level < 0 || level >= len(t.levels) {
		return 0, 0, 0, 0, 0, false, false
	}
	width, height, _, _ = t.size(level)
	depth = t.d
	if target == driver.Texture3D {
		depth = max(t.d>>level, 1)
	}
	return t.format, width, height, depth, len(t.levels), t.immutable, true
}

func (g *GL) texels(name, target uint32, level, layer, size int) []byte {
	t := g.texs[name]
	if t == nil || g.Current == 0 || t.target != target || level < 0 || level >= len(t.levels) {
		g.Broken++
		return nil
	}
	_, _, bytes, layers := t.size(level)
	if layer < 0 || layer >= layers || bytes != size {
		return nil
	}
	return t.levels[level][layer*bytes:][:bytes]
}

// ReadTexture implements driver.TextureGL.
func (g *GL) ReadTexture(name, target uint32, level, layer int, dst unsafe.Pointer, size int) bool {
	b := g.texels(name, target, level, layer, size)
	if b == nil || g.Refuse {
		return false
	}
	copy(unsafe.Slice((*byte)(dst), size), b)
	return true
}

// WriteTexture implements driver.TextureGL.
func (g *GL) WriteTexture(name, target uint32, level, layer int, src unsafe.Pointer, size int) bool {
	b := g.texels(name, target, level, layer, size)
	if b == nil || g.Lose {
		return false
	}
	copy(b, unsafe.Slice((*byte)(src), size))
	return true
}
