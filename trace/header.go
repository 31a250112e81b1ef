// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"os"
	"runtime"
	"strings"
	"time"
)

// Header says what was recorded and on what machine. It becomes the args of the event named "session". Empty fields are
// left out, apart from Seed and Count.
type Header struct {
	Program, Version, Commit string
	Start                    time.Time // wall clock, set by trace.Start when zero
	Machine                  Machine   // set by trace.Start when zero

	Driver, DriverVersion, Device   string // "cuda" or "host", its version, the device's name
	Interop, Reason                 string // tier, and why it is not the first choice
	GLVendor, GLRenderer, GLVersion string
	GLSoftware                      bool   // the GL renderer runs on the CPU; its times are CPU times
	StreamName                      string // name of the compute track; "stream" when empty
	Scene, Model                    string
	Seed                            uint64
	Count                           int
	Params                          map[string]any // all that a person can set, by full name: numbers, truths, texts, lists of numbers
	Width, Height                   int            // pixels of the framebuffer
	ClockErr                        int64          // bound of the error of GPU stamps at the start, ns; 0: not known
	Extra                           map[string]string
}

// Machine describes the computer and the runtime.
type Machine struct {
	OS, Kernel, Arch, CPU string
	Cores                 int   // logical processors the program may use
	Memory                int64 // bytes; 0: not known
	Go                    string
	MaxProcs              int
}

// ThisMachine looks the machine up; what cannot be found out is left empty.
func ThisMachine() Machine {
	m := Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version(),
		MaxProcs: runtime.GOMAXPROCS(0),
	}
	if v := field("/etc/os-release", "PRETTY_NAME", "="); v != "" {
		m.OS = strings.Trim(v, `"`)
	}
	if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel = strings.TrimSpace(string(b))
	}
	m.CPU = field("/proc/cpuinfo", "model name", ":")
	if kb := strings.Fields(field("/proc/meminfo", "MemTotal", ":")); len(kb) > 0 {
		for _, d := range kb[0] {
			if d < '0' || d > '9' {
				return m
			}
			m.Memory = m.Memory*10 + int64(d-'0')
		}
		m.Memory <<= 10
	}
	return m
}

// field reads the first "key sep value" line of a small text file.
func field(path, key, sep string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if k, v, ok := strings.Cut(line, sep); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
