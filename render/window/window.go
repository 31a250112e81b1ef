// SPDX-License-Identifier: Apache-2.0

package window

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"particles/render/gl"
)

// Options says how the window starts.
type Options struct {
	W, H    int // in window units, before the monitor's content scale; 0: 1280 x 720
	Title   string
	Visible bool // false: for tests and for work that needs no sight
	Vsync   bool
	Debug   bool // ask for a debug context, see gl.Debug
}

// Window is the one window of the program.
type Window struct {
	win    *glfw.Window
	title  string
	vsync  bool
	events []Event
	taken  []Event           // given out by the last Poll or Wait
	keys   [keyLast + 1]bool // held, so that each press has one release
	mouse  [buttonLast + 1]bool
	x, y   float64 // pointer

	width, height     int // in window units
	fbWidth, fbHeight int // in pixels
	scale             float32

	iconified, maximized, focused bool
	normal                        rect // place while neither maximised nor full screen
	before                        saved

	cursors [cursorCount]*glfw.Cursor
	cursor  Cursor
	hidden  bool
}

type rect struct{ x, y, w, h int }

// saved is what leaving full screen brings back.
type saved struct {
	rect
	maximized bool
}

var opened bool // GLFW is one for the whole process

// New opens the window and makes its context current. Errors match ErrNoDisplay when there is no display, and
// gl.ErrVersion when its OpenGL is too old.
func New(o Options) (_ *Window, err error) {
	if opened {
		return nil, errors.New("window: there is a window already")
	}
	if err := checkDisplay(System, os.Getenv); err != nil {
		return nil, fmt.Errorf("window: %w", err)
	}
	if err := start(); err != nil {
		return nil, err
	}
	w := &Window{vsync: !o.Vsync}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	opened = true
	if o.W <= 0 || o.H <= 0 {
		o.W, o.H = 1280, 720
	}
	if w.win, err = create(o); err != nil {
		return nil, err
	}
	if err := w.prepare(o); err != nil {
		return nil, err
	}
	return w, nil
}

// start initialises GLFW. go-gl only logs platform errors (and goes on to panic at the next call), so the log is read.
func start() (err error) {
	var text string
	err = logged(&text, glfw.Init)
	if err == nil {
		err = try(func() { glfw.GetTime() }) // panics when Init did not work
	}
	if err == nil {
		return nil
	}
	if text != "" {
		err = errors.New(text)
	}
	cure := ""
	if System == "X11" {
		cure = "; the X server answers but refuses this program: as another user or in a container, set XAUTHORITY to the session's file, or allow it with xhost"
	}
	return fmt.Errorf("window: %w: starting GLFW for %s (DISPLAY=%s): %w%s, %s", ErrNoDisplay, System, os.Getenv("DISPLAY"), err, cure, runHeadless)
}

// logged runs fn, turning panics into errors, and gives what it had go-gl log.
func logged(text *string, fn func() error) (err error) {
	var buf bytes.Buffer
	out, flags := log.Writer(), log.Flags()
	log.SetOutput(&buf)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(out)
		log.SetFlags(flags)
		*text = strings.TrimSpace(buf.String())
	}()
	defer catch(&err)
	return fn()
}

// create makes the GLFW window, or says what the display lacks.
func create(o Options) (win *glfw.Window, err error) {
	var text string
	err = logged(&text, func() (err error) {
		hints(o)
		glfw.WindowHint(glfw.ContextVersionMajor, gl.NeedMajor)
		glfw.WindowHint(glfw.ContextVersionMinor, gl.NeedMinor)
		glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
		glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
		win, err = glfw.CreateWindow(o.W, o.H, o.Title, nil, nil)
		return err
	})
	if win != nil {
		return win, nil
	}
	if err == nil {
		err = errors.New(text)
	}
	var ge *glfw.Error
	switch errors.As(err, &ge); {
	case ge != nil && ge.Code == glfw.APIUnavailable:
		return nil, fmt.Errorf("window: the display has no OpenGL: %w; start the X server with its GLX extension, install libgl1 and libglx-mesa0, %s", err, runHeadless)
	case ge != nil && ge.Code == glfw.FormatUnavailable:
		return nil, fmt.Errorf("window: the display offers no framebuffer format that fits (24-bit colour): %w; use a display of depth 24, %s", err, runHeadless)
	case ge != nil && ge.Code == glfw.VersionUnavailable:
		if info, ok := offered(o); ok {
			return nil, fmt.Errorf("window: %w; %s", gl.VersionError(info), runHeadless)
		}
	}
	return nil, fmt.Errorf("window: opening it with OpenGL %d.%d: %w; update the graphics driver, %s", gl.NeedMajor, gl.NeedMinor, err, runHeadless)
}

func hints(o Options) {
	glfw.DefaultWindowHints()
	set := func(h glfw.Hint, on bool) {
		v := glfw.False
		if on {
			v = glfw.True
		}
		glfw.WindowHint(h, v)
	}
	set(glfw.Visible, o.Visible)
	set(glfw.OpenGLDebugContext, o.Debug)
	set(glfw.ScaleToMonitor, true)
	set(glfw.AutoIconify, false) // full screen stays when the focus goes to another monitor
	glfw.WindowHint(glfw.DepthBits, 0)
	glfw.WindowHint(glfw.StencilBits, 0)
	glfw.WindowHintString(glfw.X11ClassName, "particles")
	glfw.WindowHintString(glfw.X11InstanceName, "particles")
}

// offered finds out which OpenGL there is when ours was refused.
func offered(o Options) (info gl.Info, ok bool) {
	err := try(func() {
		o.Visible = false
		hints(o)
		win, err := glfw.CreateWindow(64, 64, o.Title, nil, nil)
		if err != nil || win == nil {
			return
		}
		defer win.Destroy()
		win.MakeContextCurrent()
		defer glfw.DetachCurrentContext()
		info, err = gl.Probe(glfw.GetProcAddress)
		ok = err == nil
	})
	return info, ok && err == nil
}

func (w *Window) prepare(o Options) (err error) {
	defer catch(&err)
	w.win.MakeContextCurrent()
	if err := gl.Init(glfw.GetProcAddress); err != nil {
		return fmt.Errorf("window: %w; %s", err, runHeadless)
	}
	w.title = o.Title
	w.win.SetSizeLimits(320, 200, glfw.DontCare, glfw.DontCare)
	w.focused = w.win.GetAttrib(glfw.Focused) == glfw.True
	w.maximized = w.win.GetAttrib(glfw.Maximized) == glfw.True
	w.width, w.height = w.win.GetSize()
	w.fbWidth, w.fbHeight = w.win.GetFramebufferSize()
	w.scale, _ = w.win.GetContentScale()
	w.note()
	w.listen()
	return w.SetVsync(o.Vsync)
}

// Close destroys the window with its context. Again: no-op.
func (w *Window) Close() error {
	if !opened {
		return nil
	}
	err := try(func() {
		for _, c := range w.cursors {
			if c != nil {
				c.Destroy()
			}
		}
		if w.win != nil {
			w.win.Destroy()
		}
		glfw.Terminate()
	})
	w.win, w.cursors, opened = nil, [cursorCount]*glfw.Cursor{}, false
	return err
}

// ProcAddr finds an OpenGL function.
func (w *Window) ProcAddr(name string) unsafe.Pointer { return glfw.GetProcAddress(name) }

// Current returns a handle of the window context that is current on the calling thread, 0 for none.
func (w *Window) Current() uintptr {
	if !opened {
		return 0
	}
	if c := glfw.GetCurrentContext(); c != nil {
		return uintptr(c.Handle())
	}
	return 0
}

// Swap shows what was drawn; with vsync on it may wait for the display.
func (w *Window) Swap() (err error) {
	defer catch(&err)
	w.win.SwapBuffers()
	return nil
}

// SetVsync has Swap wait for the display, or not. A driver may have its own mind: measure.
func (w *Window) SetVsync(on bool) (err error) {
	if w.vsync == on {
		return nil
	}
	defer catch(&err)
	n := 0
	if on {
		n = 1
	}
	glfw.SwapInterval(n)
	w.vsync = on
	return nil
}

// Vsync returns what SetVsync last asked for.
func (w *Window) Vsync() bool { return w.vsync }

// catch, deferred, makes a panic of GLFW an error.
func catch(err *error) {
	switch p := recover().(type) {
	case nil:
	case *glfw.Error:
		*err = fmt.Errorf("window: GLFW: %w", p)
	default:
		panic(p)
	}
}

// try runs fn and returns GLFW's panic as an error.
func try(fn func()) (err error) {
	defer catch(&err)
	fn()
	return nil
}
