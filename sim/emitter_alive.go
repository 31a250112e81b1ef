// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"encoding/binary"

	"particles/interop"
	"particles/kernels"
)

// aliveCount is a count made on the device, copied to pinned memory and looked at when it has arrived.
type aliveCount struct {
	total   interop.Buffer
	host    *interop.HostBuffer
	done    *interop.Event
	pending bool
	stale   bool // what is under way is of a time before Reset
	newest  int
	p       kernels.EmitterCount
}

func (a *aliveCount) open(ctx *interop.Context) (err error) {
	if a.total, err = ctx.Alloc(4); err != nil {
		return err
	}
	if a.host, err = ctx.AllocHost(4); err != nil {
		return joinClose(err, a.total)
	}
	if a.done, err = ctx.NewEvent(interop.EventOptions{}); err != nil {
		return joinClose(joinClose(err, a.host), a.total)
	}
	return nil
}

func (a *aliveCount) poll() {
	if !a.pending {
		return
	}
	if done, err := a.done.Done(); err != nil || !done {
		return // an error comes up at the next launch
	}
	a.pending = false
	if !a.stale {
		a.newest = int(binary.NativeEndian.Uint32(a.host.Bytes()))
	}
	a.stale = false
}

func (a *aliveCount) start(s *interop.Stream, k *interop.Kernel, state interop.Buffer, stride, n int) error {
	a.poll()
	if a.pending {
		return nil
	}
	if n == 0 {
		a.newest = 0
		return nil
	}
	if err := a.total.Fill(s, 0, 4); err != nil {
		return err
	}
	a.p = kernels.EmitterCount{State: state.DevicePtr(), Stride: uint64(stride), Total: a.total.DevicePtr(), N: uint32(n)}
	if err := interop.Launch(k, s, n, &a.p); err != nil {
		return err
	}
	if err := a.total.CopyToHost(s, a.host, 0, 4); err != nil {
		return err
	}
	if err := a.done.Record(s); err != nil {
		return err
	}
	a.pending = true
	return nil
}

func (a *aliveCount) forget() { a.stale, a.newest = a.pending, 0 }

// Close waits for what is under way.
func (a *aliveCount) Close() error {
	var err error
	if a.pending {
		err = a.done.Synchronize()
	}
	return joinClose(joinClose(joinClose(err, a.done), a.host), a.total)
}
