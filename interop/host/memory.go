// SPDX-License-Identifier: Apache-2.0

package host

import (
	"sort"
	"sync"
	"unsafe"

	"particles/interop/driver"
)

// span is a range of memory that the driver knows.
type span struct {
	base driver.DevicePtr
	size int
	kind spanKind
	free func()
}

type spanKind uint8

const (
	deviceSpan spanKind = iota
	hostSpan
	mappedSpan // an OpenGL buffer
	arraySpan  // texels, which no address reaches
)

// spans is the address space of a context, sorted by address.
type spans struct {
	mu   sync.RWMutex
	list []span
	used int // bytes allocated
}

// find gives the index of the first span that begins after p.
func (m *spans) find(p driver.DevicePtr) int {
	return sort.Search(len(m.list), func(i int) bool { return m.list[i].base > p })
}

func (m *spans) add(s span) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.find(s.base)
	m.list = append(m.list, span{})
	copy(m.list[i+1:], m.list[i:])
	m.list[i] = s
	if s.kind != mappedSpan {
		m.used += s.size
	}
}

// remove takes out the span that begins at p.
func (m *spans) remove(p driver.DevicePtr, k spanKind) (span, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.find(p) - 1
	if i < 0 || m.list[i].base != p || m.list[i].kind != k {
		return span{}, false
	}
	s := m.list[i]
	m.list = append(m.list[:i], m.list[i+1:]...)
	if k != mappedSpan {
		m.used -= s.size
	}
	return s, true
}

// holds reports whether [p, p+n) lies within one span.
func (m *spans) holds(p driver.DevicePtr, n int) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	i := m.find(p) - 1
	return i >= 0 && n >= 0 && m.list[i].kind != arraySpan && uint64(p-m.list[i].base)+uint64(n) <= uint64(m.list[i].size)
}

// clear frees all that is left.
func (m *spans) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.list {
		if s.free != nil {
			s.free()
		}
	}
	m.list, m.used = nil, 0
}

// pointer is the one place where an address becomes a pointer. The memory is
// never Go's, so the garbage collector has no part in it.
func pointer(p driver.DevicePtr) unsafe.Pointer {
	u := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&u))
}

func address(p unsafe.Pointer) driver.DevicePtr { return driver.DevicePtr(uintptr(p)) }
