// SPDX-License-Identifier: Apache-2.0

package egl

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnavailable is matched by every error of New: no context could be made on this machine.
var ErrUnavailable = errors.New("no headless OpenGL")

// Options chooses the device. The zero value is what a headless run wants: the GPU that is CUDA device 0 if there is
// one, else any other GPU, else software.
type Options struct {
	CUDADevice int  // prefer the device with this CUDA ordinal, so that CUDA and OpenGL share memory
	Software   bool // prefer a software renderer (for pictures that must not depend on the GPU)
	Debug      bool // ask for a debug context, see gl.Debug
}

// attempt is one way that was tried and why it did not work.
type attempt struct{ what, why, cure string }

// unavailable builds the error of New.
func unavailable(tried []attempt) error {
	var b strings.Builder
	b.WriteString("egl: no OpenGL 4.5 context without a window; tried")
	for i, a := range tried {
		sep := ";"
		if i == 0 {
			sep = ":"
		}
		fmt.Fprintf(&b, "%s %s: %s", sep, a.what, a.why)
		if a.cure != "" {
			fmt.Fprintf(&b, " (%s)", a.cure)
		}
	}
	return fmt.Errorf("%w: %s", ErrUnavailable, b.String())
}
