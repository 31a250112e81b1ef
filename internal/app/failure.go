// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"particles/interop"
	"particles/interop/driver"
)

// errNoAnswer is the end of a wait that has a limit.
var errNoAnswer = errors.New("the GPU does not answer; look for Xid in the kernel log (dmesg), which says what became of it; a reboot may be needed")

// eachError calls f with every error in err's tree, until it answers true.
func eachError(err error, f func(error) bool) bool {
	if err == nil {
		return false
	}
	if f(err) {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return eachError(e.Unwrap(), f)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if eachError(one, f) {
				return true
			}
		}
	}
	return false
}

// lostCode tells whether an error says that the CUDA context, with all that is in
// it, is of no use any more, and by which code. Every later call answers the same.
func lostCode(err error) (code driver.Code, lost bool) {
	lost = eachError(err, func(err error) bool {
		e, ok := err.(*interop.Error)
		if !ok || e.Driver != "cuda" {
			return false
		}
		code = e.Code
		if e.Code == driver.Unknown { // to these it only says that the driver cannot share
			return !strings.HasPrefix(e.Op, "cuGraphicsGLRegister") && e.Op != "cuGLGetDevices"
		}
		return e.Code.Lost() != ""
	})
	return code, lost
}

// deviceError tells whether an error is the device's or the memory's, so that
// another driver may do better, and not one of what was asked for.
func deviceError(err error) bool {
	if errors.Is(err, interop.ErrOutOfMemory) || errors.Is(err, errNoAnswer) {
		return true
	}
	var e *interop.Error
	return errors.As(err, &e)
}

// lostText says for people what a code of lostCode means.
func lostText(code driver.Code) string {
	if code == driver.Unknown {
		return "the GPU failed or was taken away; look for Xid in the kernel log (dmesg)"
	}
	return code.Lost()
}

// oneLine makes an error fit into a sentence.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// notShared is the reason for copied buffers when sharing was promised and then
// failed: who draws, who computes, and the command that puts both on one GPU.
func notShared(gl interop.GL, device string, why error) string {
	vendor, renderer, _ := gl.Describe()
	text := fmt.Sprintf("OpenGL draws on %s and kernels run on %s, but sharing buffers failed (%s), so they are copied", renderer, device, oneLine(why))
	if strings.Contains(vendor, "NVIDIA") || driver.UnderWSL() || strings.Contains(text, "__GLX_VENDOR_LIBRARY_NAME") {
		return text
	}
	return text + "; to draw on the NVIDIA GPU start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"
}

// waitLimit is how long the program waits for a GPU before it says that it does not answer.
const waitLimit = 10 * time.Second

// waitFor asks until done says so, at growing intervals, for limit at the most.
func waitFor(limit time.Duration, done func() (bool, error)) error {
	for start := time.Now(); ; {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		waited := time.Since(start)
		if waited > limit {
			return fmt.Errorf("waited %v for the work that is queued: %w", limit, errNoAnswer)
		}
		if waited > 200*time.Microsecond { // a short wait spins: calibration wants it exact
			time.Sleep(min(waited/8, 5*time.Millisecond))
		}
	}
}
