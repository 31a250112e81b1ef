// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"io"
	"os"
	"strings"
	"time"
)

// Names of the probes. A surface's probe has the tier that it tries after a
// colon: "headless:auto".
const (
	probeCUDA     = "cuda"
	probeUnhidden = "cuda-unhidden"
	probeHost     = "host"
	probeHeadless = "headless"
	probeWindow   = "window"
)

// Probe is the child's side: it runs one probe, tells in lines on out what it
// does and finds, and gives the exit code. It ends the process when in, the
// parent's end of a pipe, is closed. A call of the driver may take the process
// with it or never return: that is what the process is for.
func Probe(in io.Reader, out io.Writer, name string) int {
	go func() {
		_, _ = io.Copy(io.Discard, in) // its end is all that matters
		os.Exit(1)
	}()
	r := reporter{out}
	kind, asked, _ := strings.Cut(name, ":")
	switch kind {
	case probeCUDA:
		cudaProbe(r)
	case probeUnhidden:
		unhiddenProbe(r)
	case probeHost:
		hostProbe(r)
	case probeHeadless, probeWindow:
		surfaceProbe(r, kind, asked)
	default:
		return 2
	}
	r.send(message{Done: true})
	return 0
}

// probeLimit is how long a probe may take. A driver that starts takes a second
// or two, with eight GPUs some more, and compiling the kernels for the first
// time some seconds on a slow machine.
const probeLimit = 30 * time.Second
