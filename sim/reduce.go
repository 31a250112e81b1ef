// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"math"
	"unsafe"

	"particles/interop"
	"particles/kernels"
)

// Reduced is what a reduction over an array found.
type Reduced struct {
	Count       int     // values that count: the finite ones, of those the ones below their limit where there are limits
	Bad         int     // values that are NaN or infinite
	FirstBad    int     // index of the first of them; -1: none
	Least, Most float64 // infinities the wrong way round when none counts
	Sum         float64
}

// reducer reduces arrays on the device (kernels/src/reduce.h), brings the result to pinned memory and looks at it when it has arrived.
// Nothing waits.
type reducer struct {
	groups, all *interop.Kernel
	results     interop.Buffer // one a group, then the whole
	host        *interop.HostBuffer
	done        *interop.Event
	pending     bool
	stale       bool // what is under way is of a time before forget
	newest      Reduced
	p           kernels.ReduceGroups
	last        kernels.ReduceAll
}

const (
	maxGroups  = 256
	groupLeast = 4096 // values that a group is worth
	resultSize = int(unsafe.Sizeof(kernels.ReduceResult{}))
)

func (r *reducer) open(ctx *interop.Context, code *kernels.Set) (err error) {
	r.newest.FirstBad = -1
	if r.groups, err = code.Kernel("reduce", "reduce_groups"); err != nil {
		return err
	}
	if r.all, err = code.Kernel("reduce", "reduce_all"); err != nil {
		return err
	}
	if r.results, err = ctx.Alloc((maxGroups + 1) * resultSize); err != nil {
		return err
	}
	if r.host, err = ctx.AllocHost(resultSize); err != nil {
		return joinClose(err, r.results)
	}
	if r.done, err = ctx.NewEvent(interop.EventOptions{}); err != nil {
		return joinClose(joinClose(err, r.host), r.results)
	}
	return nil
}

// poll takes in a result that has arrived.
func (r *reducer) poll() {
	if !r.pending {
		return
	}
	if done, err := r.done.Done(); err != nil || !done {
		return // an error comes up at the next launch
	}
	r.pending = false
	if !r.stale {
		c := (*kernels.ReduceResult)(unsafe.Pointer(&r.host.Bytes()[0]))
		r.newest = Reduced{
			Count: int(c.Count), Bad: int(c.Bad), FirstBad: int(int32(c.FirstBad)), Least: float64(c.Least), Most: float64(c.Most), Sum: c.Sum,
		}
		if c.Count == 0 {
			r.newest.Least, r.newest.Most = math.Inf(1), math.Inf(-1)
		}
	}
	r.stale = false
}

// start queues a reduction of length floats, stride floats apart, unless one is still under way. below is 0 or as many limits. It
// allocates nothing.
func (r *reducer) start(s *interop.Stream, values, below interop.DevicePtr, length, stride int) error {
	r.poll()
	if r.pending {
		return nil
	}
	if length == 0 {
		r.newest = Reduced{FirstBad: -1, Least: math.Inf(1), Most: math.Inf(-1)}
		return nil
	}
	groups := min((length+groupLeast-1)/groupLeast, maxGroups)
	whole := maxGroups * resultSize
	r.p = kernels.ReduceGroups{
		Values: values, Below: below, Results: r.results.DevicePtr(), N: uint32(groups * interop.Block),
		Length: uint32(length), Stride: uint32(stride), Chunk: uint32((length + groups - 1) / groups),
	}
	if err := interop.Launch(r.groups, s, groups*interop.Block, &r.p); err != nil {
		return err
	}
	r.last = kernels.ReduceAll{
		Groups: r.results.DevicePtr(), Result: r.results.DevicePtr() + interop.DevicePtr(whole), N: interop.Block, Length: uint32(groups),
	}
	if err := interop.Launch(r.all, s, interop.Block, &r.last); err != nil {
		return err
	}
	result, err := r.results.Slice(whole, resultSize)
	if err == nil {
		err = result.CopyToHost(s, r.host, 0, resultSize)
	}
	if err == nil {
		err = r.done.Record(s)
	}
	r.pending = err == nil
	return err
}

// forget drops what is known, and what is under way.
func (r *reducer) forget() { r.stale, r.newest = r.pending, Reduced{FirstBad: -1} }

// Close waits for what is under way.
func (r *reducer) Close() error {
	var err error
	if r.pending {
		err = r.done.Synchronize()
	}
	return errors.Join(err, r.done.Close(), r.host.Close(), r.results.Close())
}
