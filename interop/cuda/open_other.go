// SPDX-License-Identifier: Apache-2.0

//go:build !linux || !cgo

package cuda

import "particles/interop/driver"

// Paths are the places where the library is looked for: none in this build.
var Paths []string

// Driver cannot be made in this build.
type Driver struct{ driver.Driver }

// Open answers ErrUnsupported: this build has no cgo, or is not for Linux.
func Open() (*Driver, error) { return OpenPath("") }

// OpenPath answers ErrUnsupported.
func OpenPath(path string) (*Driver, error) {
	return nil, &OpenError{Kind: ErrUnsupported, Path: path, Cure: "use a Linux build made with cgo"}
}
