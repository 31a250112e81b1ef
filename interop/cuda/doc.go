// SPDX-License-Identifier: Apache-2.0

// Package cuda is the driver for NVIDIA GPUs: the CUDA driver API, from
// libcuda.so.1 opened at run time. Nothing is linked and no toolkit is needed,
// neither to build nor to run; a machine without the library gets ErrNoLibrary
// from Open.
//
// A call costs one cgo call, in which the context is pushed and popped, so every
// method may be called on any OS thread and leaves the thread's current CUDA
// context alone. The library is never closed again: NVIDIA's does not stand that.
package cuda
