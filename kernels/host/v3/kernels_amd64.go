// SPDX-License-Identifier: Apache-2.0

package v3

// #cgo CXXFLAGS: -O3 -std=gnu++17 -Wall -fno-exceptions -fno-rtti -march=x86-64-v3
// #cgo noescape pk_run_v3
// #cgo nocallback pk_run_v3
// const char *pk_name_v3(int i);
// void pk_run_v3(int i, const void *params, void *scratch, long long begin, long long end, int block, int worker);
import "C"

import (
	"unsafe"

	"particles/interop/driver"
	"particles/kernels/host"
	_ "particles/kernels/src" // so that an edit of a header builds this package again
)

// Kernels gives the bodies by module and kernel.
func Kernels() map[string]map[string]driver.HostKernel {
	return host.Table(func(i int) string { return C.GoString(C.pk_name_v3(C.int(i))) }, run)
}

func run(i int, params, scratch unsafe.Pointer, w driver.Work) {
	C.pk_run_v3(C.int(i), params, scratch, C.longlong(w.Begin), C.longlong(w.End), C.int(w.Block), C.int(w.Worker))
}
