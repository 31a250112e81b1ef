// SPDX-License-Identifier: Apache-2.0

package choose

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/cuda"
	"particles/interop/driver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake makes options that find the stand-in driver.
func fake(t *testing.T, o Options, flags ...string) Options {
	t.Helper()
	t.Setenv("WSL_DISTRO_NAME", "")
	lib := testenv.FakeCUDALibrary(t, flags...)
	o.OpenCUDA = func() (driver.Driver, error) {
		d, err := cuda.OpenPath(lib)
		if err != nil {
			return nil, err
		}
		return d, nil
	}
	return o
}

// open opens the choice and closes it at the test's end.
func open(t *testing.T, o Options) *Choice {
	t.Helper()
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func want(t *testing.T, c *Choice, drv string, tier interop.Tier, reason ...string) {
	t.Helper()
	if c.Driver != drv || c.Tier != tier {
		t.Errorf("driver %s, tier %s; want %s, %s (reason %q)", c.Driver, c.Tier, drv, tier, c.Reason)
	}
	if len(reason) == 0 && c.Reason != "" {
		t.Errorf("reason %q for the first choice", c.Reason)
	}
	for _, r := range reason {
		if !strings.Contains(c.Reason, r) {
			t.Errorf("reason %q lacks %q", c.Reason, r)
		}
	}
	if strings.Contains(c.Reason, "\n") {
		t.Errorf("reason %q has lines", c.Reason)
	}
}

func TestFirstChoiceIsSharedCUDAWithoutAReason(t *testing.T) {
	want(t, open(t, fake(t, Options{GL: testenv.NewFakeGL()})), "cuda", interop.TierShared)
	want(t, open(t, fake(t, Options{})), "cuda", interop.TierNone)
}

func TestNoLibraryMeansHostWithTheCure(t *testing.T) {
	o := Options{
		GL:       testenv.NewFakeGL(),
		OpenCUDA: func() (driver.Driver, error) { return cuda.OpenPath("libcuda-not-there.so.1") },
	}
	var lines []string
	o.Logf = func(f string, a ...any) { lines = append(lines, fmt.Sprintf(f, a...)) }
	c := open(t, o)
	want(t, c, "host", interop.TierHost, "no NVIDIA driver library (libcuda.so.1) found", "install the NVIDIA driver")
	if len(lines) != 1 || !strings.Contains(lines[0], c.Reason) || !strings.Contains(lines[0], c.Device) {
		t.Errorf("log %q; want one line with device and reason", lines)
	}
	o.Driver = "cuda"
	if _, err := Open(o); !errors.Is(err, cuda.ErrNoLibrary) || !strings.Contains(err.Error(), "install the NVIDIA driver") {
		t.Errorf("forced: %v", err)
	}
}

func TestDriverThatDoesNotStartMeansHostWithCodeAndCure(t *testing.T) {
	for _, c := range []struct {
		fail  string
		words []string
	}{
		{"cuInit=803", []string{"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "803", "different versions", "reboot"}},
		{"cuInit=804", []string{"804", "forward-compatibility"}},
		{"cuInit=999", []string{"999", "after suspend", "nvidia_uvm"}},
		{"cuInit=34", []string{"34", "stub", "LD_LIBRARY_PATH"}},
		{"cuInit=100", []string{"CUDA_ERROR_NO_DEVICE", "nvidia-smi", "CUDA_VISIBLE_DEVICES"}},
		{"cuInit=802", []string{"802", "fabric manager"}},
		{"cuInit=777", []string{"777"}},
		{"cuDevicePrimaryCtxRetain=999", []string{"cuDevicePrimaryCtxRetain", "999", "nvidia_uvm"}},
		{"cuDevicePrimaryCtxRetain=46", []string{"46", "exclusively"}},
		{"cuDeviceGetCount=100", []string{"CUDA_ERROR_NO_DEVICE"}},
	} {
		t.Run(c.fail, func(t *testing.T) {
			o := fake(t, Options{GL: testenv.NewFakeGL()})
			t.Setenv("FAKE_CU", c.fail)
			want(t, open(t, o), "host", interop.TierHost, c.words...)
			o.Driver = "cuda"
			_, err := Open(o)
			for _, w := range append(c.words, "cannot use CUDA") {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("forced: error %v lacks %q", err, w)
				}
			}
		})
	}
	t.Run("old", func(t *testing.T) {
		want(t, open(t, fake(t, Options{}, "-DOLD")), "host", interop.TierNone,
			"too old", "cuStreamCreateWithPriority", "cuStreamWaitEvent", "update")
	})
	t.Run("no devices", func(t *testing.T) {
		o := fake(t, Options{})
		t.Setenv("FAKE_CU_DEVICES", "0")
		want(t, open(t, o), "host", interop.TierNone, "CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES")
	})
}

func TestOpenGLElsewhereMeansCopiedWithTheCure(t *testing.T) {
	for _, c := range []struct {
		fail string
		code string
	}{
		{"cuGLGetDevices_v2=100", "CUDA_ERROR_NO_DEVICE, 100"},
		{"cuGLGetDevices_v2=219", "219"},
		{"cuGLGetDevices_v2=304", "CUDA_ERROR_OPERATING_SYSTEM, 304"},
		{"cuGLGetDevices_v2=999", "CUDA_ERROR_UNKNOWN, 999"},
		{"cuGLGetDevices_v2=101", "CUDA_ERROR_INVALID_DEVICE, 101"},
	} {
		t.Run(c.fail, func(t *testing.T) {
			gl := testenv.NewFakeGL()
			o := fake(t, Options{GL: gl})
			t.Setenv("FAKE_CU", c.fail)
			ch := open(t, o)
			want(t, ch, "cuda", interop.TierCopied, "OpenGL in memory", "Stand-in GPU 0", c.code)
			b, err := ch.GL.RegisterBuffer(gl.NewBuffer(64), 64, interop.WriteDiscard)
			if err != nil || b.Tier() != interop.TierCopied {
				t.Errorf("buffer %v, error %v", b, err)
			}
			o.Tier = "shared"
			if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "cannot share") || !strings.Contains(err.Error(), c.code) {
				t.Errorf("forced shared: %v", err)
			}
		})
	}
}

func TestRegisteringThatFailsLaterFallsBackOnce(t *testing.T) {
	for _, code := range []string{"304", "999", "219", "101"} {
		gl := testenv.NewFakeGL()
		o := fake(t, Options{GL: gl})
		lines := 0
		o.Logf = func(f string, a ...any) {
			if strings.Contains(fmt.Sprintf(f, a...), "copied") {
				lines++
			}
		}
		c := open(t, o)
		t.Setenv("FAKE_CU", "cuGraphicsGLRegisterBuffer="+code+"@3")
		s, err := c.Context.NewStream(interop.StreamOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var bs []*interop.GLBuffer
		for range 4 {
			b, err := c.GL.RegisterBuffer(gl.NewBuffer(64), 64, interop.WriteDiscard)
			if err != nil {
				t.Fatal(err)
			}
			bs = append(bs, b)
		}
		if bs[1].Tier() != interop.TierShared || bs[2].Tier() != interop.TierCopied || bs[3].Tier() != interop.TierCopied {
			t.Errorf("tiers %v %v %v", bs[1].Tier(), bs[2].Tier(), bs[3].Tier())
		}
		want(t, c, "cuda", interop.TierCopied, "cuGraphicsGLRegisterBuffer", code)
		if lines != 1 {
			t.Errorf("%d lines in the log about copying, want 1", lines)
		}
		// Both kinds in one call.
		if err := c.GL.WithMappedAll(s, bs, func(ms []interop.Buffer) error {
			for _, m := range ms {
				if err := m.Fill(s, 5, 1); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if gl.Bytes(bs[3].Name())[63] != 5 {
			t.Error("the copied buffer did not reach OpenGL")
		}
		t.Setenv("FAKE_CU", "")
	}
}

func TestRegisteringWithoutAHandleFallsBack(t *testing.T) {
	gl := testenv.NewFakeGL()
	c := open(t, fake(t, Options{GL: gl}))
	t.Setenv("FAKE_GL_NULL", "1")
	b, err := c.GL.RegisterBuffer(gl.NewBuffer(64), 64, interop.WriteDiscard)
	if err != nil || b.Tier() != interop.TierCopied {
		t.Errorf("buffer %v, error %v", b, err)
	}
}

func TestDeviceIsTheOneThatDraws(t *testing.T) {
	gl := testenv.NewFakeGL()
	o := fake(t, Options{GL: gl})
	t.Setenv("FAKE_CU_DEVICES", "3")
	t.Setenv("FAKE_GL_DEVICE", "1")
	c := open(t, o)
	want(t, c, "cuda", interop.TierShared)
	if c.Context.Device().Ordinal != 1 {
		t.Errorf("device %d, want 1, which draws", c.Context.Device().Ordinal)
	}
	if _, err := c.GL.RegisterBuffer(gl.NewBuffer(64), 64, interop.WriteDiscard); err != nil || c.Tier != interop.TierShared {
		t.Errorf("register: %v, tier %v", err, c.Tier)
	}
	// Another one asked for by number is obeyed, and copied from.
	o.Device = "2"
	c = open(t, o)
	want(t, c, "cuda", interop.TierCopied, "Stand-in GPU 2", "same GPU for both")
	// By UUID too, which ordinals do not change.
	for text, want := range map[string]int{"GPU-08080808-0808-0808-0808-080808080808": 1, "gpu-09": 2} {
		o.Device = text
		if c = open(t, o); c.Context.Device().Ordinal != want {
			t.Errorf("%s gave device %d, want %d", text, c.Context.Device().Ordinal, want)
		}
	}
	for text, word := range map[string]string{"GPU-0": "3 devices", "GPU-ff": "GPU-07070707", "gpu": "UUID that begins with GPU-"} {
		o.Device = text
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("device %s: error %v lacks %q", text, err, word)
		}
	}
	o.Device = "3"
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "this machine has 3") {
		t.Errorf("device 3 of 3: %v", err)
	}
}

func TestReasonNamesSoftwareDrawingAndWSL(t *testing.T) {
	err := &interop.Error{Op: "cuGraphicsGLRegisterBuffer", Code: driver.Unknown, Name: "CUDA_ERROR_UNKNOWN"}
	t.Setenv("WSL_DISTRO_NAME", "")
	r := shareReason(named{renderer: "llvmpipe (LLVM 15.0.6, 256 bits)"}, "NVIDIA H200", err)
	for _, w := range []string{"in software (llvmpipe", "NVIDIA H200", "--headless", "999"} {
		if !strings.Contains(r, w) {
			t.Errorf("%q lacks %q", r, w)
		}
	}
	r = shareReason(named{renderer: "Mesa Intel(R) UHD Graphics 620"}, "NVIDIA RTX 3050", err)
	for _, w := range []string{"Mesa Intel", "RTX 3050", "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"} {
		if !strings.Contains(r, w) {
			t.Errorf("%q lacks %q", r, w)
		}
	}
	t.Setenv("WSL_DISTRO_NAME", "Ubuntu")
	r = shareReason(named{renderer: "D3D12 (NVIDIA)"}, "NVIDIA RTX 3050", err)
	if !strings.Contains(r, "WSL2") || strings.Contains(r, "PRIME") {
		t.Errorf("under WSL: %q", r)
	}
}

type named struct {
	driver.GL
	renderer string
}

func (n named) Describe() (vendor, renderer, version string) { return "", n.renderer, "4.5" }

func TestWithoutTheGLFunctionsOnlyCopyingIsLeft(t *testing.T) {
	want(t, open(t, fake(t, Options{GL: testenv.NewFakeGL()}, "-DNO_GL")), "cuda", interop.TierCopied,
		"cuGraphicsMapResources", "update the NVIDIA driver")
}

func TestForcedChoicesAreObeyedOrRefused(t *testing.T) {
	gl := testenv.NewFakeGL()
	want(t, open(t, fake(t, Options{Driver: "host", GL: gl})), "host", interop.TierHost, "--driver host")
	want(t, open(t, fake(t, Options{Driver: "host", Tier: "copied", GL: gl})), "host", interop.TierCopied, "--driver host")
	want(t, open(t, fake(t, Options{Tier: "copied", GL: gl})), "cuda", interop.TierCopied, "--interop copied")
	want(t, open(t, fake(t, Options{Driver: "cuda", Tier: "shared", GL: gl})), "cuda", interop.TierShared)
	for _, c := range []struct {
		o    Options
		word string
	}{
		{Options{Driver: "opencl"}, "auto, cuda, host"},
		{Options{Tier: "zero-copy"}, "auto, shared, copied, host"},
		{Options{Device: "first"}, "number from 0"},
		{Options{Driver: "host", Tier: "shared"}, "shared needs CUDA"},
		{Options{Driver: "cuda", Tier: "host"}, "host driver"},
	} {
		if _, err := Open(c.o); err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%+v: error %v lacks %q", c.o, err, c.word)
		}
	}
	gl.Current = 0
	if _, err := Open(fake(t, Options{GL: gl})); !errors.Is(err, interop.ErrNoGLContext) {
		t.Errorf("without a GL context: %v", err)
	}
	gl.Current = 1
}

func TestRefusedKernelsMoveToTheHost(t *testing.T) {
	gl := testenv.NewFakeGL()
	o := fake(t, Options{GL: gl})
	t.Setenv("FAKE_CU", "cuModuleLoadDataEx=222")
	t.Setenv("FAKE_CU_CC", "35")
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	img := driver.Image{Name: "flow", PTX: []byte(".version 9.0")}
	_, err = c.Context.LoadModule(img)
	if !errors.Is(err, interop.ErrImageRefused) || !strings.Contains(err.Error(), "stand-in refuses") {
		t.Fatalf("load: %v", err)
	}
	if other, e := c.ToHost(errors.New("something else")); other != nil || e == nil {
		t.Error("an error that is not about the code moved to the host")
	}
	h, err := c.ToHost(err)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	want(t, h, "host", interop.TierHost, "222", "Stand-in GPU 0", "3.5", "update the NVIDIA driver")
	// Asked for by name, CUDA is not replaced.
	o.Driver = "cuda"
	c = open(t, o)
	_, refused := c.Context.LoadModule(img)
	if _, err := c.ToHost(refused); err != refused {
		t.Errorf("forced CUDA: %v", err)
	}
}

func TestRealMachineGivesAWorkingChoice(t *testing.T) {
	gl := testenv.EGL(t)
	c := open(t, Options{GL: gl, Logf: t.Logf})
	if c.Driver == "host" && c.Reason == "" {
		t.Error("host without a reason")
	}
	b, err := c.GL.RegisterBuffer(gl.NewBuffer(t, 4096), 4096, interop.WriteDiscard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Context.NewStream(interop.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := b.WithMapped(s, func(m interop.Buffer) error { return m.Fill(s, 0x42, 1) }); err != nil {
		t.Fatal(err)
	}
	for i, v := range gl.Bytes(b.Name(), 4096) {
		if v != 0x42 {
			t.Fatalf("byte %d is %#x through %s, want 0x42", i, v, c)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	gl.NoErrors(t)
}
