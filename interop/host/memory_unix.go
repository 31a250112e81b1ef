// SPDX-License-Identifier: Apache-2.0

//go:build unix

package host

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// allocate makes size bytes of cleared, page-aligned memory outside Go's heap,
// so that the garbage collector neither scans nor counts it.
func allocate(size int) (p unsafe.Pointer, free func(), ok bool) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, false
	}
	adviseHuge(b)
	return unsafe.Pointer(&b[0]), func() { _ = unix.Munmap(b) }, true
}
