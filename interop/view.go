// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// MaxDims is the greatest number of axes of a View.
const MaxDims = 4

// View is a Buffer's memory as an array of T with a shape, as kernels see it. It
// is a small value that owns nothing: it dies with the buffer, or with the mapping
// that the buffer is of, and then answers address 0 and ErrClosed.
type View[T any] struct {
	b      Buffer
	off    int // of the first element, in elements
	dims   int
	shape  [MaxDims]int
	stride [MaxDims]int // in elements
}

// NewView makes a view of b's first elements, row-major: the last axis is
// contiguous. Without a shape it is one axis of as many T as fit. T must hold no
// Go pointers, the shape must fit into the buffer, and the buffer's address must be
// aligned for T.
func NewView[T any](b Buffer, shape ...int) (View[T], error) {
	const op = "NewView"
	if err := b.check(op); err != nil {
		return View[T]{}, err
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	if size == 0 || !plain(reflect.TypeFor[T]()) {
		return View[T]{}, argErr(op, "elements of type %s; a type with a size and without Go pointers", reflect.TypeFor[T]())
	}
	v := View[T]{b: b, dims: len(shape)}
	if v.dims == 0 {
		v.dims, v.shape[0] = 1, b.size/size
	}
	if v.dims > MaxDims {
		return View[T]{}, argErr(op, "%d axes; at most %d", v.dims, MaxDims)
	}
	copy(v.shape[:], shape)
	n := 1
	for i := v.dims - 1; i >= 0; i-- {
		v.stride[i] = n
		if v.shape[i] <= 0 || v.shape[i] > b.size/size/n {
			return View[T]{}, argErr(op, "shape %v of %d-byte elements in a buffer of %d bytes", v.Shape(), size, b.size)
		}
		n *= v.shape[i]
	}
	if p := b.DevicePtr(); uint64(p)%uint64(unsafe.Alignof(zero)) != 0 {
		return View[T]{}, argErr(op, "address %#x is not aligned for %s, which wants %d bytes", uint64(p), reflect.TypeFor[T](), unsafe.Alignof(zero))
	}
	return v, nil
}

// Buffer is the memory that the view is of.
func (v View[T]) Buffer() Buffer { return v.b }

// DevicePtr is the address of the first element; 0 once the memory was given back.
func (v View[T]) DevicePtr() DevicePtr {
	p := v.b.DevicePtr()
	if p == 0 {
		return 0
	}
	var zero T
	return p + DevicePtr(v.off)*DevicePtr(unsafe.Sizeof(zero))
}

// Dims is the number of axes.
func (v View[T]) Dims() int { return v.dims }

// Len is the number of elements; 0 once the memory was given back.
func (v View[T]) Len() int {
	if v.b.Size() == 0 {
		return 0
	}
	n := 1
	for _, x := range v.shape[:v.dims] {
		n *= x
	}
	return n
}

// Dim is the length of one axis; Stride is how many elements lie between two
// neighbours on it. Both are 0 for an axis that the view lacks.
func (v View[T]) Dim(axis int) int {
	if axis < 0 || axis >= v.dims {
		return 0
	}
	return v.shape[axis]
}

// Stride is the distance of two neighbours on an axis, in elements.
func (v View[T]) Stride(axis int) int {
	if axis < 0 || axis >= v.dims {
		return 0
	}
	return v.stride[axis]
}

// Shape is the length of each axis, in a slice of the caller's own.
func (v View[T]) Shape() []int { return append([]int(nil), v.shape[:v.dims]...) }

// Strides is the stride of each axis in elements, in a slice of the caller's own.
func (v View[T]) Strides() []int { return append([]int(nil), v.stride[:v.dims]...) }

// Contiguous reports whether the elements lie one after the other in row-major order.
func (v View[T]) Contiguous() bool {
	n := 1
	for i := v.dims - 1; i >= 0; i-- {
		if v.shape[i] != 1 && v.stride[i] != n {
			return false
		}
		n *= v.shape[i]
	}
	return true
}

// Range is the part [from, from+n) of one axis.
func (v View[T]) Range(axis, from, n int) (View[T], error) {
	const op = "View.Range"
	if err := v.b.check(op); err != nil {
		return View[T]{}, err
	}
	if axis < 0 || axis >= v.dims || from < 0 || n <= 0 || from > v.shape[axis]-n {
		return View[T]{}, argErr(op, "%d to %d of axis %d of shape %v", from, from+n, axis, v.Shape())
	}
	v.off += from * v.stride[axis]
	v.shape[axis] = n
	return v, nil
}

// Transpose swaps two axes; nothing is copied.
func (v View[T]) Transpose(a, b int) (View[T], error) {
	const op = "View.Transpose"
	if err := v.b.check(op); err != nil {
		return View[T]{}, err
	}
	if a < 0 || a >= v.dims || b < 0 || b >= v.dims {
		return View[T]{}, argErr(op, "axes %d and %d of shape %v", a, b, v.Shape())
	}
	v.shape[a], v.shape[b] = v.shape[b], v.shape[a]
	v.stride[a], v.stride[b] = v.stride[b], v.stride[a]
	return v, nil
}

// Host is the view's memory as a slice, where device memory is this process's own
// (the host driver; the error matches ErrNotHostMemory elsewhere). It waits for the
// work queued on s so far, so that what kernels wrote can be read; kernels queued
// later see what is written to the slice. The view must be contiguous.
//
// The slice does not know that the mapping ends: do not touch it after the buffer
// was given back, nor while a kernel uses the memory.
func (v View[T]) Host(s *Stream) ([]T, error) {
	const op = "View.Host"
	if err := v.b.ready(op, s); err != nil {
		return nil, err
	}
	if !v.b.m.ctx.drv.Properties().HostMemory {
		return nil, stateErr(op, "", ErrNotHostMemory)
	}
	if !v.Contiguous() {
		return nil, argErr(op, "shape %v with strides %v is not contiguous", v.Shape(), v.Strides())
	}
	if err := s.wait(); err != nil {
		return nil, err
	}
	u := uintptr(v.DevicePtr())
	return unsafe.Slice(*(**T)(unsafe.Pointer(&u)), v.Len()), nil
}

// String tells type, shape and address, or the state.
func (v View[T]) String() string {
	t := reflect.TypeFor[T]()
	if v.b.Size() == 0 {
		return fmt.Sprintf("View[%s](closed)", t)
	}
	return fmt.Sprintf("View[%s](shape %v, strides %v, at %#x)", t, v.Shape(), v.Strides(), uint64(v.DevicePtr()))
}

var plainTypes sync.Map // reflect.Type to bool

// plain reports whether t holds no Go pointers, so that a device may fill it.
func plain(t reflect.Type) bool {
	if known, ok := plainTypes.Load(t); ok {
		return known.(bool)
	}
	ok := isPlain(t)
	plainTypes.Store(t, ok)
	return ok
}

func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return isPlain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isPlain(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}
