// SPDX-License-Identifier: Apache-2.0

package window

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"particles/internal/testenv"
)

// patience is how long something that must happen may take on a busy machine; it is no measurement.
const patience = 30 * time.Second

// server starts an X server without a screen and returns its name; it ends with the test.
func server(t *testing.T, args ...string) string {
	t.Helper()
	return testenv.XServer(t, "1280x800", args...)
}

// refusing starts a server that turns every client away (X Window System Protocol, "Connection Setup", Failed), as one
// does to a user without its cookie. Real ones always let in the user who started them.
func refusing(t *testing.T) string {
	t.Helper()
	for n := 70; n < 200; n++ {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 6000+n))
		if err != nil {
			continue
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				const reason = "Authorization required, no such luck"
				c.Read(make([]byte, 64))
				c.Write(append([]byte{0, byte(len(reason)), 11, 0, 0, 0, byte(len(reason) / 4), 0}, reason...))
				c.Close()
			}
		}()
		return fmt.Sprintf("127.0.0.1:%d", n)
	}
	t.Fatal("no free port between 6070 and 6199")
	return ""
}

// desktop gives the test a display with a window manager.
func desktop(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	if display := os.Getenv("DISPLAY"); display != "" {
		if exec.Command(tool(t, "xdotool"), "get_num_desktops").Run() != nil {
			t.Skipf("display %s has no window manager; without DISPLAY the test starts a server with one", display)
		}
		return
	}
	t.Setenv("DISPLAY", server(t))
	t.Setenv("HOME", t.TempDir())
	wm := exec.Command(tool(t, "openbox"), "--sm-disable")
	var said strings.Builder
	wm.Stderr = &said
	if err := wm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { wm.Process.Kill(); wm.Wait() })
	for end := time.Now().Add(patience); exec.Command(tool(t, "xdotool"), "get_num_desktops").Run() != nil; {
		if time.Now().After(end) {
			t.Fatal("openbox did not start: " + said.String())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed: apt-get install %s", name, name)
	}
	return path
}

func xdotool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(tool(t, "xdotool"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// open opens a visible window and waits until it is there and has the keyboard.
func open(t *testing.T, title string) *Window {
	t.Helper()
	w, err := New(Options{W: 900, H: 500, Title: title, Visible: true, Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	until(t, w, "the window has the focus", w.Focused)
	return w
}

// until polls until cond is true, and returns the events meanwhile.
func until(t *testing.T, w *Window, what string, cond func() bool) (seen []Event) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		events, err := w.Wait(20 * time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, events...)
		if cond() {
			return seen
		}
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s; events %+v", what, seen)
		}
	}
}

// settled waits until place and size have stayed the same for some polls, and returns them.
func settled(t *testing.T, w *Window) string {
	t.Helper()
	place := func() string {
		x, y, _ := w.Position()
		width, height := w.Size()
		return fmt.Sprintf("%dx%d+%d+%d", width, height, x, y)
	}
	last, same := "", 0
	until(t, w, "the window keeps its place", func() bool {
		if now := place(); now == last {
			same++
		} else {
			last, same = now, 0
		}
		return same > 15
	})
	return last
}
