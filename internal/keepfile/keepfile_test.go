// SPDX-License-Identifier: Apache-2.0

package keepfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func write(t *testing.T, path, text string) (kept string) {
	t.Helper()
	f, kept, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return kept
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEarlierFilesAreKeptUnderNumbers(t *testing.T) {
	for _, name := range []string{"out.json", "noending", ".hidden", "two.dots.png", "with two  spaces 粒子.png"} {
		path := filepath.Join(t.TempDir(), name)
		if kept := write(t, path, "first"); kept != "" {
			t.Errorf("%s: nothing was there, and %s was kept", name, kept)
		}
		kept1 := write(t, path, "second")
		kept2 := write(t, path, "third")
		if kept1 != Numbered(path, 1) || kept2 != Numbered(path, 2) {
			t.Errorf("%s: kept as %s and %s", name, kept1, kept2)
		}
		if read(t, kept1) != "first" || read(t, kept2) != "second" || read(t, path) != "third" {
			t.Errorf("%s: contents are mixed up", name)
		}
	}
}

func TestNumbersGoBeforeTheEnding(t *testing.T) {
	for path, want := range map[string]string{
		"out.json": "out.1.json", "a.b/out": "a.b/out.1", ".x": ".x.1", "/t/x.tar.gz": "/t/x.tar.1.gz",
	} {
		if got := Numbered(path, 1); got != want {
			t.Errorf("%s became %s, want %s", path, got, want)
		}
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	const n = 24
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f, _, err := Create(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			fmt.Fprintf(f, "writer %d", i)
		})
	}
	wg.Wait()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range files {
		seen[read(t, f)] = true
	}
	if len(files) != n || len(seen) != n {
		t.Errorf("%d files with %d different texts, want %d of both", len(files), len(seen), n)
	}
}

func TestDevicesAreWrittenToAndNotMoved(t *testing.T) {
	f, kept, err := Create(os.DevNull)
	if err != nil || kept != "" {
		t.Fatalf("%v, kept %q", err, kept)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if st, err := os.Stat(os.DevNull); err != nil || st.Mode().IsRegular() {
		t.Errorf("%s is no longer a device: %v", os.DevNull, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	symlink(t, filepath.Join(dir, "gone", "nothing"), link)
	loop := filepath.Join(dir, "loop")
	symlink(t, "loop", loop)
	toDir := filepath.Join(dir, "toDir")
	symlink(t, ".", toDir)
	for path, want := range map[string]string{
		dir:                                  "is a folder",
		filepath.Join(dir, "no", "out.json"): "does not exist: make it",
		link:                                 "gone does not exist: make it",
		loop:                                 "too many levels",
		toDir:                                "is a folder",
	} {
		_, _, err := Create(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

func TestLinksStayAndTheirTargetsAreKept(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "deep", "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, "deep", "out.json")
	symlink(t, filepath.Join("deep", "real"), filepath.Join(dir, "folder"))
	links := map[string]string{
		"absolute": target,
		"relative": filepath.Join("deep", "out.json"),
		"chain":    "relative",
		// The folder's parent is deep, and not the folder that the link to it is in.
		"dots": "folder/../out.json",
	}
	for name, to := range links { // all of them first: one is a link to another
		symlink(t, to, filepath.Join(dir, name))
	}
	for name, to := range links {
		link := filepath.Join(dir, name)
		// At first the link points at nothing, and then at a file.
		for i, text := range []string{"first", "second", "third"} {
			kept := write(t, link, text)
			if read(t, target) != text || read(t, link) != text {
				t.Errorf("%s: the target has %q, want %q", name, read(t, target), text)
			}
			if got, err := os.Readlink(link); err != nil || got != to {
				t.Errorf("%s points at %q, %v, want %q", name, got, err, to)
			}
			if i == 0 {
				if kept != "" {
					t.Errorf("%s: nothing was there, and %s was kept", name, kept)
				}
				continue
			}
			if got, want := read(t, Numbered(target, i)), []string{"first", "second"}[i-1]; got != want || read(t, kept) != want {
				t.Errorf("%s: kept %q as %s, want %q", name, got, kept, want)
			}
		}
		for _, p := range []string{target, Numbered(target, 1), Numbered(target, 2)} {
			if err := os.Remove(p); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNothingOfTheSystemsIsRenamed(t *testing.T) {
	for path, want := range map[string]bool{
		"/dev/stdout": true, "/dev/fd/1": true, "/proc/self/fd/1": true, "/tmp/../dev/x": true, "/dev": true,
		"/device/x": false, "/process": false, "/dev/shm/out.json": false, "/dev/shm/../x": true, "/tmp/dev/x": false, "/home/dev/proc/x": false,
	} {
		if got := neverRenamed(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// The chain of /dev/stdout, made by hand: a link to a descriptor under /proc, which is a regular file.
func TestALinkToADescriptorIsWrittenThrough(t *testing.T) {
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "redirected"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	to := fmt.Sprintf("/proc/self/fd/%d", out.Fd())
	if _, err := os.Stat(to); err != nil {
		t.Skip("no /proc here")
	}
	link := filepath.Join(dir, "stdout")
	symlink(t, to, link)
	symlink(t, "stdout", filepath.Join(dir, "again"))
	for _, path := range []string{link, filepath.Join(dir, "again")} {
		if kept := write(t, path, "picture"); kept != "" {
			t.Errorf("kept %q", kept)
		}
		if got := read(t, out.Name()); got != "picture" {
			t.Errorf("the file has %q", got)
		}
	}
	if got, err := os.Readlink(link); err != nil || got != to {
		t.Errorf("the link points at %q, %v", got, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 3 {
		t.Errorf("files are %v", files)
	}
}
