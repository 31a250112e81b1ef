// SPDX-License-Identifier: Apache-2.0

// Package ptx holds the kernels compiled for CUDA: one PTX text a module, committed so that neither building nor running
// needs NVIDIA's toolkit. `make kernels` writes them anew; each says which compiler made it and from which sources.
//
// Read only, safe from any goroutine.
package ptx

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"particles/kernels/src"
)

//go:embed *.ptx
var files embed.FS

// Text gives a module's PTX.
func Text(module string) ([]byte, error) {
	text, err := files.ReadFile(module + ".ptx")
	if err != nil {
		return nil, fmt.Errorf("kernels: no PTX of %s: run make kernels", module)
	}
	return text, nil
}

// Options are what the compiler is called with. compute_50 (Maxwell, 2014) is the oldest target of CUDA 12, and what
// it makes runs on all newer GPUs.
var Options = []string{"--gpu-architecture=compute_50", "--std=c++17"}

// OldestCapability is the compute capability of the oldest GPU that takes the kernels: Options' target.
const OldestCapability = "5.0"

// Head holds the lines before the compiler's own text.
type Head struct {
	Compiler string // "NVRTC 12.0.140"
	Options  string
	Sources  string // src.Hash of the module
}

const headFormat = "// The module %s of kernels/src, made by `make kernels`: do not edit.\n// Compiler: %s\n// Options: %s\n// Sources (SHA-256): %s\n"

var (
	headPattern    = regexp.MustCompile(`(?m)\A.*\n// Compiler: (.*)\n// Options: (.*)\n// Sources \(SHA-256\): (.*)$`)
	versionPattern = regexp.MustCompile(`release [0-9.]+, V([0-9.]+)`)
)

// Finish puts the head before a compiler's output.
func Finish(module, text string) (string, error) {
	version := versionPattern.FindStringSubmatch(text)
	if version == nil {
		return "", fmt.Errorf("kernels: %s: the compiler's text does not say its version", module)
	}
	hash, err := src.Hash(module)
	if err != nil {
		return "", err
	}
	head := fmt.Sprintf(headFormat, module, "NVRTC "+version[1], strings.Join(Options, " "), hash)
	return "// SPDX-License-Identifier: Apache-2.0\n" + head + strings.TrimRight(text, "\n\x00") + "\n", nil
}

// ReadHead reads a committed text's head back.
func ReadHead(text []byte) (Head, error) {
	_, rest, _ := strings.Cut(string(text), "\n")
	m := headPattern.FindStringSubmatch(rest)
	if m == nil {
		return Head{}, fmt.Errorf("kernels: the PTX has no head: run make kernels")
	}
	return Head{Compiler: m[1], Options: m[2], Sources: m[3]}, nil
}
