// SPDX-License-Identifier: Apache-2.0

package testenv

import "os"

// LibraryPath is the environment entry that has a child process look for libraries in dir first, and then where this
// process does. Replacing the path instead takes OpenGL from machines that have it in a place of their own.
func LibraryPath(dir string) string {
	if old := os.Getenv("LD_LIBRARY_PATH"); old != "" {
		dir += ":" + old
	}
	return "LD_LIBRARY_PATH=" + dir
}
