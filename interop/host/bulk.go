// SPDX-License-Identifier: Apache-2.0

package host

import (
	"unsafe"

	"particles/interop/driver"
)

// Copies and fills are launches too, over units of bulkUnit bytes, so that large
// ones use all cores' share of the memory's speed.
const bulkUnit = 4096

type bulk struct {
	dst, src unsafe.Pointer
	n        int // bytes
	value    uint32
	width    int
}

var (
	copyKernel = &function{name: "copy", run: func(p unsafe.Pointer, w driver.Work) {
		b := (*bulk)(p)
		off, n := w.Begin*bulkUnit, min(w.End*bulkUnit, b.n)-w.Begin*bulkUnit
		copy(bytesAt(b.dst, off, n), bytesAt(b.src, off, n))
	}}
	fillKernel = &function{name: "fill", run: func(p unsafe.Pointer, w driver.Work) {
		b := (*bulk)(p)
		off, n := w.Begin*bulkUnit, min(w.End*bulkUnit, b.n)-w.Begin*bulkUnit
		fillBytes(bytesAt(b.dst, off, n), b.value, b.width)
	}}
)

func bytesAt(p unsafe.Pointer, off, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p, off)), n)
}

// fillBytes writes one value, then doubles what is written. b's length is a
// multiple of width.
func fillBytes(b []byte, value uint32, width int) {
	if len(b) == 0 {
		return
	}
	for i := range width {
		b[i] = byte(value >> (8 * i))
	}
	for done := width; done < len(b); done *= 2 {
		copy(b[done:], b[:done])
	}
}

func (s *stream) copy(dst, src unsafe.Pointer, n int) {
	s.bulk = bulk{dst: dst, src: src, n: n}
	if overlap(dst, src, n) { // pieces would step on one another
		copy(bytesAt(dst, 0, n), bytesAt(src, 0, n))
		return
	}
	s.launch(copyKernel, driver.Shape{N: (n + bulkUnit - 1) / bulkUnit, Block: 1}, unsafe.Pointer(&s.bulk))
}

func (s *stream) fill(dst unsafe.Pointer, value uint32, width, count int) {
	s.bulk = bulk{dst: dst, n: count * width, value: value, width: width}
	s.launch(fillKernel, driver.Shape{N: (count*width + bulkUnit - 1) / bulkUnit, Block: 1}, unsafe.Pointer(&s.bulk))
}

func overlap(a, b unsafe.Pointer, n int) bool {
	d := int64(uintptr(a)) - int64(uintptr(b))
	return d < int64(n) && -d < int64(n)
}
