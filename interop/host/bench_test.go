// SPDX-License-Identifier: Apache-2.0

package host

import (
	"math"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"particles/interop/driver"
)

// heavy does about 20 ns of arithmetic an index.
func heavy(p unsafe.Pointer, w driver.Work) {
	out := unsafe.Slice((*float32)(pointer((*addParams)(p).data)), w.End)
	for i := w.Begin; i < w.End; i++ {
		out[i] = float32(math.Sin(float64(i)))
	}
}

// BenchmarkFrame is a frame of two kernels over a million indices, from a locked
// thread, as the frame loop's is; its time should fall with the workers.
func BenchmarkFrame(b *testing.B) {
	for workers := 1; workers <= runtime.NumCPU(); workers *= 2 {
		b.Run("workers="+strconv.Itoa(workers), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			const n = 1 << 20
			d := New(Options{Workers: workers})
			ctx, _ := d.DevicePrimaryCtxRetain(0)
			defer d.DevicePrimaryCtxRelease(0)
			s, _ := d.StreamCreateWithPriority(ctx, 0)
			m, _, _ := d.ModuleLoadDataEx(ctx, driver.Image{Host: map[string]driver.HostKernel{"k": heavy}})
			fn, _ := d.ModuleGetFunction(ctx, m, "k")
			p, _ := d.MemAlloc(ctx, 4*n)
			a := addParams{data: p}
			b.ReportAllocs()
			for b.Loop() {
				d.LaunchKernel(ctx, fn, driver.Shape{N: n, Block: 256}, s, unsafe.Pointer(&a), 16)
				d.LaunchKernel(ctx, fn, driver.Shape{N: n, Block: 256}, s, unsafe.Pointer(&a), 16)
				d.StreamSynchronize(ctx, s)
			}
		})
	}
}

// BenchmarkWakeUp is a small launch and the wait for it, from a locked thread.
func BenchmarkWakeUp(b *testing.B) {
	for _, locked := range []bool{false, true} {
		b.Run("locked="+strconv.FormatBool(locked), func(b *testing.B) {
			if locked {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			d := New(Options{})
			ctx, _ := d.DevicePrimaryCtxRetain(0)
			defer d.DevicePrimaryCtxRelease(0)
			s, _ := d.StreamCreateWithPriority(ctx, 0)
			m, _, _ := d.ModuleLoadDataEx(ctx, driver.Image{Host: map[string]driver.HostKernel{"k": func(unsafe.Pointer, driver.Work) {}}})
			fn, _ := d.ModuleGetFunction(ctx, m, "k")
			for b.Loop() {
				d.LaunchKernel(ctx, fn, driver.Shape{N: 1, Block: 256}, s, nil, 0)
				d.StreamSynchronize(ctx, s)
			}
		})
	}
}
