// SPDX-License-Identifier: Apache-2.0

package assets

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// DevVariable is the environment variable that replaces the embedded files by a checkout's own, see DevFS.
const DevVariable = "PARTICLES_DEV"

//go:embed colormaps fonts scenes
var embedded embed.FS

// FS returns the files of this folder: colormaps/, fonts/ and scenes/. With PARTICLES_DEV set they are read from
// the checkout it names, at each call anew.
func FS() fs.FS { return DevFS("assets", embedded) }

// ReadFile returns the contents of one file, such as "fonts/README.md". Names use forward slashes everywhere.
func ReadFile(name string) ([]byte, error) { return fs.ReadFile(FS(), name) }

// DevFS returns the folder dir of the checkout that PARTICLES_DEV names ("1" is the current directory, anything
// else a path), and otherwise, or when that has no such folder, files.
func DevFS(dir string, files fs.FS) fs.FS {
	root := os.Getenv(DevVariable)
	switch root {
	case "", "0":
		return files
	case "1":
		root = "."
	}
	path := filepath.Join(root, dir)
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return files
	}
	return os.DirFS(path)
}
