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
// name. A symbolic link stays: what it points at is kept and made anew, or made if it is missing. Anything else with the
// name, such as a device or a pipe, is opened and written to, and so is everything under /dev and /proc, of which
// nothing is renamed: a regular file there is emptied. A folder is an error.
func Create(path string) (f *os.File, kept string, err error) {
	at := path // where the file is made: path, or what it points at
	for range 1000 {
		f, err = os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		st, statErr := os.Stat(at)
		switch {
		case statErr != nil && !errors.Is(statErr, fs.ErrNotExist):
			return nil, "", statErr
		case statErr == nil && st.IsDir():
			return nil, "", fmt.Errorf("%s is a folder: give the name of a file in it", path)
		case statErr == nil && !st.Mode().IsRegular():
			f, err = os.OpenFile(at, os.O_WRONLY, 0)
			return f, "", err
		}
		target, through, followErr := follow(at)
		switch {
		case errors.Is(followErr, fs.ErrNotExist):
			continue // gone in between
		case followErr != nil:
			return nil, "", followErr
		case through:
			f, err = os.OpenFile(target, os.O_WRONLY|os.O_TRUNC, 0)
			return f, "", err
		}
		at = target
		if statErr != nil {
			continue // a link to nothing, or gone in between: make it
		}
		if kept, err = moveAway(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", fmt.Errorf("%s exists and cannot be kept under another name: %w; remove it or give another name", path, err)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("cannot make %s: folder %s does not exist: make it or give another name", path, filepath.Dir(at))
	}
	if err != nil {
		return nil, "", fmt.Errorf("cannot make a file: %w", err)
	}
	return f, kept, nil
}

// follow goes from symbolic link to symbolic link, to the first name that is none; there may be nothing with that name.
// It goes no further than the first name under /dev or /proc, which is to be written through.
func follow(path string) (target string, through bool, err error) {
	for range 40 { // as many as Linux follows
		dir, base := filepath.Split(path)
		if dir == "" {
			dir = "."
		}
		if dir, err = filepath.EvalSymlinks(dir); err == nil {
			dir, err = filepath.Abs(dir)
		}
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return path, false, nil // making it says which folder is missing
			}
			return "", false, err
		}
		if neverRenamed(filepath.Join(dir, base)) {
			return path, true, nil
		}
		st, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, false, nil
		}
		if err != nil {
			return "", false, err
		}
		if st.Mode()&fs.ModeSymlink == 0 {
			return path, false, nil
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", false, err
		}
		if !filepath.IsAbs(next) {
			next = dir + string(filepath.Separator) + next // not Join: ".." after a link to a folder is not the name before
		}
		path = next
	}
	return "", false, fmt.Errorf("%s: too many links", path)
}

// neverRenamed says whether an absolute path is under /dev or /proc, where names are the system's. Files of /dev/shm are
// the user's own.
func neverRenamed(abs string) bool {
	abs = filepath.Clean(abs)
	if strings.HasPrefix(abs, "/dev/shm/") {
		return false
	}
	for _, top := range []string{"/dev", "/proc"} {
		if abs == top || strings.HasPrefix(abs, top+"/") {
			return true
		}
	}
	return false
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
