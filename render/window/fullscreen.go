// SPDX-License-Identifier: Apache-2.0

package window

import "github.com/go-gl/glfw/v3.3/glfw"

// FullScreen tells whether the window fills a monitor on its own.
func (w *Window) FullScreen() bool { return w.win.GetMonitor() != nil }

// ToggleFullScreen goes to full screen on the monitor that holds most of the window, in that monitor's own mode, or back to
// the place, the size and the maximised state from before.
func (w *Window) ToggleFullScreen() (err error) {
	defer catch(&err)
	if w.FullScreen() {
		b := w.before
		w.win.SetMonitor(nil, b.x, b.y, b.w, b.h, 0)
		if b.maximized {
			w.win.Maximize()
		}
		return nil
	}
	m := w.monitor()
	if m == nil {
		return nil
	}
	mode := m.GetVideoMode()
	if mode == nil || mode.Width <= 0 || mode.Height <= 0 {
		return nil
	}
	w.note()
	w.before = saved{w.normal, w.maximized}
	rate := mode.RefreshRate
	if rate <= 0 {
		rate = glfw.DontCare
	}
	w.win.SetMonitor(m, 0, 0, mode.Width, mode.Height, rate)
	return nil
}

// note remembers the window's place while it is an ordinary one.
func (w *Window) note() {
	if w.maximized || w.iconified || w.FullScreen() || w.win.GetAttrib(glfw.Maximized) == glfw.True {
		return
	}
	r := rect{}
	r.w, r.h = w.win.GetSize()
	if hasPosition {
		r.x, r.y = w.win.GetPos()
	}
	if r.w > 0 && r.h > 0 {
		w.normal = r
	}
}

// RefreshRate returns the refresh rate in Hz of the monitor that holds most of the window; 0 means unknown, as in virtual
// displays.
func (w *Window) RefreshRate() (hz int) {
	_ = try(func() {
		if m := w.monitor(); m != nil {
			if mode := m.GetVideoMode(); mode != nil {
				hz = max(mode.RefreshRate, 0)
			}
		}
	})
	return hz
}

// monitor is the one that holds most of the window, nil when there is none.
func (w *Window) monitor() *glfw.Monitor {
	if m := w.win.GetMonitor(); m != nil {
		return m
	}
	best := glfw.GetPrimaryMonitor()
	if !hasPosition {
		return best
	}
	x, y := w.win.GetPos()
	width, height := w.win.GetSize()
	most := 0
	for _, m := range glfw.GetMonitors() {
		mode := m.GetVideoMode()
		if mode == nil {
			continue
		}
		mx, my := m.GetPos()
		across := min(x+width, mx+mode.Width) - max(x, mx)
		down := min(y+height, my+mode.Height) - max(y, my)
		if across > 0 && down > 0 && across*down > most {
			best, most = m, across*down
		}
	}
	return best
}
