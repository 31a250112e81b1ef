// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package egl

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "egl_linux.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"particles/render/gl"
)

// Context is an OpenGL 4.5 core context without a surface.
type Context struct {
	display C.EglDisplay
	context C.EglContext
	info    Info
}

// Info says what a context runs on.
type Info struct {
	Platform   string // "device" or "surfaceless"
	Device     string // what EGL says of the device: its file, or its kind
	CUDADevice int    // CUDA ordinal, -1 when the device is none
	Version    string // EGL's
	GL         gl.Info
}

// String gives one line for the log.
func (i Info) String() string {
	return fmt.Sprintf("%s through EGL %s, platform %s, %s", i.GL.Renderer, i.Version, i.Platform, i.Device)
}

var (
	openOnce sync.Once
	openErr  string

	// All contexts of one device share its display, which only the last one may terminate.
	displayMu  sync.Mutex
	displayUse = map[C.EglDisplay]int{}
)

// New makes a context and checks its version, leaving it not current. Every error matches ErrUnavailable.
func New(o Options) (*Context, error) {
	openOnce.Do(func() {
		if e := C.pEglOpen(); e != nil {
			openErr = C.GoString(e)
		}
	})
	if openErr != "" {
		return nil, unavailable([]attempt{{"opening libEGL.so.1", openErr, "install libegl1 (Debian, Ubuntu) or the graphics driver's EGL library"}})
	}
	var ctx *Context
	var err error
	done := make(chan struct{})
	go func() {
		// On a thread of its own: the context is made current there to read its version, which must not disturb one that
		// the caller has in use; also EGL keeps errors and the current API by thread.
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ctx, err = find(o)
	}()
	<-done
	return ctx, err
}

// find tries all candidates.
func find(o Options) (*Context, error) {
	cands, tried := candidates(o)
	for _, c := range cands {
		ctx, a := open(c, o)
		if ctx != nil {
			return ctx, nil
		}
		tried = append(tried, a)
	}
	return nil, unavailable(tried)
}

// open makes a context on one candidate, or says why not.
func open(c candidate, o Options) (_ *Context, a attempt) {
	a.what = c.String()
	fail := func(why, cure string) (*Context, attempt) {
		a.why, a.cure = why, cure
		return nil, a
	}
	d := C.pEglDisplay(C.EGLenum(c.platform), c.device)
	if d == 0 {
		return fail("no display: "+eglError(), c.cure())
	}
	displayMu.Lock()
	defer displayMu.Unlock()
	var major, minor C.EGLint
	if C.pEglInitialize(d, &major, &minor) == 0 {
		return fail("eglInitialize: "+eglError(), c.cure())
	}
	displayUse[d]++
	done := false
	defer func() {
		if !done {
			releaseDisplay(d)
		}
	}()
	if !hasExtension(C.GoString(C.pEglQueryString(d, eglExtensions)), "EGL_KHR_surfaceless_context") {
		return fail("lacks EGL_KHR_surfaceless_context", "update the graphics driver")
	}
	var config C.EglConfig
	var n C.EGLint
	if C.pEglChooseConfig(d, &config, &n) == 0 || n == 0 {
		return fail("no configuration that OpenGL can draw with", "the driver may offer OpenGL ES only; update it")
	}
	debug := C.int(0)
	if o.Debug {
		debug = 1
	}
	ctx := &Context{display: d, context: C.pEglCreateContext(d, config, gl.NeedMajor, gl.NeedMinor, debug)}
	if ctx.context == 0 {
		why := eglError()
		if info, ok := offered(d, config); ok {
			return fail(gl.VersionError(info).Error(), "")
		}
		return fail("eglCreateContext for OpenGL 4.5 core: "+why, "update the graphics driver")
	}
	info, err := probe(ctx)
	if err != nil {
		C.pEglDestroyContext(d, ctx.context)
		return fail(err.Error(), "")
	}
	ctx.info = Info{
		Platform: c.platformName(), Device: c.name, CUDADevice: c.cuda,
		Version: fmt.Sprintf("%d.%d", major, minor), GL: info,
	}
	done = true
	return ctx, a
}

// probe makes a new context current for a moment to read its version.
func probe(c *Context) (gl.Info, error) {
	if C.pEglMakeCurrent(c.display, c.context) == 0 {
		return gl.Info{}, fmt.Errorf("eglMakeCurrent: %s", eglError())
	}
	defer C.pEglMakeCurrent(c.display, 0)
	info, err := gl.Probe(c.ProcAddr)
	if err != nil {
		return info, err
	}
	if info.Major < gl.NeedMajor || info.Major == gl.NeedMajor && info.Minor < gl.NeedMinor {
		return info, gl.VersionError(info)
	}
	return info, nil
}

// offered finds out which version there is when 4.5 was refused, for the error's text.
func offered(d C.EglDisplay, config C.EglConfig) (gl.Info, bool) {
	c := &Context{display: d, context: C.pEglCreateContext(d, config, 3, 3, 0)}
	if c.context == 0 {
		c.context = C.pEglCreateContext(d, config, 0, 0, 0)
	}
	if c.context == 0 || C.pEglMakeCurrent(d, c.context) == 0 {
		return gl.Info{}, false
	}
	info, err := gl.Probe(c.ProcAddr)
	C.pEglMakeCurrent(d, 0)
	C.pEglDestroyContext(d, c.context)
	return info, err == nil
}

// MakeCurrent makes the context current on the calling thread, which must be locked.
func (c *Context) MakeCurrent() error {
	if c.context == 0 {
		return fmt.Errorf("egl: context is closed")
	}
	if C.pEglMakeCurrent(c.display, c.context) == 0 {
		return fmt.Errorf("egl: making the context current: %s; it may be current on another thread", eglError())
	}
	return nil
}

// Release leaves the calling thread without a current context.
func (c *Context) Release() error {
	if c.context == 0 {
		return nil
	}
	if C.pEglMakeCurrent(c.display, 0) == 0 {
		return fmt.Errorf("egl: releasing the context: %s", eglError())
	}
	return nil
}

// Current returns the handle of the EGL context that is current on the calling thread, 0 for none.
func (c *Context) Current() uintptr { return uintptr(C.pEglCurrent()) }

// Handle returns the context's own handle, as Current returns it; 0 once closed.
func (c *Context) Handle() uintptr { return uintptr(c.context) }

// ProcAddr finds an OpenGL function, for gl.Init. Under GLVND it is never nil, also for unknown names.
func (c *Context) ProcAddr(name string) unsafe.Pointer {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return C.pEglProc(s)
}

// Describe says what the context runs on.
func (c *Context) Describe() Info { return c.info }

// Close destroys the context, releasing it first if it is current on this thread. Again: no-op.
func (c *Context) Close() error {
	if c.context == 0 {
		return nil
	}
	if C.pEglCurrent() == c.context {
		if err := c.Release(); err != nil {
			return err
		}
	}
	ok := C.pEglDestroyContext(c.display, c.context) != 0
	why := ""
	if !ok {
		why = eglError()
	}
	c.context = 0
	displayMu.Lock()
	releaseDisplay(c.display)
	displayMu.Unlock()
	if !ok {
		return fmt.Errorf("egl: destroying the context: %s", why)
	}
	return nil
}

// releaseDisplay is called with displayMu held.
func releaseDisplay(d C.EglDisplay) {
	displayUse[d]--
	if displayUse[d] <= 0 {
		delete(displayUse, d)
		C.pEglTerminate(d)
	}
}

func hasExtension(list, name string) bool {
	for _, s := range strings.Fields(list) {
		if s == name {
			return true
		}
	}
	return false
}
