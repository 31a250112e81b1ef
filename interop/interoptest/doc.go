// SPDX-License-Identifier: Apache-2.0

// Package interoptest helps to test programs that use interop, without a GPU and
// without OpenGL. It holds two stand-ins:
//
// Driver is a driver.Driver that records every call, enforces the rules of the
// CUDA driver (handles that were given back, mapping twice, unregistering while
// mapped, memory out of bounds, the wrong OpenGL context, unmapping on a stream
// that does not wait for the work on the mapping) and makes any call fail that a
// test picks: the k-th, or the nth of a name. Beneath it is the host driver, so
// that kernels run and copies copy.
//
// GL is an OpenGL in memory: buffers and textures whose bytes a test sets and
// reads, and a current context that it can take away.
//
//	d := interoptest.New(interoptest.Options{})
//	gl := interoptest.NewGL()
//	ctx, err := interop.NewContext(d, 0)
//	...
//	d.FailCall("cuGraphicsMapResources", 1, driver.Unknown) // the next one
//	err = program(ctx, gl) // must report it and go on
//	d.Clean(t)             // and leave nothing behind
//
// To try every failure that can be, run the program once, count its calls, and run
// it again for each k with FailAt(k, code); interop's own tests do so.
//
// Threads: Driver may be used by any goroutine, GL by one.
package interoptest
