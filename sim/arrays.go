// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"particles/interop"
)

// Array is one array of a particle's state: Count elements.
type Array struct {
	Name   string
	Size   int // bytes of an element
	Buffer int // arrays of the same number lie one after another in one buffer; the numbers start at 0
}

// floats declares arrays of float32 in the first buffer.
func floats(names ...string) []Array {
	list := make([]Array, len(names))
	for i, name := range names {
		list[i] = Array{Name: name, Size: 4}
	}
	return list
}

// Bytes is what a particle takes of the device's memory.
func (i *ModelInfo) Bytes() int {
	sum := 0
	for _, a := range i.Arrays {
		sum += a.Size
	}
	return sum
}

// room rounds a count up to what an array has room for, so that every array of whole 4 bytes begins at 256 bytes.
func room(count int) int { return (count + 63) &^ 63 }

// arrays is the device memory of a count of particles.
type arrays struct {
	info    *ModelInfo
	room    int // elements of each array; 0: none
	buffers []interop.Buffer
	views   []interop.Buffer // by array
}

// alloc allocates the arrays for a count. When they do not fit, the error tells what would.
func (m *Model) alloc(count int) (arrays, error) {
	a := arrays{info: m.info, room: room(count)}
	each := uint64(m.info.Bytes() + max(m.reserve, 0))
	if free, _, err := m.ctx.MemInfo(); err == nil && uint64(a.room)*each > free {
		return arrays{}, fmt.Errorf("%d particles need %.1f MB, %s has %.1f MB free, enough for %d particles: %w",
			count, float64(uint64(a.room)*each)*1e-6, m.ctx.Device().Name, float64(free)*1e-6, free/each, interop.ErrOutOfMemory)
	}
	var sizes []int
	for _, array := range m.info.Arrays {
		for len(sizes) <= array.Buffer {
			sizes = append(sizes, 0)
		}
		sizes[array.Buffer] += array.Size * a.room
	}
	for _, size := range sizes {
		b, err := m.ctx.Alloc(size)
		if err != nil {
			return arrays{}, joinClose(fmt.Errorf("%d particles: %w", count, err), &a)
		}
		a.buffers = append(a.buffers, b)
	}
	clear(sizes)
	for _, array := range m.info.Arrays {
		view, err := a.buffers[array.Buffer].Slice(sizes[array.Buffer], array.Size*a.room)
		if err != nil {
			return arrays{}, joinClose(err, &a)
		}
		a.views = append(a.views, view)
		sizes[array.Buffer] += array.Size * a.room
	}
	return a, nil
}

// at is the address of an array's element.
func (a *arrays) at(array, element int) interop.DevicePtr {
	return a.views[array].DevicePtr() + interop.DevicePtr(element*a.info.Arrays[array].Size)
}

// stride is the number of elements between arrays of one buffer that have elements of the same size.
func (a *arrays) stride() uint64 { return uint64(a.room) }

// copyTo queues copies of the first n elements of each array.
func (a *arrays) copyTo(s *interop.Stream, to *arrays, n int) error {
	return a.each(n, func(array, _, size int) error {
		dst, err := to.views[array].Slice(0, size)
		if err != nil {
			return err
		}
		src, err := a.views[array].Slice(0, size)
		if err != nil {
			return err
		}
		return dst.CopyFrom(s, src)
	})
}

// each calls f with each array's number, and the place and size of its first n elements in the bytes of a State.
func (a *arrays) each(n int, f func(array, offset, size int) error) error {
	offset := 0
	for i := range a.views {
		size := n * a.info.Arrays[i].Size
		if size == 0 {
			continue
		}
		if err := f(i, offset, size); err != nil {
			return err
		}
		offset += size
	}
	return nil
}

// Close gives the memory back. Again: no-op.
func (a *arrays) Close() error {
	var errs []error
	for i := len(a.buffers) - 1; i >= 0; i-- {
		errs = append(errs, a.buffers[i].Close())
	}
	*a = arrays{info: a.info}
	return errors.Join(errs...)
}
