// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/kernels/nvrtc"
	"particles/kernels/ptx"
	"particles/kernels/src"
)

func TestPTXIsOfTheseSources(t *testing.T) {
	for _, module := range Modules {
		text, err := ptx.Text(module)
		if err != nil {
			t.Fatal(err)
		}
		head, err := ptx.ReadHead(text)
		if err != nil {
			t.Fatalf("%s: %v", module, err)
		}
		want, err := src.Hash(module)
		if err != nil {
			t.Fatal(err)
		}
		if head.Sources != want {
			t.Errorf("%s.ptx is stale: made from sources %.12s, they are %.12s now; run make kernels and commit", module, head.Sources, want)
		}
		if !strings.HasPrefix(head.Compiler, "NVRTC 12.") || head.Options != strings.Join(ptx.Options, " ") {
			t.Errorf("%s.ptx: compiler %q, options %q", module, head.Compiler, head.Options)
		}
	}
}

func TestPTXHoldsTheKernelsThatTheHostHas(t *testing.T) {
	entry := regexp.MustCompile(`\.visible \.entry (\w+)\(`)
	for _, isa := range Available() {
		table, _, err := isa.table()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range Modules {
			text, err := ptx.Text(module)
			if err != nil {
				t.Fatal(err)
			}
			var device, host []string
			for _, m := range entry.FindAllSubmatch(text, -1) {
				device = append(device, string(m[1]))
			}
			for name := range table[module] {
				host = append(host, name)
			}
			slices.Sort(device)
			slices.Sort(host)
			if len(host) == 0 || !slices.Equal(device, host) {
				t.Errorf("%s: PTX has %v, %s has %v", module, device, isa, host)
			}
		}
	}
}

// compiler opens the NVRTC that make kernels fetched, or the one that is named or installed; it skips without one.
func compiler(t *testing.T) *nvrtc.Compiler {
	t.Helper()
	path := ""
	if found, _ := filepath.Glob("../build/nvrtc-*/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"); len(found) > 0 && os.Getenv(nvrtc.Env) == "" {
		path = found[0]
	}
	c, err := nvrtc.Open(path)
	if errors.Is(err, nvrtc.ErrNotFound) {
		t.Skipf("needs NVRTC: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Major != 12 {
		t.Skipf("needs NVRTC 12, found %d.%d", c.Major, c.Minor)
	}
	return c
}

func TestPTXIsWhatNVRTCMakes(t *testing.T) {
	c := compiler(t)
	headers, err := src.Headers()
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range Modules {
		text, err := c.Compile(module+".h", headers, ptx.Options...)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = ptx.Finish(module, text); err != nil {
			t.Fatal(err)
		}
		committed, err := ptx.Text(module)
		if err != nil {
			t.Fatal(err)
		}
		head, _ := ptx.ReadHead(committed)
		now, _ := ptx.ReadHead([]byte(text))
		if head.Compiler != now.Compiler {
			t.Skipf("needs %s, found %s: both compile, but their texts differ", head.Compiler, now.Compiler)
		}
		if string(committed) != text {
			t.Errorf("%s.ptx is not what %s makes of the sources; run make kernels", module, now.Compiler)
		}
	}
}

func TestNVRTCSaysWhatIsWrong(t *testing.T) {
	c := compiler(t)
	_, err := c.Compile("bad.h", map[string]string{"bad.h": "__global__ void f() { undeclared = 1; }"})
	if err == nil || !strings.Contains(err.Error(), "undeclared") || !strings.Contains(err.Error(), "bad.h") {
		t.Errorf("got %v", err)
	}
	if _, err := c.Compile("none.h", nil); err == nil {
		t.Error("a missing source was compiled")
	}
}

func TestAbsentNVRTCIsNamed(t *testing.T) {
	_, err := nvrtc.Open("/nonexistent/libnvrtc.so.12")
	if !errors.Is(err, nvrtc.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestHashSeesEveryHeaderThatCUDASees(t *testing.T) {
	flow, err := src.Hash("flow")
	if err != nil {
		t.Fatal(err)
	}
	emitter, err := src.Hash("emitter")
	if err != nil {
		t.Fatal(err)
	}
	if flow == emitter || len(flow) != 64 {
		t.Errorf("hashes %q and %q", flow, emitter)
	}
	if _, err := src.Hash("nothing"); err == nil {
		t.Error("a module that does not exist has a hash")
	}
}

func TestOldestCapabilityIsTheTarget(t *testing.T) {
	want := "compute_" + strings.ReplaceAll(ptx.OldestCapability, ".", "")
	if !strings.Contains(strings.Join(ptx.Options, " "), want) {
		t.Errorf("the options %q do not name %s", ptx.Options, want)
	}
}

// TestARefusedGPUIsToldWhatTheKernelsNeed: INT-20, on a stand-in for a GPU of compute capability 3.5.
func TestARefusedGPUIsToldWhatTheKernelsNeed(t *testing.T) {
	t.Setenv("FAKE_CU", "cuModuleLoadDataEx=209")
	t.Setenv("FAKE_CU_CC", "35")
	_, err := Load(testenv.Context(t, testenv.FakeCUDA(t)), Auto, "flow")
	if !errors.Is(err, interop.ErrImageRefused) {
		t.Fatalf("error %v", err)
	}
	for _, word := range []string{"3.5", "5.0", "Stand-in GPU 0", "209"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %q", word, err)
		}
	}
}
