// SPDX-License-Identifier: Apache-2.0

package driver

// CannotShare tells the codes with which drivers refuse a pair of CUDA and
// OpenGL contexts: GL on another GPU or in software, WSL, remote sessions.
func CannotShare(c Code) bool {
	switch c {
	case OperatingSystem, Unknown, InvalidGraphicsContext, NoDevice,
		InvalidDevice, NotSupported, NotFound, NotPermitted:
		return true
	}
	return false
}

// Cure is what a user can do about a code that a call answered; "" where that is
// not known.
func Cure(call string, c Code) string {
	switch call {
	case "cuGraphicsGLRegisterBuffer", "cuGraphicsGLRegisterImage", "cuGLGetDevices":
		if CannotShare(c) && UnderWSL() {
			return "WSL2 does not share buffers between CUDA and OpenGL; use the copied tier"
		}
		if CannotShare(c) {
			return "OpenGL must run on the CUDA device: on a laptop with two GPUs start with " +
				"__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia, else use the copied tier"
		}
	}
	switch c {
	case OutOfMemory:
		return "lower the particle count or close other programs"
	case StubLibrary:
		return "a toolkit's stub libcuda.so is first in the library path; take it out of LD_LIBRARY_PATH"
	case NoDevice:
		return "check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it"
	case DeviceUnavailable:
		return "another program holds the GPU exclusively; close it, or set the compute mode to default"
	case SystemDriverMismatch:
		return "the loaded kernel module and the driver library are of different versions; reboot"
	case CompatNotSupportedOnDevice:
		return "a forward-compatibility libcuda is in use that this GPU does not support; use the driver's own, or update the driver"
	case SystemNotReady:
		return "the fabric manager or another driver service is not running; start it or reboot"
	case Unknown:
		return "common after suspend: close GPU programs and reload nvidia_uvm, or reboot; if it came in mid-run look for Xid in the kernel log"
	case NoBinaryForGPU, InvalidPTX, UnsupportedPTXVersion:
		return "update the NVIDIA driver, or run with --driver host"
	case JITCompilerNotFound:
		return "install libnvidia-ptxjitcompiler of the same version as the driver"
	case JITCompilationDisabled:
		return "unset CUDA_DISABLE_PTX_JIT"
	case LaunchTimeout:
		return "the step took too long for a GPU that also drives a screen; lower the particle count"
	case IllegalAddress, LaunchFailed, MisalignedAddress, IllegalInstruction, HardwareStackError:
		return "a kernel failed, and the context cannot go on; restart, and report this with the trace"
	case ECCUncorrectable:
		return "the GPU's memory has a fault; reset the GPU or reboot"
	case ContentsLost:
		return "draw the next frame; the buffer is usable again"
	}
	return ""
}
