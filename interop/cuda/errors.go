// SPDX-License-Identifier: Apache-2.0

package cuda

import (
	"errors"
	"fmt"
	"strings"

	"particles/interop/driver"
)

// What Open's errors match.
var (
	ErrNoLibrary   = errors.New("no NVIDIA driver library (libcuda.so.1) found")
	ErrTooOld      = errors.New("the NVIDIA driver is too old")
	ErrInit        = errors.New("the NVIDIA driver does not start")
	ErrUnsupported = errors.New("this build has no CUDA support")
)

// OpenError says why the driver cannot be used.
type OpenError struct {
	Kind    error       // ErrNoLibrary, ErrTooOld, ErrInit
	Path    string      // the library, or what was tried
	Detail  string      // the loader's message
	Missing []string    // symbols, with ErrTooOld
	Code    driver.Code // cuInit's answer, with ErrInit
	Name    string      // of the code, as the driver itself names it
	Cure    string
}

// Error is one line with the cure.
func (e *OpenError) Error() string {
	var b strings.Builder
	b.WriteString(e.Kind.Error())
	switch {
	case e.Code != driver.Success:
		fmt.Fprintf(&b, ": cuInit answers %s (%d)", e.Name, int(e.Code))
		if t := e.Code.Text(); t != "" {
			b.WriteString(", " + t)
		}
	case len(e.Missing) > 0:
		fmt.Fprintf(&b, ": %s lacks %s", e.Path, strings.Join(e.Missing, ", "))
	case e.Detail != "":
		b.WriteString(": " + e.Detail)
	}
	if e.Cure != "" {
		b.WriteString("; " + e.Cure)
	}
	return b.String()
}

// Unwrap lets errors.Is match the kind and the code.
func (e *OpenError) Unwrap() []error {
	if e.Code != driver.Success {
		return []error{e.Kind, e.Code}
	}
	return []error{e.Kind}
}
