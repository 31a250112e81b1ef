// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// CreateBuffer makes a buffer object without storage.
func CreateBuffer() uint32 {
	var n uint32
	gl.CreateBuffers(1, &n)
	return n
}

// DeleteBuffer deletes a buffer; 0 is ignored.
func DeleteBuffer(name uint32) { gl.DeleteBuffers(1, &name) }

// NamedBufferStorage gives a buffer immutable storage of size bytes, filled from data unless that is nil.
func NamedBufferStorage(name uint32, size int, data unsafe.Pointer, flags uint32) {
	gl.NamedBufferStorage(name, size, data, flags)
}

// NamedBufferData gives a buffer new mutable storage (also to orphan the old one).
func NamedBufferData(name uint32, size int, data unsafe.Pointer, usage uint32) {
	gl.NamedBufferData(name, size, data, usage)
}

// NamedBufferSubData copies size bytes into a buffer at a byte offset.
func NamedBufferSubData(name uint32, offset, size int, data unsafe.Pointer) {
	gl.NamedBufferSubData(name, offset, size, data)
}

// GetNamedBufferSubData reads size bytes at a byte offset. It waits for the GPU.
func GetNamedBufferSubData(name uint32, offset, size int, data unsafe.Pointer) {
	gl.GetNamedBufferSubData(name, offset, size, data)
}

// MapNamedBufferRange maps a range for the CPU; nil on failure.
func MapNamedBufferRange(name uint32, offset, size int, access uint32) unsafe.Pointer {
	return gl.MapNamedBufferRange(name, offset, size, access)
}

// UnmapNamedBuffer ends a mapping; false when the contents were lost and must be written again.
func UnmapNamedBuffer(name uint32) bool { return gl.UnmapNamedBuffer(name) }

// BindBufferBase binds a whole buffer to an indexed target.
func BindBufferBase(target, index, name uint32) { gl.BindBufferBase(target, index, name) }

// CreateVertexArray makes a vertex array object.
func CreateVertexArray() uint32 {
	var n uint32
	gl.CreateVertexArrays(1, &n)
	return n
}

// DeleteVertexArray deletes a vertex array object; 0 is ignored.
func DeleteVertexArray(name uint32) { gl.DeleteVertexArrays(1, &name) }

// BindVertexArray makes a vertex array the one that draws.
func BindVertexArray(name uint32) { gl.BindVertexArray(name) }

// VertexArrayVertexBuffer attaches a buffer to a binding point; offset and stride in bytes.
func VertexArrayVertexBuffer(vao, binding, buffer uint32, offset, stride int) {
	gl.VertexArrayVertexBuffer(vao, binding, buffer, offset, int32(stride))
}

// VertexArrayElementBuffer attaches the index buffer.
func VertexArrayElementBuffer(vao, buffer uint32) { gl.VertexArrayElementBuffer(vao, buffer) }

// VertexArrayAttrib describes one attribute of binding and enables it: size components of type typ at a byte offset
// within the vertex; normalized maps integers to 0..1.
func VertexArrayAttrib(vao, attrib, binding uint32, size int, typ uint32, normalized bool, offset int) {
	gl.EnableVertexArrayAttrib(vao, attrib)
	gl.VertexArrayAttribFormat(vao, attrib, int32(size), typ, normalized, uint32(offset))
	gl.VertexArrayAttribBinding(vao, attrib, binding)
}

// VertexArrayBindingDivisor advances a binding once every n instances (0: every vertex).
func VertexArrayBindingDivisor(vao, binding uint32, n int) {
	gl.VertexArrayBindingDivisor(vao, binding, uint32(n))
}
