// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"particles/render"
	"particles/render/egl"
	"particles/render/gl"
	"particles/render/ui"
	"particles/render/window"
)

// screen is where frames go: the window, or nowhere but a framebuffer object. Its
// OpenGL context is current from open to Close. It belongs to the locked thread.
type screen interface {
	poll() ([]window.Event, error)                      // what happened since the last call
	wait(timeout time.Duration) ([]window.Event, error) // sleeps until something happens
	size() ui.Size                                      // of the window and of its framebuffer
	target(r *render.Renderer) uint32                   // the framebuffer to resolve into
	present() error                                     // shows the frame
	closing() bool                                      // the person asked for the end
	current() uintptr                                   // handle of the context current on this thread
	procAddr(name string) unsafe.Pointer
	Close() error
}

// openScreen opens the window, or the headless context.
func openScreen(o *Options, vsync bool) (screen, error) {
	if o.Headless {
		return openOffscreen(o)
	}
	w, err := window.New(window.Options{
		W: o.Width, H: o.Height, Title: "particles", Visible: true, Vsync: vsync, Debug: o.GLDebug,
	})
	if err != nil {
		return nil, err
	}
	return &onscreen{w}, nil
}

// onscreen is the window.
type onscreen struct{ w *window.Window }

func (s *onscreen) poll() ([]window.Event, error) { return s.w.Poll() }
func (s *onscreen) wait(timeout time.Duration) ([]window.Event, error) {
	return s.w.Wait(timeout)
}

func (s *onscreen) size() ui.Size {
	w, h := s.w.Size()
	fw, fh := s.w.FramebufferSize()
	return ui.Size{W: w, H: h, FramebufferW: fw, FramebufferH: fh}
}
func (s *onscreen) target(*render.Renderer) uint32      { return 0 }
func (s *onscreen) present() error                      { return s.w.Swap() }
func (s *onscreen) closing() bool                       { return s.w.ShouldClose() }
func (s *onscreen) current() uintptr                    { return s.w.Current() }
func (s *onscreen) procAddr(name string) unsafe.Pointer { return s.w.ProcAddr(name) }
func (s *onscreen) Close() error                        { return s.w.Close() }

// offscreen is a headless context; frames are drawn into the renderer's own target.
type offscreen struct {
	context *egl.Context
	w, h    int
	fence   uintptr // behind the frame before this one
}

func openOffscreen(o *Options) (screen, error) {
	context, err := egl.New(egl.Options{Debug: o.GLDebug})
	if err != nil {
		return nil, err
	}
	if err := context.MakeCurrent(); err != nil {
		return nil, joinClose(err, context)
	}
	return &offscreen{context: context, w: o.Width, h: o.Height}, nil
}

func (s *offscreen) poll() ([]window.Event, error)              { return nil, nil }
func (s *offscreen) wait(time.Duration) ([]window.Event, error) { return nil, nil }
func (s *offscreen) size() ui.Size {
	return ui.Size{W: s.w, H: s.h, FramebufferW: s.w, FramebufferH: s.h}
}
func (s *offscreen) target(r *render.Renderer) uint32    { return r.Target() }
func (s *offscreen) closing() bool                       { return false }
func (s *offscreen) current() uintptr                    { return s.context.Current() }
func (s *offscreen) procAddr(name string) unsafe.Pointer { return s.context.ProcAddr(name) }
func (s *offscreen) Close() error                        { return s.context.Close() }

// present stands in for a swap: it hands the frame to OpenGL and lets the program
// run one frame ahead of it at most, as a swap chain of two does. Without that a
// headless run would queue frames without end.
func (s *offscreen) present() error {
	if s.fence != 0 {
		passed := gl.WaitFence(s.fence, drawLimit)
		gl.DeleteSync(s.fence)
		s.fence = 0
		if !passed {
			return fmt.Errorf("OpenGL has not finished a frame within %v: the GPU does not answer (on Linux, look for Xid in the kernel log)", drawLimit)
		}
	}
	s.fence = gl.FenceSync()
	gl.Flush()
	return nil
}

// drawLimit is how long a frame may take to be drawn before the GPU counts as lost.
const drawLimit = 60 * time.Second

// noDisplay explains a headless fallback in one line.
func noDisplay(err error) (string, bool) {
	if !errors.Is(err, window.ErrNoDisplay) {
		return "", false
	}
	return oneLine(err) + "; rendering offscreen instead", true
}
