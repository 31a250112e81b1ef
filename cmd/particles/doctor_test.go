// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"particles/internal/doctor/fakegpu"
	"particles/internal/testenv"
)

// runDoctor runs the program's doctor with an environment changed: "NAME=value", or "NAME" to take it away.
func runDoctor(t *testing.T, args, env []string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := child(t, "program", append([]string{"doctor", "--limit", "60s"}, args...)...)
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=0") // under the race detector every probe would wait a second at its end
	for _, e := range append([]string{"DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "CUDA_VISIBLE_DEVICES"}, env...) {
		name, _, set := strings.Cut(e, "=")
		cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if set {
			cmd.Env = append(cmd.Env, e)
		}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is looked at
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestDoctorSaysWhatWillBeUsedAndWhy(t *testing.T) {
	needEGL(t)
	standIn := testenv.LibraryPath(filepath.Dir(testenv.FakeCUDALibrary(t)))
	gpu := testenv.LibraryPath(fakegpu.Dir(t))
	for _, c := range []struct {
		name string
		args []string
		env  []string
		code int
		want []string
	}{
		{"all works", nil, []string{gpu}, 0, []string{"The shared tier will be used", "all values right"}},
		{"OpenGL elsewhere", nil, []string{gpu, "FAKE_GL_DEVICE=-1"}, 3, []string{"The copied tier will be used", "Reason:", "all values right"}},
		{"803", nil, []string{standIn, "FAKE_CU=cuInit=803"}, 3, []string{"The host tier will be used", "module and library do not match", "803", "[driver-mismatch]"}},
		{"804", nil, []string{standIn, "FAKE_CU=cuInit=804"}, 3, []string{"forward-compatibility", "804"}},
		{"999", nil, []string{standIn, "FAKE_CU=cuInit=999"}, 3, []string{"suspend", "999", "reboot"}},
		{"999 of the context", nil, []string{standIn, "FAKE_CU=cuDevicePrimaryCtxRetain=999"}, 3, []string{"The host tier", "cuDevicePrimaryCtxRetain", "suspend"}},
		{"34", nil, []string{standIn, "FAKE_CU=cuInit=34"}, 3, []string{"stub", "34"}},
		{"209", nil, []string{standIn, "FAKE_CU=cuModuleLoadDataEx=209", "FAKE_CU_CC=35"}, 3, []string{"compute capability is 3.5", "oldest supported is 5.0"}},
		{"old driver", nil, []string{standIn, "FAKE_CU=cuModuleLoadDataEx=222", "FAKE_CU_DRIVER=11080"}, 3, []string{"knows CUDA 11.8", "PTX 8.0 of CUDA 12.0"}},
		{"abort", nil, []string{gpu, "FAKE_ABORT=cuInit"}, 3, []string{"driver crashes", "cuInit", "SIGABRT", "--driver host"}},
		{"hang", []string{"--limit", "15s"}, []string{gpu, "FAKE_HANG=cuInit"}, 3, []string{"driver hangs", "cuInit", "15s", "--driver host"}},
		{"Wayland only", nil, []string{gpu, "WAYLAND_DISPLAY=wayland-0"}, 0, []string{"[wayland-only]", "XWayland"}},
		{"WSL", nil, []string{gpu, "WSL_DISTRO_NAME=Debian", "FAKE_CU=cuGLGetDevices_v2=304"}, 3, []string{"The copied tier", "WSL2"}},
		{"nothing", nil, []string{"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json"}, 1, []string{"Nothing works", "/nonexistent.json", "unset"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := runDoctor(t, c.args, c.env)
			if code != c.code || errs != "" {
				t.Errorf("exit code %d, want %d; %s", code, c.code, errs)
			}
			plain := strings.Join(strings.Fields(out), " ") // without the lines' breaks
			for _, w := range c.want {
				if !strings.Contains(plain, w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
		})
	}
}

func TestDoctorWritesJSONForBugReports(t *testing.T) {
	needEGL(t)
	code, out, errs := runDoctor(t, []string{"--json"}, []string{testenv.LibraryPath(fakegpu.Dir(t)), "DISPLAY=:12345"})
	var r struct {
		Schema  int
		Verdict struct {
			Exit    int
			Tier    string
			Summary string
		}
		Findings []struct{ ID, Severity, What, Why, Do string }
		Program  struct{ Version, Go string }
		System   struct{ Environment map[string]string }
		CUDA     struct {
			Version int
			Devices []struct{ Name, UUID string }
		}
		Headless struct{ GL struct{ Renderer string } }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" {
		t.Fatalf("%v: %q, %q", err, out, errs)
	}
	if code != 0 || r.Schema != 1 || r.Verdict.Exit != 0 || r.Verdict.Tier != "shared" || r.Program.Version == "" || r.System.Environment["DISPLAY"] != ":12345" {
		t.Errorf("exit code %d, %+v", code, r)
	}
	if len(r.CUDA.Devices) != 1 || r.CUDA.Version != 13000 || r.Headless.GL.Renderer == "" {
		t.Errorf("%+v", r)
	}
	if i := slices.IndexFunc(r.Findings, func(f struct{ ID, Severity, What, Why, Do string }) bool { return f.ID == "display-refused" }); i < 0 || !strings.Contains(r.Findings[i].Why, ":12345") {
		t.Errorf("findings %+v", r.Findings)
	}
}

func TestDoctorWithoutADriverDoesNotFail(t *testing.T) {
	needEGL(t)
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		t.Skip("needs a machine without an NVIDIA GPU")
	}
	code, out, _ := runDoctor(t, nil, []string{"LD_LIBRARY_PATH"})
	if code != 3 || !strings.Contains(out, "[driver-missing]") || !strings.HasPrefix(out, "The host tier will be used") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestDoctorCanBeInterrupted(t *testing.T) {
	cmd := child(t, "program", "doctor", "--limit", "10m")
	cmd.Env = append(cmd.Env, testenv.LibraryPath(fakegpu.Dir(t)), "FAKE_HANG=cuInit")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // does nothing to one that has ended
	probe := hanging(t, cmd.Process.Pid)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is looked at
	if code := cmd.ProcessState.ExitCode(); code != exitFailure || out.Len() != 0 || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), errs.String())
	}
	if _, err := os.Stat(probe); err == nil {
		t.Error("the probe that hangs was left behind")
	}
}

// hanging waits for the probe that hangs and gives its folder in /proc.
func hanging(t *testing.T, parent int) string {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent)) // the pattern is well formed
		for _, list := range lists {
			text, err := os.ReadFile(list)
			if err != nil {
				continue // the thread has ended
			}
			for _, pid := range strings.Fields(string(text)) {
				line, err := os.ReadFile("/proc/" + pid + "/cmdline")
				if args := strings.Split(string(line), "\x00"); err == nil && slices.Contains(args, "cuda") {
					return "/proc/" + pid
				}
			}
		}
	}
	t.Fatal("no probe of the driver was started")
	return ""
}

func TestDoctorRefusesATimeOfNothing(t *testing.T) {
	code, _, stderr, _ := call("doctor", "--limit", "0s")
	if code != exitUsage || !strings.Contains(stderr, "--limit 0s") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	code, stdout, _, _ := call("doctor", "--help")
	if code != 0 || !strings.Contains(stdout, "Exit codes: 0 the best tier works, 3 a lower one") || strings.Contains(stdout, "--probe") {
		t.Errorf("exit code %d:\n%s", code, stdout)
	}
}
