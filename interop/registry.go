// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Stats counts what is live in a Context.
type Stats struct {
	Buffers       int
	BufferBytes   int64 // device memory, the copied tier's buffers included
	HostBuffers   int
	HostBytes     int64 // pinned memory, the copied tier's staging included
	Streams       int
	Events        int
	Modules       int
	Registrations int // OpenGL buffers and textures
	Mappings      int // of those, mapped now
}

// Zero reports that nothing is live.
func (s Stats) Zero() bool { return s == Stats{} }

type kind int

const (
	kindBuffer kind = iota
	kindHostBuffer
	kindStream
	kindEvent
	kindModule
	kindRegistration
	kindCount
)

// object is something that a Context must see closed.
type object interface {
	describe() string // "buffer of 4.0 MiB"
	Close() error
	// drop frees what can be freed without asking anybody, when the context goes.
	drop() error
}

// node is an object's place in its Context's list, oldest first.
type node struct {
	kind       kind
	obj        object
	prev, next *node
}

// registry is the list of a Context's live objects, and their counts.
type registry struct {
	mu          sync.Mutex
	root        node // ring: root.next oldest, root.prev newest
	counts      [kindCount]int
	bufferBytes atomic.Int64
	hostBytes   atomic.Int64
	mappings    atomic.Int64
}

func (r *registry) init() { r.root.prev, r.root.next = &r.root, &r.root }

func (r *registry) add(n *node, k kind, o object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n.kind, n.obj = k, o
	n.prev, n.next = r.root.prev, &r.root
	n.prev.next, n.next.prev = n, n
	r.counts[k]++
}

func (r *registry) remove(n *node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n.next == nil {
		return
	}
	n.prev.next, n.next.prev = n.next, n.prev
	n.prev, n.next = nil, nil
	r.counts[n.kind]--
}

// live lists the objects, newest first: the order of closing.
func (r *registry) live() []object {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []object
	for n := r.root.prev; n != &r.root; n = n.prev {
		out = append(out, n.obj)
	}
	return out
}

func (r *registry) stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Stats{
		Buffers:       r.counts[kindBuffer],
		BufferBytes:   r.bufferBytes.Load(),
		HostBuffers:   r.counts[kindHostBuffer],
		HostBytes:     r.hostBytes.Load(),
		Streams:       r.counts[kindStream],
		Events:        r.counts[kindEvent],
		Modules:       r.counts[kindModule],
		Registrations: r.counts[kindRegistration],
		Mappings:      int(r.mappings.Load()),
	}
}

// LeakError is what Context.Close answers when things were still open. They
// have been freed; the error says which code forgot to.
type LeakError struct {
	Leaks  []string // newest first
	Errors []error  // what went wrong while freeing them
}

// Error names the leaks, the first ten of them.
func (e *LeakError) Error() string {
	const most = 10
	names := e.Leaks
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	s := fmt.Sprintf("interop: Context.Close: %d still open, closed now: %s%s", len(e.Leaks), strings.Join(names, ", "), more)
	if err := errors.Join(e.Errors...); err != nil {
		s += ": " + err.Error()
	}
	return s
}

// Unwrap gives the errors of freeing.
func (e *LeakError) Unwrap() []error { return e.Errors }
