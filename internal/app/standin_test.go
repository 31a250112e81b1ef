// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"particles/internal/testenv"
	"particles/interop/cuda"
	"particles/interop/driver"
	"particles/render/ui"
)

// messages gathers what a run tells.
type messages struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (m *messages) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.text.Write(b)
}

// lines are those told so far that hold a text.
func (m *messages) lines(with string) (found []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range strings.Split(m.text.String(), "\n") {
		if line != "" && strings.Contains(line, with) {
			found = append(found, line)
		}
	}
	return found
}

// all is everything told, for a failed test.
func (m *messages) all() string { return strings.Join(m.lines(""), "\n") }

// standIn makes options that compute on the stand-in GPU, which computes nothing: particles stay where they are.
func standIn(t *testing.T, said *messages, change func(*Options)) func(*Options) {
	t.Helper()
	t.Setenv("WSL_DISTRO_NAME", "")
	lib := testenv.FakeCUDALibrary(t)
	return func(o *Options) {
		o.Driver, o.Log = "auto", slog.New(slog.NewTextHandler(said, nil))
		o.openCUDA = func() (driver.Driver, error) {
			d, err := cuda.OpenPath(lib)
			if err != nil {
				return nil, err
			}
			return d, nil
		}
		if change != nil {
			change(o)
		}
	}
}

// logged makes the stand-in write a log; ends checks at the test's end that nothing was left open.
func logged(t *testing.T) string {
	t.Helper()
	file := t.TempDir() + "/calls"
	t.Setenv("FAKE_CU_LOG", file)
	return file
}

var wholeState = regexp.MustCompile(`STATE contexts=0 bytes=0 pinned=0 registered=0 mapped=0 streams=0 events=0 modules=0`)

// allGivenBack looks at the last line of state that the stand-in wrote.
func allGivenBack(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if last := lastState(string(text)); !wholeState.MatchString(last) {
		t.Errorf("at the end: %q", last)
	}
}

func lastState(log string) (last string) {
	for _, line := range strings.Split(log, "\n") {
		if strings.HasPrefix(line, "STATE") {
			last = line
		}
	}
	return last
}

// on asks for another driver or tier, as the panel does.
func (r *run) on(t *testing.T, driver, tier string) {
	t.Helper()
	c := &ui.Commands{}
	if driver != "" {
		c.SetDriver.Set, c.SetDriver.Value = true, driver
	}
	if tier != "" {
		c.SetTier.Set, c.SetTier.Value = true, tier
	}
	if err := r.changeDevice(c); err != nil {
		t.Fatal(err)
	}
}

// now is the model's whole state.
func (r *run) now(t *testing.T) kept {
	t.Helper()
	k, buffer, err := r.engine.save()
	if err != nil {
		t.Fatal(err)
	}
	k.bytes = bytes.Clone(k.bytes)
	if err := buffer.Close(); err != nil {
		t.Fatal(err)
	}
	return *k
}

// samePlace tells whether two states hold the same particles at the same step.
func samePlace(a, b kept) bool { return a.state == b.state && bytes.Equal(a.bytes, b.bytes) }
