// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"particles/interop/cuda"
)

//go:embed testdata/fake_libcuda.c
var fakeSource []byte

// built holds the libraries by their flags: building takes a while, copying does not.
var (
	builtMu sync.Mutex
	built   = map[string][]byte{}
)

// FakeCUDALibrary builds the stand-in libcuda.so.1 in a directory of the test's
// own and gives its path; LD_LIBRARY_PATH with its directory makes a program use
// it. The C file's head tells the flags and the environment that steer it. Every
// call makes a library with counters of its own. It has no soname, as otherwise
// this process would take it for the real one from then on.
func FakeCUDALibrary(t testing.TB, flags ...string) string {
	t.Helper()
	lib := filepath.Join(t.TempDir(), "libcuda.so.1")
	builtMu.Lock()
	defer builtMu.Unlock()
	key := strings.Join(flags, " ")
	if built[key] == nil {
		built[key] = build(t, flags)
	}
	if err := os.WriteFile(lib, built[key], 0o600); err != nil {
		t.Fatal(err)
	}
	return lib
}

func build(t testing.TB, flags []string) []byte {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("needs a C compiler (cc) to build the stand-in libcuda")
	}
	dir := t.TempDir()
	src, lib := filepath.Join(dir, "fake_libcuda.c"), filepath.Join(dir, "out.so")
	if err := os.WriteFile(src, fakeSource, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(slices.Clone(flags), "-shared", "-fPIC", "-o", lib, src)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("building the stand-in libcuda: %v\n%s", err, out)
	}
	b, err := os.ReadFile(lib)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FakeCUDA opens a stand-in of the test's own in this process. Set FAKE_CU and
// the like with t.Setenv.
func FakeCUDA(t testing.TB, flags ...string) *cuda.Driver {
	t.Helper()
	d, err := cuda.OpenPath(FakeCUDALibrary(t, flags...))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
