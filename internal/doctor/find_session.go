// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"strings"
)

// session finds what the kind of session does to the window.
func (l *list) session() {
	w, env := &l.f.Window, l.f.System.Environment
	if w.GL == nil {
		return
	}
	if virtualGL(env) || strings.Contains(w.GL.Vendor, "VirtualGL") {
		l.addAt(probeWindow, "virtualgl", Warn, "VirtualGL stands between this program and OpenGL",
			fmt.Sprintf("it draws on %s and sends pictures to the remote screen; CUDA cannot share buffers through it", w.GL.Renderer),
			"start without vglrun, or run with --headless; buffers are copied meanwhile")
		return
	}
	kind := remote(env)
	if kind == "" || !w.GL.Software {
		return
	}
	do := "start at the machine's own display, or run with --headless"
	if gl := l.f.Headless.GL; gl != nil && !gl.Software {
		do = "run with --headless, which draws on " + gl.Renderer + ", or start at the machine's own display"
	}
	l.addAt(probeWindow, "remote-session", Warn, "This session seems to be remote: "+kind,
		"its OpenGL is drawn in software ("+w.GL.Renderer+"), so expect low rates, and buffers cannot be shared with a GPU",
		do)
}

// machine finds what else is odd about the system.
func (l *list) machine() {
	s := &l.f.System
	if n := l.deniedDRI(); n != nil && !l.has("egl-permission") && l.f.Headless.GL != nil && l.f.Headless.GL.Software {
		l.eglPermission(probeHeadless, "so EGL cannot use the GPU")
	}
	if s.Module != "" && l.f.CUDA.Release != "" && s.Module != l.f.CUDA.Release && !s.WSL && l.f.CUDA.Kind == CUDAOpen {
		l.add("releases-differ", Note, "The driver's kernel module and library are of different releases",
			fmt.Sprintf("module %s, library %s: a forward-compatibility library, or an update without a reboot", s.Module, l.f.CUDA.Release), "if anything fails, reboot first")
	}
	if h := &l.f.Host; h.Probe.State != "" {
		if !l.ending("The CPU driver", "", h.Probe, "nothing helps where there is no GPU") && h.Run != nil {
			l.add("host-failed", Bad, "Kernels do not run on the CPU", detailed(h.Run), "report this with the output of particles doctor --json; --host-isa baseline may help")
		}
	}
}
