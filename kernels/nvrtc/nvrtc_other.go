// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package nvrtc

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrNotFound is in the error of Open when there is no library.
var ErrNotFound = errors.New("no NVRTC library found")

// Env names the environment variable that holds the library's path.
const Env = "PARTICLES_NVRTC"

// Compiler is an opened library.
type Compiler struct{ Major, Minor int }

// Open fails: the library is opened on Linux only so far.
func Open(string) (*Compiler, error) {
	return nil, fmt.Errorf("nvrtc: %w: not looked for on %s", ErrNotFound, runtime.GOOS)
}

// Compile fails.
func (c *Compiler) Compile(string, map[string]string, ...string) (string, error) {
	return "", ErrNotFound
}
