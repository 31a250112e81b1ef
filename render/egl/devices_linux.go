// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package egl

/*
#include "egl_linux.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Numbers of the EGL registry.
const (
	eglExtensions          = 0x3055
	platformDevice         = 0x313F // EGL_PLATFORM_DEVICE_EXT
	platformSurfaceless    = 0x31DD // EGL_PLATFORM_SURFACELESS_MESA
	deviceCUDA             = 0x323A // EGL_CUDA_DEVICE_NV
	deviceDRMFile          = 0x3233 // EGL_DRM_DEVICE_FILE_EXT
	deviceRenderNode       = 0x3377 // EGL_DRM_RENDER_NODE_FILE_EXT
	maxDevices             = 64
	extDeviceSoftware      = "EGL_MESA_device_software"
	extDeviceDRM           = "EGL_EXT_device_drm"
	extDeviceDRMRenderNode = "EGL_EXT_device_drm_render_node"
	extDeviceCUDA          = "EGL_NV_device_cuda"
)

// candidate is one place where a context may be had.
type candidate struct {
	platform int
	device   C.EglDevice
	name     string
	file     string // of the device, "" when unknown
	cuda     int    // -1: none
	software bool
}

func (c candidate) platformName() string {
	if c.platform == platformDevice {
		return "device"
	}
	return "surfaceless"
}

func (c candidate) String() string {
	if c.platform == platformDevice {
		return "device " + c.name
	}
	return "Mesa's surfaceless platform"
}

// cure guesses why a device could not be opened from the files it needs.
func (c candidate) cure() string {
	files := []string{c.file}
	if c.cuda >= 0 {
		files = append(files, "/dev/nvidiactl")
	}
	if c.file == "" && !c.software {
		nodes, _ := filepath.Glob("/dev/dri/renderD*")
		files = append(files, nodes...)
	}
	for _, name := range files {
		if name == "" {
			continue
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err == nil {
			f.Close()
			continue
		}
		if errors.Is(err, fs.ErrPermission) {
			return "no permission on " + name + ": join the group that owns it (usually render or video: usermod -aG render USER, then log in again)"
		}
		if errors.Is(err, fs.ErrNotExist) {
			return name + " does not exist: in a container, pass the device through"
		}
	}
	return ""
}

// candidates lists what to try, best first, and what is ruled out already.
func candidates(o Options) (list []candidate, tried []attempt) {
	client := C.GoString(C.pEglQueryString(0, eglExtensions))
	switch {
	case client == "":
		tried = append(tried, attempt{"client extensions", "EGL announces none: " + eglError(), vendorCure()})
	case !hasExtension(client, "EGL_EXT_platform_device") && !hasExtension(client, "EGL_EXT_device_base"),
		!hasExtension(client, "EGL_EXT_device_enumeration") && !hasExtension(client, "EGL_EXT_device_base"):
		tried = append(tried, attempt{"devices", "EGL lacks EGL_EXT_platform_device", vendorCure()})
	default:
		devices := devices()
		if len(devices) == 0 {
			tried = append(tried, attempt{"devices", "EGL lists none", vendorCure()})
		}
		list = append(list, devices...)
	}
	rank := func(c candidate) int {
		switch {
		case c.software == o.Software && o.Software:
			return 0
		case c.cuda >= 0 && c.cuda == o.CUDADevice:
			return 1
		case !c.software:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return rank(a) - rank(b) })
	if hasExtension(client, "EGL_MESA_platform_surfaceless") {
		list = append(list, candidate{platform: platformSurfaceless, name: "no device", cuda: -1})
	} else if client != "" {
		tried = append(tried, attempt{"Mesa's surfaceless platform", "EGL lacks EGL_MESA_platform_surfaceless", "install libegl-mesa0 and libgl1-mesa-dri for drawing in software"})
	}
	return list, tried
}

func devices() []candidate {
	var handles [maxDevices]C.EglDevice
	var n C.EGLint
	if C.pEglQueryDevices(maxDevices, &handles[0], &n) == 0 {
		return nil
	}
	var list []candidate
	for i, d := range handles[:n] {
		ext := C.GoString(C.pEglDeviceString(d, eglExtensions))
		c := candidate{platform: platformDevice, device: d, cuda: -1, software: hasExtension(ext, extDeviceSoftware)}
		if hasExtension(ext, extDeviceDRMRenderNode) {
			c.file = C.GoString(C.pEglDeviceString(d, deviceRenderNode))
		}
		if c.file == "" && hasExtension(ext, extDeviceDRM) {
			c.file = C.GoString(C.pEglDeviceString(d, deviceDRMFile))
		}
		var ordinal C.EGLAttrib
		if hasExtension(ext, extDeviceCUDA) && C.pEglDeviceAttrib(d, deviceCUDA, &ordinal) != 0 {
			c.cuda = int(ordinal)
		}
		c.name = describe(i, c)
		list = append(list, c)
	}
	C.pEglError() // a question that a device did not know leaves an error behind
	return list
}

func describe(i int, c candidate) string {
	parts := []string{fmt.Sprintf("%d", i)}
	if c.cuda >= 0 {
		parts = append(parts, fmt.Sprintf("CUDA device %d", c.cuda))
	}
	if c.software {
		parts = append(parts, "software")
	}
	if c.file != "" {
		parts = append(parts, c.file)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return parts[0] + " (" + strings.Join(parts[1:], ", ") + ")"
}

// vendorCure looks for GLVND's vendor files, without which libEGL knows no driver.
func vendorCure() string {
	if v := os.Getenv("__EGL_VENDOR_LIBRARY_FILENAMES"); v != "" {
		for _, name := range strings.Split(v, ":") {
			if _, err := os.Stat(name); err != nil {
				return "__EGL_VENDOR_LIBRARY_FILENAMES names " + name + ", which cannot be read: unset it or correct it"
			}
		}
		return ""
	}
	dirs := []string{"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"}
	if v := os.Getenv("__EGL_VENDOR_LIBRARY_DIRS"); v != "" {
		dirs = strings.Split(v, ":")
	}
	for _, dir := range dirs {
		if files, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(files) > 0 {
			return ""
		}
	}
	return "no EGL vendor file (*.json) in " + strings.Join(dirs, " or ") + ": install libegl-mesa0 or the graphics driver's EGL part"
}

// eglError reads and names the thread's last EGL error.
func eglError() string {
	code := int(C.pEglError())
	names := [...]string{
		"EGL_SUCCESS", "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS", "EGL_BAD_ALLOC", "EGL_BAD_ATTRIBUTE",
		"EGL_BAD_CONFIG", "EGL_BAD_CONTEXT", "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY", "EGL_BAD_MATCH", "EGL_BAD_NATIVE_PIXMAP",
		"EGL_BAD_NATIVE_WINDOW", "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE", "EGL_CONTEXT_LOST",
	}
	if i := code - 0x3000; i > 0 && i < len(names) {
		return fmt.Sprintf("%s (%#x)", names[i], code)
	}
	if code == 0x3000 {
		return "no reason given"
	}
	return fmt.Sprintf("EGL error %#x", code)
}
