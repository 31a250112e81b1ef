// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"

	"particles/interop"
)

// Facts is everything that was found out. The zero value of a part means that it
// was not looked at.
type Facts struct {
	Program  Program `json:"program"`
	System   System  `json:"system"`
	CUDA     CUDA    `json:"cuda"`
	Host     Host    `json:"host"`
	Window   Surface `json:"window"`
	Headless Surface `json:"headless"`
}

// Program is this build.
type Program struct {
	Version string   `json:"version"`
	Commit  string   `json:"commit,omitempty"`
	Go      string   `json:"go"`
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	Windows string   `json:"window_system"` // what it opens windows through: "X11", "Wayland"
	PTX     []Module `json:"ptx"`
}

// Module is one module of the CUDA kernels.
type Module struct {
	Name     string `json:"name"`
	Version  string `json:"version"`  // of the PTX language: "8.0"
	Target   string `json:"target"`   // "sm_50"
	Compiler string `json:"compiler"` // "NVRTC 12.0.140"
}

// Ending is how a probe's process came to its end.
type Ending struct {
	State  string `json:"state"`            // one of the States
	Stage  string `json:"stage,omitempty"`  // the last call that it announced, when not done
	Limit  string `json:"limit,omitempty"`  // the time that it had, when it hung
	Reason string `json:"reason,omitempty"` // what the system says of a crash: "SIGSEGV"
	Output string `json:"output,omitempty"` // the first lines of its standard error, when it crashed
}

// States of an Ending. The zero value is a probe that was not run.
const (
	Done    = "done"
	Hung    = "hang"
	Crashed = "crash"
)

// Failure is a failed call of the CUDA driver.
type Failure struct {
	Op     string `json:"op"`
	Code   int    `json:"code"`
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	Text   string `json:"text,omitempty"` // for other failures than the driver's: the error
}

// String is the call and its answer.
func (f *Failure) String() string {
	if f.Op == "" {
		return f.Text
	}
	return fmt.Sprintf("%s answers %s (%d)", f.Op, f.Name, f.Code)
}

// failure describes an error; nil for nil. The cures in errors are left out:
// what helps depends on more than the one call.
func failure(err error) *Failure {
	if err == nil {
		return nil
	}
	var e *interop.Error
	if errors.As(err, &e) {
		return &Failure{Op: e.Op, Code: int(e.Code), Name: e.Name, Detail: e.Detail}
	}
	return &Failure{Text: err.Error()}
}

// CUDA is what the NVIDIA driver says without OpenGL.
type CUDA struct {
	Probe   Ending   `json:"probe"`
	Kind    string   `json:"kind"` // one of the Kinds
	Library string   `json:"library,omitempty"`
	Release string   `json:"library_release,omitempty"` // of the library, from its file's name: "580.65.06"
	Missing []string `json:"missing,omitempty"`         // functions that the library lacks
	Detail  string   `json:"detail,omitempty"`          // the loader's message
	Init    *Failure `json:"init,omitempty"`            // cuInit, or listing the devices
	Version int      `json:"version,omitempty"`         // newest CUDA that the driver knows: 12080 is 12.8
	NoGL    string   `json:"no_gl,omitempty"`           // why the library cannot share buffers at all
	Devices []Device `json:"devices,omitempty"`
	// Unhidden lists the names of the devices that there are without
	// CUDA_VISIBLE_DEVICES; nil when it is not set.
	Unhidden []string `json:"unhidden,omitempty"`
}

// Kinds of CUDA: how far opening the driver came.
const (
	CUDAOpen        = "open"
	CUDANoLibrary   = "no-library"
	CUDATooOld      = "too-old"
	CUDAInit        = "init-failed"
	CUDAUnsupported = "not-in-this-build"
)

// Device is a CUDA device and what came of running kernels on it.
type Device struct {
	Ordinal    int      `json:"ordinal"`
	Name       string   `json:"name"`
	UUID       string   `json:"uuid"`
	Capability string   `json:"compute_capability"` // "9.0"
	Memory     uint64   `json:"memory"`             // bytes
	Free       uint64   `json:"free"`               // bytes, with the context made
	Watchdog   bool     `json:"watchdog"`           // kernels have a time limit, as on a GPU with a display
	Integrated bool     `json:"integrated"`
	Context    *Failure `json:"context,omitempty"`
	Kernels    *Failure `json:"kernels,omitempty"` // loading them
	Run        *Failure `json:"run,omitempty"`     // running one and looking at its result
	OK         bool     `json:"ok"`
}

// Host is the CPU driver.
type Host struct {
	Probe  Ending   `json:"probe"`
	Device string   `json:"device,omitempty"`
	ISA    string   `json:"isa,omitempty"`
	Run    *Failure `json:"run,omitempty"`
	OK     bool     `json:"ok"`
	Need   uint64   `json:"default_scene_bytes,omitempty"` // device memory of the default scene
	Scene  string   `json:"default_scene,omitempty"`
	Count  int      `json:"default_count,omitempty"` // particles that Need is for
}

// Surface is a place to draw: the window or the headless context.
type Surface struct {
	Probe   Ending   `json:"probe"`             // of opening it
	Kind    string   `json:"kind,omitempty"`    // why it cannot be had: one of the Kinds below
	Error   string   `json:"error,omitempty"`   // in full
	GL      *GL      `json:"gl,omitempty"`      // nil: not opened
	Drawing []int    `json:"drawing,omitempty"` // ordinals of the CUDA devices that draw it
	Refused *Failure `json:"drawing_failure,omitempty"`
	Trips   []Trip   `json:"trips,omitempty"`
}

// Kinds of failures to open a Surface.
const (
	NoDisplay   = "no-display"
	OldOpenGL   = "old-opengl"
	Unavailable = "unavailable"
)

// GL describes an OpenGL implementation.
type GL struct {
	Vendor   string `json:"vendor"`
	Renderer string `json:"renderer"`
	Version  string `json:"version"`
	Software bool   `json:"software"`
	Platform string `json:"platform,omitempty"` // headless: EGL's platform
	Device   string `json:"device,omitempty"`   // headless: EGL's device
}

// Trip is one round trip: a kernel wrote into a mapped OpenGL buffer, and OpenGL
// read it back.
type Trip struct {
	Asked   string   `json:"asked"` // "auto", "copied", "host"
	Probe   Ending   `json:"probe"`
	Tier    string   `json:"tier,omitempty"`
	Driver  string   `json:"driver,omitempty"`
	Device  string   `json:"device,omitempty"`
	Ordinal int      `json:"ordinal"`
	Reason  string   `json:"reason,omitempty"` // why auto did not choose the best
	Failure *Failure `json:"failure,omitempty"`
	Wrong   string   `json:"wrong,omitempty"` // how what came back differs
	OK      bool     `json:"ok"`
}

// trip finds the trip of a tier asked for, nil when there was none.
func (s *Surface) trip(asked string) *Trip {
	for i := range s.Trips {
		if s.Trips[i].Asked == asked {
			return &s.Trips[i]
		}
	}
	return nil
}

// System is the machine, from its files and the environment.
type System struct {
	Kernel      string            `json:"kernel,omitempty"`
	WSL         bool              `json:"wsl"`
	Container   string            `json:"container,omitempty"`      // kind, "" when none is seen
	Module      string            `json:"kernel_module,omitempty"`  // release of NVIDIA's kernel module
	Modules     []string          `json:"kernel_modules,omitempty"` // loaded ones that matter: "nvidia_uvm", "nouveau"
	GPUs        []string          `json:"gpus,omitempty"`           // PCI vendors of the display devices: "NVIDIA", "AMD"
	Nodes       []Node            `json:"device_files,omitempty"`
	GLXNVIDIA   string            `json:"glx_nvidia,omitempty"` // path of libGLX_nvidia.so.0
	EGLNVIDIA   string            `json:"egl_nvidia,omitempty"` // path of libEGL_nvidia.so.0
	VendorFiles []string          `json:"egl_vendor_files,omitempty"`
	Environment map[string]string `json:"environment"`
}

// Node is a device file.
type Node struct {
	Path   string `json:"path"`
	Access string `json:"access"` // "ok", "denied", or the error
	Group  string `json:"group,omitempty"`
}
