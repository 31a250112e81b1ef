// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"slices"
	"strings"

	"particles/interop/driver"
)

const prime = "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"

// opengl finds what is wrong with one surface.
func (l *list) opengl(where string, s *Surface) {
	name, meanwhile := "OpenGL in a window", "run with --headless"
	if where == probeHeadless {
		name, meanwhile = "OpenGL without a window", "run in a window, which does not need it"
	}
	if l.ending(name, where, s.Probe, meanwhile) {
		return
	}
	if s.GL == nil {
		if s.Kind != "" {
			l.notOpened(where, s)
		}
		return
	}
	l.drawnBy(where, s)
	for i := range s.Trips {
		l.trip(where, s, &s.Trips[i])
	}
}

// computes tells whether there is a GPU that could share buffers.
func (l *list) computes() bool { return len(l.f.CUDA.Devices) > 0 }

// gpu names the first CUDA device.
func (l *list) gpu() string {
	if l.computes() {
		return l.f.CUDA.Devices[0].Name
	}
	return "the GPU"
}

func (l *list) notOpened(where string, s *Surface) {
	if where == probeWindow {
		l.noWindow(s)
		return
	}
	sys := &l.f.System
	why := strings.TrimPrefix(s.Error, "no headless OpenGL: egl: ")
	switch {
	case s.Kind == OldOpenGL:
		l.oldOpenGL(where, why)
	case strings.Contains(s.Error, "opening libEGL.so.1"):
		l.addAt(where, "egl-missing", Warn, "OpenGL without a window cannot be had: EGL is not installed", why, "install libegl1 and libegl-mesa0 (Debian, Ubuntu), or the graphics driver's EGL library")
	case len(sys.VendorFiles) == 0:
		do := "install libegl-mesa0, or the graphics driver's EGL part"
		for _, name := range []string{"__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"} {
			if v := sys.Environment[name]; v != "" {
				do = "unset " + name + ", which names no file that is there (" + v + ")"
			}
		}
		l.addAt(where, "egl-vendor-missing", Warn, "EGL finds no vendor file, so it knows no driver", why, do)
	case l.deniedDRI() != nil:
		l.eglPermission(where, why)
	case s.Kind == Unavailable:
		l.addAt(where, "egl-failed", Warn, "OpenGL without a window cannot be had", why, "install libegl-mesa0 and libgl1-mesa-dri, so that drawing works in software at least")
	}
	if l.computes() {
		l.computeOnly(where)
	}
}

// noWindow explains why the window could not be opened.
func (l *list) noWindow(s *Surface) {
	env := l.f.System.Environment
	why := strings.TrimPrefix(strings.TrimPrefix(s.Error, "window: "), "no display: ")
	why, _, _ = strings.Cut(why, ", or run with --headless")
	switch {
	case s.Kind == OldOpenGL:
		l.oldOpenGL(probeWindow, why)
	case s.Kind != NoDisplay:
		do := "install the graphics driver's GLX part, or Mesa's (libgl1, libglx-mesa0); or run with --headless"
		if name, value := l.forced(probeWindow); name != "" {
			do = "unset " + name + ", which is " + value + "; or run with --headless"
		}
		why, _, _ = strings.Cut(why, "; ")
		l.addAt(probeWindow, "window-failed", Bad, "A window cannot be opened", why, do)
	case env["DISPLAY"] == "" && env["WAYLAND_DISPLAY"] == "":
		l.addAt(probeWindow, "no-display", Note, "There is no display", "neither DISPLAY nor WAYLAND_DISPLAY is set, so a run draws without a window",
			"start from a desktop session to see a window; over SSH, ssh -X works but copies every picture")
	case l.f.Program.Windows == "X11" && env["DISPLAY"] == "":
		l.addAt(probeWindow, "wayland-only", Warn, "This session has only Wayland, and this build opens windows through X11",
			fmt.Sprintf("WAYLAND_DISPLAY is %s, and DISPLAY is not set", env["WAYLAND_DISPLAY"]),
			"install and start XWayland (most desktops do by themselves), use a build for Wayland (go build -tags wayland), or run with --headless")
	case l.f.Program.Windows == "Wayland" && env["WAYLAND_DISPLAY"] == "":
		l.addAt(probeWindow, "x11-only", Warn, "This session has only X11, and this build opens windows through Wayland",
			fmt.Sprintf("DISPLAY is %s, and WAYLAND_DISPLAY is not set", env["DISPLAY"]), "use the ordinary build, or run with --headless")
	default:
		why, _, _ = strings.Cut(why, "; ")
		l.addAt(probeWindow, "display-refused", Warn, "The display does not let this program in, or does not answer", why,
			"correct DISPLAY; as another user or in a container set XAUTHORITY to the session's file, or allow it with xhost +si:localuser:NAME; or run with --headless")
	}
}

func (l *list) oldOpenGL(where, why string) {
	if _, rest, ok := strings.Cut(why, "OpenGL too old: "); ok {
		why = rest // what was tried before it, and where
	}
	why, _, _ = strings.Cut(why, "; ")
	do := "update the graphics driver, or run with LIBGL_ALWAYS_SOFTWARE=1 where Mesa is installed"
	if name, value := l.forced(where); name != "" {
		do = "unset " + name + ", which is " + value
	} else if l.f.System.WSL {
		do = "under WSL2 this usually means that the OpenGL driver's package is absent: wsl --update, then install libgl1-mesa-dri (Mesa 22 or newer)"
	}
	l.addAt(where, "opengl-too-old", Bad, "OpenGL is too old", why, do)
}

// forced is the first variable that takes OpenGL away from the GPU, or makes it old.
func (l *list) forced(where string) (name, value string) {
	names := []string{"MESA_GL_VERSION_OVERRIDE", "GALLIUM_DRIVER", "LIBGL_ALWAYS_SOFTWARE", "MESA_LOADER_DRIVER_OVERRIDE"}
	if where == probeWindow {
		names = append(names, "LIBGL_ALWAYS_INDIRECT", "__GLX_VENDOR_LIBRARY_NAME")
	} else {
		names = append(names, "__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS")
	}
	for _, n := range names {
		if v := l.f.System.Environment[n]; v != "" && v != "0" && v != "nvidia" {
			return n, v
		}
	}
	return "", ""
}

// deniedDRI is a render node that this user may not open.
func (l *list) deniedDRI() *Node {
	for i, n := range l.f.System.Nodes {
		if n.Access == "denied" && strings.HasPrefix(n.Path, "/dev/dri/renderD") {
			return &l.f.System.Nodes[i]
		}
	}
	return nil
}

func (l *list) eglPermission(where, why string) {
	n := l.deniedDRI()
	group := orText(n.Group, "render")
	l.addAt(where, "egl-permission", Warn, "No permission on "+n.Path, why,
		fmt.Sprintf("join the group that owns it: sudo usermod -aG %s $USER, then log in again", group))
}

// drawnBy looks at who draws.
func (l *list) drawnBy(where string, s *Surface) {
	gl, sys := s.GL, &l.f.System
	nvidia := strings.Contains(gl.Vendor, "NVIDIA")
	if t := s.trip("auto"); t != nil && t.OK && t.Tier == "shared" {
		return // whoever it is, it is the right one
	}
	switch {
	case gl.Software:
		l.software(where, gl)
	case nvidia && l.computes():
		l.sharing(where, s)
	case sys.WSL, !l.computes():
		// Told by the note on WSL; or there is nothing to share with.
	case where == probeHeadless:
		if !l.computeOnly(where) {
			l.addAt(where, "gl-other-vendor", Warn, fmt.Sprintf("OpenGL draws on %s, not on %s", gl.Renderer, l.gpu()),
				"EGL offers no device of the NVIDIA driver, so buffers are copied", "see that __EGL_VENDOR_LIBRARY_FILENAMES is not set and 10_nvidia.json is in /usr/share/glvnd/egl_vendor.d")
		}
	default:
		do := "to draw on the NVIDIA GPU start with " + prime
		if sys.GLXNVIDIA == "" {
			l.computeOnly(where)
			do = "first install NVIDIA's OpenGL, then start with " + prime
		}
		l.addAt(where, "gl-other-vendor", Warn, fmt.Sprintf("OpenGL draws on %s, not on %s", gl.Renderer, l.gpu()), "two GPUs of different vendors cannot share buffers, so they are copied", do)
	}
}

// software explains drawing on the CPU.
func (l *list) software(where string, gl *GL) {
	sys := &l.f.System
	what := "OpenGL is drawn in software (" + gl.Renderer + ")"
	why := "the CPU draws, so expect low rates, and buffers cannot be shared with a GPU"
	session := remote(sys.Environment)
	forced, value := l.forced(where)
	if forced != "" {
		why += fmt.Sprintf("; %s is %s", forced, value)
	}
	hasGPU := l.computes() || len(sys.GPUs) > 0
	switch {
	case forced != "":
		l.addAt(where, "gl-software", Warn, what, why, "unset "+forced)
	case where == probeWindow && session != "":
		// Told with the session.
	case sys.WSL:
		l.addAt(where, "gl-software", Warn, what, why, "update WSL (wsl --update) and Mesa, which then draws through Windows' GPU driver")
	case where == probeHeadless && l.deniedDRI() != nil:
		l.eglPermission(where, "so OpenGL is drawn in software ("+gl.Renderer+")")
	case l.computes() && l.computeOnly(where):
		// That is the reason.
	case l.computes() && where == probeWindow:
		l.addAt(where, "gl-software", Warn, what, why, "run an X server on the NVIDIA GPU (Xvfb and most virtual screens draw in software), start with "+prime+" on a laptop, or run with --headless")
	case l.computes():
		l.addAt(where, "gl-software", Warn, what, why+"; NVIDIA's OpenGL is installed, but EGL lists none of its devices, as in a mode for computing only or on a MIG slice",
			"see that /usr/share/glvnd/egl_vendor.d/10_nvidia.json is there and /dev/dri and /dev/nvidia* are accessible, and that MIG is off")
	case hasGPU:
		l.addAt(where, "gl-software", Warn, what, why, "install the graphics driver of your GPU ("+strings.Join(unique(sys.GPUs), ", ")+")")
	default:
		l.addAt(where, "gl-software", Note, what, why, "nothing, as no GPU is seen here; fewer particles (--count) and a smaller picture (--size) help")
	}
}

// computeOnly tells, and says whether, the driver lacks its OpenGL part.
func (l *list) computeOnly(where string) bool {
	sys := &l.f.System
	library, found := "libGLX_nvidia.so.0", sys.GLXNVIDIA
	if where == probeHeadless {
		library, found = "libEGL_nvidia.so.0", sys.EGLNVIDIA
	}
	if found != "" || sys.WSL || l.f.Program.OS != "linux" {
		return false
	}
	why := "its OpenGL library " + library + " is not on this system"
	do := "install it in the driver's version (Debian: libgl1-nvidia-glvnd-glx and libegl-nvidia0; Ubuntu: libnvidia-gl-NNN)"
	caps, set := sys.Environment["NVIDIA_DRIVER_CAPABILITIES"]
	if sys.Container != "" || set || sys.Environment["NVIDIA_VISIBLE_DEVICES"] != "" {
		if set {
			why += fmt.Sprintf(", and NVIDIA_DRIVER_CAPABILITIES is %q", caps)
		}
		do = "start the container with NVIDIA_DRIVER_CAPABILITIES=all (graphics is what is missing; compute,utility is the default)"
	}
	l.addAt(where, "compute-only", Warn, "The NVIDIA driver is here for computing only", why, do)
	return true
}

// sharing explains why NVIDIA's OpenGL cannot share with CUDA although it should.
func (l *list) sharing(where string, s *Surface) {
	t := s.trip("auto")
	if l.f.System.WSL || t == nil || t.Tier == "shared" || t.Driver != "cuda" {
		return
	}
	hidden := l.f.System.Environment["CUDA_VISIBLE_DEVICES"]
	code := driver.Success
	if s.Refused != nil {
		code = driver.Code(s.Refused.Code)
	}
	elsewhere := len(s.Drawing) > 0 && !slices.Contains(s.Drawing, t.Ordinal)
	switch {
	case elsewhere, code == driver.NoDevice, code == driver.InvalidDevice:
		why := "CUDA names no device of its own that draws, so buffers are copied"
		do := "have the same GPU draw and compute: CUDA_VISIBLE_DEVICES must not hide the one that the display is on"
		if s.Refused != nil {
			why = s.Refused.String() + ": " + why
		}
		if hidden != "" {
			why += "; CUDA_VISIBLE_DEVICES is " + hidden
			do = "unset CUDA_VISIBLE_DEVICES, or name the GPU that draws in it"
		}
		l.addAt(where, "gl-device-not-cuda", Warn, fmt.Sprintf("OpenGL's GPU (%s) is not among CUDA's devices", s.GL.Renderer), why, do)
	default:
		why := t.Reason
		if s.Refused != nil {
			why = s.Refused.String()
		}
		l.addAt(where, "sharing-refused", Warn, "The driver refuses to share OpenGL's buffers with CUDA", orText(why, "it gives no reason"),
			"update the NVIDIA driver; in a virtual machine or remote session run with --headless")
	}
}

// trip looks at what came of a round trip.
func (l *list) trip(where string, s *Surface, t *Trip) {
	tier := orText(t.Tier, t.Asked)
	if t.Probe.State != Done && l.told(s, t) {
		return
	}
	instead := onCPUFlag
	if t.Asked == "auto" && tier != "copied" {
		instead = "run with --driver cuda --interop copied, or with --driver host"
	}
	if l.ending(fmt.Sprintf("A kernel that writes into an OpenGL buffer (%s tier)", tier), where, t.Probe, instead) {
		return
	}
	switch {
	case t.Wrong != "":
		l.addAt(where, "wrong-picture", Bad, fmt.Sprintf("What a kernel writes into an OpenGL buffer does not arrive (%s tier)", tier),
			fmt.Sprintf("OpenGL reads back other values on %s: %s", s.GL.Renderer, t.Wrong), "update the graphics drivers; meanwhile "+instead)
	case t.Failure != nil && !l.has("driver-unknown-error", "kernel-failed", "kernels-refused", "memory-out"):
		l.addAt(where, "tier-failed", Bad, fmt.Sprintf("The %s tier does not work", tier), detailed(t.Failure), "update the graphics drivers; meanwhile "+instead)
	}
}

// told tells whether another probe ended in the same call, so that it is the
// driver and not the trip.
func (l *list) told(s *Surface, t *Trip) bool {
	same := func(e Ending) bool { return e.State == t.Probe.State && e.Stage == t.Probe.Stage }
	if same(l.f.CUDA.Probe) {
		return true
	}
	for i := range s.Trips {
		if &s.Trips[i] == t {
			return false
		}
		if same(s.Trips[i].Probe) {
			return true
		}
	}
	return false
}
