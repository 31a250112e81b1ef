// SPDX-License-Identifier: Apache-2.0

// Package kernels loads the code that advances particles. A kernel's arithmetic is written once, in src/*.h, over a lane type:
// one float under CUDA (the committed PTX of ptx/), a vector of four or eight floats on the host (host/baseline, host/v3,
// chosen at run time by what the processor has). Both take the same parameter struct by value, whose Go twin is here; params.go,
// src/table.h and the PTX are made of the headers by `make kernels`.
//
// A Set belongs to its Context and must be closed before it. Looking up kernels is safe from any goroutine.
//
//	set, err := kernels.Load(ctx, kernels.Auto)
//	step, err := set.Kernel("flow", "flow_step")
//	p := kernels.FlowStep{State: ..., N: n}
//	err = interop.Launch(step, stream, n, &p)
package kernels
