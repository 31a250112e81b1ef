// SPDX-License-Identifier: Apache-2.0

package doctor

import "strings"

// variables are those that change what CUDA, OpenGL and the display do.
var variables = []string{
	"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_DISABLE_PTX_JIT", "CUDA_FORCE_PTX_JIT", "CUDA_CACHE_DISABLE",
	"CUDA_CACHE_PATH", "CUDA_LAUNCH_BLOCKING", "CUDA_MPS_PIPE_DIRECTORY", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
	"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "XAUTHORITY",
	"__NV_PRIME_RENDER_OFFLOAD", "__NV_PRIME_RENDER_OFFLOAD_PROVIDER", "__GLX_VENDOR_LIBRARY_NAME", "__VK_LAYER_NV_optimus",
	"__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS", "EGL_PLATFORM", "DRI_PRIME", "LIBGL_ALWAYS_SOFTWARE",
	"LIBGL_ALWAYS_INDIRECT", "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE", "MESA_GL_VERSION_OVERRIDE",
	"LD_LIBRARY_PATH", "LD_PRELOAD", "WSL_DISTRO_NAME", "SSH_CONNECTION", "VGL_ISACTIVE", "VGL_DISPLAY", "VNCDESKTOP",
	"XRDP_SESSION", "NXSESSIONID", "GOMAXPROCS", "GODEBUG",
}

// environment picks the variables that are set. Addresses are not for a bug
// report, and the home folder's name is not either.
func environment(lookup func(string) (string, bool)) map[string]string {
	home, _ := lookup("HOME")
	env := map[string]string{}
	for _, name := range variables {
		v, ok := lookup(name)
		if !ok {
			continue
		}
		switch {
		case name == "SSH_CONNECTION":
			v = "set"
		case len(home) > 1:
			v = strings.ReplaceAll(v, home, "~")
		}
		env[name] = v
	}
	return env
}

// remote says in a few words why the session looks like a remote one, "" when it does not.
func remote(env map[string]string) string {
	display := env["DISPLAY"]
	host, _, _ := strings.Cut(display, ":")
	switch {
	case virtualGL(env):
		return "VirtualGL"
	case env["VNCDESKTOP"] != "":
		return "VNC"
	case env["XRDP_SESSION"] != "":
		return "a remote desktop (xrdp)"
	case env["NXSESSIONID"] != "":
		return "a remote desktop (NX)"
	case host != "" && host != "unix" && !strings.Contains(host, "/"):
		return "X forwarding (DISPLAY=" + display + ")"
	case env["SSH_CONNECTION"] != "" && display != "":
		return "a login over SSH"
	}
	return ""
}

func virtualGL(env map[string]string) bool {
	if env["VGL_ISACTIVE"] == "1" {
		return true
	}
	for _, lib := range []string{"libvglfaker", "libdlfaker", "librrfaker", "libgefaker"} {
		if strings.Contains(env["LD_PRELOAD"], lib) {
			return true
		}
	}
	return false
}
