// SPDX-License-Identifier: Apache-2.0

package host

import "sync"

// table gives objects handles that are never reused while the context lives, so
// that a stale handle is known as such.
type table[T any] struct {
	mu    sync.RWMutex
	slots []entry[T]
	free  []uint32
}

type entry[T any] struct {
	gen  uint32
	live bool
	v    T
}

// A handle holds the slot's generation above its number plus one.
const slotBits = 24

func (t *table[T]) add(v T) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	var i uint32
	if n := len(t.free); n > 0 {
		i, t.free = t.free[n-1], t.free[:n-1]
	} else {
		i = uint32(len(t.slots))
		t.slots = append(t.slots, entry[T]{})
	}
	e := &t.slots[i]
	e.gen++
	e.live, e.v = true, v
	return uintptr(e.gen)<<slotBits | uintptr(i+1)
}

func (t *table[T]) get(h uintptr) (v T, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	e := t.at(h)
	if e == nil {
		return v, false
	}
	return e.v, true
}

func (t *table[T]) remove(h uintptr) (v T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.at(h)
	if e == nil {
		return v, false
	}
	var zero T
	v, e.v, e.live = e.v, zero, false
	t.free = append(t.free, uint32(h&(1<<slotBits-1))-1)
	return v, true
}

func (t *table[T]) at(h uintptr) *entry[T] {
	i := h & (1<<slotBits - 1)
	if i == 0 || i > uintptr(len(t.slots)) {
		return nil
	}
	e := &t.slots[i-1]
	if !e.live || uintptr(e.gen) != h>>slotBits {
		return nil
	}
	return e
}
