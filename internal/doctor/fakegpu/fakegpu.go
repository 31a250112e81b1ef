// SPDX-License-Identifier: Apache-2.0

package fakegpu

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"particles/internal/testenv"
)

//go:embed testdata/gpu.c
var source []byte

// The library is built once a test binary; the folder goes with the process.
var (
	mu    sync.Mutex
	built []byte
)

// Dir builds the library and gives its folder, for LD_LIBRARY_PATH of a process
// that is started. It skips without a C compiler.
func Dir(t testing.TB) string {
	t.Helper()
	base, err := os.ReadFile(testenv.FakeCUDALibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("stand_in.so", base)
	lib := filepath.Join(dir, "libcuda.so.1")
	mu.Lock()
	defer mu.Unlock()
	if built != nil {
		write("libcuda.so.1", built)
		return dir
	}
	src := write("gpu.c", source)
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", lib, src,
		"-Wl,--no-as-needed", "-L"+dir, "-l:stand_in.so", "-Wl,-rpath,$ORIGIN", "-ldl", "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("building the stand-in GPU: %v\n%s", err, out)
	}
	if built, err = os.ReadFile(lib); err != nil {
		t.Fatal(err)
	}
	return dir
}
