// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"strings"

	"particles/interop/driver"
)

// Sentinels, for errors.Is. An *Error matches those that its code stands for.
var (
	ErrClosed         = errors.New("already closed")
	ErrZeroValue      = errors.New("zero value, not made by this package's functions")
	ErrArgument       = errors.New("bad argument")
	ErrNilStream      = errors.New("nil stream: name the stream that the work goes to")
	ErrWrongContext   = errors.New("belongs to another Context")
	ErrAlreadyMapped  = errors.New("already mapped")
	ErrNotMapped      = errors.New("not mapped")
	ErrNoGLContext    = errors.New("no OpenGL context is current on this thread; call on the thread that draws")
	ErrWrongGLContext = errors.New("another OpenGL context is current on this thread than the one shared with")
	ErrDeviceMismatch = errors.New("OpenGL draws on another device than the one that computes")
	ErrUnavailable    = errors.New("OpenGL sharing is not available")
	ErrSizeChanged    = errors.New("the OpenGL object's storage changed after registering; close, and register it again")
	ErrMutableStorage = errors.New("the OpenGL object's storage is mutable; make it with glBufferStorage or glTexStorage, or register with interop.Mutable or interop.ImageMutable")
	ErrDuplicate      = errors.New("given more than once")
	ErrPoisoned       = errors.New("an earlier unmap failed, so the buffer's state is unknown; close it")
	ErrOutOfMemory    = errors.New("out of memory")
	ErrNotRecorded    = errors.New("event was never recorded")
	ErrTimingDisabled = errors.New("event was made without timing")
	ErrNotReady       = errors.New("event is not complete yet")
	// ErrImageRefused: the driver does not take the module's code (PTX too new,
	// no JIT compiler, GPU not covered). An app falls back to the host driver.
	ErrImageRefused = errors.New("the driver refused the kernels' code")
)

// Error is a failed driver call.
type Error struct {
	Driver string // "cuda" or "host"
	Op     string // the call: "cuGraphicsMapResources"
	Code   driver.Code
	Name   string // of the code: "CUDA_ERROR_ALREADY_MAPPED"
	Text   string // what the code means
	Detail string // what it was about: sizes, handle, the compiler's log; may be empty
	Cure   string // what the user can do; may be empty
}

// Error is one line, but for a compiler's log in Detail.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s (%d)", e.Driver, e.Op, e.Name, int(e.Code))
	if e.Text != "" {
		b.WriteString(": " + e.Text)
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Cure != "" {
		b.WriteString("; " + e.Cure)
	}
	return b.String()
}

// Unwrap gives the code, so that errors.Is(err, driver.AlreadyMapped) works.
func (e *Error) Unwrap() error { return e.Code }

// Is matches the sentinels that the code stands for in that call.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrOutOfMemory:
		return e.Code == driver.OutOfMemory
	case ErrAlreadyMapped:
		return e.Code == driver.AlreadyMapped
	case ErrNotMapped:
		return e.Code == driver.NotMapped
	case ErrNoGLContext:
		return e.Code == driver.InvalidGraphicsContext
	case ErrDeviceMismatch:
		return e.aboutSharing() && e.Code == driver.InvalidDevice
	case ErrUnavailable:
		return e.aboutSharing() && driver.CannotShare(e.Code)
	case ErrImageRefused:
		return e.Op == opModuleLoad && refusesImage(e.Code)
	}
	return false
}

func (e *Error) aboutSharing() bool {
	return e.Op == opGLRegister || e.Op == opGLRegisterImage || e.Op == opGLGetDevices
}

func refusesImage(c driver.Code) bool {
	switch c {
	case driver.InvalidImage, driver.NoBinaryForGPU, driver.InvalidPTX, driver.JITCompilerNotFound,
		driver.UnsupportedPTXVersion, driver.JITCompilationDisabled:
		return true
	}
	return false
}

// The calls' names, as the driver's documentation and logs have them.
const (
	opGLGetDevices    = "cuGLGetDevices"
	opGLRegister      = "cuGraphicsGLRegisterBuffer"
	opGLRegisterImage = "cuGraphicsGLRegisterImage"
	opGLArray         = "cuGraphicsSubResourceGetMappedArray"
	opGLUnregister    = "cuGraphicsUnregisterResource"
	opGLMap           = "cuGraphicsMapResources"
	opGLUnmap         = "cuGraphicsUnmapResources"
	opGLPointer       = "cuGraphicsResourceGetMappedPointer"
	opModuleLoad      = "cuModuleLoadDataEx"
)

// NewError describes a failed call of d; detail may be empty. It is for
// packages that call the driver themselves.
func NewError(d driver.Driver, op string, code driver.Code, detail string) *Error {
	e := &Error{Driver: d.Properties().Name, Op: op, Code: code, Name: code.Name(), Text: code.Text(), Detail: detail}
	if n := d.ErrorName(code); n != "" {
		e.Name = n
	}
	if t := d.ErrorText(code); t != "" {
		e.Text = t
	}
	if e.Name == "" {
		e.Name = code.String()
	}
	e.Cure = driver.Cure(op, code)
	return e
}

// argErr is a refusal of an argument before any driver call.
func argErr(op, format string, a ...any) error {
	return fmt.Errorf("interop: %s: %w: %s", op, ErrArgument, fmt.Sprintf(format, a...))
}

// stateErr is a refusal because of the state that what (may be empty) is in.
func stateErr(op, what string, err error) error {
	if what == "" {
		return fmt.Errorf("interop: %s: %w", op, err)
	}
	return fmt.Errorf("interop: %s: %s: %w", op, what, err)
}

// quiet is for calls that only free. It drops the code that every call answers
// while the process exits and the driver is shutting down, since nothing is left
// to free then, and the code of a kernel's failure that has been reported
// already, which every call answers from then on.
func (c *Context) quiet(code driver.Code) driver.Code {
	if code == driver.Deinitialized || code == driver.Code(c.broken.Load()) {
		return driver.Success
	}
	return code
}

// bytesText writes a size for people: "1.5 GiB", "640 bytes".
func bytesText(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<12:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
