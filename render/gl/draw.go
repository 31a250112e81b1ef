// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"time"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// DrawArrays draws count vertices from first on.
func DrawArrays(mode uint32, first, count int) { gl.DrawArrays(mode, int32(first), int32(count)) }

// DrawArraysInstanced draws count vertices from first on, instances times.
func DrawArraysInstanced(mode uint32, first, count, instances int) {
	gl.DrawArraysInstanced(mode, int32(first), int32(count), int32(instances))
}

// DrawElements draws count indices of type typ that start at a byte offset of the vertex array's index buffer.
func DrawElements(mode uint32, count int, typ uint32, offset int) {
	gl.DrawElementsWithOffset(mode, int32(count), typ, uintptr(offset))
}

// DrawElementsBaseVertex is DrawElements with base added to each index.
func DrawElementsBaseVertex(mode uint32, count int, typ uint32, offset, base int) {
	gl.DrawElementsBaseVertexWithOffset(mode, int32(count), typ, uintptr(offset), int32(base))
}

// FenceSync puts a fence behind all commands issued so far.
func FenceSync() uintptr { return gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0) }

// FencePassed asks, without waiting, whether the GPU has reached a fence. flush hands the commands before it to the
// driver first, so that a fence asked for again and again is reached at all.
func FencePassed(fence uintptr, flush bool) bool {
	var flags uint32
	if flush {
		flags = gl.SYNC_FLUSH_COMMANDS_BIT
	}
	switch gl.ClientWaitSync(fence, flags, 0) {
	case gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED:
		return true
	}
	return false
}

// WaitFence waits until the GPU has passed the fence, for a timeout at most, and reports whether it has. It is for a
// program without a window, which has no swap to hold it back; a windowed frame asks FencePassed and never waits.
func WaitFence(fence uintptr, timeout time.Duration) bool {
	status := gl.ClientWaitSync(fence, gl.SYNC_FLUSH_COMMANDS_BIT, uint64(timeout))
	return status == gl.ALREADY_SIGNALED || status == gl.CONDITION_SATISFIED
}

// DeleteSync deletes a fence; 0 is ignored.
func DeleteSync(fence uintptr) { gl.DeleteSync(fence) }
