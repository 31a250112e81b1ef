// SPDX-License-Identifier: Apache-2.0

// Package nvrtc compiles CUDA C++ to PTX with NVIDIA's run-time compiler, which needs no GPU and no toolkit. The library
// (libnvrtc.so.12) is opened at run time and never linked: the program builds and runs without it.
//
// A Compiler may be used from one goroutine at a time. It has no Close: the library stays for the life of the process, since
// unloading it is not safe.
//
//	c, err := nvrtc.Open("")
//	ptx, err := c.Compile("flow.h", headers, "--gpu-architecture=compute_50")
package nvrtc
