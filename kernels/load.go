// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"errors"
	"fmt"

	"particles/interop"
	"particles/interop/driver"
	"particles/kernels/ptx"
	"particles/kernels/src"
)

// Set is all modules, loaded in one context.
type Set struct {
	modules map[string]*interop.Module
	isa     ISA
	host    bool
}

// Load loads every module: on the host driver the bodies of isa, on CUDA the PTX (isa is then not looked at). An instruction
// set that the processor lacks is refused.
func Load(ctx *interop.Context, isa ISA) (*Set, error) {
	s := &Set{modules: make(map[string]*interop.Module, len(src.Modules))}
	s.host = ctx.Device().Driver == "host"
	var table map[string]map[string]driver.HostKernel
	if s.host {
		var err error
		if table, s.isa, err = isa.table(); err != nil {
			return nil, err
		}
	}
	for _, name := range src.Modules {
		img := driver.Image{Name: name, Host: table[name]}
		if !s.host {
			text, err := ptx.Text(name)
			if err != nil {
				return nil, errors.Join(err, s.Close())
			}
			img.PTX = text
		}
		module, err := ctx.LoadModule(img)
		if err != nil {
			return nil, errors.Join(explain(ctx, name, err), s.Close())
		}
		s.modules[name] = module
	}
	return s, nil
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
	if s.host {
		return "host " + s.isa.String()
	}
	return "PTX compute_50"
}

// Kernel finds a kernel. It dies with the set.
func (s *Set) Kernel(module, name string) (*interop.Kernel, error) {
	m := s.modules[module]
	if m == nil {
		return nil, fmt.Errorf("kernels: no module %q", module)
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
	var errs []error
	for _, name := range src.Modules {
		if m := s.modules[name]; m != nil {
			errs = append(errs, m.Close())
			delete(s.modules, name)
		}
	}
	return errors.Join(errs...)
}
