// SPDX-License-Identifier: Apache-2.0

// Package app wires the application: it opens the device, the window or the
// headless context, loads a scene into a model, and owns the frame loop in
// which everything meets: poll, panel, steps, publish, draw, swap, record.
//
// It is the only package that imports both the simulation and the drawing.
// Everything runs on the goroutine that calls Run, which must be locked to its
// OS thread (the window system wants the program's main thread).
package app
