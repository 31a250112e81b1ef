// SPDX-License-Identifier: Apache-2.0

package doctor

// driverCases are about the NVIDIA driver and its devices.
var driverCases = []classifyCase{
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
}
