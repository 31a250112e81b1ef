// SPDX-License-Identifier: Apache-2.0

// Package gl is the program's door to OpenGL 4.5 core: thin typed wrappers over the few functions that are used. It
// is the only package that names go-gl.
//
// # Threads
//
// Every function needs a current context and must be called on the thread that it is current on (lock it with
// runtime.LockOSThread). Init is called once a context, after it was made current.
//
// # Cost
//
// Wrappers meant for the frame path allocate nothing. Where one takes a pointer (uniform matrices, query results), pass the
// address of a field that lives on the heap already: the address of a local variable escapes into C and costs an
// allocation. Get, Create and error calls may wait for the driver and have no place in a frame.
//
// # Example
//
//	ctx, err := egl.New(egl.Options{})
//	...
//	runtime.LockOSThread()
//	err = ctx.MakeCurrent()
//	...
//	err = gl.Init(ctx.ProcAddr)
package gl
