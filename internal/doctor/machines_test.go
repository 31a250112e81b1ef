// SPDX-License-Identifier: Apache-2.0

package doctor

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
