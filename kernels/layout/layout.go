// SPDX-License-Identifier: Apache-2.0

// Package layout tells where the C++ compiler puts the fields of the kernels' parameter structs. It exists for the test that
// compares them with their Go twins, since test files cannot use cgo themselves.
package layout

// #cgo CXXFLAGS: -O1 -std=gnu++17
// struct pk_field { const char *type, *go; unsigned offset, size; };
// const struct pk_field *pk_layout(unsigned *length);
import "C"

import (
	"unsafe"

	_ "particles/kernels/src" // so that an edit of a header builds this package again
)

// Field is a field of a C++ struct, or, with an empty Go name, the struct itself.
type Field struct {
	Struct       string
	Go           string // the twin's field: "Half[1]"
	Offset, Size uintptr
}

// Fields lists all structs, each before its fields.
func Fields() []Field {
	var n C.uint
	first := C.pk_layout(&n)
	table := unsafe.Slice(first, int(n))
	list := make([]Field, len(table))
	for i := range table {
		f := &table[i]
		list[i] = Field{C.GoString(f._type), C.GoString(f._go), uintptr(f.offset), uintptr(f.size)}
	}
	return list
}
