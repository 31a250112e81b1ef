// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"particles/cmd/particles/internal/build"
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
}

// Run prints it.
func (c *versionCmd) Run(p *program) error {
	v := versionInfo{Version: build.Version, Commit: build.Commit(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if c.JSON {
		b, err := json.Marshal(&v)
		if err != nil {
			return err
		}
		return printed(fmt.Fprintf(p.stdout, "%s\n", b))
	}
	return printed(fmt.Fprintf(p.stdout, "particles %s\ncommit      %s\nbuilt with  %s for %s/%s\n", v.Version, v.Commit, v.Go, v.OS, v.Arch))
}
