// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder notes the calls that matter to the tests, and fails those that it is
// told to, without passing them on.
type recorder struct {
	driver.Driver
	calls []string
	fail  map[string]driver.Code // by call
	props *driver.Properties
	// mapped overrides the answer of GetMappedPointer.
	mapped func(driver.Resource) (driver.DevicePtr, int, driver.Code)
	deaf   bool // note nothing, as noting allocates
}

func (r *recorder) note(call, format string, a ...any) driver.Code {
	if !r.deaf {
		r.calls = append(r.calls, call+fmt.Sprintf(format, a...))
	}
	return r.fail[call]
}

// take gives the calls since the last take.
func (r *recorder) take() []string {
	c := r.calls
	r.calls = nil
	return c
}

func (r *recorder) Properties() driver.Properties {
	if r.props != nil {
		return *r.props
	}
	return r.Driver.Properties()
}

func (r *recorder) MemAlloc(c driver.Ctx, n int) (driver.DevicePtr, driver.Code) {
	if code := r.note("alloc", " %d", n); code != 0 {
		return 0, code
	}
	return r.Driver.MemAlloc(c, n)
}

func (r *recorder) MemFree(c driver.Ctx, p driver.DevicePtr) driver.Code {
	if code := r.note("free", ""); code != 0 {
		return code
	}
	return r.Driver.MemFree(c, p)
}

func (r *recorder) MemHostAlloc(c driver.Ctx, n int) (unsafe.Pointer, driver.Code) {
	if code := r.note("hostalloc", " %d", n); code != 0 {
		return nil, code
	}
	return r.Driver.MemHostAlloc(c, n)
}

func (r *recorder) MemcpyHtoDAsync(c driver.Ctx, d driver.DevicePtr, p unsafe.Pointer, n int, s driver.Stream) driver.Code {
	if code := r.note("htod", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.MemcpyHtoDAsync(c, d, p, n, s)
}

func (r *recorder) MemcpyDtoHAsync(c driver.Ctx, p unsafe.Pointer, d driver.DevicePtr, n int, s driver.Stream) driver.Code {
	if code := r.note("dtoh", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.MemcpyDtoHAsync(c, p, d, n, s)
}

func (r *recorder) MemcpyDtoDAsync(c driver.Ctx, d, p driver.DevicePtr, n int, s driver.Stream) driver.Code {
	if code := r.note("dtod", ""); code != 0 {
		return code
	}
	return r.Driver.MemcpyDtoDAsync(c, d, p, n, s)
}

func (r *recorder) MemsetD8Async(c driver.Ctx, d driver.DevicePtr, v uint8, n int, s driver.Stream) driver.Code {
	if code := r.note("memset8", ""); code != 0 {
		return code
	}
	return r.Driver.MemsetD8Async(c, d, v, n, s)
}

func (r *recorder) StreamDestroy(c driver.Ctx, s driver.Stream) driver.Code {
	if code := r.note("streamdestroy", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.StreamDestroy(c, s)
}

func (r *recorder) StreamSynchronize(c driver.Ctx, s driver.Stream) driver.Code {
	if code := r.note("sync", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.StreamSynchronize(c, s)
}

func (r *recorder) StreamWaitEvent(c driver.Ctx, s driver.Stream, e driver.Event) driver.Code {
	if code := r.note("wait", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.StreamWaitEvent(c, s, e)
}

func (r *recorder) EventRecord(c driver.Ctx, e driver.Event, s driver.Stream) driver.Code {
	if code := r.note("record", " s%d", s&0xff); code != 0 {
		return code
	}
	return r.Driver.EventRecord(c, e, s)
}

func (r *recorder) EventDestroy(c driver.Ctx, e driver.Event) driver.Code {
	if code := r.note("eventdestroy", ""); code != 0 {
		return code
	}
	return r.Driver.EventDestroy(c, e)
}

func (r *recorder) ModuleLoadDataEx(c driver.Ctx, img driver.Image) (driver.Module, string, driver.Code) {
	if code := r.note("moduleload", ""); code != 0 {
		return 0, "ptxas fatal: what the compiler said", code
	}
	return r.Driver.ModuleLoadDataEx(c, img)
}

func (r *recorder) LaunchKernel(c driver.Ctx, f driver.Function, l driver.Shape, s driver.Stream, p unsafe.Pointer, size int) driver.Code {
	if code := r.note("launch", " n%d s%d", l.N, s&0xff); code != 0 {
		return code
	}
	return r.Driver.LaunchKernel(c, f, l, s, p, size)
}

func (r *recorder) GLGetDevices(c driver.Ctx, gl driver.GL, devs []driver.Device) (int, driver.Code) {
	if code := r.note("gldevices", ""); code != 0 {
		return 0, code
	}
	return r.Driver.GLGetDevices(c, gl, devs)
}

func (r *recorder) GraphicsGLRegisterBuffer(c driver.Ctx, gl driver.GL, name uint32, a driver.Access) (driver.Resource, driver.Code) {
	if code := r.note("register", " %d flags %d", name, a); code != 0 {
		return 0, code
	}
	return r.Driver.GraphicsGLRegisterBuffer(c, gl, name, a)
}

func (r *recorder) GraphicsGLRegisterImage(c driver.Ctx, gl driver.GL, name, target uint32, f driver.ImageFlags) (driver.Resource, driver.Code) {
	if code := r.note("registerimage", " %d target %#x flags %d", name, target, f); code != 0 {
		return 0, code
	}
	return r.Driver.GraphicsGLRegisterImage(c, gl, name, target, f)
}

func (r *recorder) GraphicsUnregisterResource(c driver.Ctx, res driver.Resource) driver.Code {
	if code := r.note("unregister", " r%d", res&0xff); code != 0 {
		return code
	}
	return r.Driver.GraphicsUnregisterResource(c, res)
}

func ids(rs []driver.Resource) string {
	s := ""
	for _, r := range rs {
		s += fmt.Sprintf(" r%d", r&0xff)
	}
	return s
}

func (r *recorder) GraphicsMapResources(c driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	if !r.deaf {
		if code := r.note("map", "%s s%d", ids(rs), s&0xff); code != 0 {
			return code
		}
	}
	return r.Driver.GraphicsMapResources(c, rs, s)
}

func (r *recorder) GraphicsUnmapResources(c driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	if !r.deaf {
		if code := r.note("unmap", "%s s%d", ids(rs), s&0xff); code != 0 {
			return code
		}
	}
	return r.Driver.GraphicsUnmapResources(c, rs, s)
}

func (r *recorder) GraphicsResourceGetMappedPointer(c driver.Ctx, res driver.Resource) (driver.DevicePtr, int, driver.Code) {
	if r.mapped != nil {
		return r.mapped(res)
	}
	return r.Driver.GraphicsResourceGetMappedPointer(c, res)
}

// rig is a context with OpenGL in memory, on the host driver, recorded.
type rig struct {
	*testing.T
	d  *recorder
	c  *interop.Context
	gl *testenv.FakeGL
	in *interop.GLInterop
	s  *interop.Stream // s1 in the record
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, d: &recorder{Driver: testenv.Host(t), fail: map[string]driver.Code{}}, gl: testenv.NewFakeGL()}
	r.c = testenv.Context(t, r.d)
	r.s = r.stream()
	in, err := r.c.OpenGL(r.gl)
	r.must(err)
	r.in = in
	t.Cleanup(func() {
		r.gl.Current = 1
		clear(r.d.fail)
		r.must(r.in.Close())
		r.must(r.s.Close())
	})
	r.d.take()
	return r
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) stream() *interop.Stream {
	r.Helper()
	s, err := r.c.NewStream(interop.StreamOptions{})
	r.must(err)
	return s
}

func (r *rig) register(size int, a interop.Access) *interop.GLBuffer {
	r.Helper()
	b, err := r.in.RegisterBuffer(r.gl.NewBuffer(size), size, a)
	r.must(err)
	return b
}

func (r *rig) mapped(b *interop.GLBuffer) interop.Buffer {
	r.Helper()
	m, err := b.Map(r.s)
	r.must(err)
	return m
}

// calls fails the test unless exactly these calls were made since the last time.
func (r *rig) calls(want ...string) {
	r.Helper()
	if got := r.d.take(); !slices.Equal(got, want) {
		r.Fatalf("driver calls\n got %q\nwant %q", got, want)
	}
}

// wantErr fails the test unless err is target and its text holds the words.
func wantErr(t *testing.T, err, target error, words ...string) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("error %v; want one that is %q", err, target)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
}
