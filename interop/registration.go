// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"

	"particles/interop/driver"
)

// GraphicsHandle is a CUgraphicsResource. It is never an address.
type GraphicsHandle = driver.Resource

// registration is the state machine that GLBuffer and GLImage share: registered, mapped on a stream, given back on it, closed, and
// what is between when the driver refuses. All but gen and closed belongs to the OpenGL context's thread, which is checked first.
type registration struct {
	memory // of the mapping: generation, address, stream
	in     *GLInterop
	self   resource
	name   uint32 // OpenGL's
	tier   Tier
	res    driver.Resource // shared and host tiers
	poison error           // of an unmap that failed: mapped still, for the driver
	closed atomic.Bool
	marked bool // seen in this batch
	owned  bool // by its mapping (MapBuffer): the end of that unregisters
	alone  [1]*registration
}

// resource is what differs between the two.
type resource interface {
	text() string // "GL buffer 7 of 4.0 MiB"
	// current refuses storage that OpenGL has replaced since, where it may be.
	current(op string) error
	// copied makes what the copied tier needs at once.
	copied() error
	// locate finds the address of what is now mapped on s; in the copied tier it loads OpenGL's contents if they are to be read.
	locate(op string, s *Stream) error
	// leave queues on s what comes before the mapping's end.
	leave(s *Stream) error
	// store hands what the copied tier brought back to OpenGL, after s has passed.
	store() error
	// left forgets the addresses.
	left()
	// settle waits for what may still use the resource.
	settle() error
	// free gives the copied tier's memory back.
	free() error
}

// share registers r in the best way that the interop has: register makes the driver's part. A driver that refuses although it had
// promised is told once, and copied from then on, if SetFallback allows it.
func (in *GLInterop) share(r *registration, call string, register func() (driver.Resource, driver.Code)) error {
	r.in, r.alone[0] = in, r
	r.memory.ctx, r.memory.reg = in.ctx, r
	r.tier = in.tier
	var refused error
	if r.tier != TierCopied {
		res, code := register()
		if code == driver.Success && res == 0 {
			code = driver.OperatingSystem // success without a handle: sharing does not work here
		}
		if code != driver.Success {
			refused = in.ctx.fail(call, code, fmt.Sprintf("%s: %s, kernels run on %s", r.self.text(), glText(in.gl), in.ctx.dev.Name))
			if in.fallback == nil || in.tier != TierShared || !isUnavailable(refused) {
				return refused
			}
			r.tier = TierCopied
		}
		r.res = res
	}
	if r.tier == TierCopied {
		if err := r.self.copied(); err != nil {
			return join(refused, err)
		}
	}
	in.regs = append(in.regs, r)
	in.ctx.add(&r.node, kindRegistration, r)
	if refused != nil {
		in.tier = TierCopied
		in.fallback(refused)
	}
	return nil
}

func (r *registration) mapped() bool { return r.gen.Load()&1 == 1 }

// state is for String.
func (r *registration) state() string {
	switch {
	case r.closed.Load():
		return "closed"
	case r.poison != nil:
		return "poisoned"
	case r.mapped():
		return "mapped"
	}
	return "registered"
}

func (r *registration) describe() string {
	if r.mapped() {
		return r.self.text() + " (mapped)"
	}
	return r.self.text()
}

// handle is 0 after Close and in the copied tier.
func (r *registration) handle() GraphicsHandle {
	if r.closed.Load() {
		return 0
	}
	return r.res
}

// mapping is a registration and the generation of a mapping of it.
type mapping struct {
	r   *registration
	gen uint64
}

// now is the present mapping.
func (r *registration) now() mapping { return mapping{r, r.gen.Load()} }

// begin maps all of rs on s, or none of them. It refuses before any change what
// it can know; a call that fails half-way is undone.
func (in *GLInterop) begin(op string, s *Stream, rs []*registration) error {
	if err := in.mappable(op, s, rs); err != nil {
		return err
	}
	return in.mapAll(op, s, rs)
}

// mappable makes the checks that need no driver call.
func (in *GLInterop) mappable(op string, s *Stream, rs []*registration) error {
	for _, r := range rs {
		if r.closed.Load() {
			return stateErr(op, r.self.text(), ErrClosed)
		}
	}
	if err := in.enter(op); err != nil {
		return err
	}
	for _, r := range rs {
		switch {
		case r.in != in:
			return stateErr(op, r.describe(), ErrWrongContext)
		case r.poison != nil:
			return fmt.Errorf("interop: %s: %s: %w: %w", op, r.describe(), ErrPoisoned, r.poison)
		case r.mapped():
			return stateErr(op, r.describe(), ErrAlreadyMapped)
		}
	}
	if err := in.ctx.stream(op, s); err != nil {
		return err
	}
	var twice *registration
	for _, r := range rs {
		if r.marked {
			twice = r
		}
		r.marked = true
	}
	for _, r := range rs {
		r.marked = false
	}
	if twice != nil {
		return stateErr(op, twice.describe(), ErrDuplicate)
	}
	for _, r := range rs {
		if err := r.self.current(op); err != nil {
			return err
		}
	}
	return nil
}

func (in *GLInterop) mapAll(op string, s *Stream, rs []*registration) error {
	c := in.ctx
	if handles := in.handles(rs); len(handles) > 0 {
		if code := c.drv.GraphicsMapResources(c.h, handles, s.h); code != driver.Success {
			return c.fail(opGLMap, code, namesOf(rs))
		}
	}
	for _, r := range rs {
		if err := r.self.locate(op, s); err != nil {
			return join(err, in.undo(rs, s))
		}
	}
	for _, r := range rs {
		s.hold()
		r.stream.Store(s)
		r.gen.Add(1)
	}
	c.mappings.Add(int64(len(rs)))
	return nil
}

// handles lists those that the driver maps.
func (in *GLInterop) handles(rs []*registration) []driver.Resource {
	in.scratch = in.scratch[:0]
	for _, r := range rs {
		if r.tier != TierCopied {
			in.scratch = append(in.scratch, r.res)
		}
	}
	return in.scratch
}

// undo unmaps what a failed mapAll has mapped.
func (in *GLInterop) undo(rs []*registration, s *Stream) error {
	c := in.ctx
	copied := false
	for _, r := range rs {
		r.self.left()
		copied = copied || r.tier == TierCopied
	}
	var errs [2]error
	if copied { // a load may still be reading the staging memory
		errs[0] = s.wait()
	}
	if handles := in.handles(rs); len(handles) > 0 {
		if code := c.drv.GraphicsUnmapResources(c.h, handles, s.h); code != driver.Success && code != driver.ContentsLost {
			errs[1] = c.fail(opGLUnmap, code, namesOf(rs))
			for _, r := range rs {
				if r.tier != TierCopied {
					r.poison = errs[1]
				}
			}
		}
	}
	return join(errs[:]...)
}

// endOne gives back a single mapping.
func (m mapping) end(op string) error {
	one := [1]mapping{m}
	return m.r.in.end(op, one[:])
}

// end gives back those that still are mapped, each on the stream that it holds:
// one driver call for a run of them on the same stream.
func (in *GLInterop) end(op string, ms []mapping) error {
	live := false
	for _, m := range ms {
		live = live || m.r.gen.Load() == m.gen
	}
	if !live {
		return nil
	}
	if err := in.checkThread(op); err != nil {
		return err
	}
	var err error
	for len(ms) > 0 {
		s := ms[0].r.stream.Load()
		n := 1
		for n < len(ms) && ms[n].r.stream.Load() == s {
			n++
		}
		err = join(err, in.endRun(s, ms[:n]))
		ms = ms[n:]
	}
	return err
}

// endRun gives back the live ones of ms, all of which hold s.
func (in *GLInterop) endRun(s *Stream, ms []mapping) error {
	c := in.ctx
	var err error
	in.scratch = in.scratch[:0]
	copied := false
	for _, m := range ms {
		if m.r.gen.Load() != m.gen {
			continue
		}
		if m.r.tier == TierCopied {
			copied = true
		} else {
			in.scratch = append(in.scratch, m.r.res)
		}
		err = join(err, m.r.self.leave(s))
	}
	var unmap error
	if len(in.scratch) > 0 {
		if code := c.quiet(c.drv.GraphicsUnmapResources(c.h, in.scratch, s.h)); code != driver.Success {
			unmap = c.fail(opGLUnmap, code, namesOfMappings(ms))
			err = join(err, unmap)
			if code == driver.ContentsLost {
				unmap = nil // given back all the same
			}
		}
	}
	if copied {
		err = join(err, s.wait())
	}
	sound := err == nil
	for _, m := range ms {
		r := m.r
		if !r.gen.CompareAndSwap(m.gen, m.gen+1) {
			continue
		}
		switch {
		case r.tier != TierCopied:
			r.poison = unmap
		case sound:
			err = join(err, r.self.store())
		}
		err = join(err, r.over())
		if r.owned && r.poison == nil {
			err = join(err, r.unregister())
		}
	}
	return err
}

// over forgets a mapping whose generation has passed.
func (r *registration) over() error {
	r.self.left()
	r.in.ctx.mappings.Add(-1)
	return r.stream.Swap(nil).letGo()
}

// unmapAgain tries once more what failed, before unregistering; that it is not
// mapped any more is what is wanted. Its own stream may be gone, so it is done on
// a new one, which would not come after the kernels: all work is waited for first.
func (r *registration) unmapAgain() error {
	c := r.in.ctx
	if c.broken.Load() != 0 { // it would only say so again
		r.poison = nil
		return nil
	}
	if code := c.quiet(c.drv.CtxSynchronize(c.h)); code != driver.Success {
		return c.fail("cuCtxSynchronize", code, r.describe())
	}
	s, err := c.NewStream(StreamOptions{})
	if err != nil {
		return err
	}
	code := c.quiet(c.drv.GraphicsUnmapResources(c.h, r.in.handles(r.alone[:]), s.h))
	err = s.Close()
	switch code {
	case driver.Success, driver.NotMapped, driver.ContentsLost:
		r.poison = nil
		return err
	}
	return join(c.fail(opGLUnmap, code, r.describe()), err)
}

func (r *registration) close(op string) error {
	if r.closed.Load() {
		return nil
	}
	if err := r.in.checkThread(op); err != nil {
		return err
	}
	r.owned = false // unregistered here
	var unmap error
	if r.mapped() {
		if unmap = r.now().end(op); r.poison != nil && r.in.ctx.broken.Load() == 0 {
			return unmap // still mapped for the driver, which would refuse to unregister
		}
	}
	if r.poison != nil {
		if unmap = join(unmap, r.unmapAgain()); r.poison != nil {
			return unmap
		}
	}
	return join(unmap, r.unregister())
}

func (r *registration) unregister() error {
	c := r.in.ctx
	err := r.self.settle()
	if r.res != 0 {
		if code := c.quiet(c.drv.GraphicsUnregisterResource(c.h, r.res)); code != driver.Success {
			return join(err, c.fail(opGLUnregister, code, fmt.Sprintf("%s, handle %#x", r.describe(), uintptr(r.res))))
		}
	}
	err = join(err, r.self.free())
	r.forget()
	return err
}

func (r *registration) forget() {
	r.closed.Store(true)
	r.in.forget(r)
	r.in.ctx.remove(&r.node)
}

// Close is for whoever closes all that is left.
func (r *registration) Close() error { return r.close("Close") }

// drop frees what can be freed when the context goes.
func (r *registration) drop() error {
	err := r.Close()
	if !r.closed.Load() && r.poison != nil { // once more
		err = join(err, r.Close())
	}
	if !r.closed.Load() { // the context goes, and the registration with it
		r.forget()
	}
	return err
}

// abandon forgets what the driver and OpenGL hold, without a call to them.
func (r *registration) abandon() error {
	if r.closed.Load() {
		return nil
	}
	var errs [3]error
	if gen := r.gen.Load(); gen&1 == 1 && r.gen.CompareAndSwap(gen, gen+1) {
		errs[0] = r.over()
	}
	errs[1] = r.self.settle()
	errs[2] = r.self.free()
	r.forget()
	return join(errs[:]...)
}

func namesOf(rs []*registration) string {
	s := ""
	for i, r := range rs {
		if i > 0 {
			s += ", "
		}
		s += r.describe()
	}
	return s
}

func namesOfMappings(ms []mapping) string {
	rs := make([]*registration, len(ms))
	for i, m := range ms {
		rs[i] = m.r
	}
	return namesOf(rs)
}
