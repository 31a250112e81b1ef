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
	if err := os.Symlink(filepath.Join(dir, "nothing"), link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                                  "is a folder",
		filepath.Join(dir, "no", "out.json"): "does not exist: make it",
		link:                                 "link to nothing",
	} {
		_, _, err := Create(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
