// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"particles/internal/testenv"
)

// desktop is an X server of the test's own with a window manager in it.
type desktop struct {
	display string
	env     []string
}

// need skips the test when a program that it drives is not on this machine.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing on this machine (make test installs it)", program)
		}
	}
}

// newDesktop starts Xvfb and openbox and stops them when the test ends.
func newDesktop(t *testing.T, width, height int) *desktop {
	t.Helper()
	need(t, "Xvfb", "openbox", "xdotool", "wmctrl", "xprop")
	display, err := testenv.StartXServer(t, fmt.Sprintf("%dx%d", width, height))
	if err != nil {
		t.Fatal(err) // Xvfb is installed, so it must run
	}
	d := &desktop{display: display}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "DISPLAY=") && !strings.HasPrefix(variable, "WAYLAND_DISPLAY=") {
			d.env = append(d.env, variable)
		}
	}
	d.env = append(d.env, "DISPLAY="+d.display, "XDG_CONFIG_HOME="+t.TempDir())
	config := filepath.Join(t.TempDir(), "rc.xml")
	if err := os.WriteFile(config, []byte(openboxConfig), 0o644); err != nil {
		t.Fatal(err)
	}
	// A server may turn a client away in its first moments: start the manager until it is there.
	var said bytes.Buffer
	for range 8 {
		manager := exec.Command("openbox", "--sm-disable", "--config-file", config)
		manager.Env = d.env
		manager.Stdout, manager.Stderr = &said, &said
		if err := manager.Start(); err != nil {
			t.Fatalf("starting openbox: %v", err)
		}
		ended := make(chan struct{})
		go func() { _ = manager.Wait(); close(ended) }()
		t.Cleanup(func() { _ = manager.Process.Kill(); <-ended })
		if d.managed(ended) {
			return d
		}
	}
	t.Fatalf("openbox did not come up in the X server:\n%s", said.String())
	return nil
}

// managed waits until the root window names a window manager, or that one has ended.
func (d *desktop) managed(ended <-chan struct{}) bool {
	for range 400 {
		out, _ := d.command("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").CombinedOutput()
		if strings.Contains(string(out), "window id") {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(25 * time.Millisecond):
		}
	}
	return false
}

// openboxConfig has no iconify animation, so that a window's place is final at once.
const openboxConfig = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <theme><animateIconify>no</animateIconify></theme>
  <focus><focusNew>yes</focusNew></focus>
</openbox_config>`

func (d *desktop) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = d.env
	return cmd
}

// xdo runs xdotool and fails the test when it fails.
func (d *desktop) xdo(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "xdotool", args...)
	cmd.Env = d.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// move, down and up are the mouse, in screen pixels.
func (d *desktop) move(t *testing.T, x, y float64) {
	t.Helper()
	d.xdo(t, "mousemove", strconv.Itoa(int(x+0.5)), strconv.Itoa(int(y+0.5)))
}

func (d *desktop) down(t *testing.T) { t.Helper(); d.xdo(t, "mousedown", "1") }
func (d *desktop) up(t *testing.T)   { t.Helper(); d.xdo(t, "mouseup", "1") }

// binary is the program under test.
func binary(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PARTICLES_BIN"); path != "" {
		return path
	}
	path, err := filepath.Abs("../../build/particles")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v (make build makes it; PARTICLES_BIN can name another)", err)
	}
	return path
}
