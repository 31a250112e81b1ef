// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package host

import "unsafe"

// allocate makes size bytes of cleared memory, aligned for any vector type. It
// is Go memory without pointers, kept alive by free.
func allocate(size int) (p unsafe.Pointer, free func(), ok bool) {
	const align = 4096
	b := make([]byte, size+align)
	off := -uintptr(unsafe.Pointer(&b[0])) & (align - 1)
	keep := b
	return unsafe.Pointer(&b[off]), func() { keep = nil; _ = keep }, true
}
