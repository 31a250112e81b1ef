// SPDX-License-Identifier: Apache-2.0

package host

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"go.uber.org/goleak"

	"particles/interop/driver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a retained context with a stream.
type fixture struct {
	t   *testing.T
	d   *Driver
	ctx driver.Ctx
	s   driver.Stream
}

func newFixture(t *testing.T, o Options) *fixture {
	t.Helper()
	f := &fixture{t: t, d: New(o)}
	var code driver.Code
	if f.ctx, code = f.d.DevicePrimaryCtxRetain(0); code != driver.Success {
		t.Fatal(code)
	}
	t.Cleanup(func() { f.ok(f.d.DevicePrimaryCtxRelease(0)) })
	f.s = f.stream(0)
	return f
}

func (f *fixture) ok(c driver.Code) {
	f.t.Helper()
	if c != driver.Success {
		f.t.Fatal(c)
	}
}

func (f *fixture) stream(priority int) driver.Stream {
	f.t.Helper()
	s, code := f.d.StreamCreateWithPriority(f.ctx, priority)
	f.ok(code)
	return s
}

func (f *fixture) event(flags uint32) driver.Event {
	f.t.Helper()
	e, code := f.d.EventCreate(f.ctx, flags)
	f.ok(code)
	return e
}

func (f *fixture) alloc(n int) driver.DevicePtr {
	f.t.Helper()
	p, code := f.d.MemAlloc(f.ctx, n)
	f.ok(code)
	return p
}

func (f *fixture) kernel(k driver.HostKernel) driver.Function {
	f.t.Helper()
	m, _, code := f.d.ModuleLoadDataEx(f.ctx, driver.Image{Name: "test", Host: map[string]driver.HostKernel{"k": k}})
	f.ok(code)
	fn, code := f.d.ModuleGetFunction(f.ctx, m, "k")
	f.ok(code)
	return fn
}

func (f *fixture) launch(fn driver.Function, n int, p unsafe.Pointer, size int) {
	f.t.Helper()
	f.ok(f.d.LaunchKernel(f.ctx, fn, driver.Shape{N: n, Block: 256}, f.s, p, size))
}

func (f *fixture) sync() {
	f.t.Helper()
	f.ok(f.d.StreamSynchronize(f.ctx, f.s))
}

type addParams struct {
	data driver.DevicePtr
	add  int32
	_    int32
}

func addKernel(p unsafe.Pointer, w driver.Work) {
	a := (*addParams)(p)
	data := unsafe.Slice((*int32)(pointer(a.data)), w.End)
	for i := w.Begin; i < w.End; i++ {
		data[i] += a.add * int32(i)
	}
}

func TestLaunchVisitsEveryIndexOnceInBlockMultiples(t *testing.T) {
	for _, n := range []int{1, 255, 256, 257, 1000, 100_003} {
		for _, workers := range []int{1, 2, 5} {
			f := newFixture(t, Options{Workers: workers})
			hits := make([]atomic.Int32, n)
			var odd atomic.Int32
			k := f.kernel(func(_ unsafe.Pointer, w driver.Work) {
				if w.Begin%256 != 0 {
					odd.Add(1)
				}
				for i := w.Begin; i < w.End; i++ {
					hits[i].Add(1)
				}
			})
			for range 3 { // the first launch knows no cost, later ones do
				f.launch(k, n, nil, 0)
			}
			f.sync()
			for i := range hits {
				if got := hits[i].Load(); got != 3 {
					t.Fatalf("n %d, %d workers: index %d ran %d times, want 3", n, workers, i, got)
				}
			}
			if odd.Load() != 0 {
				t.Errorf("n %d, %d workers: %d pieces began within a block", n, workers, odd.Load())
			}
		}
	}
}

func TestWorkOfAStreamRunsInOrderAndParametersAreCopied(t *testing.T) {
	f := newFixture(t, Options{})
	const n = 5000
	p := f.alloc(n * 4)
	k := f.kernel(addKernel)
	f.ok(f.d.MemsetD32Async(f.ctx, p, 7, n, f.s))
	a := addParams{data: p}
	for i := range 3 * ringSize { // more than the ring holds
		a.add = int32(i)
		f.launch(k, n, unsafe.Pointer(&a), int(unsafe.Sizeof(a)))
	}
	host, code := f.d.MemHostAlloc(f.ctx, n*4)
	f.ok(code)
	f.ok(f.d.MemcpyDtoHAsync(f.ctx, host, p, n*4, f.s))
	f.sync()
	sum := int32(3 * ringSize * (3*ringSize - 1) / 2)
	for i, got := range unsafe.Slice((*int32)(host), n) {
		if want := 7 + sum*int32(i); got != want {
			t.Fatalf("value %d is %d, want %d", i, got, want)
		}
	}
	f.ok(f.d.MemFreeHost(f.ctx, host))
	f.ok(f.d.MemFree(f.ctx, p))
}

func TestLaunchRunsOnAllWorkersAtOnce(t *testing.T) {
	const workers = 4
	f := newFixture(t, Options{Workers: workers})
	var inside atomic.Int32
	all := make(chan struct{})
	k := f.kernel(func(unsafe.Pointer, driver.Work) {
		if inside.Add(1) == workers {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(20 * time.Second): // only if the pieces do not run side by side
		}
	})
	f.launch(k, workers*256, nil, 0) // one block each
	f.sync()
	select {
	case <-all:
	default:
		t.Errorf("%d pieces were never inside the kernel at once", workers)
	}
}

func TestGreaterPriorityGetsTheWorkersFirst(t *testing.T) {
	p := newPool(1) // no workers: the list alone
	defer p.close()
	low, high, mid := &job{priority: 0}, &job{priority: -5}, &job{priority: -2}
	for _, j := range []*job{low, high, mid} {
		p.insert(j)
	}
	if !slices.Equal(p.jobs, []*job{high, mid, low}) {
		t.Error("jobs are not in order of priority")
	}
	p.jobs = p.jobs[:0]
}

func TestManyGoroutinesMayWaitForOneStream(t *testing.T) {
	f := newFixture(t, Options{Workers: 2})
	p := f.alloc(4)
	word := (*int32)(pointer(p))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				e, _ := f.d.EventCreate(f.ctx, driver.EventDisableTiming)
				f.d.EventRecord(f.ctx, e, f.s)
				f.d.EventSynchronize(f.ctx, e)
				f.d.StreamSynchronize(f.ctx, f.s)
				f.d.EventDestroy(f.ctx, e)
			}
		})
	}
	f.ok(f.d.MemsetD32Async(f.ctx, p, 0, 1, f.s))
	inc := f.kernel(func(unsafe.Pointer, driver.Work) { *word++ }) // in order, so without a race
	for range 2000 {
		f.launch(inc, 1, nil, 0)
	}
	wg.Wait()
	f.sync()
	if *word != 2000 {
		t.Errorf("%d of 2000 launches ran", *word)
	}
}

func TestLaunchReturnsBeforeTheKernelHasRun(t *testing.T) {
	f := newFixture(t, Options{})
	gate := make(chan struct{})
	k := f.kernel(func(unsafe.Pointer, driver.Work) { <-gate })
	f.launch(k, 1, nil, 0)
	if c := f.d.StreamQuery(f.ctx, f.s); c != driver.NotReady {
		t.Errorf("query while running: %v, want NotReady", c)
	}
	e := f.event(0)
	f.ok(f.d.EventRecord(f.ctx, e, f.s))
	if c := f.d.EventQuery(f.ctx, e); c != driver.NotReady {
		t.Errorf("event before its mark: %v, want NotReady", c)
	}
	if _, c := f.d.EventElapsedTime(f.ctx, e, e); c != driver.NotReady {
		t.Errorf("elapsed before its mark: %v, want NotReady", c)
	}
	close(gate)
	f.ok(f.d.EventSynchronize(f.ctx, e))
	f.ok(f.d.EventQuery(f.ctx, e))
	f.ok(f.d.StreamQuery(f.ctx, f.s))
}

func TestStreamWaitsForTheRecordThatItWasToldOf(t *testing.T) {
	f := newFixture(t, Options{Workers: 3})
	a, b := f.s, f.stream(0)
	gate := make(chan struct{})
	var log []int // ordered by the wait itself
	hold := f.kernel(func(unsafe.Pointer, driver.Work) { <-gate; log = append(log, 1) })
	after := f.kernel(func(unsafe.Pointer, driver.Work) { log = append(log, 2) })
	e := f.event(driver.EventDisableTiming)
	f.ok(f.d.LaunchKernel(f.ctx, hold, driver.Shape{N: 1, Block: 256}, a, nil, 0))
	f.ok(f.d.EventRecord(f.ctx, e, a))
	f.ok(f.d.StreamWaitEvent(f.ctx, b, e))
	f.ok(f.d.EventRecord(f.ctx, e, b)) // moves the mark; the queued wait keeps the old one
	f.ok(f.d.LaunchKernel(f.ctx, after, driver.Shape{N: 1, Block: 256}, b, nil, 0))
	close(gate)
	f.ok(f.d.StreamSynchronize(f.ctx, b))
	if !slices.Equal(log, []int{1, 2}) {
		t.Errorf("order %v, want 1 then 2", log)
	}
}

func TestEventMeasuresTheTimeBetween(t *testing.T) {
	f := newFixture(t, Options{})
	from, to := f.event(0), f.event(0)
	k := f.kernel(func(unsafe.Pointer, driver.Work) { time.Sleep(20 * time.Millisecond) })
	start := time.Now()
	f.ok(f.d.EventRecord(f.ctx, from, f.s))
	f.launch(k, 1, nil, 0)
	f.ok(f.d.EventRecord(f.ctx, to, f.s))
	f.sync()
	wall := float64(time.Since(start)) / 1e6
	ms, c := f.d.EventElapsedTime(f.ctx, from, to)
	f.ok(c)
	if float64(ms) < 20 || float64(ms) > wall {
		t.Errorf("%v ms for a sleep of 20 in a test of %v", ms, wall)
	}
}

func TestCodesAreThoseOfCUDA(t *testing.T) {
	f := newFixture(t, Options{Memory: 1 << 20})
	p := f.alloc(1000)
	k := f.kernel(addKernel)
	plain := f.event(driver.EventDisableTiming)
	for _, c := range []struct {
		name      string
		got, want driver.Code
	}{
		{"free what was never allocated", f.d.MemFree(f.ctx, p+8), driver.InvalidValue},
		{"fill past the end", f.d.MemsetD8Async(f.ctx, p, 0, 1001, f.s), driver.InvalidValue},
		{"fill unaligned", f.d.MemsetD32Async(f.ctx, p+2, 0, 1, f.s), driver.InvalidValue},
		{"copy past the end", f.d.MemcpyDtoDAsync(f.ctx, p, p+500, 501, f.s), driver.InvalidValue},
		{"unknown stream", f.d.StreamSynchronize(f.ctx, 99), driver.InvalidHandle},
		{"stream 0", f.d.StreamSynchronize(f.ctx, 0), driver.InvalidHandle},
		{"unknown event", f.d.EventQuery(f.ctx, 99), driver.InvalidHandle},
		{"unknown context", f.d.CtxSynchronize(99), driver.InvalidContext},
		{"launch over nothing", f.d.LaunchKernel(f.ctx, k, driver.Shape{N: 0, Block: 256}, f.s, nil, 0), driver.InvalidValue},
		{"launch with a huge block", f.d.LaunchKernel(f.ctx, k, driver.Shape{N: 1, Block: 2048}, f.s, nil, 0), driver.InvalidValue},
		{"unknown function", f.d.LaunchKernel(f.ctx, 99, driver.Shape{N: 1, Block: 256}, f.s, nil, 0), driver.InvalidHandle},
		{"event flags", second(f.d.EventCreate(f.ctx, 64)), driver.InvalidValue},
		{"elapsed without timing", second(f.d.EventElapsedTime(f.ctx, plain, plain)), driver.InvalidHandle},
		{"query of an event never recorded", f.d.EventQuery(f.ctx, plain), driver.Success},
		{"no bytes", second(f.d.MemAlloc(f.ctx, 0)), driver.InvalidValue},
		{"more than the limit", second(f.d.MemAlloc(f.ctx, 1<<20)), driver.OutOfMemory},
		{"ordinal 1", second(f.d.DeviceGet(1)), driver.InvalidDevice},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func second[T any](_ T, c driver.Code) driver.Code { return c }

func TestHandleIsNeverReused(t *testing.T) {
	f := newFixture(t, Options{})
	old := f.event(0)
	f.ok(f.d.EventDestroy(f.ctx, old))
	if again := f.event(0); again == old {
		t.Fatal("handle given out twice")
	}
	if c := f.d.EventQuery(f.ctx, old); c != driver.InvalidHandle {
		t.Errorf("destroyed event: %v, want InvalidHandle", c)
	}
}

func TestKernelPanicBreaksTheContextAndSaysWhich(t *testing.T) {
	f := newFixture(t, Options{Workers: 4})
	bad := f.kernel(func(_ unsafe.Pointer, w driver.Work) {
		if w.Begin > 0 {
			panic("index out of range [9]")
		}
	})
	var later atomic.Int32
	good := f.kernel(func(unsafe.Pointer, driver.Work) { later.Add(1) })
	p := f.alloc(64)
	f.launch(bad, 1<<20, nil, 0)
	_ = f.d.LaunchKernel(f.ctx, good, driver.Shape{N: 1, Block: 256}, f.s, nil, 0) // queued, or refused if late
	for range 2 {
		if c := f.d.StreamSynchronize(f.ctx, f.s); c != driver.LaunchFailed {
			t.Fatalf("synchronize: %v, want LaunchFailed", c)
		}
	}
	if _, c := f.d.MemAlloc(f.ctx, 1); c != driver.LaunchFailed {
		t.Errorf("alloc in a broken context: %v, want LaunchFailed", c)
	}
	if later.Load() != 0 {
		t.Error("a kernel ran after the context broke")
	}
	text := f.d.ErrorText(driver.LaunchFailed)
	if !strings.Contains(text, "kernel k") || !strings.Contains(text, "index out of range [9]") {
		t.Errorf("text %q does not name kernel and panic", text)
	}
	f.d.MemFree(f.ctx, p)
}

func TestMemFreeWaitsForDestroyedStreams(t *testing.T) {
	f := newFixture(t, Options{})
	p := f.alloc(4096)
	gate, done := make(chan struct{}), atomic.Bool{}
	k := f.kernel(func(unsafe.Pointer, driver.Work) { <-gate; done.Store(true) })
	f.launch(k, 1, nil, 0)
	f.ok(f.d.StreamDestroy(f.ctx, f.s))
	go func() { time.Sleep(5 * time.Millisecond); close(gate) }()
	f.ok(f.d.MemFree(f.ctx, p))
	if !done.Load() {
		t.Error("memory went while a kernel of a destroyed stream still ran")
	}
}

func TestCopyAndFillOfManySizes(t *testing.T) {
	f := newFixture(t, Options{Workers: 3})
	for _, n := range []int{4, 4096, 4100, 1 << 20, 1<<20 + 12} {
		a, b := f.alloc(n), f.alloc(n)
		f.ok(f.d.MemsetD32Async(f.ctx, a, 0x01020304, n/4, f.s))
		f.ok(f.d.MemcpyDtoDAsync(f.ctx, b, a, n, f.s))
		f.sync()
		for i, v := range unsafe.Slice((*uint32)(pointer(b)), n/4) {
			if v != 0x01020304 {
				t.Fatalf("n %d: word %d is %#x", n, i, v)
			}
		}
		if n > 64 { // overlapping ranges copy as if through a third buffer
			words := unsafe.Slice((*uint32)(pointer(a)), n/4)
			for i := range words {
				words[i] = uint32(i)
			}
			f.ok(f.d.MemcpyDtoDAsync(f.ctx, a+8, a, n-8, f.s))
			f.sync()
			for i := 2; i < n/4; i++ {
				if words[i] != uint32(i-2) {
					t.Fatalf("n %d: overlapping copy put %d at %d", n, words[i], i)
				}
			}
		}
		f.ok(f.d.MemFree(f.ctx, a))
		f.ok(f.d.MemFree(f.ctx, b))
	}
}

func TestEnqueueingAllocatesNothing(t *testing.T) {
	f := newFixture(t, Options{})
	const n = 10_000
	p := f.alloc(n * 4)
	k := f.kernel(addKernel)
	e := f.event(0)
	a := &addParams{data: p, add: 1}
	other := f.stream(0)
	allocs := testing.AllocsPerRun(200, func() {
		f.d.MemsetD32Async(f.ctx, p, 0, n, f.s)
		f.d.LaunchKernel(f.ctx, k, driver.Shape{N: n, Block: 256}, f.s, unsafe.Pointer(a), int(unsafe.Sizeof(*a)))
		f.d.EventRecord(f.ctx, e, f.s)
		f.d.StreamWaitEvent(f.ctx, other, e)
		f.d.StreamSynchronize(f.ctx, f.s)
	})
	if allocs != 0 && !raceEnabled {
		t.Errorf("%v allocations a frame, want 0", allocs)
	}
}

func BenchmarkLaunchEmpty(b *testing.B) {
	d := New(Options{})
	ctx, _ := d.DevicePrimaryCtxRetain(0)
	defer d.DevicePrimaryCtxRelease(0)
	s, _ := d.StreamCreateWithPriority(ctx, 0)
	m, _, _ := d.ModuleLoadDataEx(ctx, driver.Image{Host: map[string]driver.HostKernel{"k": func(unsafe.Pointer, driver.Work) {}}})
	fn, _ := d.ModuleGetFunction(ctx, m, "k")
	var a addParams
	b.ReportAllocs()
	for b.Loop() {
		d.LaunchKernel(ctx, fn, driver.Shape{N: 1, Block: 256}, s, unsafe.Pointer(&a), 16)
	}
	d.StreamSynchronize(ctx, s)
}

func BenchmarkLaunchAndSynchronize(b *testing.B) {
	d := New(Options{})
	ctx, _ := d.DevicePrimaryCtxRetain(0)
	defer d.DevicePrimaryCtxRelease(0)
	s, _ := d.StreamCreateWithPriority(ctx, 0)
	m, _, _ := d.ModuleLoadDataEx(ctx, driver.Image{Host: map[string]driver.HostKernel{"k": func(unsafe.Pointer, driver.Work) {}}})
	fn, _ := d.ModuleGetFunction(ctx, m, "k")
	var a addParams
	for b.Loop() {
		d.LaunchKernel(ctx, fn, driver.Shape{N: 1, Block: 256}, s, unsafe.Pointer(&a), 16)
		d.StreamSynchronize(ctx, s)
	}
}
