// SPDX-License-Identifier: Apache-2.0

package keepfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// most is how many numbered names are tried.
const most = 100_000

// Create makes a new file for writing. A regular file that has the name already is renamed first, and kept is its new
// name. Anything else with the name, such as a device or a pipe, is opened and written to. A folder is an error.
func Create(path string) (f *os.File, kept string, err error) {
	for range 1000 {
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		st, statErr := os.Stat(path)
		switch {
		case errors.Is(statErr, fs.ErrNotExist) && isLink(path):
			return nil, "", fmt.Errorf("%s is a link to nothing: remove it or give another name", path)
		case errors.Is(statErr, fs.ErrNotExist):
			continue // gone in between
		case statErr != nil:
			return nil, "", statErr
		case st.IsDir():
			return nil, "", fmt.Errorf("%s is a folder: give the name of a file in it", path)
		case !st.Mode().IsRegular():
			f, err = os.OpenFile(path, os.O_WRONLY, 0)
			return f, "", err
		}
		if kept, err = moveAway(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("%s exists and cannot be kept under another name: %w; remove it or give another name", path, err)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("cannot make %s: folder %s does not exist: make it or give another name", path, filepath.Dir(path))
	}
	if err != nil {
		return nil, "", fmt.Errorf("cannot make a file: %w", err)
	}
	return f, kept, nil
}

func isLink(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.Mode()&fs.ModeSymlink != 0
}

// moveAway renames a file to the first free numbered name. The new name is taken first, by creating it, and then renamed
// over, which is atomic: of two programs that move the same file one succeeds, and the other is told that it is gone.
func moveAway(path string) (string, error) {
	for n := 1; n < most; n++ {
		name := Numbered(path, n)
		holder, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		err = holder.Close()
		if err == nil {
			err = os.Rename(path, name)
		}
		if err != nil {
			_ = os.Remove(name) // the empty file that was to hold the name
			return "", err
		}
		return name, nil
	}
	return "", fmt.Errorf("%d numbered names are in use", most)
}

// Numbered puts a number before the ending: Numbered("a/out.json", 2) is "a/out.2.json".
func Numbered(path string, n int) string {
	dir, base := filepath.Split(path)
	ext := filepath.Ext(base)
	if ext == base { // ".hidden" has no ending
		ext = ""
	}
	return dir + strings.TrimSuffix(base, ext) + "." + strconv.Itoa(n) + ext
}
