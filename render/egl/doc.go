// SPDX-License-Identifier: Apache-2.0

// Package egl makes OpenGL 4.5 core contexts without a window, a display server or an X library: for headless runs
// and tests.
//
// libEGL.so.1 is opened at run time, so the program starts (and says what is missing) where it is not installed. New
// tries each device of EGL_EXT_platform_device, the graphics card first, then Mesa's surfaceless platform; when none
// works the error lists all that was tried, why it failed and what to do.
//
// # Threads and ownership
//
// New and Describe may be called on any thread. A context is current on at most one thread: MakeCurrent, drawing,
// Release and Close belong on a thread locked with runtime.LockOSThread. The caller owns the context and closes it
// after everything that was made in it.
//
// # Example
//
//	runtime.LockOSThread()
//	ctx, err := egl.New(egl.Options{})
//	if err != nil {
//		return err
//	}
//	defer ctx.Close()
//	if err := ctx.MakeCurrent(); err != nil {
//		return err
//	}
//	err = gl.Init(ctx.ProcAddr)
//
// There is no default framebuffer: draw into a framebuffer object.
package egl
