// SPDX-License-Identifier: Apache-2.0

//go:build !linux || !cgo

package egl

import (
	"runtime"
	"unsafe"
)

// Context cannot be had in this build, see New.
type Context struct{}

// Info says what a context runs on.
type Info struct {
	Platform, Device, Version string
	CUDADevice                int
}

// String gives one line for the log.
func (Info) String() string { return "none" }

// New always fails in this build.
func New(Options) (*Context, error) {
	return nil, unavailable([]attempt{{
		"EGL", "this build for " + runtime.GOOS + " has no headless drawing",
		"it needs Linux, CGO_ENABLED=1 and a C compiler when building",
	}})
}

// MakeCurrent fails.
func (*Context) MakeCurrent() error { return ErrUnavailable }

// Release does nothing.
func (*Context) Release() error { return nil }

// Current returns 0.
func (*Context) Current() uintptr { return 0 }

// Handle returns 0.
func (*Context) Handle() uintptr { return 0 }

// ProcAddr returns nil.
func (*Context) ProcAddr(string) unsafe.Pointer { return nil }

// Describe returns the zero Info.
func (*Context) Describe() Info { return Info{} }

// Close does nothing.
func (*Context) Close() error { return nil }
