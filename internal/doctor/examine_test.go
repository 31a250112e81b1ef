// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"particles/internal/doctor/fakegpu"
	"particles/internal/testenv"
	"particles/render/egl"
)

// library gives the variable that puts a stand-in driver first.
func library(dir string) string { return testenv.LibraryPath(dir) }

// examined runs a whole examination with the stand-in GPU and checks verdict and findings.
func examined(t *testing.T, limit time.Duration, exit int, tier string, ids []string, env ...string) *Report {
	t.Helper()
	needEGL(t)
	r := examine(t, limit, append([]string{library(fakegpu.Dir(t))}, env...)...)
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	if r.Verdict.Exit != exit || r.Verdict.Tier != tier {
		t.Errorf("verdict %+v, want exit %d, tier %s", r.Verdict, exit, tier)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == id }) {
			t.Errorf("no finding %s", id)
		}
	}
	return r
}

// needEGL skips where nothing can be drawn without a display.
func needEGL(t *testing.T) {
	t.Helper()
	c, err := egl.New(egl.Options{})
	if err != nil {
		t.Skipf("needs an EGL that draws without a display: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTheSharedTierIsTriedToTheEnd(t *testing.T) {
	r := examined(t, testLimit, ExitBest, "shared", nil)
	for _, asked := range []string{"auto", "copied", "host"} {
		if trip := r.Headless.trip(asked); trip == nil || !trip.OK {
			t.Errorf("%s: %+v", asked, trip)
		}
	}
	if d := r.CUDA.Devices; len(d) != 1 || !d[0].OK || d[0].Free == 0 {
		t.Errorf("devices %+v", d)
	}
	if r.Host.Need == 0 || r.Host.Count == 0 {
		t.Errorf("the default scene takes %d bytes, %d particles", r.Host.Need, r.Host.Count)
	}
}

func TestAWindowIsTriedToo(t *testing.T) {
	r := examined(t, testLimit, ExitBest, "shared", nil, "DISPLAY="+server(t))
	if trip := r.Window.trip("auto"); r.Verdict.Surface != probeWindow || trip == nil || !trip.OK {
		t.Errorf("verdict %+v, window %+v", r.Verdict, r.Window)
	}
}

func TestWhatDoesNotArriveIsSeen(t *testing.T) {
	examined(t, testLimit, ExitLower, "copied", []string{"wrong-picture"}, "FAKE_LOST=1")
}

func TestWrongValuesAreSeen(t *testing.T) {
	r := examined(t, testLimit, ExitLower, "host", []string{"wrong-result", "wrong-picture"}, "FAKE_GARBAGE=1")
	if r.Verdict.Flags != "--driver host" {
		t.Errorf("flags %q", r.Verdict.Flags)
	}
}

func TestACrashIsNamedOnceWithItsCall(t *testing.T) {
	for _, call := range []string{"cuInit", "cuLaunchKernel", "cuGraphicsMapResources"} {
		t.Run(call, func(t *testing.T) {
			tier := "host"
			if call == "cuGraphicsMapResources" {
				tier = "copied"
			}
			r := examined(t, testLimit, ExitLower, tier, []string{"crash"}, "FAKE_ABORT="+call)
			crashes := slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.ID != "crash" })
			if len(crashes) != 1 || !strings.Contains(crashes[0].Why, call) || !strings.Contains(crashes[0].Why, "SIGABRT") {
				t.Errorf("findings %+v", crashes)
			}
		})
	}
}

func TestAHangIsNamedWithItsCall(t *testing.T) {
	r := examined(t, 15*time.Second, ExitLower, "host", []string{"hang"}, "FAKE_HANG=cuModuleLoadDataEx")
	if p := r.CUDA.Probe; p.State != Hung || p.Stage != "cuModuleLoadDataEx" {
		t.Errorf("%+v", p)
	}
}

func TestHiddenDevicesAreListed(t *testing.T) {
	r := examined(t, testLimit, ExitLower, "host", []string{"devices-hidden"}, "CUDA_VISIBLE_DEVICES=-1")
	if !slices.Equal(r.CUDA.Unhidden, []string{"Stand-in GPU 0"}) {
		t.Errorf("without the variable: %v", r.CUDA.Unhidden)
	}
}

func TestTheDeviceThatDrawsIsChosen(t *testing.T) {
	r := examined(t, testLimit, ExitBest, "shared", []string{"several-gpus"}, "FAKE_CU_DEVICES=2", "FAKE_GL_DEVICE=1")
	if trip := r.Headless.trip("auto"); trip.Ordinal != 1 || !slices.Equal(r.Headless.Drawing, []int{1}) {
		t.Errorf("%+v, drawn by %v", trip, r.Headless.Drawing)
	}
}

func TestTheWatchdogIsSeen(t *testing.T) {
	examined(t, testLimit, ExitBest, "shared", []string{"watchdog"}, "FAKE_WATCHDOG=1")
}

func TestLittleMemoryIsTold(t *testing.T) {
	examined(t, testLimit, ExitBest, "shared", []string{"memory-low"}, "FAKE_CU_MEM=16777216")
}

func TestAGPUThatIsTooOldIsNamed(t *testing.T) {
	examined(t, testLimit, ExitLower, "host", []string{"no-kernel-image"}, "FAKE_CU_CC=35", "FAKE_CU=cuModuleLoadDataEx=209")
}

func TestWSLCopiesAndGivesNoAdviceThatCannotWork(t *testing.T) {
	r := examined(t, testLimit, ExitLower, "copied", []string{"wsl"}, "WSL_DISTRO_NAME=Debian", "FAKE_CU=cuGLGetDevices_v2=304,cuGraphicsGLRegisterBuffer=304")
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	var object strings.Builder
	if err := r.WriteJSON(&object); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String()+object.String(), "PRIME") {
		t.Error("PRIME variables do nothing under WSL")
	}
}

func TestARegistrationRefusedLateIsSeen(t *testing.T) {
	examined(t, testLimit, ExitLower, "copied", nil, "FAKE_CU=cuGraphicsGLRegisterBuffer=999")
}

func TestAnOldLibraryIsToldFromAMissingOne(t *testing.T) {
	needEGL(t)
	r := examine(t, testLimit, library(strings.TrimSuffix(testenv.FakeCUDALibrary(t, "-DOLD"), "/libcuda.so.1")))
	if r.CUDA.Kind != CUDATooOld || len(r.CUDA.Missing) == 0 || r.Verdict.Tier != "host" {
		t.Errorf("%+v, %+v", r.CUDA, r.Verdict)
	}
}

func TestWithoutEGLNothingWorksButAWindowDoes(t *testing.T) {
	env := []string{"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json"}
	r := examine(t, testLimit, env...)
	if r.Verdict.Exit != ExitNothing || !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == "egl-vendor-missing" }) {
		t.Errorf("without a display: %+v, %+v", r.Verdict, r.Findings)
	}
	r = examine(t, testLimit, append(env, "DISPLAY="+server(t))...)
	if r.Verdict.Surface != probeWindow || r.Verdict.Flags != "" || r.Verdict.Exit == ExitNothing {
		t.Errorf("with a display: %+v", r.Verdict)
	}
}

// TestThisMachinesGPU is for a machine with an NVIDIA GPU and its driver.
func TestThisMachinesGPU(t *testing.T) {
	testenv.CUDA(t)
	r := examine(t, testLimit)
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
	for _, d := range r.CUDA.Devices {
		if !d.OK {
			t.Errorf("device %d: %+v", d.Ordinal, d)
		}
	}
	if r.CUDA.Version == 0 || r.CUDA.Library == "" || len(r.CUDA.Devices) == 0 {
		t.Errorf("%+v", r.CUDA)
	}
	needHeadless(t, r)
	nvidia := strings.Contains(r.Headless.GL.Vendor, "NVIDIA")
	if want := map[bool]string{true: "shared", false: "copied"}[nvidia]; r.Headless.trip("auto").Tier != want {
		t.Errorf("OpenGL of %s: %+v", r.Headless.GL.Vendor, r.Headless.trip("auto"))
	}
	for _, trip := range r.Headless.Trips {
		if !trip.OK {
			t.Errorf("%+v", trip)
		}
	}
	if nvidia && r.Verdict.Exit != ExitBest {
		t.Errorf("verdict %+v", r.Verdict)
	}
}

// TestThisMachinesGPUBesideSoftware: CUDA on the GPU, a window drawn in software, as in a remote session.
func TestThisMachinesGPUBesideSoftware(t *testing.T) {
	testenv.CUDA(t)
	r := examine(t, testLimit, "DISPLAY="+server(t), "__GLX_VENDOR_LIBRARY_NAME=mesa")
	if r.Window.GL == nil || !r.Window.GL.Software {
		t.Skipf("needs Mesa's software OpenGL in Xvfb: %+v, %s", r.Window.GL, r.Window.Error)
	}
	if v := r.Verdict; v.Exit != ExitLower || v.Tier != "copied" || v.Surface != probeWindow {
		t.Errorf("%+v", v)
	}
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.ID == "gl-software" && strings.Contains(f.Do, "__GLX_VENDOR_LIBRARY_NAME")
	}) {
		t.Errorf("%+v", r.Findings)
	}
}

func TestProgressIsTold(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(probeVariable, "probe")
	var told []string
	Examine(t.Context(), Options{Exe: exe, Tell: func(s string) { told = append(told, s) }})
	if len(told) != 4 {
		t.Errorf("%q", told)
	}
}
