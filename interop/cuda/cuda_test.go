// SPDX-License-Identifier: Apache-2.0

package cuda_test

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/cuda"
	"particles/interop/driver"
)

func TestMain(m *testing.M) {
	if os.Getenv("CUDA_TEST_CHILD") != "" {
		child()
		return
	}
	goleak.VerifyTestMain(m)
}

// child opens the library as a program does and does a round of work.
func child() {
	err := func() error {
		d, err := cuda.Open()
		if err != nil {
			return err
		}
		c, err := interop.NewContext(d, 0)
		if err != nil {
			return err
		}
		b, err := c.Alloc(1 << 20)
		if err != nil {
			return errors.Join(err, c.Close())
		}
		return errors.Join(b.Close(), c.Close())
	}()
	if err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString("worked")
}

// runChild runs this test binary as a program with that library path.
func runChild(t *testing.T, libs string, env ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "CUDA_TEST_CHILD=1", testenv.LibraryPath(libs))...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestProgramFindsTheLibraryByItsName(t *testing.T) {
	dir := filepath.Dir(testenv.FakeCUDALibrary(t))
	log := filepath.Join(t.TempDir(), "log")
	if out, code := runChild(t, dir, "FAKE_CU_LOG="+log); out != "worked" || code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "STATE contexts=0 bytes=0 pinned=0 registered=0 mapped=0 streams=0") {
		t.Errorf("not all was given back:\n%s", b)
	}
	for _, name := range []string{"_ptsz", "cuCtxCreate", "cuGLInit"} {
		if strings.Contains(string(b), name) {
			t.Errorf("called %s", name)
		}
	}
	out, code := runChild(t, dir, "FAKE_CU=cuInit=803")
	if code != 1 || !strings.Contains(out, "803") || !strings.Contains(out, "reboot") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestLibraryThatIsNoLibraryIsExplained(t *testing.T) {
	file := filepath.Join(t.TempDir(), "libcuda.so.1")
	if err := os.WriteFile(file, []byte("not an ELF file"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := cuda.OpenPath(file)
	var e *cuda.OpenError
	if !errors.As(err, &e) || e.Kind != cuda.ErrNoLibrary || e.Detail == "" {
		t.Errorf("error %v, %+v", err, e)
	}
	_, err = cuda.OpenPath("libcuda-not-there.so.1")
	if !errors.Is(err, cuda.ErrNoLibrary) || !strings.Contains(err.Error(), "libcuda-not-there.so.1") {
		t.Errorf("error %v", err)
	}
}

func TestMissingFunctionsAreNamed(t *testing.T) {
	_, err := cuda.OpenPath(testenv.FakeCUDALibrary(t, "-DOLD"))
	var e *cuda.OpenError
	if !errors.As(err, &e) || !errors.Is(err, cuda.ErrTooOld) || len(e.Missing) != 2 || e.Missing[0] != "cuStreamCreateWithPriority" {
		t.Fatalf("error %v", err)
	}
	d := testenv.FakeCUDA(t, "-DNO_GL")
	why := d.Properties().NoGL
	if why == nil || !strings.Contains(why.Error(), "cuGraphicsMapResources") {
		t.Fatalf("NoGL: %v", why)
	}
	rs := []driver.Resource{1}
	for name, code := range map[string]driver.Code{
		"map":        d.GraphicsMapResources(1, rs, 1),
		"unmap":      d.GraphicsUnmapResources(1, rs, 1),
		"unregister": d.GraphicsUnregisterResource(1, 1),
	} {
		if code != driver.NotSupported {
			t.Errorf("%s without its function: %v", name, code)
		}
	}
	if p := testenv.FakeCUDA(t).Properties(); p.NoGL != nil || p.NoImages != nil {
		t.Error("complete library said to lack OpenGL")
	}
}

// A library without the functions for textures still shares buffers.
func TestWithoutTheImageFunctionsBuffersAreLeft(t *testing.T) {
	d := testenv.FakeCUDA(t, "-DNO_IMAGES")
	p := d.Properties()
	if p.NoGL != nil || p.NoImages == nil || !strings.Contains(p.NoImages.Error(), "cuSurfObjectCreate") {
		t.Fatalf("NoGL %v, NoImages %v", p.NoGL, p.NoImages)
	}
	_, register := d.GraphicsGLRegisterImage(1, nil, 1, driver.Texture2D, 0)
	_, array := d.GraphicsSubResourceGetMappedArray(1, 1, 0, 0)
	_, create := d.Array3DCreate(1, driver.ArrayDesc{})
	_, describe := d.Array3DGetDescriptor(1, 1)
	_, surface := d.SurfObjectCreate(1, 1)
	for i, code := range []driver.Code{
		register, array, create, describe, surface,
		d.ArrayDestroy(1, 1), d.SurfObjectDestroy(1, 1), d.Memcpy3DAsync(1, driver.Copy3D{}, 1),
	} {
		if code != driver.NotSupported {
			t.Errorf("function %d without its symbol: %v", i, code)
		}
	}
	c, gl := testenv.Context(t, d), testenv.NewFakeGL()
	for _, open := range []func(interop.GL) (*interop.GLInterop, error){c.OpenGL, c.OpenGLCopied} {
		in, err := open(gl)
		if err != nil {
			t.Fatal(err)
		}
		_, err = in.RegisterImage(gl.NewTexture(driver.Texture2D, 0x8058, 64, 32, 1, 1), driver.Texture2D, 0)
		if !errors.Is(err, interop.ErrUnavailable) || !strings.Contains(err.Error(), "update the NVIDIA driver") {
			t.Errorf("register image: %v", err)
		}
		if _, err := in.RegisterBuffer(gl.NewBuffer(64), 64, 0); err != nil {
			t.Error(err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCodesOfAnyCallReachTheCaller(t *testing.T) {
	d := testenv.FakeCUDA(t)
	ctx, code := d.DevicePrimaryCtxRetain(0)
	if code != driver.Success {
		t.Fatal(code)
	}
	t.Cleanup(func() { d.DevicePrimaryCtxRelease(0) })
	s, _ := d.StreamCreateWithPriority(ctx, 0)
	e, _ := d.EventCreate(ctx, 0)
	p, _ := d.MemAlloc(ctx, 64)
	h, _ := d.MemHostAlloc(ctx, 64)
	m, _, _ := d.ModuleLoadDataEx(ctx, driver.Image{PTX: []byte(".version 6.3")})
	f, code := d.ModuleGetFunction(ctx, m, "k")
	if code != driver.Success || s == 0 || e == 0 || p == 0 || h == nil {
		t.Fatal("the stand-in gives nothing", code)
	}
	var devs [2]driver.Device
	rs := []driver.Resource{1}
	params := new([2]uint64)
	one := func(_ any, c driver.Code) driver.Code { return c }
	two := func(_, _ any, c driver.Code) driver.Code { return c }
	for _, call := range []struct {
		name string
		f    func() driver.Code
	}{
		{"cuDriverGetVersion", func() driver.Code { return one(d.DriverGetVersion()) }},
		{"cuDeviceGetCount", func() driver.Code { return one(d.DeviceGetCount()) }},
		{"cuDeviceGet", func() driver.Code { return one(d.DeviceGet(0)) }},
		{"cuDeviceGetName", func() driver.Code { return one(d.DeviceGetName(0)) }},
		{"cuDeviceGetUuid", func() driver.Code { return one(d.DeviceGetUUID(0)) }},
		{"cuDeviceGetAttribute", func() driver.Code { return one(d.DeviceGetAttribute(75, 0)) }},
		{"cuDeviceTotalMem_v2", func() driver.Code { return one(d.DeviceTotalMem(0)) }},
		{"cuDevicePrimaryCtxRetain", func() driver.Code { return one(d.DevicePrimaryCtxRetain(0)) }},
		{"cuDevicePrimaryCtxRelease_v2", func() driver.Code { return d.DevicePrimaryCtxRelease(0) }},
		{"cuCtxPushCurrent_v2", func() driver.Code { return d.StreamQuery(ctx, s) }},
		{"cuCtxSynchronize", func() driver.Code { return d.CtxSynchronize(ctx) }},
		{"cuCtxGetStreamPriorityRange", func() driver.Code { return two(d.CtxGetStreamPriorityRange(ctx)) }},
		{"cuMemGetInfo_v2", func() driver.Code { return two(d.MemGetInfo(ctx)) }},
		{"cuMemAlloc_v2", func() driver.Code { return one(d.MemAlloc(ctx, 64)) }},
		{"cuMemFree_v2", func() driver.Code { return d.MemFree(ctx, p) }},
		{"cuMemHostAlloc", func() driver.Code { return one(d.MemHostAlloc(ctx, 64)) }},
		{"cuMemFreeHost", func() driver.Code { return d.MemFreeHost(ctx, h) }},
		{"cuMemcpyHtoDAsync_v2", func() driver.Code { return d.MemcpyHtoDAsync(ctx, p, h, 64, s) }},
		{"cuMemcpyDtoHAsync_v2", func() driver.Code { return d.MemcpyDtoHAsync(ctx, h, p, 64, s) }},
		{"cuMemcpyDtoDAsync_v2", func() driver.Code { return d.MemcpyDtoDAsync(ctx, p, p, 64, s) }},
		{"cuMemsetD8Async", func() driver.Code { return d.MemsetD8Async(ctx, p, 1, 64, s) }},
		{"cuMemsetD16Async", func() driver.Code { return d.MemsetD16Async(ctx, p, 1, 32, s) }},
		{"cuMemsetD32Async", func() driver.Code { return d.MemsetD32Async(ctx, p, 1, 16, s) }},
		{"cuStreamCreateWithPriority", func() driver.Code { return one(d.StreamCreateWithPriority(ctx, 0)) }},
		{"cuStreamDestroy_v2", func() driver.Code { return d.StreamDestroy(ctx, s) }},
		{"cuStreamQuery", func() driver.Code { return d.StreamQuery(ctx, s) }},
		{"cuStreamSynchronize", func() driver.Code { return d.StreamSynchronize(ctx, s) }},
		{"cuStreamWaitEvent", func() driver.Code { return d.StreamWaitEvent(ctx, s, e) }},
		{"cuEventCreate", func() driver.Code { return one(d.EventCreate(ctx, 0)) }},
		{"cuEventDestroy_v2", func() driver.Code { return d.EventDestroy(ctx, e) }},
		{"cuEventRecord", func() driver.Code { return d.EventRecord(ctx, e, s) }},
		{"cuEventQuery", func() driver.Code { return d.EventQuery(ctx, e) }},
		{"cuEventSynchronize", func() driver.Code { return d.EventSynchronize(ctx, e) }},
		{"cuEventElapsedTime", func() driver.Code { return one(d.EventElapsedTime(ctx, e, e)) }},
		{"cuModuleLoadDataEx", func() driver.Code { return two(d.ModuleLoadDataEx(ctx, driver.Image{PTX: []byte(".version")})) }},
		{"cuModuleUnload", func() driver.Code { return d.ModuleUnload(ctx, m) }},
		{"cuModuleGetFunction", func() driver.Code { return one(d.ModuleGetFunction(ctx, m, "k")) }},
		{"cuLaunchKernel", func() driver.Code {
			return d.LaunchKernel(ctx, f, driver.Shape{N: 9, Block: 256}, s, unsafe.Pointer(params), 16)
		}},
		{"cuGLGetDevices_v2", func() driver.Code { return one(d.GLGetDevices(0, nil, devs[:])) }},
		{"cuGraphicsGLRegisterBuffer", func() driver.Code { return one(d.GraphicsGLRegisterBuffer(ctx, nil, 1, 0)) }},
		{"cuGraphicsUnregisterResource", func() driver.Code { return d.GraphicsUnregisterResource(ctx, 1) }},
		{"cuGraphicsMapResources", func() driver.Code { return d.GraphicsMapResources(ctx, rs, s) }},
		{"cuGraphicsUnmapResources", func() driver.Code { return d.GraphicsUnmapResources(ctx, rs, s) }},
		{"cuGraphicsResourceGetMappedPointer_v2", func() driver.Code { return two(d.GraphicsResourceGetMappedPointer(ctx, 1)) }},
	} {
		t.Setenv("FAKE_CU", call.name+"=777")
		if got := call.f(); got != 777 {
			t.Errorf("%s: answered %v, want the library's 777", call.name, got)
		}
	}
	t.Setenv("FAKE_CU", "")
}

func TestStateRulesHoldThroughTheLibrary(t *testing.T) {
	d := testenv.FakeCUDA(t)
	ctx, _ := d.DevicePrimaryCtxRetain(0)
	defer d.DevicePrimaryCtxRelease(0)
	s, _ := d.StreamCreateWithPriority(ctx, 0)
	defer d.StreamDestroy(ctx, s)
	r, code := d.GraphicsGLRegisterBuffer(ctx, nil, 7, driver.WriteDiscard)
	if code != driver.Success || r == 0 {
		t.Fatal(r, code)
	}
	rs := []driver.Resource{r}
	_, _, unmapped := d.GraphicsResourceGetMappedPointer(ctx, r)
	for _, c := range []struct {
		name      string
		got, want driver.Code
	}{
		{"pointer while unmapped", unmapped, driver.NotMapped},
		{"unmap while unmapped", d.GraphicsUnmapResources(ctx, rs, s), driver.NotMapped},
		{"map on stream 0", d.GraphicsMapResources(ctx, rs, 0), driver.InvalidHandle},
		{"map", d.GraphicsMapResources(ctx, rs, s), driver.Success},
		{"map twice", d.GraphicsMapResources(ctx, rs, s), driver.AlreadyMapped},
		{"unregister while mapped", d.GraphicsUnregisterResource(ctx, r), driver.AlreadyMapped},
		{"unmap", d.GraphicsUnmapResources(ctx, rs, s), driver.Success},
		{"unregister", d.GraphicsUnregisterResource(ctx, r), driver.Success},
		{"map after unregister", d.GraphicsMapResources(ctx, rs, s), driver.InvalidHandle},
		{"map nothing", d.GraphicsMapResources(ctx, nil, s), driver.InvalidValue},
		{"launch nothing", d.LaunchKernel(ctx, 1, driver.Shape{Block: 256}, s, nil, 0), driver.InvalidValue},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestCompilersLogComesWithTheError(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		ptx := ".version 8.0\n.target sm_52\n.address_size 64\nthis is no PTX\n"
		if d.Properties().HostMemory {
			d = testenv.FakeCUDA(t) // where there is no GPU, the stand-in's log, which it gives for a text without .version
			ptx = "this is no PTX"
		}
		c := testenv.Context(t, d)
		_, err := c.LoadModule(driver.Image{Name: "broken", PTX: []byte(ptx)})
		if !errors.Is(err, interop.ErrImageRefused) || !strings.Contains(err.Error(), "ptxas") || !strings.Contains(err.Error(), `"broken"`) {
			t.Errorf("error %v", err)
		}
	})
}

func TestParameterStructOfAnotherSizeIsRefused(t *testing.T) {
	t.Setenv("FAKE_CU_PARAM", "24")
	c := testenv.Context(t, testenv.FakeCUDA(t))
	m, err1 := c.LoadModule(driver.Image{Name: "m", PTX: []byte(".version")})
	s, err2 := c.NewStream(interop.StreamOptions{})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer m.Close()
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	var p [4]uint64
	if err := k.Launch(s, 1, unsafe.Pointer(&p), 32); !errors.Is(err, interop.ErrArgument) || !strings.Contains(err.Error(), "24") {
		t.Errorf("32 bytes: %v", err)
	}
	if err := k.Launch(s, 1, unsafe.Pointer(&p), 24); err != nil {
		t.Error(err)
	}
}

// A model keeps its parameter struct as a field among its other fields. cgo looks
// through the whole object that a pointer points into, and refused that with a panic.
func TestParametersMayLieBesideGoPointersOrOnTheStack(t *testing.T) {
	c := testenv.Context(t, testenv.FakeCUDA(t))
	m, err1 := c.LoadModule(driver.Image{Name: "m", PTX: []byte(".version")})
	s, err2 := c.NewStream(interop.StreamOptions{})
	b, err3 := c.Alloc(interop.MaxParams)
	h, err4 := c.AllocHost(interop.MaxParams)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer m.Close()
	defer b.Close()
	defer h.Close()
	k, err := m.Kernel("copy")
	if err != nil {
		t.Fatal(err)
	}
	model := &struct {
		name   *string
		params [interop.MaxParams / 8]uint64
		others []*int
	}{name: new(string), others: []*int{new(int)}}
	for i := range model.params {
		model.params[i] = uint64(i) * 0x0101010101010101
	}
	check := func(size int) {
		t.Helper()
		if err := errors.Join(b.CopyToHost(s, h, 0, size), s.Synchronize()); err != nil {
			t.Fatal(err)
		}
		want := unsafe.Slice((*byte)(unsafe.Pointer(&model.params)), size)
		if !bytes.Equal(h.Bytes()[:size], want) {
			t.Errorf("%d bytes arrived changed", size)
		}
	}
	for _, size := range []int{16, 248, 256, 264, interop.MaxParams} {
		model.params[0], model.params[1] = uint64(b.DevicePtr()), uint64(size)
		if err := k.Launch(s, 1, unsafe.Pointer(&model.params), size); err != nil {
			t.Fatal(err)
		}
		check(size)
	}
	model.params[1] = 256
	done := make(chan error)
	go func() { done <- deep(64, k, s, [32]uint64(model.params[:])) }() // a small stack that must grow on the way
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	check(256)
}

// deep launches from further and further down the stack.
func deep(depth int, k *interop.Kernel, s *interop.Stream, params [32]uint64) error {
	if depth == 0 {
		return nil
	}
	if err := interop.Launch(k, s, 1, &params); err != nil {
		return err
	}
	return deep(depth-1, k, s, params)
}

func TestBinaryNamesNoCUDALibrary(t *testing.T) {
	f, err := elf.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libs, err := f.ImportedLibraries()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range libs {
		if strings.Contains(l, "cuda") || strings.Contains(l, "nv") {
			t.Errorf("linked to %s", l)
		}
	}
	if len(libs) == 0 {
		t.Error("no libraries at all: the look-up finds nothing")
	}
}

func TestNamesComeFromTheDriverItself(t *testing.T) {
	d := testenv.FakeCUDA(t)
	if n := d.ErrorName(208); n != "CUDA_ERROR_ALREADY_MAPPED" {
		t.Errorf("name of 208: %q", n)
	}
	if n := d.ErrorName(12345); n != "" {
		t.Errorf("name of an unknown code: %q", n)
	}
	if e := interop.NewError(d, "cuX", 208, ""); e.Text != "stand-in text of 208" {
		t.Errorf("text %q, want the driver's", e.Text)
	}
	if e := interop.NewError(d, "cuX", 12345, ""); !strings.Contains(e.Error(), "12345") {
		t.Errorf("unknown code: %v", e)
	}
}

func TestDriverNamesAgreeWithOurTable(t *testing.T) {
	d := testenv.CUDA(t)
	for c := driver.Code(1); c < 1000; c++ {
		if ours, theirs := c.Name(), d.ErrorName(c); ours != "" && ours != theirs {
			t.Errorf("code %d: our table has %s, the driver %s", c, ours, theirs)
		}
	}
}

// doublePTX multiplies n floats by two; the struct is {ptr, n}.
const doublePTX = `.version 6.3
.target sm_52
.address_size 64
.visible .entry twice(.param .align 8 .b8 p[16])
{
	.reg .pred %q;
	.reg .f32 %f<2>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [p+8];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.u32 %r2, %r2, %r3, %r4;
	setp.ge.u32 %q, %r2, %r1;
	@%q ret;
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.u32 %rd3, %r2, 4;
	add.u64 %rd4, %rd2, %rd3;
	ld.global.f32 %f1, [%rd4];
	add.f32 %f1, %f1, %f1;
	st.global.f32 [%rd4], %f1;
	ret;
}
`

func TestKernelRunsOnTheGPU(t *testing.T) {
	d := testenv.CUDA(t)
	c := testenv.Context(t, d)
	const n = 100_003
	m, err := c.LoadModule(driver.Image{Name: "twice", PTX: []byte(doublePTX)})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	k, err1 := m.Kernel("twice")
	s, err2 := c.NewStream(interop.StreamOptions{})
	b, err3 := c.Alloc(4 * n)
	h, err4 := c.AllocHost(4 * n)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer b.Close()
	defer h.Close()
	v := unsafe.Slice((*float32)(unsafe.Pointer(&h.Bytes()[0])), n)
	for i := range v {
		v[i] = float32(i)
	}
	p := struct {
		data driver.DevicePtr
		n    uint32
		_    uint32
	}{b.DevicePtr(), n - 3, 0}
	if err := errors.Join(b.CopyFromHost(s, h, 0, 4*n), k.Launch(s, n-3, unsafe.Pointer(&p), 16), b.CopyToHost(s, h, 0, 4*n), s.Synchronize()); err != nil {
		t.Fatal(err)
	}
	for i := range v {
		want := float32(2 * i)
		if i >= n-3 {
			want = float32(i)
		}
		if v[i] != want {
			t.Fatalf("value %d is %v, want %v", i, v[i], want)
		}
	}
}

func BenchmarkCallThroughTheLibrary(b *testing.B) {
	d := testenv.FakeCUDA(b)
	ctx, _ := d.DevicePrimaryCtxRetain(0)
	defer d.DevicePrimaryCtxRelease(0)
	s, _ := d.StreamCreateWithPriority(ctx, 0)
	b.ReportAllocs()
	for b.Loop() {
		d.StreamQuery(ctx, s)
	}
}

func TestALibraryThatDoesNotStartIsClosedAgain(t *testing.T) {
	t.Setenv("FAKE_CU", "cuInit=999")
	path := testenv.FakeCUDALibrary(t)
	for range 3 {
		_, err := cuda.OpenPath(path)
		var open *cuda.OpenError
		if !errors.As(err, &open) || open.Kind != cuda.ErrInit || open.Name != "CUDA_ERROR_UNKNOWN" {
			t.Fatalf("got %v", err)
		}
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	if strings.Contains(string(maps), path) {
		t.Error("the library is still loaded")
	}
}
