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
	data, err = readFile(nameOrPath + ".toml")
	switch {
	case err == nil:
		return Parse(nameOrPath+".toml", data)
	case !errors.Is(err, fs.ErrNotExist):
		return Scene{}, err
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

// readFile reads a scene file of at most MaxSize bytes. What is no regular file is not even opened: a pipe would wait.
func readFile(name string) ([]byte, error) {
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("scene file: %w", err)
	case st.IsDir():
		return nil, fmt.Errorf("scene file %s: it is a folder; give one of the .toml files in it", name)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("scene file %s: it is %s and no regular file; write the scene to a file first", name, kindOf(st.Mode()))
	case st.Size() > MaxSize:
		return nil, &Error{[]Problem{{File: name, Text: tooBig(st.Size())}}}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("scene file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1)) // it may have grown, and files of /proc say that they are empty
	if err != nil {
		return nil, fmt.Errorf("scene file: %w", err)
	}
	if len(data) > MaxSize {
		return nil, &Error{[]Problem{{File: name, Text: fmt.Sprintf("the file has more than the %d bytes that a scene may have: it is probably not a scene", MaxSize)}}}
	}
	return data, nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}
