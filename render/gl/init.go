// SPDX-License-Identifier: Apache-2.0

package gl

/*
typedef const unsigned char *(*get_string_fn)(unsigned int);
static const char *call_get_string(void *f, unsigned int name) { return (const char *)((get_string_fn)f)(name); }
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// NeedMajor and NeedMinor are the OpenGL version that the program needs (core profile).
const (
	NeedMajor = 4
	NeedMinor = 5
)

// ErrVersion is matched by the error of a context whose OpenGL is too old.
var ErrVersion = errors.New("OpenGL too old")

// Info describes the implementation behind the current context.
type Info struct {
	Vendor, Renderer, Version, GLSL string
	Major, Minor                    int
	Software                        bool // drawn by the CPU (llvmpipe, softpipe, SwiftShader...)
}

var initMu sync.Mutex

// Init loads the functions for the current context. procAddr is eglGetProcAddress or glfw.GetProcAddress: the
// program never links a way of its own to find them. It fails, with ErrVersion, when the context is older than 4.5.
//
// The version is checked before anything else, as names looked up through GLVND are never nil and a successful
// look-up proves nothing.
func Init(procAddr func(name string) unsafe.Pointer) error {
	info, err := Probe(procAddr)
	if err != nil {
		return err
	}
	if !atLeast(info.Major, info.Minor) {
		return VersionError(info)
	}
	initMu.Lock()
	defer initMu.Unlock()
	if err := gl.InitWithProcAddrFunc(procAddr); err != nil {
		return fmt.Errorf("gl: %s (%s) lacks a function of OpenGL %d.%d: %w; update the graphics driver",
			info.Renderer, info.Version, NeedMajor, NeedMinor, err)
	}
	return nil
}

// VersionError says what was needed, what info offers, and what to do. It matches ErrVersion.
func VersionError(info Info) error {
	offered := info.Version
	if offered == "" {
		offered = "nothing"
	}
	renderer := info.Renderer
	if renderer == "" {
		renderer = "unknown renderer"
	}
	cure := "update the graphics driver"
	if !info.Software {
		cure += ", or draw in software with LIBGL_ALWAYS_SOFTWARE=1 where Mesa is installed"
	}
	return fmt.Errorf("%w: OpenGL %d.%d core is needed, %s offers %s; %s",
		ErrVersion, NeedMajor, NeedMinor, renderer, offered, cure)
}

// Probe reads the strings of the current context before Init, of any OpenGL version.
func Probe(procAddr func(name string) unsafe.Pointer) (Info, error) {
	f := procAddr("glGetString")
	if f == nil {
		return Info{}, errors.New("gl: glGetString not found: the OpenGL library is not usable; install libgl1 (Mesa) or the graphics driver")
	}
	get := func(name uint32) string {
		p := C.call_get_string(f, C.uint(name))
		if p == nil {
			return ""
		}
		return C.GoString(p)
	}
	info := Info{
		Vendor: get(gl.VENDOR), Renderer: get(gl.RENDERER), Version: get(gl.VERSION),
		GLSL: get(gl.SHADING_LANGUAGE_VERSION),
	}
	if info.Version == "" {
		return info, errors.New("gl: no OpenGL context is current on this thread")
	}
	info.Major, info.Minor = parseVersion(info.Version)
	info.Software = softwareRenderer(info.Renderer)
	return info, nil
}

// Describe returns the strings of the current context. It needs Init.
func Describe() Info {
	info := Info{
		Vendor: getString(gl.VENDOR), Renderer: getString(gl.RENDERER), Version: getString(gl.VERSION),
		GLSL: getString(gl.SHADING_LANGUAGE_VERSION),
	}
	info.Major, info.Minor = parseVersion(info.Version)
	info.Software = softwareRenderer(info.Renderer)
	return info
}

func getString(name uint32) string {
	p := gl.GetString(name)
	if p == nil {
		return ""
	}
	return gl.GoStr(p)
}

func atLeast(major, minor int) bool {
	return major > NeedMajor || major == NeedMajor && minor >= NeedMinor
}

// parseVersion reads GL_VERSION, "4.5 (Core Profile) Mesa 22.3.6" or "4.6.0 NVIDIA 580.65": 0, 0 when it is neither.
func parseVersion(s string) (major, minor int) {
	if _, err := fmt.Sscanf(s, "%d.%d", &major, &minor); err != nil {
		return 0, 0
	}
	return major, minor
}

// softwareRenderer tells whether GL_RENDERER names one of the known renderers that run on the CPU.
func softwareRenderer(renderer string) bool {
	r := strings.ToLower(renderer)
	for _, s := range []string{"llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader", "lavapipe", "openswr", "gdi generic", "basic render"} {
		if strings.Contains(r, s) {
			return true
		}
	}
	return false
}
