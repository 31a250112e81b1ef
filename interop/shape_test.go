// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

// shapePTX writes the size of its block and of its dynamic shared memory.
const shapePTX = `.version 6.3
.target sm_52
.address_size 64
.extern .shared .align 8 .b8 room[];
.visible .entry shape(.param .align 8 .b8 p[8])
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %ntid.x;
	st.global.u32 [%rd2], %r1;
	mov.u32 %r2, %dynamic_smem_size;
	st.global.u32 [%rd2+4], %r2;
	ret;
}
`

func TestALaunchHasTheShapeThatWasNamed(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		c := testenv.Context(t, d)
		s, err := c.NewStream(interop.StreamOptions{})
		must(t, err)
		m, err := c.LoadModule(driver.Image{Name: "shape", PTX: []byte(shapePTX), Host: map[string]driver.HostKernel{
			"shape": func(p unsafe.Pointer, w driver.Work) {
				out := *(**[2]uint32)(p)
				*out = [2]uint32{uint32(w.Block), uint32(len(w.Scratch))}
			},
		}})
		must(t, err)
		k, err := m.Kernel("shape")
		must(t, err)
		out, err := c.Alloc(8)
		must(t, err)
		back, err := c.AllocHost(8)
		must(t, err)
		for _, o := range []interop.LaunchOptions{{}, {Block: 32}, {Block: 512, SharedBytes: 4096}, {SharedBytes: 48 << 10}, {Block: 1024, SharedBytes: 8}} {
			shaped, err := k.With(o)
			must(t, err)
			p := out.DevicePtr()
			must(t, interop.Launch(shaped, s, 1, &p))
			must(t, out.CopyToHost(s, back, 0, 8))
			must(t, s.Synchronize())
			if o.Block == 0 {
				o.Block = interop.Block
			}
			if got := *(*[2]uint32)(unsafe.Pointer(&back.Bytes()[0])); got != [2]uint32{uint32(o.Block), uint32(o.SharedBytes)} {
				t.Errorf("launched with %+v: block and shared memory were %d", o, got)
			}
		}
		for _, o := range []interop.LaunchOptions{{Block: -1}, {Block: 1025}, {SharedBytes: -1}, {SharedBytes: 48<<10 + 1}} {
			if _, err := k.With(o); !errors.Is(err, interop.ErrArgument) {
				t.Errorf("%+v: %v", o, err)
			}
		}
		if _, err := (*interop.Kernel)(nil).With(interop.LaunchOptions{}); !errors.Is(err, interop.ErrZeroValue) {
			t.Errorf("of no kernel: %v", err)
		}
		must(t, errors.Join(out.Close(), back.Close(), m.Close(), s.Close()))
	})
}

// Each worker of a launch is one number and one piece of memory at a time; two streams at once share neither.
func TestHostWorkersHaveScratchOfTheirOwn(t *testing.T) {
	c := testenv.Context(t, testenv.Host(t))
	const n, shared = 1 << 16, 256
	var clashes, odd atomic.Int64
	var mu [2]sync.Map // of each stream's launch: worker to "in use"
	body := func(p unsafe.Pointer, w driver.Work) {
		if w.Begin%w.Block != 0 || len(w.Scratch) != shared || uintptr(unsafe.Pointer(&w.Scratch[0]))%8 != 0 {
			odd.Add(1)
		}
		stream := *(*int64)(p)
		if _, busy := mu[stream].LoadOrStore(w.Worker, true); busy {
			clashes.Add(1)
		}
		mark := byte(1 + w.Worker + 100*int(stream))
		for i := range w.Scratch {
			w.Scratch[i] = mark
		}
		for range 20 {
			for i := range w.Scratch {
				if w.Scratch[i] != mark {
					clashes.Add(1)
				}
			}
		}
		mu[stream].Delete(w.Worker)
	}
	m, err := c.LoadModule(driver.Image{Name: "scratch", Host: map[string]driver.HostKernel{"k": body}})
	must(t, err)
	k, err := m.Kernel("k")
	must(t, err)
	k, err = k.With(interop.LaunchOptions{Block: 64, SharedBytes: shared})
	must(t, err)
	var streams [2]*interop.Stream
	for i := range streams {
		streams[i], err = c.NewStream(interop.StreamOptions{})
		must(t, err)
	}
	for range 5 {
		for i, s := range streams {
			p := int64(i)
			must(t, interop.Launch(k, s, n, &p))
		}
	}
	for _, s := range streams {
		must(t, s.Synchronize())
		must(t, s.Close())
	}
	must(t, m.Close())
	if clashes.Load() != 0 || odd.Load() != 0 {
		t.Errorf("%d clashes, %d odd pieces", clashes.Load(), odd.Load())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
