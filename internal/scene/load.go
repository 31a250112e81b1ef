// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"particles/assets"
	"particles/sim/param"
)

// DefaultName is the built-in scene that the program starts with.
const DefaultName = "ribbons"

const folder = "scenes"

// Builtin lists the names of the built-in scenes: the default first, then by name.
func Builtin() []string {
	names := []string{DefaultName}
	files, _ := fs.ReadDir(assets.FS(), folder) // embedded: cannot fail, and a broken checkout shows as no scenes
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".toml"); ok && name != DefaultName && !f.IsDir() {
			names = append(names, name)
		}
	}
	return names
}

// Text gives a built-in scene's file as it is, with its comments.
func Text(name string) ([]byte, error) {
	for _, n := range Builtin() {
		if n == name {
			return assets.ReadFile(path.Join(folder, name+".toml"))
		}
	}
	return nil, unknownScene(name)
}

// Load reads a built-in scene by its name, or a file by its path. A name that could be either is the built-in scene; a
// path separator or the ending .toml makes it a file.
func Load(nameOrPath string) (Scene, error) {
	if nameOrPath == "" {
		return Scene{}, errors.New(`the scene's name is empty: leave it out for the default, or see "particles scenes"`)
	}
	if !isPath(nameOrPath) {
		if data, err := Text(nameOrPath); err == nil {
			return Parse(nameOrPath, data)
		}
	}
	data, err := readFile(nameOrPath)
	switch {
	case err == nil:
		return Parse(nameOrPath, data)
	case !errors.Is(err, fs.ErrNotExist):
		return Scene{}, err
	case isPath(nameOrPath):
		return Scene{}, fmt.Errorf("scene file %s: %w; looked in %s%s", nameOrPath, fs.ErrNotExist, where(), meantBuiltin(nameOrPath))
	}
	tried := nameOrPath
	if data, err = readFile(nameOrPath + ".toml"); err == nil {
		return Parse(nameOrPath+".toml", data)
	}
	return Scene{}, fmt.Errorf("%w (and it is no file: tried %s and %s.toml in %s)", unknownScene(nameOrPath), tried, nameOrPath, where())
}

func isPath(s string) bool {
	return strings.ContainsRune(s, '/') || strings.ContainsRune(s, os.PathSeparator) || strings.HasSuffix(s, ".toml")
}

// ErrUnknownScene is in the error for a name that is neither a built-in scene nor a file.
var ErrUnknownScene = errors.New("unknown scene")

func unknownScene(name string) error {
	return fmt.Errorf("%w %q%s", ErrUnknownScene, short(name), didYouMean(name, Builtin()))
}

// meantBuiltin says that a file name would work as a built-in name.
func meantBuiltin(p string) string {
	base := strings.TrimSuffix(path.Base(p), ".toml")
	if near := param.Nearest(base, Builtin()); near != "" {
		return fmt.Sprintf("; a built-in scene is called %q", near)
	}
	return ""
}

func where() string {
	dir, err := os.Getwd()
	if err != nil {
		return "the present folder, which cannot be read"
	}
	return dir
}

// readFile reads a scene file, at most one byte more than a scene may have.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("scene file: %w", err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, fmt.Errorf("scene file %s: it is a folder; give one of the .toml files in it", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("scene file: %w", err)
	}
	return data, nil
}
