// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"particles/internal/app"
	"particles/internal/scene"
)

const childVariable = "PARTICLES_TEST_CHILD"

// TestMain lets the test binary be the program: with the variable set to "program" as it is, with "waiting" with an
// application that only waits to be interrupted.
func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "program":
		main()
	case "waiting":
		p := &program{stdout: os.Stdout, stderr: os.Stderr, app: func(ctx context.Context, o app.Options) (app.Summary, error) {
			fmt.Println("waiting")
			<-ctx.Done()
			fmt.Println("interrupted")
			if o.Frames == 2 { // does not come to an end: a second signal has to kill
				select {}
			}
			return app.Summary{Frames: 1, Scene: "end"}, nil
		}}
		os.Exit(p.main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// child prepares a run of the test binary as the program.
func child(t *testing.T, kind string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), childVariable+"="+kind)
	return cmd
}

// call runs a command line in process with an application that notes its options.
func call(args ...string) (code int, stdout, stderr string, o *app.Options) {
	var out, errs bytes.Buffer
	p := &program{stdout: &out, stderr: &errs, app: func(_ context.Context, opts app.Options) (app.Summary, error) {
		o = &opts
		return app.Summary{Frames: 7, Scene: opts.Scene.Name, Driver: "host"}, nil
	}}
	code = p.main(args)
	return code, out.String(), errs.String(), o
}

func TestFlagsReachTheApplication(t *testing.T) {
	dir := t.TempDir()
	image, trace := filepath.Join(dir, "a.png"), filepath.Join(dir, "a.json")
	code, _, stderr, o := call("ribbons", "--headless", "--host-isa", "baseline", "--frames", "300", "--seconds", "2.5", "--size", "640x480",
		"--count", "1234", "--seed", "-5", "--set", "clock.dt=0.01", "--set=look.exposure=-1", "--driver", "host", "--interop=copied",
		"--image", image, "--trace", trace, "--no-vsync", "--fullscreen", "--hide-ui", "--gl-debug", "--out-dir", dir, "--ui-state", "s.json")
	if code != 0 || o == nil {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if o.Log == nil || o.Version == "" || o.Commit == "" {
		t.Error("no log, or no version")
	}
	got := *o
	got.Log, got.Version, got.Commit = nil, "", ""
	want := app.Options{
		Scene: got.Scene, Headless: true, Frames: 300, Duration: 2500 * time.Millisecond, Width: 640, Height: 480, Driver: "host", Tier: "copied",
		ISA: "baseline", Image: image, Trace: trace, OutDir: dir, UIState: "s.json", FullScreen: true, HideUI: true, GLDebug: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("options\n%+v, want\n%+v", got, want)
	}
	if s := got.Scene; s.Name != "ribbons" || s.Count != 1234 || s.Seed != -5 || s.Values["clock.dt"][0] != 0.01 || s.Values["look.exposure"][0] != -1 ||
		s.Values["pacing.vsync"][0] != 0 {
		t.Errorf("scene %+v", s)
	}
}

func TestRunIsTheDefaultAndHeadlessEndsByItself(t *testing.T) {
	for _, c := range []struct {
		args     []string
		headless bool
		duration time.Duration
		frames   int
	}{
		{nil, false, 0, 0},
		{[]string{"run"}, false, 0, 0},
		{[]string{"run", "ribbons"}, false, 0, 0},
		{[]string{"--headless"}, true, headlessTime, 0},
		{[]string{"--headless", "--frames", "3"}, true, 0, 3},
		{[]string{"run", "--headless", "--seconds", "0.5s"}, true, 500 * time.Millisecond, 0},
	} {
		code, _, stderr, o := call(c.args...)
		if code != 0 || o == nil {
			t.Errorf("%v: exit code %d: %s", c.args, code, stderr)
			continue
		}
		if o.Scene.Name != scene.DefaultName || o.Headless != c.headless || o.Duration != c.duration || o.Frames != c.frames || o.Scene.Values["pacing.vsync"] != nil {
			t.Errorf("%v: %+v", c.args, o)
		}
		if o.Driver != "auto" || o.Tier != "auto" || o.ISA != "auto" {
			t.Errorf("%v: driver %q, interop %q, host ISA %q", c.args, o.Driver, o.Tier, o.ISA)
		}
	}
}

func TestWhatIsNotUnderstoodIsAUsageErrorThatHelps(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.toml")
	if err := os.WriteFile(file, []byte("model = \"flow\"\ncoutn = 5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.toml")
	if err := os.WriteFile(good, []byte("model = \"flow\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"--drver cuda", []string{"unknown flag --drver", `did you mean "--driver"`, "--help"}},
		{"--hedless", []string{"unknown flag --hedless", "--headless"}},
		{"--driver gpu", []string{"--driver must be one of", `"cuda"`, `"gpu"`}},
		{"--interop fast", []string{"--interop must be one of"}},
		{"--host-isa avx", []string{"--host-isa must be one of"}},
		{"--frames", []string{"--frames needs a value"}},
		{"--frames 0", []string{"--frames 0", "between 1"}},
		{"--frames -1", []string{"--frames -1", "between 1"}},
		{"--frames many", []string{"--frames", `"many"`}},
		{"--seconds 0", []string{"--seconds 0", "above 0"}},
		{"--seconds nan", []string{"--seconds nan", "above 0"}},
		{"--seconds 1e300", []string{"--seconds 1e300"}},
		{"--size 640", []string{`--size "640"`, "1280x720"}},
		{"--size 0x480", []string{"--size 0x480", "between 1 and 16384"}},
		{"--size -5x480", []string{"--size -5x480", "between 1"}},
		{"--size 100000x2", []string{"between 1 and 16384"}},
		{"--count 0", []string{"--count 0", "between 1 and", "automatic"}},
		{"--count -3", []string{"--count -3"}},
		{"--count 1e6", []string{"--count", `"1e6"`}},
		{"--count 9999999999", []string{"--count 9999999999", "1073741824"}},
		{"--seed 1.5", []string{"--seed", "1.5"}},
		{"--set speed", []string{"--set", "model.key=value"}},
		{"--set flwo.speed=1", []string{"--set flwo.speed", `did you mean "flow"`}},
		{"--set clock.dt=nan", []string{"--set clock.dt", "NaN"}},
		{"--set clock.dt=7", []string{"out of range", "0.000001 and 1 s"}},
		{"--image a.jpg", []string{"--image a.jpg", ".png"}},
		{"--image a.png --trace ./a.png", []string{"--image and --trace both name a.png"}},
		{good + " --trace " + good, []string{"--trace " + good, "is the scene file itself"}},
		{"--out-dir " + dir + "/no", []string{"--out-dir", "no such folder"}},
		{"ribons", []string{`unknown scene "ribons"`, `did you mean "ribbons"`}},
		{"verison", []string{"unknown scene", `command "version"`}},
		{file, []string{file + ":2:1", `"coutn"`, `did you mean "count"`}},
		{"scenes show ribons", []string{`did you mean "ribbons"`}},
		{"scenes sohw", []string{"sohw"}},
		{"ribbons two", []string{"unexpected argument two"}},
		{"--size 1 --count 0 --frames 0", []string{"--size", "--count 0", "--frames 0"}},
	} {
		code, stdout, stderr, o := call(strings.Fields(c.args)...)
		if code != exitUsage || o != nil || stdout != "" {
			t.Errorf("%s: exit code %d, application called %v, on standard output %q", c.args, code, o != nil, stdout)
		}
		if !strings.HasPrefix(stderr, "particles: ") {
			t.Errorf("%s: %q does not say who speaks", c.args, stderr)
		}
		for _, w := range c.want {
			if !strings.Contains(stderr, w) {
				t.Errorf("%s: %q does not say %q", c.args, stderr, w)
			}
		}
	}
}

func TestHelpIsEverywhere(t *testing.T) {
	for args, want := range map[string]string{
		"--help": "Exit codes", "run --help": "--headless", "scenes --help": "scenes show", "scenes show --help": "<name>", "version --help": "--json", "-h": "Examples",
	} {
		code, stdout, stderr, o := call(strings.Fields(args)...)
		if code != 0 || stderr != "" || o != nil || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d, %q on standard error, no %q in:\n%s", args, code, stderr, want, stdout)
		}
		if strings.Contains(stdout, "ui-state") {
			t.Errorf("%s shows a flag that is for tests", args)
		}
	}
}

func TestJSONIsExactlyOneObject(t *testing.T) {
	_, stdout, _, _ := call("--json")
	dec := json.NewDecoder(strings.NewReader(stdout))
	var s map[string]any
	if err := dec.Decode(&s); err != nil || dec.More() {
		t.Fatalf("%v, more %v: %s", err, dec.More(), stdout)
	}
	for _, key := range []string{"driver", "device", "interop", "reason", "scene", "count", "steps", "frames", "frame_ms", "allocs_per_frame"} {
		if _, ok := s[key]; !ok {
			t.Errorf("no %s in %s", key, stdout)
		}
	}
	ms, _ := s["frame_ms"].(map[string]any)
	for _, key := range []string{"median", "p99", "p999"} {
		if _, ok := ms[key]; !ok {
			t.Errorf("no frame_ms.%s in %s", key, stdout)
		}
	}
}

func TestAFailedRunExitsWithOneAndKeepsItsSummary(t *testing.T) {
	var out, errs bytes.Buffer
	p := &program{stdout: &out, stderr: &errs, app: func(context.Context, app.Options) (app.Summary, error) {
		return app.Summary{Frames: 5}, errors.New("the disk is full")
	}}
	if code := p.main([]string{"--json"}); code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	if !json.Valid(out.Bytes()) || errs.String() != "particles: the disk is full\n" {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
	out.Reset()
	p.app = func(context.Context, app.Options) (app.Summary, error) { return app.Summary{}, errors.New("no device") }
	if code := p.main([]string{"--json"}); code != exitFailure || out.Len() != 0 {
		t.Errorf("exit code %d, %q", code, out.String())
	}
}

func TestErrorsOfStandardOutputAreTold(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("needs /dev/full: %v", err)
	}
	defer full.Close()
	for _, args := range [][]string{{"--json"}, {"scenes"}, {"version"}, {"scenes", "show", "ribbons"}} {
		var errs bytes.Buffer
		p := &program{stdout: full, stderr: &errs, app: func(context.Context, app.Options) (app.Summary, error) {
			return app.Summary{Frames: 1}, nil
		}}
		if code := p.main(args); code != exitFailure || !strings.Contains(errs.String(), "standard output") {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}

func TestScenesAreListedAndShown(t *testing.T) {
	code, list, _, _ := call("scenes")
	_, again, _, _ := call("scenes", "list")
	if code != 0 || list != again {
		t.Errorf("exit code %d; scenes and scenes list differ", code)
	}
	for _, name := range scene.Builtin() {
		if !strings.Contains(list, "\n"+name+" ") {
			t.Errorf("%s is not in the list:\n%s", name, list)
		}
		code, text, stderr, _ := call("scenes", "show", name)
		s, err := scene.Parse(name, []byte(text))
		if code != 0 || err != nil || s.Title == "" {
			t.Errorf("%s: exit code %d, %s, %v", name, code, stderr, err)
		}
	}
}

func TestVersionSaysWhatBuiltIt(t *testing.T) {
	_, text, _, _ := call("version")
	_, object, _, _ := call("version", "--json")
	var v map[string]any
	if err := json.Unmarshal([]byte(object), &v); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"version", "commit", "go", "os", "arch", "ptx"} {
		value, _ := v[key].(string)
		if value == "" || !strings.Contains(text, value) {
			t.Errorf("%s is %q, and the text is:\n%s", key, value, text)
		}
	}
	if list, _ := v["host_isa"].([]any); len(list) == 0 || list[0] != "baseline" || !strings.Contains(text, "baseline") {
		t.Errorf("host_isa is %v", v["host_isa"])
	}
}

func TestExitCodesOfTheProgram(t *testing.T) {
	for args, want := range map[string]int{"version": 0, "scenes": 0, "--help": 0, "--size 3": 2, "--nonsense": 2} {
		cmd := child(t, "program", strings.Fields(args)...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit code %d, want %d: %s", args, got, want, out)
		}
	}
}

func TestInterruptEndsTheRunInOrderAndASecondOneKills(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			continue // these tests run under nohup or the like, and so would the child
		}
		cmd := child(t, "waiting", "--json")
		lines, wait := startChild(t, cmd)
		lines("waiting")
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		lines("interrupted")
		if rest := wait(); !strings.Contains(rest, `"scene":"end"`) || cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%v: exit code %d, %q", sig, cmd.ProcessState.ExitCode(), rest)
		}
	}
	cmd := child(t, "waiting", "--frames", "2")
	lines, wait := startChild(t, cmd)
	lines("waiting")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	lines("interrupted")
	for range 200 { // the handler is taken away a moment after the first signal
		_ = cmd.Process.Signal(syscall.SIGINT)
		time.Sleep(5 * time.Millisecond)
		if dead(cmd) {
			break
		}
	}
	_ = cmd.Process.Kill() // in case that it still lives
	wait()
	if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !st.Signaled() || st.Signal() != syscall.SIGINT {
		t.Errorf("ended as %v, want killed by SIGINT", cmd.ProcessState)
	}
}
