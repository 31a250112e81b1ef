// SPDX-License-Identifier: Apache-2.0

// Package ui draws the panel over the picture: an ImGui platform layer, an OpenGL renderer and the panels themselves.
// It is the only package that names imgui-go.
//
// The package knows neither simulation nor devices. The application fills a Model (plain data) each frame and gets back
// Commands (plain data) that say what the person at the panel wants; it applies them between frames:
//
//	panel, err := ui.New(ui.Options{Scale: 1.5, Layout: saved})
//	for running {
//		panel.Feed(events)
//		fill(&model)
//		commands := panel.Frame(dt, ui.Size{W: w, H: h, FramebufferW: fw, FramebufferH: fh}, &model)
//		drawScene()
//		panel.Draw()
//		apply(commands)
//	}
//	saved = panel.Layout()
//	panel.Close()
//
// Threads: everything here belongs to the thread that owns the OpenGL context, which must be current in New, Frame, Draw
// and Close. Ownership: Model stays the caller's and is read only within Frame; Commands stays the UI's and is valid until
// the next Frame. Nothing is read from or written to the disk except by WriteState.
//
// A failed assertion inside ImGui does not end the program: it is reported once through Options.Logf, the frame's UI is
// dropped and the context is made anew, with the same layout, before the next frame.
package ui
