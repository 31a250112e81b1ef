// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"slices"
	"strings"
	"testing"
)

// best is a machine on which everything works: a window on an NVIDIA GPU.
func best() *Facts {
	done := Ending{State: Done}
	surface := func() Surface {
		return Surface{
			Probe: done, GL: &GL{Vendor: "NVIDIA Corporation", Renderer: "NVIDIA RTX A/PCIe", Version: "4.6.0 NVIDIA 580.65.06"}, Drawing: []int{0},
			Trips: []Trip{
				{Asked: "auto", Probe: done, Tier: "shared", Driver: "cuda", Device: "RTX A", OK: true},
				{Asked: "copied", Probe: done, Tier: "copied", Driver: "cuda", Device: "RTX A", OK: true},
				{Asked: "host", Probe: done, Tier: "host", Driver: "host", Device: "CPU", OK: true},
			},
		}
	}
	return &Facts{
		Program: Program{Version: "1", OS: "linux", Arch: "amd64", Windows: "X11", PTX: []Module{{Name: "flow", Version: "8.0", Target: "sm_50"}}},
		System: System{
			Kernel: "6.1.0", Module: "580.65.06", Modules: []string{"nvidia", "nvidia_uvm"}, GPUs: []string{"NVIDIA"},
			Nodes:     []Node{{Path: "/dev/nvidiactl", Access: "ok"}, {Path: "/dev/dri/renderD128", Access: "ok"}},
			GLXNVIDIA: "/usr/lib/libGLX_nvidia.so.0", EGLNVIDIA: "/usr/lib/libEGL_nvidia.so.0", VendorFiles: []string{"/usr/share/glvnd/egl_vendor.d/10_nvidia.json"},
			Environment: map[string]string{"DISPLAY": ":0"},
		},
		CUDA: CUDA{
			Probe: done, Kind: CUDAOpen, Library: "/usr/lib/libcuda.so.580.65.06", Release: "580.65.06", Version: 13000,
			Devices: []Device{{Name: "RTX A", UUID: "GPU-1", Capability: "8.6", Memory: 8 << 30, Free: 7 << 30, OK: true}},
		},
		Host:   Host{Probe: done, Device: "CPU", ISA: "v3", OK: true, Need: 56 << 20, Scene: "ribbons", Count: 1_000_000},
		Window: surface(), Headless: surface(),
	}
}

// onCPU makes the automatic trips fall to the host driver.
func onCPU(f *Facts) {
	for _, s := range []*Surface{&f.Window, &f.Headless} {
		s.Trips = []Trip{{Asked: "auto", Probe: Ending{State: Done}, Tier: "host", Driver: "host", Device: "CPU", Reason: "the reason of choose", OK: true}}
		s.Drawing = nil
	}
}

// copying makes the automatic trips copy.
func copying(f *Facts, refused *Failure) {
	for _, s := range []*Surface{&f.Window, &f.Headless} {
		s.Drawing, s.Refused = nil, refused
		s.Trips = []Trip{{Asked: "auto", Probe: Ending{State: Done}, Tier: "copied", Driver: "cuda", Device: "RTX A", Reason: "the reason of choose", OK: true}}
	}
}

func initAnswers(code int, name string) func(*Facts) {
	return func(f *Facts) {
		onCPU(f)
		f.CUDA.Kind, f.CUDA.Devices, f.CUDA.Version = CUDAInit, nil, 0
		f.CUDA.Init = &Failure{Op: "cuInit", Code: code, Name: name}
	}
}

func loadAnswers(code int, name string) func(*Facts) {
	return func(f *Facts) {
		onCPU(f)
		f.CUDA.Devices[0].OK = false
		f.CUDA.Devices[0].Kernels = &Failure{Op: "cuModuleLoadDataEx", Code: code, Name: name, Detail: "image \"flow\" on RTX A: the compiler's log\nof two lines"}
	}
}

func noLibrary(f *Facts) {
	onCPU(f)
	f.CUDA = CUDA{Probe: Ending{State: Done}, Kind: CUDANoLibrary}
	f.System.Module, f.System.Modules, f.System.Nodes = "", nil, nil
}

func software(s *Surface) {
	s.GL = &GL{Vendor: "Mesa/X.org", Renderer: "llvmpipe (LLVM 15.0.6, 256 bits)", Version: "4.5 (Core Profile) Mesa 22.3.6", Software: true}
}

// noDisplay: the display of the environment is gone too where it gives no error.
func noDisplay(f *Facts, text string) {
	if text == "" {
		delete(f.System.Environment, "DISPLAY")
	}
	f.Window = Surface{Probe: Ending{State: Done}, Kind: NoDisplay, Error: text}
}

func all(changes ...func(*Facts)) func(*Facts) {
	return func(f *Facts) {
		for _, c := range changes {
			c(f)
		}
	}
}

func env(name, value string) func(*Facts) {
	return func(f *Facts) { f.System.Environment[name] = value }
}

// classifyCases: what a machine is like, and what must be said of it. words are looked for in the finding's text.
var classifyCases = []struct {
	name   string
	change func(*Facts)
	id     string
	words  []string
	never  []string // words that the whole report must not hold
	exit   int
	tier   string
	reason string // within the summary
}{
	{"all is well", func(*Facts) {}, "", nil, []string{"Findings"}, 0, "shared", "RTX A write straight into OpenGL's buffers"},
	{
		"no driver, but the GPU is there", noLibrary,
		"driver-missing",
		[]string{"libcuda.so.1", "there is an NVIDIA GPU", "install the NVIDIA driver"},
		nil, 3, "host", "no NVIDIA driver was found",
	},
	{
		"no driver, nouveau", all(noLibrary, func(f *Facts) { f.System.Modules = []string{"nouveau"} }),
		"driver-missing",
		[]string{"nouveau", "reboot"},
		nil, 3, "host", "",
	},
	{
		"no driver, no NVIDIA GPU", all(noLibrary, func(f *Facts) { f.System.GPUs = []string{"AMD"}; f.Window.GL.Vendor = "AMD" }),
		"driver-missing",
		[]string{"note", "only AMD", "nothing"},
		nil, 3, "host", "",
	},
	{
		"no driver in a container", all(noLibrary, func(f *Facts) { f.System.Container = "Docker" }),
		"driver-missing",
		[]string{"Docker", "--gpus all"},
		nil, 3, "host", "",
	},
	{
		"no driver under WSL", all(noLibrary, func(f *Facts) { f.System.WSL = true; f.System.GPUs = nil }),
		"driver-missing",
		[]string{"/usr/lib/wsl/lib", "in Windows", "wsl --shutdown"},
		[]string{"PRIME"},
		3, "host", "",
	},
	{
		"library for another processor", all(noLibrary, func(f *Facts) { f.CUDA.Detail = "libcuda.so.1: wrong ELF class: ELFCLASS32" }),
		"driver-unloadable",
		[]string{"ELFCLASS32", "amd64"},
		nil, 3, "host", "",
	},
	{
		"driver lacks functions", all(onCPU, func(f *Facts) {
			f.CUDA = CUDA{Probe: Ending{State: Done}, Kind: CUDATooOld, Missing: []string{"cuA", "cuB", "cuC", "cuD", "cuE", "cuF"}}
		}),
		"driver-too-old",
		[]string{"lacks cuA", "and 2 more", "525"},
		nil, 3, "host", "too old",
	},
	{
		"driver too old for the PTX", all(loadAnswers(222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"), func(f *Facts) { f.CUDA.Version = 11080 }),
		"driver-too-old",
		[]string{"CUDA 11.8", "PTX 8.0 of CUDA 12.0", "222", "525 or newer"},
		nil, 3, "host", "too old for the kernels",
	},
	{
		"PTX refused as invalid by an old driver", all(loadAnswers(218, "CUDA_ERROR_INVALID_PTX"), func(f *Facts) { f.CUDA.Version = 11040 }),
		"driver-too-old",
		[]string{"CUDA 11.4", "CUDA 12.0", "218"},
		nil, 3, "host", "",
	},
	{
		"module and library differ", all(initAnswers(803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"), func(f *Facts) { f.System.Module = "575.57.08" }),
		"driver-mismatch",
		[]string{"803", "module 575.57.08, library 580.65.06", "reboot"},
		nil, 3, "host", "do not match",
	},
	{
		"module and library differ in a container", all(initAnswers(803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"), func(f *Facts) { f.System.Container = "Podman" }),
		"driver-mismatch",
		[]string{"libcuda of its own", "host"},
		nil, 3, "host", "",
	},
	{
		"forward compatibility", initAnswers(804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"),
		"driver-compat",
		[]string{"804", "cuda-compat", "LD_LIBRARY_PATH"},
		nil, 3, "host", "",
	},
	{
		"unknown error after suspend", initAnswers(999, "CUDA_ERROR_UNKNOWN"),
		"driver-unknown-error",
		[]string{"999", "suspend", "nvidia_uvm", "reboot"},
		nil, 3, "host", "'unknown error'",
	},
	{
		"unknown error of the context", all(onCPU, func(f *Facts) {
			f.CUDA.Devices[0].OK, f.CUDA.Devices[0].Context = false, &Failure{Op: "cuDevicePrimaryCtxRetain", Code: 999, Name: "CUDA_ERROR_UNKNOWN"}
		}),
		"driver-unknown-error",
		[]string{"cuDevicePrimaryCtxRetain", "suspend"},
		nil, 3, "host", "",
	},
	{
		"unknown error without the module", all(initAnswers(999, "CUDA_ERROR_UNKNOWN"), func(f *Facts) { f.System.Modules = []string{"nvidia"} }),
		"driver-unknown-error",
		[]string{"nvidia_uvm is not loaded", "modprobe nvidia_uvm"},
		[]string{"rmmod"},
		3, "host", "",
	},
	{
		"unknown error under WSL", all(initAnswers(999, "CUDA_ERROR_UNKNOWN"), func(f *Facts) { f.System.WSL = true }),
		"driver-unknown-error",
		[]string{"wsl --shutdown"},
		[]string{"rmmod", "modprobe"},
		3, "host", "",
	},
	{"toolkit stub", initAnswers(34, "CUDA_ERROR_STUB_LIBRARY"), "driver-stub", []string{"34", "stubs folder"}, nil, 3, "host", "stub"},
	{"fabric manager", initAnswers(802, "CUDA_ERROR_SYSTEM_NOT_READY"), "driver-not-ready", []string{"802", "nvidia-fabricmanager"}, nil, 3, "host", ""},
	{"exclusive mode", initAnswers(46, "CUDA_ERROR_DEVICE_UNAVAILABLE"), "device-busy", []string{"46", "nvidia-smi -c DEFAULT"}, nil, 3, "host", ""},
	{"a code of its own", initAnswers(4242, "CUDA error 4242"), "driver-failed", []string{"4242", "dmesg"}, nil, 3, "host", ""},
	{
		"CUDA_VISIBLE_DEVICES hides all", all(initAnswers(100, "CUDA_ERROR_NO_DEVICE"), env("CUDA_VISIBLE_DEVICES", "-1"), func(f *Facts) { f.CUDA.Unhidden = []string{"RTX A", "RTX B"} }),
		"devices-hidden",
		[]string{`"-1"`, "RTX A, RTX B", "CUDA_VISIBLE_DEVICES=0"},
		nil, 3, "host", "hides every GPU",
	},
	{
		"CUDA_VISIBLE_DEVICES hides one", all(env("CUDA_VISIBLE_DEVICES", "0"), func(f *Facts) { f.CUDA.Unhidden = []string{"RTX A", "RTX B"} }),
		"some-devices-hidden",
		[]string{"note", "1 of 2", "RTX B"},
		nil, 0, "shared", "",
	},
	{
		"CUDA_VISIBLE_DEVICES hides nothing", all(env("CUDA_VISIBLE_DEVICES", "0"), func(f *Facts) { f.CUDA.Unhidden = []string{"RTX A"} }),
		"", nil,
		[]string{"devices-hidden"},
		0, "shared", "",
	},
	{"no device", initAnswers(100, "CUDA_ERROR_NO_DEVICE"), "no-device", []string{"100", "nvidia-smi", "eGPU"}, []string{"CUDA_VISIBLE_DEVICES hides"}, 3, "host", ""},
	{
		"no permission on the driver's files", all(initAnswers(100, "CUDA_ERROR_NO_DEVICE"), func(f *Facts) { f.System.Nodes[0].Access = "denied" }),
		"no-device",
		[]string{"/dev/nvidiactl may not be opened", "group"},
		nil, 3, "host", "",
	},
	{
		"GPU too old", all(loadAnswers(209, "CUDA_ERROR_NO_BINARY_FOR_GPU"), func(f *Facts) { f.CUDA.Devices[0].Capability = "3.5" }),
		"no-kernel-image",
		[]string{"RTX A", "3.5", "oldest supported is 5.0", "209", "--driver host"},
		nil, 3, "host", "RTX A is too old",
	},
	{
		"GPU newer than the driver", all(loadAnswers(209, "CUDA_ERROR_NO_BINARY_FOR_GPU"), func(f *Facts) { f.CUDA.Devices[0].Capability = "12.0" }),
		"no-kernel-image",
		[]string{"RTX A", "12.0", "5.0 and newer", "update the NVIDIA driver"},
		[]string{"too old for the kernels"},
		3, "host", "",
	},
	{"compiler missing", loadAnswers(221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"), "jit-missing", []string{"libnvidia-ptxjitcompiler"}, nil, 3, "host", ""},
	{"compiling switched off", loadAnswers(223, "CUDA_ERROR_JIT_COMPILATION_DISABLED"), "jit-disabled", []string{"CUDA_DISABLE_PTX_JIT"}, nil, 3, "host", ""},
	{"kernels refused otherwise", loadAnswers(200, "CUDA_ERROR_INVALID_IMAGE"), "kernels-refused", []string{"200", "the compiler's log"}, []string{"of two lines"}, 3, "host", ""},
	{
		"a kernel fails", func(f *Facts) {
			f.CUDA.Devices[0].OK, f.CUDA.Devices[0].Run = false, &Failure{Op: "cuStreamSynchronize", Code: 719, Name: "CUDA_ERROR_LAUNCH_FAILED"}
			f.Window.Trips[0].OK, f.Window.Trips[0].Failure = false, f.CUDA.Devices[0].Run
			f.Window.Trips[1].OK, f.Window.Trips[1].Failure = false, f.CUDA.Devices[0].Run
		},
		"kernel-failed",
		[]string{"719", "Xid", "--driver host"},
		[]string{"tier-failed"},
		3, "host", "with --driver host the host tier works",
	},
	{
		"wrong sums", func(f *Facts) {
			f.CUDA.Devices[0].OK, f.CUDA.Devices[0].Run = false, &Failure{Text: "the kernel ran without an error, but its result is wrong: 3 of 1000 particles differ"}
		},
		"wrong-result",
		[]string{"error", "RTX A", "3 of 1000"},
		nil, 0, "shared", "",
	},
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

func TestEveryCaseIsToldWithItsCure(t *testing.T) {
	for _, c := range classifyCases {
		t.Run(c.name, func(t *testing.T) {
			f := best()
			c.change(f)
			r := NewReport(*f)
			var text strings.Builder
			if err := r.Write(&text); err != nil {
				t.Fatal(err)
			}
			t.Log(text.String())
			if c.id != "" {
				i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.ID == c.id })
				if i < 0 {
					t.Fatalf("no finding %s", c.id)
				}
				found := r.Findings[i]
				said := strings.Join([]string{string(found.Severity), found.What, found.Why, found.Do}, "\n")
				for _, w := range c.words {
					if !strings.Contains(said, w) {
						t.Errorf("the finding lacks %q", w)
					}
				}
			}
			for _, w := range c.never {
				if strings.Contains(text.String(), w) {
					t.Errorf("the report says %q", w)
				}
			}
			if v := r.Verdict; v.Exit != c.exit || v.Tier != c.tier || !strings.Contains(v.Summary, c.reason) {
				t.Errorf("verdict %+v, want exit %d, tier %s, %q", v, c.exit, c.tier, c.reason)
			}
		})
	}
}

func TestEveryFindingHasAllItsParts(t *testing.T) {
	for _, c := range classifyCases {
		f := best()
		c.change(f)
		rank := 0
		for _, found := range Classify(f) {
			if found.ID == "" || found.What == "" || found.Why == "" || found.Do == "" {
				t.Errorf("%s: %+v", c.name, found)
			}
			for _, s := range []string{found.What, found.Why, found.Do} {
				if strings.HasSuffix(s, ".") || strings.Contains(s, "\n") || strings.Contains(s, "  ") || strings.Contains(s, "()") {
					t.Errorf("%s: %q", c.name, s)
				}
			}
			if r := found.Severity.rank(); r < rank {
				t.Errorf("%s: %s comes after less important ones", c.name, found.ID)
			} else {
				rank = r
			}
		}
	}
}

// The findings of cases.md and issue 3 each have a case.
func TestEveryReasonHasACase(t *testing.T) {
	seen := map[string]bool{"build-without-cuda": true, "driver-refused": true} // not on Linux; not seen in the wild
	for _, c := range classifyCases {
		f := best()
		c.change(f)
		for _, found := range Classify(f) {
			seen[found.ID] = true
		}
	}
	for _, id := range reasons {
		if !seen[id] {
			t.Errorf("no case for %s", id)
		}
	}
}
