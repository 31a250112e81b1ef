// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"particles/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// probeVariable makes this test binary a probe, its last argument the name.
const probeVariable = "DOCTOR_TEST_PROBE"

func init() { runtime.LockOSThread() } // the window system wants the first thread

func TestMain(m *testing.M) {
	// Under the race detector every process waits a second at its end otherwise.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")); err != nil {
		panic(err)
	}
	switch os.Getenv(probeVariable) {
	case "probe":
		os.Exit(Probe(os.Stdin, os.Stdout, os.Args[len(os.Args)-1]))
	case "behave":
		os.Exit(misbehave(os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// misbehave is a probe that does what drivers do.
func misbehave(how string) int {
	r := reporter{os.Stdout}
	fmt.Print("a library prints without a line's end ")
	r.stage("cuThis")
	r.facts(map[string]int{"found": 1})
	r.stage("cuThat")
	switch how {
	case "well":
		r.facts(map[string]int{"found": 2})
		r.send(message{Done: true})
	case "done, then dies":
		r.send(message{Done: true})
		return 3
	case "hangs":
		time.Sleep(time.Hour)
	case "exits":
		fmt.Fprintln(os.Stderr, "X Error of failed request:  BadAlloc")
		return 1
	case "panics":
		panic("at the driver")
	case "dies":
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill() // there is nobody left to look at an error
		}
		time.Sleep(time.Hour)
	case "floods":
		for range 100_000 {
			fmt.Fprintln(os.Stderr, "warning: the same again and again")
			fmt.Println("and to standard output")
		}
		return 1
	}
	return 0
}

// testLimit is far above what a probe takes here, also on a busy machine.
const testLimit = 60 * time.Second

// examine runs Examine on this test binary with an environment changed: "NAME=value", or "NAME" to take it away.
func examine(t *testing.T, limit time.Duration, env ...string) *Report {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "CUDA_VISIBLE_DEVICES"} {
		unset(t, name)
	}
	t.Setenv(probeVariable, "probe")
	for _, e := range env {
		if name, value, ok := strings.Cut(e, "="); ok {
			t.Setenv(name, value)
		} else {
			unset(t, name)
		}
	}
	return Examine(context.Background(), Options{Exe: exe, Version: "test", Limit: limit})
}

func unset(t *testing.T, name string) {
	t.Setenv(name, "") // brings it back at the end
	if err := os.Unsetenv(name); err != nil {
		t.Fatal(err)
	}
}

// needHeadless skips where nothing can be drawn without a display.
func needHeadless(t *testing.T, r *Report) {
	t.Helper()
	if r.Headless.GL == nil && r.Headless.Kind == Unavailable {
		t.Skipf("needs an EGL that draws without a display: %s", r.Headless.Error)
	}
}

// server starts an X server without a screen and gives its name.
func server(t *testing.T) string {
	t.Helper()
	return testenv.XServer(t, "800x600")
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", path, got)
	}
}
