// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"fmt"
	"maps"
	"unsafe"

	"particles/interop/driver"
)

// StreamCreateWithPriority implements driver.Driver.
func (d *Driver) StreamCreateWithPriority(ctx driver.Ctx, priority int) (s driver.Stream, c driver.Code) {
	c = d.do("cuStreamCreateWithPriority", fmt.Sprint(priority), func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { s, c = d.inner.StreamCreateWithPriority(ctx, priority); return c },
		func() { d.streams[s] = &stream{after: map[driver.Stream]int{}} })
	return s, c
}

func (d *Driver) streamCall(name string, ctx driver.Ctx, s driver.Stream, call func() driver.Code, done func()) driver.Code {
	return d.do(name, fmt.Sprintf("stream %#x", uintptr(s)), func() problem { return first(d.ctx(ctx), d.stream(s)) }, call, done)
}

// StreamDestroy implements driver.Driver. A stream that a mapping is on must live
// until the mapping ends.
func (d *Driver) StreamDestroy(ctx driver.Ctx, s driver.Stream) driver.Code {
	return d.streamCall("cuStreamDestroy", ctx, s, func() driver.Code { return d.inner.StreamDestroy(ctx, s) }, func() { delete(d.streams, s) })
}

// StreamQuery implements driver.Driver.
func (d *Driver) StreamQuery(ctx driver.Ctx, s driver.Stream) driver.Code {
	return d.streamCall("cuStreamQuery", ctx, s, func() driver.Code { return d.inner.StreamQuery(ctx, s) }, nil)
}

// StreamSynchronize implements driver.Driver.
func (d *Driver) StreamSynchronize(ctx driver.Ctx, s driver.Stream) driver.Code {
	return d.streamCall("cuStreamSynchronize", ctx, s, func() driver.Code { return d.inner.StreamSynchronize(ctx, s) }, func() {
		d.streams[s].done = d.streams[s].work
		d.waited(mark{after: d.streams[s].after})
	})
}

// StreamWaitEvent implements driver.Driver.
func (d *Driver) StreamWaitEvent(ctx driver.Ctx, s driver.Stream, e driver.Event) driver.Code {
	return d.do("cuStreamWaitEvent", fmt.Sprintf("stream %#x, event %#x", uintptr(s), uintptr(e)),
		func() problem { return first(d.ctx(ctx), d.stream(s), d.event(e)) },
		func() driver.Code { return d.inner.StreamWaitEvent(ctx, s, e) },
		func() {
			mine := d.streams[s].after
			for other, n := range d.events[e].after {
				mine[other] = max(mine[other], n)
			}
		})
}

// EventCreate implements driver.Driver.
func (d *Driver) EventCreate(ctx driver.Ctx, flags uint32) (e driver.Event, c driver.Code) {
	c = d.do("cuEventCreate", fmt.Sprint(flags), func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { e, c = d.inner.EventCreate(ctx, flags); return c }, func() { d.events[e] = mark{} })
	return e, c
}

func (d *Driver) eventCall(name string, ctx driver.Ctx, e driver.Event, call func() driver.Code, done func()) driver.Code {
	return d.do(name, fmt.Sprintf("event %#x", uintptr(e)), func() problem { return first(d.ctx(ctx), d.event(e)) }, call, done)
}

// EventDestroy implements driver.Driver.
func (d *Driver) EventDestroy(ctx driver.Ctx, e driver.Event) driver.Code {
	return d.eventCall("cuEventDestroy", ctx, e, func() driver.Code { return d.inner.EventDestroy(ctx, e) }, func() { delete(d.events, e) })
}

// EventRecord implements driver.Driver.
func (d *Driver) EventRecord(ctx driver.Ctx, e driver.Event, s driver.Stream) driver.Code {
	return d.do("cuEventRecord", fmt.Sprintf("event %#x, stream %#x", uintptr(e), uintptr(s)),
		func() problem { return first(d.ctx(ctx), d.stream(s), d.event(e)) },
		func() driver.Code { return d.inner.EventRecord(ctx, e, s) },
		func() {
			after := maps.Clone(d.streams[s].after)
			after[s] = d.streams[s].work
			d.events[e] = mark{on: s, after: after}
		})
}

// EventQuery implements driver.Driver.
func (d *Driver) EventQuery(ctx driver.Ctx, e driver.Event) driver.Code {
	return d.eventCall("cuEventQuery", ctx, e, func() driver.Code { return d.inner.EventQuery(ctx, e) }, nil)
}

// EventSynchronize implements driver.Driver.
func (d *Driver) EventSynchronize(ctx driver.Ctx, e driver.Event) driver.Code {
	return d.eventCall("cuEventSynchronize", ctx, e, func() driver.Code { return d.inner.EventSynchronize(ctx, e) }, func() { d.waited(d.events[e]) })
}

// EventElapsedTime implements driver.Driver.
func (d *Driver) EventElapsedTime(ctx driver.Ctx, from, to driver.Event) (ms float32, c driver.Code) {
	c = d.do("cuEventElapsedTime", fmt.Sprintf("%#x, %#x", uintptr(from), uintptr(to)), func() problem {
		if d.events[from].on == 0 || d.events[to].on == 0 {
			return first(d.ctx(ctx), d.event(from), d.event(to), wrong(driver.InvalidHandle, "an event was never recorded"))
		}
		return d.ctx(ctx)
	}, func() (c driver.Code) { ms, c = d.inner.EventElapsedTime(ctx, from, to); return c }, nil)
	return ms, c
}

// ModuleLoadDataEx implements driver.Driver.
func (d *Driver) ModuleLoadDataEx(ctx driver.Ctx, img driver.Image) (m driver.Module, log string, c driver.Code) {
	c = d.do("cuModuleLoadDataEx", img.Name, func() problem { return d.ctx(ctx) },
		func() (c driver.Code) { m, log, c = d.inner.ModuleLoadDataEx(ctx, img); return c }, func() { d.modules[m] = true })
	return m, log, c
}

// ModuleUnload implements driver.Driver.
func (d *Driver) ModuleUnload(ctx driver.Ctx, m driver.Module) driver.Code {
	return d.do("cuModuleUnload", fmt.Sprintf("%#x", uintptr(m)), func() problem {
		if !d.modules[m] {
			return wrong(driver.InvalidHandle, "module %#x is not loaded", uintptr(m))
		}
		return d.ctx(ctx)
	}, func() driver.Code { return d.inner.ModuleUnload(ctx, m) }, func() {
		delete(d.modules, m)
		maps.DeleteFunc(d.functions, func(_ driver.Function, of driver.Module) bool { return of == m })
	})
}

// ModuleGetFunction implements driver.Driver.
func (d *Driver) ModuleGetFunction(ctx driver.Ctx, m driver.Module, name string) (f driver.Function, c driver.Code) {
	c = d.do("cuModuleGetFunction", name, func() problem {
		if !d.modules[m] {
			return wrong(driver.InvalidHandle, "module %#x is not loaded", uintptr(m))
		}
		return d.ctx(ctx)
	}, func() (c driver.Code) { f, c = d.inner.ModuleGetFunction(ctx, m, name); return c }, func() { d.functions[f] = m })
	return f, c
}

// LaunchKernel implements driver.Driver. The kernel is taken to use a mapping when
// its parameters hold an address in it or a surface of it.
func (d *Driver) LaunchKernel(ctx driver.Ctx, f driver.Function, l driver.Shape, s driver.Stream, params unsafe.Pointer, size int) driver.Code {
	return d.onStream("cuLaunchKernel", fmt.Sprintf("%#x, %d", uintptr(f), l.N), ctx, s, words(params, size), func() problem {
		if d.functions[f] == 0 {
			return wrong(driver.InvalidHandle, "function %#x is of no loaded module", uintptr(f))
		}
		if l.N <= 0 || l.Block <= 0 || l.Block > 1024 || l.SharedBytes < 0 || params == nil || size <= 0 || size > 4096 {
			return wrong(driver.InvalidValue, "%d indices in blocks of %d with %d bytes of parameters", l.N, l.Block, size)
		}
		return problem{}
	}, func() driver.Code { return d.inner.LaunchKernel(ctx, f, l, s, params, size) })
}

// words are the aligned 64-bit words of a parameter struct.
func words(params unsafe.Pointer, size int) []uint64 {
	if params == nil || size < 8 || size > 4096 || uintptr(params)%8 != 0 {
		return nil
	}
	return append([]uint64(nil), unsafe.Slice((*uint64)(params), size/8)...)
}
