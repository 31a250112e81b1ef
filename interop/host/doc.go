// SPDX-License-Identifier: Apache-2.0

// Package host is the driver for machines without a usable GPU: the CUDA driver
// API of interop/driver in process. Device memory is this process's memory, kernels are the
// Go functions of driver.Image.Host, and the rules and their codes are CUDA's: 208 for mapping
// twice, 211 for unmapping what is not mapped, 400 for an unknown handle, 219
// without an OpenGL context, 719 and nothing but 719 after a kernel has panicked.
//
// A stream is an ordered queue run by a goroutine of its own. Launches, copies
// and events only enqueue, into slots made beforehand, and allocate nothing. A
// launch runs over its index range on all cores, in pieces of about 100 us that
// a pool of persistent workers shares out; small launches run in one piece on
// the stream's goroutine. Streams with a greater priority get workers first.
//
// OpenGL buffers are mapped for the CPU through driver.GL, on the OpenGL thread.
// Giving a mapping back is the one join: it waits for the stream, then unmaps.
//
// Goroutines live from DevicePrimaryCtxRetain to the last DevicePrimaryCtxRelease,
// which waits for them. Everything may be called from any goroutine, but for the
// Graphics calls, which belong to the OpenGL thread.
package host
