// SPDX-License-Identifier: Apache-2.0

// Package testenv finds what a test needs and skips, naming what is missing,
// where it is not there: a headless OpenGL context, an NVIDIA GPU, a C compiler.
// It also holds stand-ins: an OpenGL in memory (FakeGL) and a libcuda that
// computes nothing but keeps the driver's rules (FakeCUDA). For tests only.
//
//	func TestCopy(t *testing.T) {
//		testenv.Drivers(t, func(t *testing.T, d driver.Driver) { ... }) // host, and cuda where there is a GPU
//	}
package testenv
