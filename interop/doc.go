// SPDX-License-Identifier: Apache-2.0

// Package interop is one small CUDA-shaped API over two drivers, with OpenGL
// buffers and textures as one more kind of memory: Context, Stream, Event, Buffer,
// Module, Kernel, GLInterop, GLBuffer, GLImage, Array. Code above it is the
// same with an NVIDIA GPU (interop/cuda) and without one (interop/host);
// interop/choose picks, interop/interoptest helps to test. docs/interop.md has the
// rules in plain words, examples, and every error with its cure.
//
// A registered OpenGL buffer is only a registration. Mapping it on an explicit
// stream gives an ordinary Buffer, and giving that Buffer back unmaps on that
// very stream:
//
//	in, err := ctx.OpenGL(gl)
//	slot, err := in.RegisterBuffer(name, size, interop.WriteDiscard)
//	err = slot.WithMapped(stream, func(b interop.Buffer) error {
//		params.Out = b.DevicePtr()
//		return interop.Launch(kernel, stream, n, &params)
//	}) // unmapped here, also on error and panic; OpenGL may draw
//
// MapBuffer does both in one step. A texture is registered with RegisterImage, and
// a level of it mapped as an Array, which kernels write through its Surface.
//
// The three tiers do the same by different means. Shared: the GL buffer's own
// memory on the GPU. Copied: a device buffer, copied through pinned memory when
// the mapping ends. Host: the GL buffer's memory mapped for the CPU.
//
// Threads. GL methods (OpenGL, RegisterBuffer, RegisterImage, Map, WithMapped,
// giving back a mapping, Close of a GLBuffer, GLImage or GLInterop) belong to the OS thread on which the
// OpenGL context is current; elsewhere they refuse with ErrNoGLContext or
// ErrWrongGLContext before anything has changed, so the call can be repeated on
// the right thread. Everything else may be called from any goroutine, as long as
// nothing is closed while another call uses it.
//
// Ownership. Whoever makes a thing closes it, in any order that the code finds
// handy: a mapping keeps its stream alive, a GLBuffer gives back its mapping
// first. Close is idempotent. Nothing is freed by the garbage collector: what is
// still open when the Context closes is freed then, and named in the error.
//
// Streams are always explicit and non-blocking. A nil stream is refused; it is
// never taken for CUDA's default stream.
package interop
