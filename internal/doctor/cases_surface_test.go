// SPDX-License-Identifier: Apache-2.0

package doctor

// surfaceCases are about OpenGL, the session, and what came of trying.
var surfaceCases = []classifyCase{
	{
		"GL on the integrated GPU", all(func(f *Facts) {
			copying(f, &Failure{Op: "cuGLGetDevices", Code: 304, Name: "CUDA_ERROR_OPERATING_SYSTEM"})
		}, func(f *Facts) {
			f.Window.GL.Vendor, f.Window.GL.Renderer = "Intel", "Mesa Intel(R) UHD Graphics"
		}),
		"gl-other-vendor",
		[]string{"Mesa Intel(R) UHD Graphics", "RTX A", "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"},
		nil, 3, "copied", "not on RTX A",
	},
	{
		"GL in software beside a GPU", all(func(f *Facts) { copying(f, &Failure{Op: "cuGLGetDevices", Code: 999, Name: "CUDA_ERROR_UNKNOWN"}) }, func(f *Facts) { software(&f.Window) }),
		"gl-software",
		[]string{"llvmpipe", "warning", "--headless"},
		nil, 3, "copied", "in software (llvmpipe",
	},
	{
		"GL in software by a variable", all(func(f *Facts) { copying(f, nil) }, env("LIBGL_ALWAYS_SOFTWARE", "1"), func(f *Facts) { software(&f.Window) }),
		"gl-software",
		[]string{"LIBGL_ALWAYS_SOFTWARE is 1", "unset LIBGL_ALWAYS_SOFTWARE"},
		nil, 3, "copied", "",
	},
	{
		"GL in software by the vendor variable", all(func(f *Facts) { copying(f, nil) }, env("__GLX_VENDOR_LIBRARY_NAME", "mesa"), func(f *Facts) { software(&f.Window) }),
		"gl-software",
		[]string{"unset __GLX_VENDOR_LIBRARY_NAME"},
		nil, 3, "copied", "",
	},
	{
		"GL in software, no GPU at all", all(noLibrary, func(f *Facts) { software(&f.Window); f.System.GPUs = nil }),
		"gl-software",
		[]string{"note", "--count"},
		nil, 3, "host", "no NVIDIA driver",
	},
	{
		"GL in software with an AMD GPU", all(noLibrary, func(f *Facts) { software(&f.Window); f.System.GPUs = []string{"AMD"} }),
		"gl-software",
		[]string{"warning", "graphics driver of your GPU (AMD)"},
		nil, 3, "host", "",
	},
	{
		"GL's GPU is hidden from CUDA", all(func(f *Facts) { copying(f, &Failure{Op: "cuGLGetDevices", Code: 100, Name: "CUDA_ERROR_NO_DEVICE"}) }, env("CUDA_VISIBLE_DEVICES", "1")),
		"gl-device-not-cuda",
		[]string{"NVIDIA RTX A/PCIe", "100", "CUDA_VISIBLE_DEVICES is 1", "unset"},
		[]string{"PRIME"},
		3, "copied", "not among CUDA's devices",
	},
	{
		"sharing refused", func(f *Facts) {
			copying(f, &Failure{Op: "cuGLGetDevices", Code: 219, Name: "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"})
		},
		"sharing-refused",
		[]string{"219", "update"},
		nil, 3, "copied", "",
	},
	{
		"registering refused", func(f *Facts) { copying(f, nil); f.Window.Drawing = []int{0} },
		"sharing-refused",
		[]string{"the reason of choose"},
		nil, 3, "copied", "",
	},
	{
		"WSL2", all(func(f *Facts) {
			copying(f, &Failure{Op: "cuGLGetDevices", Code: 304, Name: "CUDA_ERROR_OPERATING_SYSTEM"})
		}, func(f *Facts) {
			f.System.WSL, f.System.GLXNVIDIA, f.System.EGLNVIDIA = true, "", ""
			f.Window.GL = &GL{Vendor: "Microsoft Corporation", Renderer: "D3D12 (NVIDIA RTX A)", Version: "4.5"}
			software(&f.Headless)
		}),
		"wsl",
		[]string{"WSL2", "copied"},
		[]string{"PRIME", "compute-only", "usermod"},
		3, "copied", "WSL2",
	},
	{
		"WSL2 with OpenGL 3.1", all(noLibrary, func(f *Facts) {
			f.System.WSL = true
			f.Window = Surface{Probe: Ending{State: Done}, Kind: OldOpenGL, Error: "window: OpenGL too old: OpenGL 4.5 core is needed, llvmpipe offers 3.1; update the graphics driver; or run with --headless"}
		}),
		"opengl-too-old",
		[]string{"3.1", "llvmpipe", "package is absent"},
		[]string{"PRIME"},
		3, "host", "with --headless the host tier works",
	},
	{
		"VNC", all(func(f *Facts) { copying(f, &Failure{Op: "cuGLGetDevices", Code: 999, Name: "CUDA_ERROR_UNKNOWN"}) }, env("VNCDESKTOP", "host:1"), func(f *Facts) { software(&f.Window) }),
		"remote-session",
		[]string{"VNC", "llvmpipe", "--headless"},
		nil, 3, "copied", "remote: VNC",
	},
	{
		"X forwarding", all(noLibrary, env("DISPLAY", "localhost:10.0"), func(f *Facts) { software(&f.Window) }),
		"remote-session",
		[]string{"X forwarding", "localhost:10.0"},
		nil, 3, "host", "",
	},
	{
		"VirtualGL", all(func(f *Facts) { copying(f, &Failure{Op: "cuGLGetDevices", Code: 999, Name: "CUDA_ERROR_UNKNOWN"}) }, env("LD_PRELOAD", "libdlfaker.so:libvglfaker.so")),
		"virtualgl",
		[]string{"VirtualGL", "vglrun"},
		nil, 3, "copied", "VirtualGL",
	},
	{
		"Wayland only", all(func(f *Facts) { noDisplay(f, "window: no display: this build opens windows through X11") }, func(f *Facts) {
			f.System.Environment = map[string]string{"WAYLAND_DISPLAY": "wayland-0"}
		}),
		"wayland-only",
		[]string{"X11", "wayland-0", "XWayland", "-tags wayland"},
		nil, 0, "shared", "without a window",
	},
	{
		"X11 only, Wayland build", all(func(f *Facts) { noDisplay(f, "window: no display: this build opens windows through Wayland") }, func(f *Facts) { f.Program.Windows = "Wayland" }),
		"x11-only",
		[]string{"DISPLAY is :0", "ordinary build"},
		nil, 0, "shared", "",
	},
	{
		"no display", all(func(f *Facts) { noDisplay(f, "") }, func(f *Facts) { f.System.Environment = nil }),
		"no-display",
		[]string{"note", "neither DISPLAY nor WAYLAND_DISPLAY"},
		nil, 0, "shared", "without a window",
	},
	{
		"display refuses", func(f *Facts) {
			noDisplay(f, "window: no display: starting GLFW for X11 (DISPLAY=:0): X11: Failed to open display :0; the X server answers but refuses, or run with --headless")
		},
		"display-refused",
		[]string{"Failed to open display :0", "XAUTHORITY", "xhost"},
		nil, 0, "shared", "",
	},
	{
		"no GLX", func(f *Facts) {
			f.Window = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "window: the display has no OpenGL: GLX: no; start the X server with its GLX extension, or run with --headless"}
		},
		"window-failed",
		[]string{"the display has no OpenGL", "libglx-mesa0"},
		nil, 3, "shared", "with --headless the shared tier works",
	},
	{
		"OpenGL too old by a variable", all(env("MESA_GL_VERSION_OVERRIDE", "3.1"), func(f *Facts) {
			f.Window = Surface{Probe: Ending{State: Done}, Kind: OldOpenGL, Error: "window: OpenGL too old: 4.5 core is needed, llvmpipe offers 3.1; update"}
		}),
		"opengl-too-old",
		[]string{"error", "unset MESA_GL_VERSION_OVERRIDE, which is 3.1"},
		nil, 3, "shared", "",
	},
	{
		"OpenGL without a window too old", all(env("GALLIUM_DRIVER", "softpipe"), func(f *Facts) {
			noDisplay(f, "")
			f.Headless = Surface{
				Probe: Ending{State: Done}, Kind: OldOpenGL,
				Error: "no headless OpenGL: egl: no OpenGL 4.5 context without a window; tried: device 0 (software): OpenGL too old: OpenGL 4.5 core is needed, softpipe offers 3.3; update the graphics driver",
			}
		}),
		"opengl-too-old",
		[]string{"OpenGL 4.5 core is needed, softpipe offers 3.3", "unset GALLIUM_DRIVER"},
		[]string{"OpenGL too old: "},
		1, "none", "OpenGL is too old",
	},
	{
		"indirect OpenGL", all(env("LIBGL_ALWAYS_INDIRECT", "1"), func(f *Facts) {
			f.Window = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "window: opening it with OpenGL 4.5: GLXBadFBConfig; update the graphics driver, or run with --headless"}
		}),
		"window-failed",
		[]string{"GLXBadFBConfig", "unset LIBGL_ALWAYS_INDIRECT"},
		nil, 3, "shared", "Reason: a window cannot be opened",
	},
	{
		"EGL without permission, software instead", all(func(f *Facts) { copying(f, nil); noDisplay(f, "") }, func(f *Facts) {
			f.System.Nodes = append(f.System.Nodes, Node{Path: "/dev/dri/renderD129", Access: "denied", Group: "render"})
			software(&f.Headless)
		}),
		"egl-permission",
		[]string{"/dev/dri/renderD129", "usermod -aG render"},
		nil, 3, "copied", "no permission on /dev/dri/renderD129",
	},
	{
		"EGL without permission at all", func(f *Facts) {
			noDisplay(f, "")
			f.Headless = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "no headless OpenGL: egl: no OpenGL 4.5 context without a window; tried: device 0: eglInitialize"}
			f.System.Nodes[1] = Node{Path: "/dev/dri/renderD128", Access: "denied"}
		},
		"egl-permission",
		[]string{"/dev/dri/renderD128", "usermod -aG render", "eglInitialize"},
		nil, 1, "none", "no permission",
	},
	{
		"EGL vendor file missing", all(env("__EGL_VENDOR_LIBRARY_FILENAMES", "/none.json"), func(f *Facts) {
			f.System.VendorFiles = nil
			f.Headless = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "no headless OpenGL: egl: tried devices: EGL lists none"}
		}),
		"egl-vendor-missing",
		[]string{"EGL lists none", "unset __EGL_VENDOR_LIBRARY_FILENAMES", "/none.json"},
		nil, 0, "shared", "",
	},
	{
		"no EGL", func(f *Facts) {
			f.Headless = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "no headless OpenGL: egl: tried: opening libEGL.so.1: not found"}
		},
		"egl-missing",
		[]string{"libegl1"},
		nil, 0, "shared", "",
	},
	{
		"compute-only container", all(func(f *Facts) {
			copying(f, &Failure{Op: "cuGLGetDevices", Code: 999, Name: "CUDA_ERROR_UNKNOWN"})
			noDisplay(f, "")
		}, env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"), func(f *Facts) {
			software(&f.Headless)
			f.System.EGLNVIDIA, f.System.GLXNVIDIA = "", ""
		}),
		"compute-only",
		[]string{"libEGL_nvidia.so.0", `"compute,utility"`, "NVIDIA_DRIVER_CAPABILITIES=all"},
		[]string{"PRIME"},
		3, "copied", "for computing only",
	},
	{
		"compute-only installation", all(func(f *Facts) { copying(f, nil) }, func(f *Facts) {
			software(&f.Window)
			f.System.GLXNVIDIA = ""
		}),
		"compute-only",
		[]string{"libGLX_nvidia.so.0", "libnvidia-gl"},
		[]string{"NVIDIA_DRIVER_CAPABILITIES"},
		3, "copied", "",
	},
	{
		"several GPUs", func(f *Facts) {
			f.CUDA.Devices = append(f.CUDA.Devices, Device{Ordinal: 1, Name: "RTX B", Capability: "8.9", Memory: 8 << 30, Free: 7 << 30, OK: true})
			f.Window.Trips[0].Ordinal, f.Window.Drawing = 1, []int{1}
			f.Headless.Trips[0].Ordinal = 0
		},
		"several-gpus",
		[]string{"2 CUDA devices", "0 RTX A, 1 RTX B", "window: device 1, the one that draws", "headless: device 0, the one that draws"},
		nil, 0, "shared", "",
	},
	{
		"watchdog", func(f *Facts) { f.CUDA.Devices[0].Watchdog = true },
		"watchdog",
		[]string{"note", "RTX A", "702", "display"},
		nil, 0, "shared", "",
	},
	{
		"little memory", func(f *Facts) { f.CUDA.Devices[0].Free = 28 << 20 },
		"memory-low",
		[]string{"28 MiB of 8.0 GiB", "56 MiB", "1000000", "--count 370000"},
		nil, 0, "shared", "",
	},
	{
		"no memory for a context", all(onCPU, func(f *Facts) {
			f.CUDA.Devices[0].OK, f.CUDA.Devices[0].Context = false, &Failure{Op: "cuDevicePrimaryCtxRetain", Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY"}
		}),
		"memory-out",
		[]string{"RTX A", "nvidia-smi"},
		nil, 3, "host", "",
	},
	{
		"MIG", func(f *Facts) {
			copying(f, &Failure{Op: "cuGLGetDevices", Code: 100, Name: "CUDA_ERROR_NO_DEVICE"})
			f.CUDA.Devices[0].Name = "NVIDIA H200 MIG 1g.18gb"
		},
		"mig",
		[]string{"no graphics", "whole GPU"},
		nil, 3, "copied", "slice",
	},
	{
		"driver hangs", func(f *Facts) {
			hang := Ending{State: Hung, Stage: "cuInit", Limit: "30s"}
			f.CUDA = CUDA{Probe: hang}
			for _, s := range []*Surface{&f.Window, &f.Headless} {
				s.Trips = []Trip{{Asked: "auto", Probe: hang}, s.Trips[2]}
			}
		},
		"hang",
		[]string{"error", "NVIDIA driver hangs", "cuInit", "30s", "Xid", "--driver host"},
		[]string{"OpenGL buffer (auto"},
		3, "host", "with --driver host",
	},
	{
		"driver crashes in one kernel load", func(f *Facts) {
			crash := Ending{State: Crashed, Stage: "cuModuleLoadDataEx", Reason: "SIGSEGV", Output: "SIGSEGV: segmentation violation\nPC=0x0"}
			f.CUDA.Probe, f.CUDA.Devices[0].OK = crash, false
			f.Window.Trips[0].Probe, f.Window.Trips[1].Probe = crash, crash
		},
		"crash",
		[]string{"cuModuleLoadDataEx", "SIGSEGV", "--json"},
		nil, 3, "host", "the NVIDIA driver crashes",
	},
	{
		"mapping crashes", func(f *Facts) {
			f.Window.Trips[0].Probe = Ending{State: Crashed, Stage: "cuGraphicsMapResources", Reason: "SIGABRT"}
		},
		"crash",
		[]string{"writes into an OpenGL buffer", "cuGraphicsMapResources", "SIGABRT"},
		nil, 3, "copied", "with --driver cuda --interop copied the copied tier works",
	},
	{
		"opening a window crashes", func(f *Facts) {
			f.Window = Surface{Probe: Ending{State: Crashed, Stage: "opening OpenGL", Reason: "X Error of failed request: BadAlloc"}}
		},
		"crash",
		[]string{"OpenGL in a window", "BadAlloc"},
		nil, 3, "shared", "with --headless",
	},
	{
		"what is shared does not arrive", func(f *Facts) {
			f.Window.Trips[0].OK, f.Window.Trips[0].Wrong = false, "nothing was written"
		},
		"wrong-picture",
		[]string{"error", "shared tier", "nothing was written", "--interop copied"},
		nil, 3, "copied", "A plain start does not work",
	},
	{
		"a tier fails", func(f *Facts) {
			f.Window.Trips[0].OK, f.Window.Trips[0].Failure = false, &Failure{Op: "cuGraphicsMapResources", Code: 205, Name: "CUDA_ERROR_MAP_FAILED"}
		},
		"tier-failed",
		[]string{"cuGraphicsMapResources", "205"},
		nil, 3, "copied", "",
	},
	{
		"the CPU's kernels fail", func(f *Facts) { f.Host.OK, f.Host.Run = false, &Failure{Text: "wrong"} },
		"host-failed",
		[]string{"error", "--host-isa baseline"},
		nil, 0, "shared", "",
	},
	{
		"releases differ but work", func(f *Facts) { f.System.Module = "575.57.08" },
		"releases-differ",
		[]string{"575.57.08", "580.65.06", "reboot"},
		nil, 0, "shared", "",
	},
	{
		"nothing works", func(f *Facts) {
			f.Window = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "window: no"}
			f.Headless = Surface{Probe: Ending{State: Done}, Kind: Unavailable, Error: "no headless OpenGL: egl: no"}
		},
		"egl-failed",
		[]string{"libegl-mesa0"},
		nil, 1, "none", "Nothing works",
	},
}
