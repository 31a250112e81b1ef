// SPDX-License-Identifier: Apache-2.0

// Package window opens the program's window, with an OpenGL 4.5 core context, and hands on its events. It is the only
// package that names GLFW.
//
// # Threads
//
// Everything belongs on the program's main thread: call runtime.LockOSThread in an init function of package main and
// use the window only from the main goroutine. The context is current there from New to Close. Only Wake may be called from
// another goroutine.
//
// # Errors
//
// GLFW's panics come back as errors. Without a display New fails at once with ErrNoDisplay, before GLFW is started.
//
// # Units
//
// Size, event positions and drops are in window units, FramebufferSize in pixels. On X11 and Windows the two are the
// same and Scale says how much larger than usual text should be; on Wayland and macOS a unit is Scale pixels.
//
// # Example
//
//	w, err := window.New(window.Options{W: 1280, H: 720, Title: "particles", Visible: true, Vsync: true})
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//	for !w.ShouldClose() {
//		events, err := w.Poll()
//		...
//		w.Swap()
//	}
package window
