// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"particles/interop/driver"
)

// Block is the number of threads of a block unless Kernel.With says another. A
// host kernel's pieces begin at multiples of it.
const Block = 256

// MaxParams is the greatest size of a kernel's parameter struct in bytes, as on
// every CUDA device.
const MaxParams = 4096

// Module is loaded code.
type Module struct {
	node
	ctx    *Context
	h      driver.Module
	name   string
	closed atomic.Bool
}

// LoadModule loads an image in the driver's form. Where the driver refuses the
// code itself, the error matches ErrImageRefused and holds the compiler's log.
func (c *Context) LoadModule(img driver.Image) (*Module, error) {
	if err := c.check("Context.LoadModule"); err != nil {
		return nil, err
	}
	if c.drv.Properties().HostMemory {
		if len(img.Host) == 0 {
			return nil, argErr("Context.LoadModule", "image %q has no host kernels", img.Name)
		}
	} else if len(img.PTX) == 0 {
		return nil, argErr("Context.LoadModule", "image %q has no PTX", img.Name)
	}
	h, log, code := c.drv.ModuleLoadDataEx(c.h, img)
	if code == driver.Success && h == 0 {
		code = driver.InvalidHandle
	}
	if code != driver.Success {
		detail := fmt.Sprintf("image %q on %s (compute capability %d.%d)", img.Name, c.dev.Name, c.dev.CCMajor, c.dev.CCMinor)
		if log != "" {
			detail += ": " + log
		}
		return nil, c.fail(opModuleLoad, code, detail)
	}
	m := &Module{ctx: c, h: h, name: img.Name}
	c.add(&m.node, kindModule, m)
	return m, nil
}

// Kernel finds a kernel by its name in the module.
func (m *Module) Kernel(name string) (*Kernel, error) {
	if m == nil || m.ctx == nil {
		return nil, stateErr("Module.Kernel", "module", ErrZeroValue)
	}
	if m.closed.Load() {
		return nil, stateErr("Module.Kernel", m.describe(), ErrClosed)
	}
	h, code := m.ctx.drv.ModuleGetFunction(m.ctx.h, m.h, name)
	if code != driver.Success {
		return nil, m.ctx.fail("cuModuleGetFunction", code, fmt.Sprintf("kernel %q in %s", name, m.describe()))
	}
	k := &Kernel{m: m, h: h, name: name, block: Block}
	if d, ok := m.ctx.drv.(paramSizer); ok {
		k.size = d.ParamSize(m.ctx.h, h)
	}
	return k, nil
}

// Close unloads the module. Its kernels answer ErrClosed from then on; launched
// work must be done.
func (m *Module) Close() error {
	if m == nil || m.ctx == nil {
		return stateErr("Module.Close", "", ErrZeroValue)
	}
	if m.closed.Swap(true) {
		return nil
	}
	m.ctx.remove(&m.node)
	if code := m.ctx.quiet(m.ctx.drv.ModuleUnload(m.ctx.h, m.h)); code != driver.Success {
		return m.ctx.fail("cuModuleUnload", code, m.describe())
	}
	return nil
}

func (m *Module) describe() string { return fmt.Sprintf("module %q", m.name) }
func (m *Module) drop() error      { return m.Close() }

// paramSizer is a driver that knows how large a kernel's parameter struct is. A
// launch with a smaller one would have the driver read past its end.
type paramSizer interface {
	ParamSize(ctx driver.Ctx, f driver.Function) int // 0: not known
}

// Kernel is a function of a module. It needs no Close and dies with its module.
type Kernel struct {
	m    *Module
	h    driver.Function
	name string
	size int // of the parameter struct; 0: not known

	block, shared int // of its launches
}

// LaunchOptions says how a kernel is launched.
type LaunchOptions struct {
	Block       int // threads of a block, at most 1024; 0: Block
	SharedBytes int // dynamic shared memory of a block, at most 48 KiB; on the host each worker's scratch memory
}

// With gives the same kernel to be launched in another way. The kernel as it was stays.
func (k *Kernel) With(o LaunchOptions) (*Kernel, error) {
	if k == nil || k.m == nil {
		return nil, stateErr("Kernel.With", "kernel", ErrZeroValue)
	}
	if o.Block < 0 || o.Block > 1024 || o.SharedBytes < 0 || o.SharedBytes > 48<<10 {
		return nil, argErr("Kernel.With", "%s in blocks of %d with %d bytes of shared memory; at most 1024 and 49152", k.name, o.Block, o.SharedBytes)
	}
	other := *k
	if other.block, other.shared = o.Block, o.SharedBytes; o.Block == 0 {
		other.block = Block
	}
	return &other, nil
}

// Launch queues k on s over the indices [0, n) with the parameters *p; see Kernel.Launch.
func Launch[P any](k *Kernel, s *Stream, n int, p *P) error {
	return k.Launch(s, n, unsafe.Pointer(p), int(unsafe.Sizeof(*p)))
}

// Name is the kernel's name in its module.
func (k *Kernel) Name() string {
	if k == nil {
		return ""
	}
	return k.name
}

// Launch queues the kernel on s over the indices [0, n), in blocks of
// Block threads (or what With said), with one parameter struct of size bytes, which is copied before
// Launch returns. n == 0 does nothing. It allocates nothing.
func (k *Kernel) Launch(s *Stream, n int, params unsafe.Pointer, size int) error {
	if k == nil || k.m == nil {
		return stateErr("Kernel.Launch", "kernel", ErrZeroValue)
	}
	if k.m.closed.Load() {
		return stateErr("Kernel.Launch", k.m.describe(), ErrClosed)
	}
	c := k.m.ctx
	if err := c.stream("Kernel.Launch", s); err != nil {
		return err
	}
	if n < 0 || n > maxIndices {
		return argErr("Kernel.Launch", "%s over %d indices; 0 to %d", k.name, n, maxIndices)
	}
	if params == nil || size <= 0 || size > MaxParams {
		return argErr("Kernel.Launch", "%s with %d bytes of parameters (nil: %t); 1 to %d", k.name, size, params == nil, MaxParams)
	}
	if k.size != 0 && size != k.size {
		return argErr("Kernel.Launch", "%s with %d bytes of parameters; its code has %d: Go and C struct differ, or the code is stale", k.name, size, k.size)
	}
	if n == 0 {
		return nil
	}
	if code := c.drv.LaunchKernel(c.h, k.h, driver.Shape{N: n, Block: k.block, SharedBytes: k.shared}, s.h, noEscape(params), size); code != driver.Success {
		return c.fail("cuLaunchKernel", code, fmt.Sprintf("kernel %s over %d indices", k.name, n))
	}
	return nil
}

// maxIndices: a grid has at most 2^31-1 blocks.
const maxIndices = (1<<31 - 1) * Block

// noEscape hides p from escape analysis, so that a parameter struct may live on
// the caller's stack: the drivers copy it before they return.
//
//go:nosplit
func noEscape(p unsafe.Pointer) unsafe.Pointer {
	u := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&u))
}
