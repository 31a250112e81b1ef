// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"errors"
	"strings"
	"testing"
	"unsafe"
)

func TestVersionsOfAllVendorsAreRead(t *testing.T) {
	for text, want := range map[string][2]int{
		"4.5 (Core Profile) Mesa 22.3.6":          {4, 5},
		"4.6.0 NVIDIA 580.65.06":                  {4, 6},
		"4.6.14756 Compatibility Profile Context": {4, 6},
		"3.3 (Core Profile) Mesa 22.3.6":          {3, 3},
		"10.1 from the future":                    {10, 1},
		"OpenGL ES 3.2 Mesa 22.3.6":               {0, 0},
		"":                                        {0, 0},
	} {
		if major, minor := parseVersion(text); [2]int{major, minor} != want {
			t.Errorf("%q is read as %d.%d, want %v", text, major, minor, want)
		}
	}
	for v, want := range map[[2]int]bool{{4, 4}: false, {4, 5}: true, {4, 6}: true, {3, 9}: false, {5, 0}: true, {0, 0}: false} {
		if atLeast(v[0], v[1]) != want {
			t.Errorf("%v is enough: %v", v, !want)
		}
	}
}

func TestSoftwareRenderersAreKnownByName(t *testing.T) {
	for name, want := range map[string]bool{
		"llvmpipe (LLVM 15.0.6, 256 bits)": true,
		"softpipe":                         true,
		"Google SwiftShader":               true,
		"GDI Generic":                      true,
		"NVIDIA H200/PCIe/SSE2":            false,
		"Mesa Intel(R) UHD Graphics 620":   false,
		"AMD Radeon RX 6800 (navi21, LLVM 15.0.6, DRM 3.49)": false,
	} {
		if softwareRenderer(name) != want {
			t.Errorf("%q draws in software: %v, want %v", name, !want, want)
		}
	}
}

func TestAnOldVersionSaysWhatIsNeededOfferedAndToDo(t *testing.T) {
	err := VersionError(Info{Renderer: "Mesa Intel(R) HD 3000", Version: "3.3 Mesa"})
	if !errors.Is(err, ErrVersion) {
		t.Error("does not match ErrVersion")
	}
	for _, want := range []string{"4.5", "3.3 Mesa", "HD 3000", "update the graphics driver"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}

func TestWithoutOpenGLInitIsAnError(t *testing.T) {
	if err := Init(func(string) unsafe.Pointer { return nil }); err == nil || !strings.Contains(err.Error(), "libgl1") {
		t.Errorf("error %v", err)
	}
}
