// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"particles/cmd/particles/internal/build"
	"particles/kernels"
	"particles/kernels/ptx"
)

// versionCmd is "particles version".
type versionCmd struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// versionInfo is what it prints.
type versionInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`

	PTX     string   `json:"ptx"`      // compiler and options of the CUDA kernels
	HostISA []string `json:"host_isa"` // instruction sets of the CPU kernels that this processor can run, the best last
}

// Run prints it.
func (c *versionCmd) Run(p *program) error {
	v := versionInfo{Version: build.Version, Commit: build.Commit(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	var err error
	if v.PTX, err = ptxCompilers(); err != nil {
		return err
	}
	for _, isa := range kernels.Available() {
		v.HostISA = append(v.HostISA, isa.String())
	}
	if c.JSON {
		b, err := json.Marshal(&v)
		if err != nil {
			return err
		}
		return printed(fmt.Fprintf(p.stdout, "%s\n", b))
	}
	return printed(fmt.Fprintf(p.stdout, "particles %s\ncommit       %s\nbuilt with   %s for %s/%s\nCUDA kernels %s\nCPU kernels  %s on this processor\n",
		v.Version, v.Commit, v.Go, v.OS, v.Arch, v.PTX, strings.Join(v.HostISA, ", ")))
}

// ptxCompilers says what made the committed CUDA kernels, as their files tell.
func ptxCompilers() (string, error) {
	var all []string
	for _, module := range kernels.Modules {
		text, err := ptx.Text(module)
		if err != nil {
			return "", err
		}
		head, err := ptx.ReadHead(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", module, err)
		}
		if made := "by " + head.Compiler + " with " + head.Options; !slices.Contains(all, made) {
			all = append(all, made)
		}
	}
	return strings.Join(all, "; "), nil
}
