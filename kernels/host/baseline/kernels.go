// SPDX-License-Identifier: Apache-2.0

// Package baseline holds the kernels' bodies compiled for every 64-bit processor of its architecture: four lanes, SSE2 on
// amd64 and NEON on arm64. Safe from any goroutine; see kernels for the choice between instruction sets.
package baseline

// #cgo CXXFLAGS: -O3 -std=gnu++17 -Wall -fno-exceptions -fno-rtti
// #cgo noescape pk_run_baseline
// #cgo nocallback pk_run_baseline
// const char *pk_name_baseline(int i);
// void pk_run_baseline(int i, const void *params, void *scratch, long long begin, long long end, int block, int worker);
import "C"

import (
	"unsafe"

	"particles/interop/driver"
	"particles/kernels/host"
	_ "particles/kernels/src" // so that an edit of a header builds this package again
)

// Kernels gives the bodies by module and kernel.
func Kernels() map[string]map[string]driver.HostKernel {
	return host.Table(func(i int) string { return C.GoString(C.pk_name_baseline(C.int(i))) }, run)
}

func run(i int, params, scratch unsafe.Pointer, w driver.Work) {
	C.pk_run_baseline(C.int(i), params, scratch, C.longlong(w.Begin), C.longlong(w.End), C.int(w.Block), C.int(w.Worker))
}
