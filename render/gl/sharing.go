// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// Sharing is the small view of OpenGL that interop is handed (its interfaces GL and TextureGL, met structurally): buffers
// and textures by name, and which context is current. All methods on the GL thread; they allocate nothing once made.
type Sharing struct {
	current                   func() uintptr
	vendor, renderer, version string
	out                       [2]int64 // out parameters, on the heap with the struct
	word                      int32
	saved                     [6]int32 // the program's pixel store state during a transfer
	buffer                    uint32   // and its pixel buffer
}

// NewSharing makes the view of the current context. current returns the handle of the context that is current on the
// calling thread, 0 for none: (*egl.Context).Current or (*window.Window).Current.
func NewSharing(current func() uintptr) *Sharing {
	i := Describe()
	return &Sharing{current: current, vendor: i.Vendor, renderer: i.Renderer, version: i.Version}
}

// CurrentContext returns the handle of the context current on this thread, 0 for none.
func (s *Sharing) CurrentContext() uintptr { return s.current() }

// Describe returns GL_VENDOR, GL_RENDERER and GL_VERSION as they were when s was made.
func (s *Sharing) Describe() (vendor, renderer, version string) {
	return s.vendor, s.renderer, s.version
}

// BufferInfo returns a buffer's size in bytes and whether its storage is immutable; ok is false when name is no buffer.
func (s *Sharing) BufferInfo(name uint32) (size int, immutable, ok bool) {
	if name == 0 || !gl.IsBuffer(name) {
		return 0, false, false
	}
	gl.GetNamedBufferParameteri64v(name, gl.BUFFER_SIZE, &s.out[0])
	gl.GetNamedBufferParameteri64v(name, gl.BUFFER_IMMUTABLE_STORAGE, &s.out[1])
	return int(s.out[0]), s.out[1] != 0, true
}

// MapBuffer maps the first size bytes for the CPU, nil on failure. discard gives up what the buffer holds, so the
// driver need not wait for draws that still read it; it is ignored together with read.
func (s *Sharing) MapBuffer(name uint32, size int, read, write, discard bool) unsafe.Pointer {
	var access uint32
	if read {
		access |= gl.MAP_READ_BIT
	}
	if write {
		access |= gl.MAP_WRITE_BIT
	}
	if discard && write && !read {
		access |= gl.MAP_INVALIDATE_BUFFER_BIT
	}
	return gl.MapNamedBufferRange(name, 0, size, access)
}

// UnmapBuffer ends a mapping; false: the contents were lost.
func (s *Sharing) UnmapBuffer(name uint32) bool { return gl.UnmapNamedBuffer(name) }

// ReadBuffer copies the first size bytes of a buffer to dst; it waits for the GPU.
func (s *Sharing) ReadBuffer(name uint32, dst unsafe.Pointer, size int) {
	gl.GetNamedBufferSubData(name, 0, size, dst)
}

// WriteBuffer copies size bytes from src to the start of a buffer.
func (s *Sharing) WriteBuffer(name uint32, src unsafe.Pointer, size int) {
	gl.NamedBufferSubData(name, 0, size, src)
}
