// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"particles/internal/testenv"
	"particles/trace"
)

// gpu is a stand-in for an NVIDIA GPU that computes nothing and fails as it is told.
type gpu struct {
	env   []string
	calls string // its log
}

// newGPU builds the stand-in; settings are its environment, such as FAKE_CU=cuInit=803.
func newGPU(t *testing.T, settings ...string) *gpu {
	t.Helper()
	g := &gpu{calls: filepath.Join(t.TempDir(), "calls")}
	lib := testenv.FakeCUDALibrary(t)
	g.env = append([]string{testenv.LibraryPath(filepath.Dir(lib)), "FAKE_CU_LOG=" + g.calls, "WSL_DISTRO_NAME="}, settings...)
	return g
}

// result is what a headless run left.
type result struct {
	summary
	errs  string
	trace *trace.ChromeTrace
	err   error
}

// headless runs the program to its end on the stand-in.
func (g *gpu) headless(t *testing.T, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "trace.json")
	cmd := exec.Command(binary(t), append([]string{"run", "--headless", "--size", "320x180", "--json", "--gl-debug", "--trace", file}, args...)...)
	cmd.Dir, cmd.Env = dir, append(withoutDisplay(), g.env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	r := result{err: cmd.Run()}
	r.errs = errs.String()
	if out.Len() > 0 {
		if err := json.Unmarshal([]byte(out.String()), &r.summary); err != nil {
			t.Fatalf("the summary is not one JSON object: %v\n%s", err, out.String())
		}
	}
	if strings.Contains(r.errs, "panic") || strings.Contains(r.errs, "goroutine ") {
		t.Fatalf("the program fell over:\n%s", r.errs)
	}
	if r.Leaks != "" {
		t.Errorf("not given back: %s", r.Leaks)
	}
	if f, err := os.Open(file); err == nil {
		defer f.Close()
		if r.trace, err = trace.ReadChrome(f); err != nil {
			t.Fatal(err)
		}
		if err := r.trace.Check(); err != nil || r.trace.Truncated {
			t.Errorf("the trace is not whole: %v", err)
		}
	}
	return r
}

// told counts the lines that the program wrote for its user, but for the one about the trace.
func (r *result) told(with string) (n int) {
	for _, line := range strings.Split(r.errs, "\n") {
		if line != "" && strings.Contains(line, with) && !strings.Contains(line, "particles: recorded") {
			n++
		}
	}
	return n
}

func countLines(text, with string) (n int) {
	for _, line := range strings.Split(text, "\n") {
		if line != "" && strings.Contains(line, with) {
			n++
		}
	}
	return n
}

var allBack = regexp.MustCompile(`^STATE contexts=0 bytes=0 pinned=0 registered=0 mapped=0 streams=0 events=0 modules=0$`)

// givenBack looks at the stand-in's last word, and at all it was asked: from one
// thread, and without breaking a rule.
func (g *gpu) givenBack(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(g.calls)
	if err != nil {
		t.Fatal(err)
	}
	state, thread := "", ""
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "STATE") {
			state = line
			continue
		}
		id, call, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		if thread == "" {
			thread = id
		}
		if id != thread {
			t.Fatalf("a call from thread %s, the others are from %s: %s", id, thread, call)
		}
		for _, code := range []string{"201", "208", "211", "400"} {
			if strings.HasSuffix(call, "-> "+code) {
				t.Fatalf("a rule was broken: %s", call)
			}
		}
	}
	if !allBack.MatchString(state) {
		t.Errorf("at the end: %q", state)
	}
}

// notes gives the texts of the trace's notes of a kind.
func (r *result) notes(kind string) (texts []string) {
	for _, n := range r.trace.Notes {
		if n.Name == kind {
			texts = append(texts, fmt.Sprint(n.Args["text"]))
		}
	}
	return texts
}

// start runs the program in a window on the stand-in.
func (g *gpu) start(t *testing.T, d *desktop, args ...string) *program {
	t.Helper()
	env := d.env
	d.env = append(append([]string(nil), env...), g.env...)
	defer func() { d.env = env }()
	return d.start(t, args...)
}
