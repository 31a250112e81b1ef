// SPDX-License-Identifier: Apache-2.0

// Package build says which build of the program this is.
package build

import "runtime/debug"

// Version is set by the linker: -X particles/cmd/particles/internal/build.Version=v1.2.3.
var Version = "devel"

// Commit is the commit the program was built from, with "+" when the sources were changed since; "unknown" when the
// build does not say.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && s.Value != "":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+"
		}
	}
	return commit + dirty
}
