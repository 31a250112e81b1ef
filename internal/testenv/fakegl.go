// SPDX-License-Identifier: Apache-2.0

package testenv

import "unsafe"

// FakeGL is an OpenGL in memory: a driver.GL whose current context and buffers
// the test sets. It keeps OpenGL's rules: a mapped buffer cannot be mapped again,
// read or written, and without a current context nothing works. What breaks a rule is
// counted in Broken.
type FakeGL struct {
	Current uintptr // CurrentContext's answer; NewFakeGL sets 1
	Lose    bool    // UnmapBuffer answers false
	Refuse  bool    // MapBuffer answers nil
	Broken  int
	buffers map[uint32]*fakeBuffer
	last    uint32
}

type fakeBuffer struct {
	data      []byte
	immutable bool
	mapped    bool
}

// NewFakeGL makes an OpenGL with a current context.
func NewFakeGL() *FakeGL { return &FakeGL{Current: 1, buffers: map[uint32]*fakeBuffer{}} }

// NewBuffer makes a buffer with immutable storage, cleared.
func (g *FakeGL) NewBuffer(size int) uint32 {
	g.last++
	g.buffers[g.last] = &fakeBuffer{data: make([]byte, size), immutable: true}
	return g.last
}

// BufferData gives a buffer new mutable storage, as glBufferData does.
func (g *FakeGL) BufferData(name uint32, size int) {
	b := g.use(name)
	b.data, b.immutable = make([]byte, size), false
}

// DeleteBuffer deletes a buffer.
func (g *FakeGL) DeleteBuffer(name uint32) { delete(g.buffers, name) }

// Bytes gives the contents, as a draw would see them: breaking the rules while mapped.
func (g *FakeGL) Bytes(name uint32) []byte { return g.use(name).data }

// Mapped tells whether a buffer is mapped.
func (g *FakeGL) Mapped(name uint32) bool { return g.buffers[name].mapped }

// use finds a buffer that OpenGL wants to touch.
func (g *FakeGL) use(name uint32) *fakeBuffer {
	b := g.buffers[name]
	if b == nil {
		g.Broken++
		return &fakeBuffer{}
	}
	if b.mapped || g.Current == 0 {
		g.Broken++
	}
	return b
}

// CurrentContext implements driver.GL.
func (g *FakeGL) CurrentContext() uintptr { return g.Current }

// Describe implements driver.GL.
func (g *FakeGL) Describe() (vendor, renderer, version string) {
	return "testenv", "OpenGL in memory", "4.5"
}

// BufferInfo implements driver.GL.
func (g *FakeGL) BufferInfo(name uint32) (size int, immutable, ok bool) {
	b := g.buffers[name]
	if b == nil || g.Current == 0 {
		return 0, false, false
	}
	return len(b.data), b.immutable, true
}

// MapBuffer implements driver.GL.
func (g *FakeGL) MapBuffer(name uint32, size int, _, _, _ bool) unsafe.Pointer {
	b := g.use(name)
	if g.Refuse || b.mapped || size > len(b.data) || len(b.data) == 0 {
		return nil
	}
	b.mapped = true
	return unsafe.Pointer(&b.data[0])
}

// UnmapBuffer implements driver.GL.
func (g *FakeGL) UnmapBuffer(name uint32) bool {
	b := g.buffers[name]
	if b == nil || !b.mapped || g.Current == 0 {
		g.Broken++
		return false
	}
	b.mapped = false
	return !g.Lose
}

// ReadBuffer implements driver.GL.
func (g *FakeGL) ReadBuffer(name uint32, dst unsafe.Pointer, size int) {
	copy(unsafe.Slice((*byte)(dst), size), g.use(name).data)
}

// WriteBuffer implements driver.GL.
func (g *FakeGL) WriteBuffer(name uint32, src unsafe.Pointer, size int) {
	copy(g.use(name).data, unsafe.Slice((*byte)(src), size))
}
