// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"particles/interop"
	"particles/interop/driver"
	"particles/kernels/ptx"
)

// Set is the modules for one context. A module is loaded when its first kernel is asked for.
type Set struct {
	ctx  *interop.Context
	host map[string]map[string]driver.HostKernel // bodies by module and kernel; nil on CUDA
	isa  ISA

	mu      sync.Mutex
	modules map[string]*interop.Module // loaded so far
	closed  bool
}

// Load chooses the code: on the host driver the bodies of isa, on CUDA the PTX (isa is then not looked at). An instruction
// set that the processor lacks is refused. The modules named are loaded at once, so that code that a driver refuses is told now.
func Load(ctx *interop.Context, isa ISA, modules ...string) (*Set, error) {
	s := &Set{ctx: ctx, modules: map[string]*interop.Module{}}
	if ctx.Device().Driver == "host" {
		var err error
		if s.host, s.isa, err = isa.table(); err != nil {
			return nil, err
		}
	}
	for _, name := range modules {
		if _, err := s.module(name); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// module gives a module, loaded if it is not yet.
func (s *Set) module(name string) (*interop.Module, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, fmt.Errorf("kernels: module %s: %w", name, interop.ErrClosed)
	case !slices.Contains(Modules, name):
		return nil, fmt.Errorf("kernels: no module %q", name)
	case s.modules[name] != nil:
		return s.modules[name], nil
	}
	img := driver.Image{Name: name, Host: s.host[name]}
	if s.host == nil {
		text, err := ptx.Text(name)
		if err != nil {
			return nil, err
		}
		img.PTX = text
	}
	m, err := s.ctx.LoadModule(img)
	if err != nil {
		return nil, explain(s.ctx, name, err)
	}
	s.modules[name] = m
	return m, nil
}

// explain says what the kernels need where a driver takes none of their code for its GPU.
func explain(ctx *interop.Context, name string, err error) error {
	if errors.Is(err, driver.NoBinaryForGPU) {
		d := ctx.Device()
		return fmt.Errorf("kernels: %s has compute capability %d.%d, the oldest supported is %s: loading %s: %w",
			d.Name, d.CCMajor, d.CCMinor, ptx.OldestCapability, name, err)
	}
	return fmt.Errorf("kernels: loading %s: %w", name, err)
}

// ISA is the host instruction set in use; Auto on CUDA.
func (s *Set) ISA() ISA { return s.isa }

// Describe names what runs, for the panel and the trace header: "host v3", "PTX compute_50".
func (s *Set) Describe() string {
	if s.host != nil {
		return "host " + s.isa.String()
	}
	return "PTX compute_50"
}

// Kernel finds a kernel. It dies with the set.
func (s *Set) Kernel(module, name string) (*interop.Kernel, error) {
	m, err := s.module(module)
	if err != nil {
		return nil, err
	}
	k, err := m.Kernel(name)
	if err != nil {
		return nil, fmt.Errorf("kernels: %s of %s: %w", name, module, err)
	}
	return k, nil
}

// Close unloads the modules; launched work must be done. Closing again does nothing.
func (s *Set) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, m := range s.modules {
		errs = append(errs, m.Close())
	}
	clear(s.modules)
	return errors.Join(errs...)
}
