// SPDX-License-Identifier: Apache-2.0

package window

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWithoutADisplayTheMessageSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	cases := map[string]struct {
		system string
		env    map[string]string
		want   []string // nil: no error
	}{
		"nothing set":           {"X11", nil, []string{"neither DISPLAY nor WAYLAND_DISPLAY", "--headless"}},
		"Wayland only":          {"X11", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, []string{"X11", "XWayland", "wayland-0", "--headless"}},
		"X11 only, other build": {"Wayland", map[string]string{"DISPLAY": ":0"}, []string{"Wayland", "ordinary build", "--headless"}},
		"no such server":        {"X11", map[string]string{"DISPLAY": ":65001"}, []string{"no X server answers", ":65001", "--headless"}},
		"not a name":            {"X11", map[string]string{"DISPLAY": "rubbish"}, []string{`"rubbish"`, "host:10.0"}},
		"not a number":          {"X11", map[string]string{"DISPLAY": ":abc"}, []string{`":abc"`}},
		"Wayland gone":          {"Wayland", map[string]string{"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": dir}, []string{"wayland-7", "XDG_RUNTIME_DIR"}},
		"Windows":               {"the operating system's", nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := checkDisplay(c.system, func(k string) string { return c.env[k] })
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrNoDisplay) {
				t.Fatalf("error %v, want ErrNoDisplay", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q lacks %q", err, w)
				}
			}
		})
	}
}

func TestAServerThatListensIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "org.xquartz")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := checkX11(path + ":0"); err != nil {
		t.Error(err)
	}
}

// X(7): [protocol/][hostname]:displaynumber[.screennumber]; TCP ports start at 6000.
func TestDisplayNamesMeanTheirSockets(t *testing.T) {
	for name, want := range map[string][][2]string{
		":0":              {{"unix", "/tmp/.X11-unix/X0"}, {"unix", "@/tmp/.X11-unix/X0"}},
		":12.1":           {{"unix", "/tmp/.X11-unix/X12"}, {"unix", "@/tmp/.X11-unix/X12"}},
		"unix:3":          {{"unix", "/tmp/.X11-unix/X3"}, {"unix", "@/tmp/.X11-unix/X3"}},
		"localhost:10.0":  {{"tcp", "localhost:6010"}},
		"tcp/example:1":   {{"tcp", "example:6001"}},
		"0":               nil,
		":":               nil,
		":-1":             nil,
		":99999999999999": nil,
	} {
		if got := x11Addresses(name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestNewWithoutADisplayIsAnErrorNotAPanic(t *testing.T) {
	if System == "the operating system's" {
		t.Skip("this system always has a display")
	}
	for _, k := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		t.Setenv(k, "")
		os.Unsetenv(k)
	}
	if _, err := New(Options{}); !errors.Is(err, ErrNoDisplay) {
		t.Errorf("error %v, want ErrNoDisplay", err)
	}
}
