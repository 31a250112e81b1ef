// SPDX-License-Identifier: Apache-2.0

package driver

import "strconv"

// Code is a CUresult: 0 is success. The values are those of the CUDA driver API
// reference, section "Data types used by CUDA driver", enum CUresult.
type Code int32

// The codes that this project tells apart.
const (
	Success                    Code = 0
	InvalidValue               Code = 1
	OutOfMemory                Code = 2
	NotInitialized             Code = 3
	Deinitialized              Code = 4
	StubLibrary                Code = 34
	DeviceUnavailable          Code = 46
	NoDevice                   Code = 100
	InvalidDevice              Code = 101
	InvalidImage               Code = 200
	InvalidContext             Code = 201
	MapFailed                  Code = 205
	UnmapFailed                Code = 206
	AlreadyMapped              Code = 208
	NoBinaryForGPU             Code = 209
	NotMapped                  Code = 211
	NotMappedAsArray           Code = 212
	NotMappedAsPointer         Code = 213
	ECCUncorrectable           Code = 214
	UnsupportedLimit           Code = 215
	InvalidPTX                 Code = 218
	InvalidGraphicsContext     Code = 219
	JITCompilerNotFound        Code = 221
	UnsupportedPTXVersion      Code = 222
	JITCompilationDisabled     Code = 223
	OperatingSystem            Code = 304
	InvalidHandle              Code = 400
	NotFound                   Code = 500
	NotReady                   Code = 600
	IllegalAddress             Code = 700
	LaunchOutOfResources       Code = 701
	LaunchTimeout              Code = 702
	ContextIsDestroyed         Code = 709
	HardwareStackError         Code = 714
	IllegalInstruction         Code = 715
	MisalignedAddress          Code = 716
	LaunchFailed               Code = 719
	NotPermitted               Code = 800
	NotSupported               Code = 801
	SystemNotReady             Code = 802
	SystemDriverMismatch       Code = 803
	CompatNotSupportedOnDevice Code = 804
	StreamCaptureUnsupported   Code = 900
	StreamCaptureInvalidated   Code = 901
	Unknown                    Code = 999

	// ContentsLost is this project's own, outside CUDA's range: OpenGL took a
	// mapping back but its contents are undefined (glUnmapBuffer: GL_FALSE).
	ContentsLost Code = 1 << 20
)

var names = map[Code][2]string{
	Success:                    {"CUDA_SUCCESS", "no error"},
	InvalidValue:               {"CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	OutOfMemory:                {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	NotInitialized:             {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	Deinitialized:              {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
	StubLibrary:                {"CUDA_ERROR_STUB_LIBRARY", "the library loaded is a stub, not the driver"},
	DeviceUnavailable:          {"CUDA_ERROR_DEVICE_UNAVAILABLE", "device is busy or unavailable"},
	NoDevice:                   {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	InvalidDevice:              {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	InvalidImage:               {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	InvalidContext:             {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	MapFailed:                  {"CUDA_ERROR_MAP_FAILED", "mapping of buffer object failed"},
	UnmapFailed:                {"CUDA_ERROR_UNMAP_FAILED", "unmapping of buffer object failed"},
	AlreadyMapped:              {"CUDA_ERROR_ALREADY_MAPPED", "resource already mapped"},
	NoBinaryForGPU:             {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	NotMapped:                  {"CUDA_ERROR_NOT_MAPPED", "resource not mapped"},
	NotMappedAsArray:           {"CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "resource not mapped as array"},
	NotMappedAsPointer:         {"CUDA_ERROR_NOT_MAPPED_AS_POINTER", "resource not mapped as pointer"},
	ECCUncorrectable:           {"CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
	UnsupportedLimit:           {"CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture"},
	InvalidPTX:                 {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	InvalidGraphicsContext:     {"CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "invalid OpenGL or DirectX context"},
	JITCompilerNotFound:        {"CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
	UnsupportedPTXVersion:      {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the PTX was compiled with a toolchain newer than the driver"},
	JITCompilationDisabled:     {"CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
	OperatingSystem:            {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
	InvalidHandle:              {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	NotFound:                   {"CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	NotReady:                   {"CUDA_ERROR_NOT_READY", "device not ready"},
	IllegalAddress:             {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	LaunchOutOfResources:       {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	LaunchTimeout:              {"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
	ContextIsDestroyed:         {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	HardwareStackError:         {"CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
	IllegalInstruction:         {"CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
	MisalignedAddress:          {"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
	LaunchFailed:               {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	NotPermitted:               {"CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
	NotSupported:               {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
	SystemNotReady:             {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
	SystemDriverMismatch:       {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	CompatNotSupportedOnDevice: {"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
	StreamCaptureUnsupported:   {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
	StreamCaptureInvalidated:   {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
	Unknown:                    {"CUDA_ERROR_UNKNOWN", "unknown error"},
	ContentsLost:               {"GL_CONTENTS_LOST", "OpenGL lost the buffer's contents while it was mapped"},
}

// lost holds the codes after which a context, with all that is in it, is of no use and answers nothing else, and what they mean
// for people.
var lost = func() map[Code]string {
	const failed = "a kernel failed; please report it, with the trace"
	const taken = "something in this process took CUDA's context away"
	return map[Code]string{
		LaunchTimeout:    "a step took too long for a GPU that also drives a screen; lower the number of particles",
		ECCUncorrectable: "the GPU's memory has a fault; reset the GPU or reboot",
		InvalidContext:   taken, ContextIsDestroyed: taken,
		IllegalAddress: failed, LaunchFailed: failed, MisalignedAddress: failed, IllegalInstruction: failed, HardwareStackError: failed,
		710: failed, 717: failed, 718: failed, // assert in a kernel, address in the wrong space, invalid program counter
	}
}()

// Lost tells what happened where the code says that the context is of no use any more, and "" for other codes.
func (c Code) Lost() string { return lost[c] }

// Name is the code's name, "CUDA_ERROR_ALREADY_MAPPED", or "" for a code that
// this table does not hold (a driver's own table may).
func (c Code) Name() string { return names[c][0] }

// Text is a short description, or "".
func (c Code) Text() string { return names[c][1] }

// String is the name, or the number when it has none.
func (c Code) String() string {
	if n := c.Name(); n != "" {
		return n
	}
	return "CUDA error " + strconv.Itoa(int(c))
}

// Error makes a Code an error, so that errors.Is(err, driver.AlreadyMapped) works.
func (c Code) Error() string { return c.String() }
