// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"particles/interop/cuda"
)

//go:embed testdata/fake_libcuda.c
var fakeSource []byte

// FakeCUDALibrary builds the stand-in libcuda.so.1 in a directory of the test's
// own and gives its path; LD_LIBRARY_PATH with its directory makes a program use
// it. The C file's head tells the flags and the environment that steer it. Every
// call makes a library with counters of its own.
func FakeCUDALibrary(t testing.TB, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("needs a C compiler (cc) to build the stand-in libcuda")
	}
	dir := t.TempDir()
	src, lib := filepath.Join(dir, "fake_libcuda.c"), filepath.Join(dir, "libcuda.so.1")
	if err := os.WriteFile(src, fakeSource, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(flags, "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", lib, src)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("building the stand-in libcuda: %v\n%s", err, out)
	}
	return lib
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
