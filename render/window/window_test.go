// SPDX-License-Identifier: Apache-2.0

package window

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"particles/render/gl"
)

func TestWindowDrawsWithOpenGL45(t *testing.T) {
	desktop(t)
	w := open(t, "draws")
	gl.Debug(func(m gl.Message) { t.Error(m) })
	defer gl.Debug(nil)
	if i := gl.Describe(); i.Major*10+i.Minor < 45 {
		t.Errorf("OpenGL %s", i.Version)
	}
	width, height := w.FramebufferSize()
	if width != 900 || height != 500 {
		t.Errorf("framebuffer %d x %d, want 900 x 500", width, height)
	}
	gl.BindFramebuffer(0)
	gl.Viewport(0, 0, width, height)
	gl.ClearColor(0, 0, 1, 1)
	gl.Clear(gl.ColorBufferBit)
	if err := w.Swap(); err != nil {
		t.Error(err)
	}
	if w.Current() == 0 {
		t.Error("no context is current after New")
	}
	other := make(chan uintptr)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends here
		other <- w.Current()
	}()
	if got := <-other; got != 0 {
		t.Errorf("on another thread the current context is %#x, want 0", got)
	}
	if s := w.Scale(); s < 0.5 || s > 8 {
		t.Errorf("content scale %v", s)
	}
	if hz := w.RefreshRate(); hz < 0 || hz > 1000 {
		t.Errorf("refresh rate %d", hz)
	}
	if _, err := New(Options{}); err == nil {
		t.Error("a second window was opened")
	}
}

func TestVsyncAndTitleAndCursorAreKept(t *testing.T) {
	desktop(t)
	w := open(t, "before")
	for _, on := range []bool{true, false, false, true} {
		if err := w.SetVsync(on); err != nil {
			t.Fatal(err)
		}
		if w.Vsync() != on {
			t.Errorf("vsync %v, want %v", w.Vsync(), on)
		}
	}
	if err := w.SetTitle("after"); err != nil {
		t.Fatal(err)
	}
	if got := xdotool(t, "getwindowname", xdotool(t, "getactivewindow")); got != "after" {
		t.Errorf("title %q, want after", got)
	}
	for c := CursorArrow; c <= CursorHidden+1; c++ {
		if err := w.SetCursor(c); err != nil {
			t.Error(err)
		}
	}
}

func TestFullScreenAndBackKeepsPlaceAndSize(t *testing.T) {
	desktop(t)
	w := open(t, "full screen")
	xdotool(t, "windowmove", "--sync", xdotool(t, "getactivewindow"), "40", "60")
	start := settled(t, w)
	for i := range 10 {
		if err := w.ToggleFullScreen(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if got := settled(t, w); got != "1280x800+0+0" || !w.FullScreen() {
				t.Fatalf("full screen is %s", got)
			}
		} else if got := settled(t, w); got != start || w.FullScreen() {
			t.Fatalf("after %d times: %s, want %s", i+1, got, start)
		}
	}
}

func TestFullScreenReturnsToMaximised(t *testing.T) {
	desktop(t)
	w := open(t, "maximised")
	normal := settled(t, w)
	if err := w.Maximize(); err != nil {
		t.Fatal(err)
	}
	until(t, w, "maximised", func() bool { return w.maximized })
	large := settled(t, w)
	for range 2 {
		if err := w.ToggleFullScreen(); err != nil {
			t.Fatal(err)
		}
		settled(t, w)
	}
	if got := settled(t, w); got != large || !w.maximized {
		t.Errorf("after full screen: %s, want the maximised %s", got, large)
	}
	if err := w.Restore(); err != nil {
		t.Fatal(err)
	}
	until(t, w, "not maximised", func() bool { return !w.maximized })
	if got := settled(t, w); got != normal {
		t.Errorf("restored to %s, want %s", got, normal)
	}
}

func TestMinimisedIsNoSizeAtAll(t *testing.T) {
	desktop(t)
	w := open(t, "minimised")
	if err := w.Iconify(); err != nil {
		t.Fatal(err)
	}
	events := until(t, w, "minimised", w.Iconified)
	if width, height := w.FramebufferSize(); width != 0 || height != 0 {
		t.Errorf("minimised framebuffer %d x %d, want 0 x 0", width, height)
	}
	if e := find(events, Resize); e == nil || e.W != 0 || e.H != 0 {
		t.Errorf("no Resize event to 0 x 0 in %+v", events)
	}
	if err := w.Restore(); err != nil {
		t.Fatal(err)
	}
	events = until(t, w, "shown again", func() bool { return !w.Iconified() })
	if width, height := w.FramebufferSize(); width != 900 || height != 500 {
		t.Errorf("framebuffer %d x %d after coming back, want 900 x 500", width, height)
	}
	if e := find(events, Resize); e == nil || e.W != 900 {
		t.Errorf("no Resize event back in %+v", events)
	}
}

func TestResizeByTheWindowManagerIsAnEvent(t *testing.T) {
	desktop(t)
	w := open(t, "resize")
	xdotool(t, "windowsize", xdotool(t, "getactivewindow"), "640", "360")
	events := until(t, w, "640 wide", func() bool { width, _ := w.FramebufferSize(); return width == 640 })
	if e := find(events, Resize); e == nil || e.W != 640 || e.H != 360 {
		t.Errorf("no Resize event to 640 x 360 in %+v", events)
	}
}

func TestKeysAndMouseArriveAsEvents(t *testing.T) {
	desktop(t)
	w := open(t, "input")
	settled(t, w)
	id := xdotool(t, "getactivewindow")
	xdotool(t, "mousemove", "--window", id, "120", "80")
	xdotool(t, "click", "1")
	xdotool(t, "click", "4")
	xdotool(t, "key", "F11")
	xdotool(t, "key", "shift+a")
	var all []Event
	for find(all, Char) == nil || find(all, Scroll) == nil {
		n := 0
		all = append(all, until(t, w, "input arrives", func() bool { n++; return n > 3 })...)
	}
	if e := find(all, ButtonDown); e == nil || e.Button != ButtonLeft || e.X != 120 || e.Y != 80 {
		t.Errorf("button: %+v, want the left one at 120, 80", e)
	}
	if e := find(all, Scroll); e.Y != 1 {
		t.Errorf("scroll: %+v, want one notch up", e)
	}
	if e := find(all, KeyDown); e == nil || e.Key != KeyF11 {
		t.Errorf("first key: %+v, want F11", e)
	}
	if e := find(all, Char); e.Char != 'A' {
		t.Errorf("character %q, want A", e.Char)
	}
	for _, e := range all {
		if e.Kind == KeyDown && e.Key == KeyA && e.Mods != ModShift {
			t.Errorf("A came with modifiers %b, want shift", e.Mods)
		}
	}
}

func TestHeldKeysAreReleasedOnceWhenTheFocusLeaves(t *testing.T) {
	desktop(t)
	w := open(t, "focus")
	settled(t, w)
	xdotool(t, "keydown", "g")
	until(t, w, "g is held", func() bool { return w.keys[KeyG] })
	if err := w.Iconify(); err != nil {
		t.Fatal(err)
	}
	events := until(t, w, "the focus has left", func() bool { return !w.Focused() })
	xdotool(t, "keyup", "g")
	n := 0
	events = append(events, until(t, w, "some time", func() bool { n++; return n > 5 })...)
	ups := 0
	for _, e := range events {
		if e.Kind == KeyUp && e.Key == KeyG {
			ups++
		}
	}
	if ups != 1 || w.keys[KeyG] {
		t.Errorf("%d releases of g, want 1", ups)
	}
}

func TestClipboardMayBeEmpty(t *testing.T) {
	desktop(t)
	w := open(t, "clipboard")
	if got := w.Text(); got != "" {
		t.Errorf("empty clipboard gives %q", got)
	}
	w.SetText("3,14 µm")
	if got := w.Text(); got != "3,14 µm" {
		t.Errorf("clipboard gives %q", got)
	}
}

func TestCloseIsAskedFor(t *testing.T) {
	desktop(t)
	w := open(t, "close")
	if w.ShouldClose() {
		t.Fatal("asked for at the start")
	}
	w.RequestClose(true)
	if !w.ShouldClose() {
		t.Error("RequestClose did nothing")
	}
	w.RequestClose(false)
	polls := 0
	events := until(t, w, "the window manager asks", func() bool {
		if polls%50 == 0 && !w.ShouldClose() {
			xdotool(t, "key", "alt+F4") // openbox's own binding, which it may not have taken hold of yet
		}
		polls++
		return w.ShouldClose()
	})
	if find(events, CloseRequest) == nil {
		t.Errorf("no CloseRequest in %+v", events)
	}
}

func TestWakeEndsAWait(t *testing.T) {
	desktop(t)
	w := open(t, "wake")
	settled(t, w)
	done := make(chan struct{})
	go func() { w.Wake(); close(done) }()
	if _, err := w.Wait(time.Hour); err != nil { // without Wake the test would run into its time limit
		t.Error(err)
	}
	<-done
}

func TestPollAllocatesNothing(t *testing.T) {
	desktop(t)
	w := open(t, "allocations")
	settled(t, w)
	if n := testing.AllocsPerRun(50, func() {
		if _, err := w.Poll(); err != nil {
			t.Error(err)
		}
		w.Current()
		w.FramebufferSize()
		w.Size()
		w.Scale()
		w.ShouldClose()
		_ = w.Swap()
	}); n != 0 && !raceEnabled {
		t.Errorf("%v allocations a frame, want 0", n)
	}
}

// What a display lacks is found out in processes of their own, this test binary again, as GLFW and Mesa read their
// surroundings once.
func TestUnfitDisplaysAreExplained(t *testing.T) {
	if os.Getenv("WINDOW_TEST_CHILD") != "" {
		runtime.LockOSThread()
		w, err := New(Options{})
		if err == nil {
			w.Close()
			t.Fatal("NO FAILURE")
		}
		if os.Getenv("WINDOW_TEST_CHILD") == "version" && !errors.Is(err, gl.ErrVersion) {
			t.Error("does not match gl.ErrVersion")
		}
		t.Fatal(err)
	}
	plain := server(t)
	for name, c := range map[string]struct {
		display string
		env     []string
		want    []string
	}{
		"OpenGL 2.1":     {plain, []string{"WINDOW_TEST_CHILD=version", "MESA_GL_VERSION_OVERRIDE=2.1"}, []string{"OpenGL 4.5", "2.1", "llvmpipe", "--headless"}},
		"softpipe":       {plain, []string{"WINDOW_TEST_CHILD=version", "GALLIUM_DRIVER=softpipe"}, []string{"OpenGL 4.5", "3.3", "softpipe", "--headless"}},
		"no GLX":         {server(t, "-extension", "GLX"), []string{"WINDOW_TEST_CHILD=1"}, []string{"no OpenGL", "GLX", "--headless"}},
		"access refused": {refusing(t), []string{"WINDOW_TEST_CHILD=1"}, []string{"refuses", "XAUTHORITY", "xhost", "--headless"}},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestUnfitDisplaysAreExplained$")
			cmd.Env = append(append(os.Environ(), "DISPLAY="+c.display, "LIBGL_ALWAYS_SOFTWARE=1"), c.env...)
			out, err := cmd.CombinedOutput()
			if err == nil || strings.Contains(string(out), "NO FAILURE") || strings.Contains(string(out), "panic:") {
				t.Fatalf("want an error, got %v: %s", err, out)
			}
			for _, w := range c.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("message lacks %q:\n%s", w, out)
				}
			}
		})
	}
}

func find(events []Event, k Kind) *Event {
	for i := range events {
		if events[i].Kind == k {
			return &events[i]
		}
	}
	return nil
}

// What comes while the program changes the window, between two polls, is told by the next one.
func TestEventsBetweenTwoPollsAreKept(t *testing.T) {
	desktop(t)
	w := open(t, "between polls")
	if _, err := w.Poll(); err != nil {
		t.Fatal(err)
	}
	w.emit(Event{Kind: KeyDown, Key: KeySpace}) // as a callback does
	events, err := w.Poll()
	if err != nil || find(events, KeyDown) == nil {
		t.Errorf("%+v, %v", events, err)
	}
	if events, err = w.Poll(); err != nil || find(events, KeyDown) != nil {
		t.Errorf("told twice: %+v, %v", events, err)
	}
}
