// SPDX-License-Identifier: Apache-2.0

// Package host makes the host driver's kernels of the bodies that an instruction set's package was compiled with. Adding a set is a
// package like baseline, and its row in kernels/isa.go.
package host

import (
	"strings"
	"unsafe"

	"particles/interop/driver"
)

// Table gives the bodies by module and kernel. name gives the i-th body's "module/kernel" and "" after the last; run does a piece.
func Table(name func(i int) string, run func(i int, params, scratch unsafe.Pointer, w driver.Work)) map[string]map[string]driver.HostKernel {
	table := map[string]map[string]driver.HostKernel{}
	for i := 0; ; i++ {
		module, kernel, ok := strings.Cut(name(i), "/")
		if !ok {
			return table
		}
		if table[module] == nil {
			table[module] = map[string]driver.HostKernel{}
		}
		table[module][kernel] = func(params unsafe.Pointer, w driver.Work) {
			run(i, params, unsafe.Pointer(unsafe.SliceData(w.Scratch)), w)
		}
	}
}
