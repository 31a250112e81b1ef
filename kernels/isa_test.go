// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
)

func TestISANamesReadBack(t *testing.T) {
	for _, i := range []ISA{Auto, Baseline, V3} {
		if back, err := ParseISA(i.String()); err != nil || back != i {
			t.Errorf("%v became %v, %v", i, back, err)
		}
	}
	if i, err := ParseISA(""); err != nil || i != Auto {
		t.Errorf("empty: %v, %v", i, err)
	}
	for _, bad := range []string{"v4", "avx2", "baseline "} {
		if _, err := ParseISA(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// The kernel's own list of the processor's flags is the reference.
func TestDetectAgreesWithTheSystem(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs /proc/cpuinfo of an amd64 processor")
	}
	want := V3
	for _, flag := range []string{"avx", "avx2", "fma", "bmi1", "bmi2", "f16c", "abm", "movbe", "popcnt", "sse4_2", "xsave"} {
		if !strings.Contains(string(info), " "+flag+" ") {
			want = Baseline
		}
	}
	if got := Detect(); got != want {
		t.Errorf("detected %v, want %v", got, want)
	}
}

// With a symbol that the linker may merge, the baseline would run another set's instructions.
func TestHostObjectsHaveNoWeakSymbols(t *testing.T) {
	for _, tool := range []string{"go", "nm", "ar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s: %v", tool, err)
		}
	}
	for _, pkg := range []string{"baseline", "v3"} {
		if pkg == "v3" && runtime.GOARCH != "amd64" {
			continue
		}
		if _, err := os.Stat(filepath.Join("host", pkg)); err != nil {
			t.Skipf("needs the module's sources: %v", err)
		}
		dir := t.TempDir()
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "pkg.a"), "./host/"+pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		unpack := exec.Command("ar", "x", "pkg.a")
		unpack.Dir = dir
		if out, err := unpack.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		objects, err := filepath.Glob(filepath.Join(dir, "*.o"))
		if err != nil {
			t.Fatal(err)
		}
		bodies := 0
		for _, object := range objects {
			out, err := exec.Command("nm", object).Output()
			if err != nil {
				continue // the Go object has another format
			}
			for line := range strings.Lines(string(out)) {
				fields := strings.Fields(line)
				if len(fields) < 2 {
					continue
				}
				kind, name := fields[len(fields)-2], fields[len(fields)-1]
				if strings.ContainsAny(kind, "WVuwvi") {
					t.Errorf("%s of %s: symbol %s of kind %s", filepath.Base(object), pkg, name, kind)
				}
				if kind == "t" && strings.Contains(name, "_host") { // the bodies, each private to its object
					bodies++
				}
				if kind == "T" && !strings.HasSuffix(name, "_"+pkg) && !strings.HasPrefix(name, "_cgo") {
					t.Errorf("%s of %s: %s does not say which set it is of", filepath.Base(object), pkg, name)
				}
			}
		}
		if bodies < 8 {
			t.Errorf("%s: only %d bodies were looked at in %v", pkg, bodies, objects)
		}
	}
}

func TestLoadAndClose(t *testing.T) {
	for _, isa := range append(Available(), Auto) {
		ctx := testenv.Context(t, testenv.Host(t))
		set, err := Load(ctx, isa)
		if err != nil {
			t.Fatal(err)
		}
		if want := isa; want != Auto && set.ISA() != want || set.ISA() == Auto {
			t.Errorf("asked %v, got %v", isa, set.ISA())
		}
		if !strings.Contains(set.Describe(), set.ISA().String()) {
			t.Errorf("described as %q", set.Describe())
		}
		if _, err := set.Kernel("flow", "flow_stop"); err == nil {
			t.Error("an unknown kernel was found")
		}
		if _, err := set.Kernel("fluid", "flow_step"); err == nil {
			t.Error("an unknown module was found")
		}
		for range 2 {
			if err := set.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if !V3.Supported() {
		if _, err := Load(testenv.Context(t, testenv.Host(t)), V3); err == nil || !strings.Contains(err.Error(), "baseline") {
			t.Errorf("v3 on a processor without it: %v", err)
		}
	}
}

// The arrays of a state have gaps here: a kernel must not write into them, whatever the count.
func TestTailsAreNotOverrun(t *testing.T) {
	const gap, pattern = 24, 0x7fc0beef
	for _, isa := range Available() {
		ctx := testenv.Context(t, testenv.Host(t))
		set, err := Load(ctx, isa)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := ctx.NewStream(interop.StreamOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 40; n++ {
			stride := n + gap
			state, err := ctx.Alloc(8 * stride * 4)
			if err != nil {
				t.Fatal(err)
			}
			back, err := ctx.AllocHost(8 * stride * 4)
			if err != nil {
				t.Fatal(err)
			}
			flow := FlowStep{State: state.DevicePtr(), Stride: uint64(stride), N: uint32(n), Half: [3]float32{1, 1, 1}, Margin: 0.1, Death: 1 << 29}
			spawn := EmitterSpawn{State: state.DevicePtr(), Stride: uint64(stride), N: uint32(n), Life: 1, Speed: 1, Rest: 1}
			step := EmitterStep{State: state.DevicePtr(), Stride: uint64(stride), N: uint32(n), Dt: 0.1, E: 1, P: 0.1}
			for _, k := range []struct {
				module, name string
				arrays       int
				params       unsafe.Pointer
				size         uintptr
			}{
				{"flow", "flow_spawn", 6, unsafe.Pointer(&flow), unsafe.Sizeof(flow)},
				{"flow", "flow_step", 6, unsafe.Pointer(&flow), unsafe.Sizeof(flow)},
				{"emitter", "emitter_spawn", 8, unsafe.Pointer(&spawn), unsafe.Sizeof(spawn)},
				{"emitter", "emitter_step", 8, unsafe.Pointer(&step), unsafe.Sizeof(step)},
			} {
				kernel, err := set.Kernel(k.module, k.name)
				if err != nil {
					t.Fatal(err)
				}
				if k.name != "emitter_step" { // which needs living particles
					err = state.Fill(stream, pattern, 4)
				}
				if err == nil {
					err = kernel.Launch(stream, n, k.params, int(k.size))
				}
				if err == nil {
					err = state.CopyToHost(stream, back, 0, state.Size())
				}
				if err == nil {
					err = stream.Synchronize()
				}
				if err != nil {
					t.Fatal(err)
				}
				words := unsafe.Slice((*uint32)(unsafe.Pointer(&back.Bytes()[0])), 8*stride)
				for i, w := range words {
					if array, at := i/stride, i%stride; (array >= k.arrays || at >= n) != (w == pattern) {
						t.Fatalf("%s %s over %d: array %d, index %d is %#x", isa, k.name, n, array, at, w)
					}
				}
			}
			if err := state.Close(); err != nil {
				t.Fatal(err)
			}
			if err := back.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := stream.Close(); err != nil {
			t.Fatal(err)
		}
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
