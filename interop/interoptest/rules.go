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
	on     driver.Stream // that it was mapped on
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
		if mapped && x.on != s && r.streams[x.on] != nil && r.streams[s] != nil && max(r.streams[s].after[x.on], r.streams[x.on].done) < r.streams[x.on].work {
			return wrong(driver.InvalidValue, "resource %#x was mapped on stream %#x, and stream %#x does not wait for its work", uintptr(h), uintptr(x.on), uintptr(s))
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
