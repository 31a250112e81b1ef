// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"fmt"
	"strings"
	"unsafe"

	"particles/interop/driver"
)

// State counts what a Driver holds: what was made and not given back.
type State struct {
	Contexts    int // retained
	Buffers     int
	BufferBytes int
	HostBuffers int
	Streams     int
	Events      int
	Modules     int
	Registered  int // OpenGL buffers and textures
	Mapped      int // of those
	Arrays      int // made by cuArray3DCreate
	Surfaces    int
}

// String lists what is not zero: "2 streams, 1 registered".
func (s State) String() string {
	var words []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{s.Contexts, "contexts"},
		{s.Buffers, "buffers"},
		{s.BufferBytes, "bytes in buffers"},
		{s.HostBuffers, "host buffers"},
		{s.Streams, "streams"},
		{s.Events, "events"},
		{s.Modules, "modules"},
		{s.Registered, "registered"},
		{s.Mapped, "mapped"},
		{s.Arrays, "arrays"},
		{s.Surfaces, "surfaces"},
	} {
		if x.n != 0 {
			words = append(words, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// rules is what a Driver knows of what was made. Guarded by Driver.mu.
type rules struct {
	contexts  map[driver.Device]int
	live      map[driver.Ctx]driver.Device
	buffers   map[driver.DevicePtr]int
	hosts     map[unsafe.Pointer]int
	streams   map[driver.Stream]*stream
	events    map[driver.Event]mark
	modules   map[driver.Module]bool
	functions map[driver.Function]driver.Module
	resources map[driver.Resource]*resource
	arrays    map[driver.Array]bool // true: made by cuArray3DCreate
	surfaces  map[driver.Surface]int
	surfaceOf map[driver.Surface]driver.Array // the last array that the surface was made of
}

// stream counts its work and knows how much of other streams' work it comes after.
type stream struct {
	work  int
	after map[driver.Stream]int
	done  int // work that the host has waited for
}

// mark is what an event stands for.
type mark struct {
	on    driver.Stream // 0: not recorded
	after map[driver.Stream]int
}

type resource struct {
	gl     driver.GL
	home   uintptr // the OpenGL context
	image  bool
	mapped bool
	on     driver.Stream         // that it was mapped on
	at     int                   // that stream's work, the map included
	used   map[driver.Stream]int // the last work of each stream that is known to touch the mapping
	ptr    driver.DevicePtr
	size   int
	arrays []driver.Array
}

func (r *rules) init() {
	*r = rules{
		contexts: map[driver.Device]int{}, live: map[driver.Ctx]driver.Device{}, buffers: map[driver.DevicePtr]int{},
		hosts: map[unsafe.Pointer]int{}, streams: map[driver.Stream]*stream{}, events: map[driver.Event]mark{},
		modules: map[driver.Module]bool{}, functions: map[driver.Function]driver.Module{},
		resources: map[driver.Resource]*resource{}, arrays: map[driver.Array]bool{}, surfaces: map[driver.Surface]int{},
		surfaceOf: map[driver.Surface]driver.Array{},
	}
}

func (r *rules) state() State {
	s := State{
		Buffers: len(r.buffers), HostBuffers: len(r.hosts), Streams: len(r.streams), Events: len(r.events),
		Modules: len(r.modules), Registered: len(r.resources),
	}
	for _, n := range r.contexts {
		s.Contexts += n
	}
	for _, n := range r.buffers {
		s.BufferBytes += n
	}
	for _, x := range r.resources {
		if x.mapped {
			s.Mapped++
		}
	}
	for _, owned := range r.arrays {
		if owned {
			s.Arrays++
		}
	}
	for _, n := range r.surfaces {
		s.Surfaces += n
	}
	return s
}

func (r *rules) ctx(c driver.Ctx) problem {
	if _, ok := r.live[c]; !ok {
		return wrong(driver.InvalidContext, "context %#x is not retained", uintptr(c))
	}
	return problem{}
}

func (r *rules) stream(s driver.Stream) problem {
	if r.streams[s] == nil {
		return wrong(driver.InvalidHandle, "stream %#x is not there (0 would be the default stream)", uintptr(s))
	}
	return problem{}
}

func (r *rules) event(e driver.Event) problem {
	if _, ok := r.events[e]; !ok {
		return wrong(driver.InvalidHandle, "event %#x is not there", uintptr(e))
	}
	return problem{}
}

// device refuses a range that is not within one buffer or one mapping.
func (r *rules) device(p driver.DevicePtr, n int) problem {
	in := func(base driver.DevicePtr, size int) bool {
		return p >= base && n >= 0 && uint64(p-base)+uint64(n) <= uint64(size)
	}
	for base, size := range r.buffers {
		if in(base, size) {
			return problem{}
		}
	}
	for _, x := range r.resources {
		if x.mapped && x.ptr != 0 && in(x.ptr, x.size) {
			return problem{}
		}
	}
	return wrong(driver.InvalidValue, "%d bytes at %#x are not in a buffer or a mapping", n, uint64(p))
}

// pinned refuses host memory that cuMemHostAlloc did not give.
func (r *rules) pinned(p unsafe.Pointer, n int) problem {
	for base, size := range r.hosts {
		if uintptr(p) >= uintptr(base) && uintptr(p)-uintptr(base)+uintptr(n) <= uintptr(size) {
			return problem{}
		}
	}
	return wrong(driver.InvalidValue, "%d bytes at %p are not pinned memory", n, p)
}

func (r *rules) array(a driver.Array) problem {
	if _, ok := r.arrays[a]; !ok {
		return wrong(driver.InvalidHandle, "array %#x is not there, or its texture is not mapped", uintptr(a))
	}
	return problem{}
}

// queued notes work on a stream.
func (r *rules) queued(s driver.Stream) {
	if x := r.streams[s]; x != nil {
		x.work++
	}
}

// waited notes that the host has waited for a mark.
func (r *rules) waited(m mark) {
	for on, n := range m.after {
		if s := r.streams[on]; s != nil {
			s.done = max(s.done, n)
		}
	}
}

// current refuses a call that is not made with the resource's own OpenGL context.
func (x *resource) current() problem {
	switch x.gl.CurrentContext() {
	case x.home:
		return problem{}
	case 0:
		return wrong(driver.InvalidGraphicsContext, "no OpenGL context is current on this thread")
	}
	return wrong(driver.InvalidGraphicsContext, "another OpenGL context is current than the one registered in")
}

// batch refuses a map or unmap that CUDA would refuse.
func (r *rules) batch(rs []driver.Resource, mapped bool, s driver.Stream) problem {
	if len(rs) == 0 {
		return wrong(driver.InvalidValue, "no resources")
	}
	for i, h := range rs {
		x := r.resources[h]
		if x == nil {
			return wrong(driver.InvalidHandle, "resource %#x is not registered", uintptr(h))
		}
		if p := x.current(); p.code != driver.Success {
			return p
		}
		for _, other := range rs[:i] {
			if other == h {
				return wrong(driver.AlreadyMapped, "resource %#x is given twice", uintptr(h))
			}
		}
		if x.mapped && !mapped {
			return wrong(driver.AlreadyMapped, "resource %#x is mapped", uintptr(h))
		}
		if !x.mapped && mapped {
			return wrong(driver.NotMapped, "resource %#x is not mapped", uintptr(h))
		}
		if !mapped {
			continue
		}
		if !r.follows(s, x.on, x.at) {
			return wrong(driver.InvalidValue, "resource %#x was mapped on stream %#x, and stream %#x does not wait for it", uintptr(h), uintptr(x.on), uintptr(s))
		}
		for other, n := range x.used {
			if !r.follows(s, other, n) {
				return wrong(driver.InvalidValue, "work on stream %#x uses resource %#x, and stream %#x does not wait for it", uintptr(other), uintptr(h), uintptr(s))
			}
		}
	}
	return problem{}
}

// follows tells whether work queued on s now comes after the nth of on.
func (r *rules) follows(s, on driver.Stream, n int) bool {
	if s == on || r.streams[on] == nil || r.streams[s] == nil {
		return true
	}
	return max(r.streams[s].after[on], r.streams[on].done) >= n
}

// touched gives the mapped resources that a piece of work is known to use: those
// that an address, a surface or an array of it belongs to.
func (r *rules) touched(words ...uint64) []*resource {
	var out []*resource
	for _, x := range r.resources {
		if !x.mapped {
			continue
		}
		for _, w := range words {
			if x.holds(w, r.surfaceOf) {
				out = append(out, x)
				break
			}
		}
	}
	return out
}

func (x *resource) holds(word uint64, surfaceOf map[driver.Surface]driver.Array) bool {
	if x.ptr != 0 && word >= uint64(x.ptr) && word-uint64(x.ptr) < uint64(x.size) {
		return true
	}
	for _, a := range x.arrays {
		if word == uint64(a) || (word != 0 && surfaceOf[driver.Surface(word)] == a) {
			return true
		}
	}
	return false
}

// ordered refuses work on a stream that does not come after the map.
func (r *rules) ordered(s driver.Stream, words ...uint64) problem {
	for _, x := range r.touched(words...) {
		if !r.follows(s, x.on, x.at) {
			return wrong(driver.InvalidValue, "it uses a mapping of stream %#x, and stream %#x does not wait for that", uintptr(x.on), uintptr(s))
		}
	}
	return problem{}
}

// left says what a released context takes with it.
func (r *rules) left() string {
	s := r.state()
	s.Contexts = 0
	return s.String()
}
