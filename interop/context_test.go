// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

func TestDevicesAreDescribed(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		devs, err := interop.Devices(d)
		if err != nil {
			t.Fatal(err)
		}
		for i, dev := range devs {
			if dev.Ordinal != i || dev.Name == "" || dev.TotalMem < 1<<28 || dev.UUID == [16]byte{} || dev.Driver != d.Properties().Name {
				t.Errorf("device %+v", dev)
			}
			if dev.Driver == "cuda" && dev.CCMajor < 5 {
				t.Errorf("compute capability %d.%d", dev.CCMajor, dev.CCMinor)
			}
		}
		if _, err := interop.NewContext(d, len(devs)); !errors.Is(err, driver.InvalidDevice) {
			t.Errorf("context on device %d of %d: %v", len(devs), len(devs), err)
		}
	})
}

func TestClosedContextRefusesAndClosesAgain(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		c, err := interop.NewContext(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		_, err = c.Alloc(16)
		wantErr(t, err, interop.ErrClosed)
		_, _, err = c.MemInfo()
		wantErr(t, err, interop.ErrClosed)
		_, err = c.NewStream(interop.StreamOptions{})
		wantErr(t, err, interop.ErrClosed)
	})
}

func TestCloseNamesAndFreesWhatWasLeftOpen(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		keep := testenv.Context(t, d) // the primary context lives on, so leaks would too
		c, err := interop.NewContext(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err1 := c.Alloc(3 << 20)
		h, err2 := c.AllocHost(5000)
		s, err3 := c.NewStream(interop.StreamOptions{})
		e, err4 := c.NewEvent(interop.EventOptions{})
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		want := interop.Stats{Buffers: 1, BufferBytes: 3 << 20, HostBuffers: 1, HostBytes: 5000, Streams: 1, Events: 1}
		if got := c.Stats(); got != want {
			t.Errorf("stats %+v, want %+v", got, want)
		}
		err = c.Close()
		var leak *interop.LeakError
		if !errors.As(err, &leak) || len(leak.Leaks) != 4 || len(leak.Errors) != 0 {
			t.Fatalf("close: %v", err)
		}
		for i, w := range []string{"event", "stream", "host buffer of 4.9 KiB", "buffer of 3.0 MiB"} { // last made first
			if !strings.Contains(leak.Leaks[i], w) {
				t.Errorf("leak %d is %q, want %q", i, leak.Leaks[i], w)
			}
		}
		if !c.Stats().Zero() {
			t.Errorf("after close: %+v", c.Stats())
		}
		if b.DevicePtr() != 0 || h.Bytes() != nil {
			t.Error("freed memory has an address")
		}
		wantErr(t, s.Synchronize(), interop.ErrClosed)
		for _, err := range []error{b.Close(), h.Close(), s.Close(), e.Close()} {
			if err != nil {
				t.Errorf("closing after the context: %v", err)
			}
		}
		if _, err := keep.Alloc(16); err != nil {
			t.Error(err)
		}
		leftToCleanUp(t, keep)
	})
}

// leftToCleanUp closes a context with things open, which is its job to free.
func leftToCleanUp(t *testing.T, c *interop.Context) {
	t.Helper()
	var leak *interop.LeakError
	if err := c.Close(); !errors.As(err, &leak) {
		t.Errorf("close: %v, want a leak", err)
	}
}

func TestCloseTakesGLBuffersWithIt(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	m := r.mapped(b)
	r.d.take()
	err := r.c.Close()
	var leak *interop.LeakError
	if !errors.As(err, &leak) || len(leak.Errors) != 0 || !strings.Contains(err.Error(), "GL buffer 1 of 64 bytes (mapped)") {
		t.Fatalf("close: %v", err)
	}
	r.calls("unmap r1 s1", "unregister r1", "streamdestroy s1")
	if m.DevicePtr() != 0 || !r.c.Stats().Zero() {
		t.Errorf("after close: %v, %+v", m, r.c.Stats())
	}
}

func TestCase55DroppedContextIsCountedAndCallsNothing(t *testing.T) {
	d := &recorder{Driver: testenv.Host(t)}
	before := interop.ContextsDropped()
	func() {
		c, err := interop.NewContext(d, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Alloc(64); err != nil {
			t.Fatal(err)
		}
	}()
	d.take()
	for range 100 {
		runtime.GC()
		if interop.ContextsDropped() > before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := interop.ContextsDropped(); got != before+1 {
		t.Errorf("%d contexts dropped, want 1", got-before)
	}
	if got := d.take(); len(got) != 0 {
		t.Errorf("the collector's thread called the driver: %q", got)
	}
	if code := d.DevicePrimaryCtxRelease(0); code != driver.Success {
		t.Fatal(code)
	}
}

func TestGLDevicesLendsAContextToADriverThatWantsOne(t *testing.T) {
	gl := testenv.NewFakeGL()
	d := &needsContext{recorder{Driver: testenv.FakeCUDA(t)}}
	devs, err := interop.GLDevices(d, gl)
	if err != nil || len(devs) != 1 || devs[0].Ordinal != 0 {
		t.Errorf("devices %+v, error %v", devs, err)
	}
	_, err = interop.GLDevices(d, nil)
	wantErr(t, err, interop.ErrArgument)
	gl.Current = 0
	_, err = interop.GLDevices(d, gl)
	wantErr(t, err, interop.ErrNoGLContext)
}

// needsContext answers 201 to GLGetDevices without a context.
type needsContext struct{ recorder }

func (d *needsContext) GLGetDevices(c driver.Ctx, gl driver.GL, devs []driver.Device) (int, driver.Code) {
	if c == 0 {
		return 0, driver.InvalidContext
	}
	return d.recorder.GLGetDevices(c, gl, devs)
}

func TestErrorsWhileTheDriverShutsDownAreNotShown(t *testing.T) {
	d := testenv.FakeCUDA(t)
	c, err := interop.NewContext(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err1 := c.Alloc(64)
	_, err2 := c.AllocHost(64)
	_, err3 := c.NewStream(interop.StreamOptions{})
	_, err4 := c.NewEvent(interop.EventOptions{})
	_, err5 := c.LoadModule(driver.Image{Name: "m", PTX: []byte(".version")})
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_CU", "cuMemFree_v2=4,cuMemFreeHost=4,cuStreamDestroy_v2=4,cuEventDestroy_v2=4,cuModuleUnload=4,cuDevicePrimaryCtxRelease_v2=4,cuCtxSynchronize=4")
	var leak *interop.LeakError
	if err := c.Close(); !errors.As(err, &leak) || len(leak.Errors) != 0 || strings.Contains(err.Error(), "DEINITIALIZED") {
		t.Errorf("close: %v", err)
	}
}

func TestCase57CallersCurrentContextStays(t *testing.T) {
	log := t.TempDir() + "/log"
	d := testenv.FakeCUDA(t)
	t.Setenv("FAKE_CU_DEVICES", "2")
	a, err := interop.NewContext(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := interop.NewContext(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_CU_LOG", log)
	x, err := a.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Alloc(1 << 40); !errors.Is(err, interop.ErrOutOfMemory) { // also when the call fails
		t.Fatal(err)
	}
	y, err := b.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{x.Close(), y.Close(), a.Close(), b.Close()} {
		if err != nil {
			t.Error(err)
		}
	}
	text := readFile(t, log)
	push, pop := strings.Count(text, "cuCtxPushCurrent"), strings.Count(text, "cuCtxPopCurrent")
	if push == 0 || push != pop || strings.Contains(text, "-> 201") {
		t.Errorf("%d pushes, %d pops:\n%s", push, pop, text)
	}
}

func TestCase82MessageHasTheCallTheCodeAndTheCure(t *testing.T) {
	r := newRig(t)
	r.d.fail["alloc"] = driver.OutOfMemory
	_, err := r.c.Alloc(3 << 30)
	wantErr(t, err, interop.ErrOutOfMemory, "host: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)", "3.0 GiB", "free", "lower the particle count")
	r.d.fail["sync"] = driver.LaunchTimeout
	wantErr(t, r.s.Synchronize(), driver.LaunchTimeout, "cuStreamSynchronize", "702", "also drives a screen")
	var e *interop.Error
	if !errors.As(r.s.Synchronize(), &e) || e.Op != "cuStreamSynchronize" || e.Code != 702 || e.Name != "CUDA_ERROR_LAUNCH_TIMEOUT" {
		t.Errorf("fields %+v", e)
	}
}

func TestModulesAndKernels(t *testing.T) {
	r := newRig(t)
	img := driver.Image{Name: "flow", Host: map[string]driver.HostKernel{"step": func(unsafe.Pointer, driver.Work) {}}}
	m, err := r.c.LoadModule(img)
	r.must(err)
	_, err = m.Kernel("stp")
	wantErr(t, err, driver.NotFound, `"stp"`, `"flow"`)
	k, err := m.Kernel("step")
	r.must(err)
	var p [4]uint64
	r.d.take()
	r.must(k.Launch(r.s, 0, unsafe.Pointer(&p), 32)) // nothing to do
	wantErr(t, k.Launch(r.s, -1, unsafe.Pointer(&p), 32), interop.ErrArgument, "-1")
	wantErr(t, k.Launch(r.s, 5, nil, 32), interop.ErrArgument)
	wantErr(t, k.Launch(r.s, 5, unsafe.Pointer(&p), interop.MaxParams+1), interop.ErrArgument, "4097")
	wantErr(t, k.Launch(nil, 5, unsafe.Pointer(&p), 32), interop.ErrNilStream)
	r.calls()
	r.must(k.Launch(r.s, 5, unsafe.Pointer(&p), 32))
	r.calls("launch n5 s1")
	r.must(m.Close())
	r.must(m.Close())
	wantErr(t, k.Launch(r.s, 5, unsafe.Pointer(&p), 32), interop.ErrClosed)
	_, err = m.Kernel("step")
	wantErr(t, err, interop.ErrClosed)
	_, err = r.c.LoadModule(driver.Image{Name: "empty"})
	wantErr(t, err, interop.ErrArgument, "empty")
	r.d.fail["moduleload"] = driver.UnsupportedPTXVersion
	_, err = r.c.LoadModule(img)
	wantErr(t, err, interop.ErrImageRefused, "flow", "what the compiler said", "update the NVIDIA driver")
}

func TestKernelThatPanicsIsAnErrorNotACrash(t *testing.T) {
	r := newRig(t)
	k := r.kernel(func(unsafe.Pointer, driver.Work) { panic("bad index 7") })
	b := r.register(64, interop.WriteDiscard)
	var p uint64
	err := b.WithMapped(r.s, func(interop.Buffer) error { return k.Launch(r.s, 1, unsafe.Pointer(&p), 8) })
	r.must(err) // unmapped all the same
	if b.IsMapped() || r.gl.Broken != 0 {
		t.Error("the buffer stayed mapped")
	}
	wantErr(t, r.s.Synchronize(), driver.LaunchFailed, "kernel k panicked: bad index 7")
	_, err = r.c.Alloc(1)
	wantErr(t, err, driver.LaunchFailed)
	// What a broken context frees, it frees; the errors name the cause.
	if err := r.in.Close(); err != nil && !errors.Is(err, driver.LaunchFailed) {
		t.Error(err)
	}
}
