// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"fmt"
	"runtime"
	"strings"

	"particles/interop/driver"
	"particles/kernels/host/baseline"
	"particles/kernels/host/v3"
)

// ISA is an instruction set that the host kernels are compiled for.
type ISA uint8

// The instruction sets. Auto is the best that the processor has.
const (
	Auto     ISA = iota
	Baseline     // SSE2 or NEON: every 64-bit processor
	V3           // x86-64-v3: AVX2, FMA, BMI2
)

var isaNames = [...]string{Auto: "auto", Baseline: "baseline", V3: "v3"}

// String gives the name that ParseISA reads.
func (i ISA) String() string {
	if int(i) < len(isaNames) {
		return isaNames[i]
	}
	return fmt.Sprintf("isa %d", uint8(i))
}

// ParseISA reads "auto", "baseline" or "v3"; "" is auto.
func ParseISA(text string) (ISA, error) {
	for i, name := range isaNames {
		if strings.EqualFold(text, name) || (text == "" && ISA(i) == Auto) {
			return ISA(i), nil
		}
	}
	return Auto, fmt.Errorf("host instruction set %q: want %s", text, strings.Join(isaNames[:], ", "))
}

// Detect gives the best instruction set that this processor and operating system have.
func Detect() ISA {
	if v3.Supported() {
		return V3
	}
	return Baseline
}

// Supported reports whether the processor can run i.
func (i ISA) Supported() bool { return i <= Detect() }

// Available lists the instruction sets that this processor can run, the best last.
func Available() []ISA {
	list := []ISA{Baseline}
	if v3.Supported() {
		list = append(list, V3)
	}
	return list
}

// table gives the host bodies by module and kernel, and the set that they are of.
func (i ISA) table() (map[string]map[string]driver.HostKernel, ISA, error) {
	if i == Auto {
		i = Detect()
	}
	if !i.Supported() {
		return nil, i, fmt.Errorf("kernels: this processor (%s) does not have %s; use auto or baseline", runtime.GOARCH, i)
	}
	if i == V3 {
		return v3.Kernels(), i, nil
	}
	return baseline.Kernels(), Baseline, nil
}
