// SPDX-License-Identifier: Apache-2.0

// Package driver is the seam between interop and what runs the kernels: one Go
// interface, Driver, whose methods are each about one call of the CUDA driver
// API, and the plain types those calls exchange. Results are Codes, which are
// CUresult numbers whatever the driver, so rules and error texts are written
// once. The package imports nothing of this project.
//
// Implementations: interop/cuda (libcuda.so.1, opened at run time) and
// interop/host (the same API in process, on the CPU's cores). A driver may be
// wrapped, to record calls or inject failures: embed Driver and override.
//
// Threads: every method may be called on any OS thread, since each call carries
// its context and leaves the thread's current CUDA context as it was. The
// Graphics methods and GLGetDevices must be called on the thread on which the
// OpenGL context is current. Handles are integers: the zero handle is never
// valid, except the zero Ctx in GLGetDevices.
package driver
