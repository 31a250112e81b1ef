// SPDX-License-Identifier: Apache-2.0

package trace

import "sync/atomic"

// ring is a queue between exactly one producer and one consumer, without locks and of fixed size.
type ring[T any] struct {
	buf  []T
	mask uint64
	_    [64]byte // producer and consumer on cache lines of their own
	tail atomic.Uint64
	_    [56]byte
	head atomic.Uint64
	_    [56]byte
}

// newRing makes a ring of size entries, a power of two.
func newRing[T any](size int) *ring[T] {
	if size <= 0 || size&(size-1) != 0 {
		panic("trace: ring size is not a power of two")
	}
	return &ring[T]{buf: make([]T, size), mask: uint64(size - 1)}
}

// push copies *v in; false when the ring is full. Producer only.
func (r *ring[T]) push(v *T) bool {
	t := r.tail.Load()
	if t-r.head.Load() == uint64(len(r.buf)) {
		return false
	}
	r.buf[t&r.mask] = *v
	r.tail.Store(t + 1)
	return true
}

// pop copies the oldest entry out; false when there is none. Consumer only.
func (r *ring[T]) pop(v *T) bool {
	h := r.head.Load()
	if h == r.tail.Load() {
		return false
	}
	*v = r.buf[h&r.mask]
	r.head.Store(h + 1)
	return true
}
