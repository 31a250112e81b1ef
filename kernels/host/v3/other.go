// SPDX-License-Identifier: Apache-2.0

//go:build !amd64

package v3

import "particles/interop/driver"

// Supported is false: this is no amd64 processor.
func Supported() bool { return false }

// Kernels is nil: there are no bodies for this processor.
func Kernels() map[string]map[string]driver.HostKernel { return nil }
