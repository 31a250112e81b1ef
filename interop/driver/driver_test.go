// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestCodesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]Code{}
	for c, n := range names {
		if n[0] == "" || n[1] == "" {
			t.Errorf("code %d lacks name or text", c)
		}
		if other, ok := seen[n[0]]; ok {
			t.Errorf("codes %d and %d are both %s", c, other, n[0])
		}
		seen[n[0]] = c
		if c < 1<<20 && !strings.HasPrefix(n[0], "CUDA_") {
			t.Errorf("code %d is called %s", c, n[0])
		}
	}
	// Spot checks of the numbers, from the CUDA driver API reference, enum CUresult.
	for name, c := range map[string]Code{
		"CUDA_ERROR_ALREADY_MAPPED": 208, "CUDA_ERROR_NOT_MAPPED": 211, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT": 219,
		"CUDA_ERROR_UNSUPPORTED_PTX_VERSION": 222, "CUDA_ERROR_OPERATING_SYSTEM": 304, "CUDA_ERROR_NOT_READY": 600,
		"CUDA_ERROR_LAUNCH_FAILED": 719, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": 803,
	} {
		if c.Name() != name {
			t.Errorf("code %d is %q, want %s", c, c.Name(), name)
		}
	}
}

func TestCodeIsAnError(t *testing.T) {
	err := fmt.Errorf("mapping: %w", AlreadyMapped)
	if !errors.Is(err, AlreadyMapped) || errors.Is(err, NotMapped) {
		t.Error("codes do not match as errors")
	}
	if s := Code(4242).String(); s != "CUDA error 4242" {
		t.Errorf("unknown code: %q", s)
	}
}

func TestCuresAreOneLineAndDependOnTheCall(t *testing.T) {
	for c := range names {
		for _, call := range []string{"cuInit", "cuGraphicsGLRegisterBuffer"} {
			if cure := Cure(call, c); strings.Contains(cure, "\n") || strings.HasSuffix(cure, ".") {
				t.Errorf("cure of %v: %q", c, cure)
			}
		}
	}
	if cure := Cure("cuGraphicsGLRegisterBuffer", Unknown); !UnderWSL() && !strings.Contains(cure, "__NV_PRIME_RENDER_OFFLOAD=1") {
		t.Errorf("registering: %q", cure)
	}
	if cure := Cure("cuInit", Unknown); !strings.Contains(cure, "nvidia_uvm") {
		t.Errorf("starting: %q", cure)
	}
}

// TestCuresWorkWhereTheyAreGiven: no variable makes WSL share buffers (INT-10).
func TestCuresWorkWhereTheyAreGiven(t *testing.T) {
	t.Setenv("WSL_DISTRO_NAME", "Debian")
	for _, call := range []string{"cuGraphicsGLRegisterBuffer", "cuGraphicsGLRegisterImage", "cuGLGetDevices"} {
		cure := Cure(call, OperatingSystem)
		if strings.Contains(cure, "PRIME") || !strings.Contains(cure, "WSL2") || !strings.Contains(cure, "copied") {
			t.Errorf("%s under WSL2: %q", call, cure)
		}
	}
}
