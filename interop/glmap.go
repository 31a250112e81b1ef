// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"

	"particles/interop/driver"
)

// WithMappedAll maps the buffers on s in one driver call, all or none, for the
// time of fn, and gives them back in one call, also when fn fails or panics. The
// slice given to fn is in bs's order and is valid only within it. It allocates
// nothing; fn should not be a closure made anew every frame.
func (in *GLInterop) WithMappedAll(s *Stream, bs []*GLBuffer, fn func([]Buffer) error) (err error) {
	const op = "GLInterop.WithMappedAll"
	if err := in.checkOpen(op); err != nil {
		return err
	}
	if fn == nil {
		return argErr(op, "nil function")
	}
	if err := in.begin(op, s, bs); err != nil {
		return err
	}
	views := in.views[:0]
	in.views = nil // a call within fn makes its own
	for _, b := range bs {
		views = append(views, b.view())
	}
	defer func() {
		if e := in.end(op, views); e != nil {
			err = join(err, e)
		}
		in.views = views[:0]
	}()
	return fn(views)
}

// begin maps all of bs on s, or none of them. It refuses before any change what
// it can know; a call that fails half-way is undone.
func (in *GLInterop) begin(op string, s *Stream, bs []*GLBuffer) error {
	if err := in.mappable(op, s, bs); err != nil {
		return err
	}
	c := in.ctx
	rs := in.resources(bs)
	if len(rs) > 0 {
		if code := c.drv.GraphicsMapResources(c.h, rs, s.h); code != driver.Success {
			return c.fail(opGLMap, code, namesOf(bs))
		}
	}
	for _, b := range bs {
		if err := in.locate(op, s, b); err != nil {
			return join(err, in.undo(bs, s))
		}
	}
	for _, b := range bs {
		s.hold()
		b.mem.stream.Store(s)
		b.mem.gen.Add(1)
	}
	c.mappings.Add(int64(len(bs)))
	return nil
}

// mappable makes the checks that need no driver call.
func (in *GLInterop) mappable(op string, s *Stream, bs []*GLBuffer) error {
	if err := in.ctx.check(op); err != nil {
		return err
	}
	for _, b := range bs {
		if err := b.check(op); err != nil {
			return err
		}
		if b.in != in {
			return stateErr(op, b.describe(), ErrWrongContext)
		}
		switch {
		case b.closed:
			return stateErr(op, b.describe(), ErrClosed)
		case b.poison != nil:
			return fmt.Errorf("interop: %s: %s: %w: %w", op, b.describe(), ErrPoisoned, b.poison)
		case b.IsMapped():
			return stateErr(op, b.describe(), ErrAlreadyMapped)
		}
	}
	if err := in.ctx.stream(op, s); err != nil {
		return err
	}
	if err := in.checkThread(op); err != nil {
		return err
	}
	var twice *GLBuffer
	for _, b := range bs {
		if b.marked {
			twice = b
		}
		b.marked = true
	}
	for _, b := range bs {
		b.marked = false
	}
	if twice != nil {
		return stateErr(op, twice.describe(), ErrDuplicate)
	}
	for _, b := range bs {
		if b.access&Mutable == 0 {
			continue
		}
		have, _, ok := in.gl.BufferInfo(b.name)
		if !ok {
			return stateErr(op, b.describe()+", deleted in OpenGL", ErrSizeChanged)
		}
		if have != b.have {
			return stateErr(op, fmt.Sprintf("%s, %d bytes then and %d now", b.describe(), b.have, have), ErrSizeChanged)
		}
	}
	return nil
}

// resources lists the handles of those that the driver maps.
func (in *GLInterop) resources(bs []*GLBuffer) []driver.Resource {
	rs := in.rs[:0]
	for _, b := range bs {
		if b.tier != TierCopied {
			rs = append(rs, b.res)
		}
	}
	in.rs = rs
	return rs
}

// locate finds the address of a mapped buffer; in the copied tier it loads
// OpenGL's contents if they are to be read.
func (in *GLInterop) locate(op string, s *Stream, b *GLBuffer) error {
	c := in.ctx
	if b.tier == TierCopied {
		if b.access.reads() {
			in.gl.ReadBuffer(b.name, b.stage, b.size)
			if code := c.drv.MemcpyHtoDAsync(c.h, b.dev, b.stage, b.size, s.h); code != driver.Success {
				return c.fail("cuMemcpyHtoDAsync", code, b.describe())
			}
		}
		b.mem.ptr.Store(uint64(b.dev))
		return nil
	}
	p, size, code := c.drv.GraphicsResourceGetMappedPointer(c.h, b.res)
	if code == driver.Success && p == 0 {
		code = driver.NotMappedAsPointer
	}
	if code != driver.Success {
		return c.fail(opGLPointer, code, b.describe())
	}
	if size < b.size {
		return stateErr(op, fmt.Sprintf("%s mapped with only %d bytes", b.describe(), size), ErrSizeChanged)
	}
	b.mem.ptr.Store(uint64(p))
	return nil
}

// undo unmaps what a failed begin has mapped.
func (in *GLInterop) undo(bs []*GLBuffer, s *Stream) error {
	c := in.ctx
	for _, b := range bs {
		b.mem.ptr.Store(0)
	}
	var errs [2]error
	if in.anyCopied(bs) { // a load may still be reading the staging memory
		errs[0] = s.wait()
	}
	if rs := in.resources(bs); len(rs) > 0 {
		if code := c.drv.GraphicsUnmapResources(c.h, rs, s.h); code != driver.Success && code != driver.ContentsLost {
			errs[1] = c.fail(opGLUnmap, code, namesOf(bs))
			for _, b := range bs {
				if b.tier != TierCopied {
					b.poison = errs[1]
				}
			}
		}
	}
	return join(errs[:]...)
}

func (in *GLInterop) anyCopied(bs []*GLBuffer) bool {
	for _, b := range bs {
		if b.tier == TierCopied {
			return true
		}
	}
	return false
}

// endOne gives back a single mapping.
func (in *GLInterop) endOne(op string, v Buffer) error {
	in.oneV[0] = v
	return in.end(op, in.oneV[:])
}

// end gives back those of the views that still are mapped, each on the stream
// that it holds: one driver call for a run of views on the same stream.
func (in *GLInterop) end(op string, views []Buffer) error {
	live := false
	for _, v := range views {
		live = live || v.m.gen.Load() == v.gen
	}
	if !live {
		return nil
	}
	if err := in.checkThread(op); err != nil {
		return err
	}
	var err error
	for len(views) > 0 {
		s := views[0].m.stream.Load()
		n := 1
		for n < len(views) && views[n].m.stream.Load() == s {
			n++
		}
		err = join(err, in.endRun(s, views[:n]))
		views = views[n:]
	}
	return err
}

// endRun gives back the live ones of views, all of which hold s.
func (in *GLInterop) endRun(s *Stream, views []Buffer) error {
	c := in.ctx
	var err error
	rs := in.rs[:0]
	copied := false
	for _, v := range views {
		if v.m.gen.Load() != v.gen {
			continue
		}
		b := v.m.gl
		if b.tier != TierCopied {
			rs = append(rs, b.res)
			continue
		}
		copied = true
		if b.access.writes() {
			if code := c.drv.MemcpyDtoHAsync(c.h, b.stage, b.dev, b.size, s.h); code != driver.Success {
				err = join(err, c.fail("cuMemcpyDtoHAsync", code, b.describe()))
			}
		}
	}
	in.rs = rs
	var unmap error
	if len(rs) > 0 {
		if code := c.quiet(c.drv.GraphicsUnmapResources(c.h, rs, s.h)); code != driver.Success {
			unmap = c.fail(opGLUnmap, code, namesOfViews(views))
			err = join(err, unmap)
			if code == driver.ContentsLost {
				unmap = nil // given back all the same
			}
		}
	}
	if copied {
		if e := s.wait(); e != nil {
			err = join(err, e)
		}
	}
	for _, v := range views {
		if !v.m.gen.CompareAndSwap(v.gen, v.gen+1) {
			continue
		}
		b := v.m.gl
		b.mem.ptr.Store(0)
		b.mem.stream.Store(nil)
		c.mappings.Add(-1)
		switch {
		case b.tier != TierCopied:
			b.poison = unmap
		case err == nil && b.access.writes():
			in.gl.WriteBuffer(b.name, b.stage, b.size)
		}
		if e := s.letGo(); e != nil {
			err = join(err, e)
		}
		if b.owned && b.poison == nil {
			err = join(err, b.unregister())
		}
	}
	return err
}

// unmapAgain tries once more what failed, before unregistering; that it is not
// mapped any more is what is wanted.
func (in *GLInterop) unmapAgain(b *GLBuffer) error {
	done, err := in.unmapOne(b.res, b.describe())
	if done {
		b.poison = nil
	}
	return err
}

// unmapOne unmaps a resource whose own stream may be gone, on a stream of its own.
// That one would not come after the kernels, so all work is waited for first.
func (in *GLInterop) unmapOne(r driver.Resource, what string) (done bool, err error) {
	c := in.ctx
	if c.broken.Load() != 0 { // it would only say so again
		return true, nil
	}
	if code := c.quiet(c.drv.CtxSynchronize(c.h)); code != driver.Success {
		return false, c.fail("cuCtxSynchronize", code, what)
	}
	s, err := c.NewStream(StreamOptions{})
	if err != nil {
		return false, err
	}
	code := c.quiet(c.drv.GraphicsUnmapResources(c.h, in.single(r), s.h))
	err = s.Close()
	switch code {
	case driver.Success, driver.NotMapped, driver.ContentsLost:
		return true, err
	}
	return false, join(c.fail(opGLUnmap, code, what), err)
}

func namesOf(bs []*GLBuffer) string {
	s := ""
	for i, b := range bs {
		if i > 0 {
			s += ", "
		}
		s += b.describe()
	}
	return s
}

func namesOfViews(views []Buffer) string {
	s := ""
	for i, v := range views {
		if i > 0 {
			s += ", "
		}
		s += v.m.gl.describe()
	}
	return s
}
