// SPDX-License-Identifier: Apache-2.0

package host

import (
	"time"
	"unsafe"

	"particles/interop/driver"
)

// EventRecord marks the stream's present end.
func (d *Driver) EventRecord(ctx driver.Ctx, h driver.Event, on driver.Stream) driver.Code {
	c, s, code := d.stream(ctx, on)
	if code != driver.Success {
		return code
	}
	e, ok := c.events.get(uintptr(h))
	if !ok {
		return driver.InvalidHandle
	}
	k := s.begin()
	if s.completed.Load() == s.issued { // idle: the mark is now
		e.mu.Lock()
		e.on, e.at, e.when = s, s.issued, time.Since(c.start)
		e.mu.Unlock()
		s.mu.Unlock()
		return driver.Success
	}
	k.op, k.event = opRecord, e
	e.set(s, s.issued+1)
	s.end()
	return driver.Success
}

// EventQuery answers NotReady before the stream has passed the mark.
func (d *Driver) EventQuery(ctx driver.Ctx, h driver.Event) driver.Code {
	c, e, code := d.event(ctx, h)
	if code != driver.Success {
		return code
	}
	if on, at, _ := e.mark(); on != nil && !on.passed(at) {
		return driver.NotReady
	}
	return c.sticky()
}

// EventSynchronize waits until the stream has passed the mark.
func (d *Driver) EventSynchronize(ctx driver.Ctx, h driver.Event) driver.Code {
	c, e, code := d.event(ctx, h)
	if code != driver.Success {
		return code
	}
	if on, at, _ := e.mark(); on != nil {
		on.wait(at)
	}
	return c.sticky()
}

// EventElapsedTime gives milliseconds between two marks that were passed.
func (d *Driver) EventElapsedTime(ctx driver.Ctx, from, to driver.Event) (float32, driver.Code) {
	_, a, code := d.event(ctx, from)
	if code != driver.Success {
		return 0, code
	}
	_, b, code := d.event(ctx, to)
	if code != driver.Success {
		return 0, code
	}
	onA, atA, whenA := a.mark()
	onB, atB, whenB := b.mark()
	switch {
	case onA == nil || onB == nil || !a.timing || !b.timing:
		return 0, driver.InvalidHandle
	case !onA.passed(atA) || !onB.passed(atB):
		return 0, driver.NotReady
	}
	return float32(float64(whenB-whenA) / float64(time.Millisecond)), driver.Success
}

func (d *Driver) event(ctx driver.Ctx, h driver.Event) (*context, *event, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return nil, nil, code
	}
	e, ok := c.events.get(uintptr(h))
	if !ok {
		return nil, nil, driver.InvalidHandle
	}
	return c, e, driver.Success
}

// ModuleLoadDataEx takes the image's Go functions.
func (d *Driver) ModuleLoadDataEx(ctx driver.Ctx, img driver.Image) (driver.Module, string, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, "", code
	}
	if len(img.Host) == 0 {
		return 0, "the image has no host kernels", driver.InvalidImage
	}
	m := &module{img: img, functions: map[string]driver.Function{}}
	return driver.Module(c.modules.add(m)), "", driver.Success
}

// ModuleUnload forgets the module's functions; launches that are queued still run.
func (d *Driver) ModuleUnload(ctx driver.Ctx, h driver.Module) driver.Code {
	c, code := d.use(ctx)
	if c == nil {
		return code
	}
	m, ok := c.modules.remove(uintptr(h))
	if !ok {
		return driver.InvalidHandle
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.functions {
		c.functions.remove(uintptr(f))
	}
	return c.sticky()
}

// ModuleGetFunction finds a kernel by name.
func (d *Driver) ModuleGetFunction(ctx driver.Ctx, h driver.Module, name string) (driver.Function, driver.Code) {
	c, code := d.use(ctx)
	if code != driver.Success {
		return 0, code
	}
	m, ok := c.modules.get(uintptr(h))
	if !ok {
		return 0, driver.InvalidHandle
	}
	run := m.img.Host[name]
	if run == nil {
		return 0, driver.NotFound
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.functions[name]
	if !ok {
		f = driver.Function(c.functions.add(&function{name: name, run: run}))
		m.functions[name] = f
	}
	return f, driver.Success
}

// LaunchKernel copies the parameters into the stream's next slot and returns.
func (d *Driver) LaunchKernel(ctx driver.Ctx, h driver.Function, l driver.Shape, on driver.Stream, params unsafe.Pointer, size int) driver.Code {
	c, s, code := d.stream(ctx, on)
	if code != driver.Success {
		return code
	}
	f, ok := c.functions.get(uintptr(h))
	if !ok {
		return driver.InvalidHandle
	}
	if l.N <= 0 || l.Block <= 0 || l.Block > maxBlock || l.SharedBytes < 0 || l.SharedBytes > maxShared || size < 0 || size > paramSize || (size > 0 && params == nil) {
		return driver.InvalidValue
	}
	k := s.begin()
	k.op, k.f, k.shape = opLaunch, f, l
	copy(unsafe.Slice((*byte)(k.params), size), unsafe.Slice((*byte)(params), size))
	s.end()
	return driver.Success
}
