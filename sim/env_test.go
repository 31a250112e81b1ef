// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/kernels"
	"particles/sim/param"
)

// rig is a device with its kernels and a stream.
type rig struct {
	ctx    *interop.Context
	code   *kernels.Set
	stream *interop.Stream
}

// open loads the kernels on a driver. Whatever the test leaves open fails it.
func open(t testing.TB, d driver.Driver, isa kernels.ISA) *rig {
	t.Helper()
	r := &rig{ctx: testenv.Context(t, d)}
	var err error
	r.code, err = kernels.Load(r.ctx, isa)
	check(t, err)
	r.stream, err = r.ctx.NewStream(interop.StreamOptions{})
	check(t, err)
	t.Cleanup(func() {
		check(t, r.stream.Close())
		check(t, r.code.Close())
	})
	return r
}

// eachDevice runs a test on every device and instruction set that there is.
func eachDevice(t *testing.T, run func(t *testing.T, r *rig)) {
	for _, isa := range kernels.Available() {
		t.Run("host/"+isa.String(), func(t *testing.T) { run(t, open(t, testenv.Host(t), isa)) })
	}
	t.Run("cuda", func(t *testing.T) { run(t, open(t, testenv.CUDA(t), kernels.Auto)) })
}

// setup is Options with parameters by their short names; those that the model has not are left out.
type setup struct {
	Count  int
	Seed   uint64
	Params map[string]float64
}

func (s setup) options(name string) Options {
	o := Options{Count: s.Count, Seed: s.Seed, Params: param.Values{}}
	for key, v := range s.Params {
		o.Params[name+"."+key] = []float64{v}
	}
	return o
}

// tested is a *Model, or a solver with it.
type tested interface {
	Step(s *interop.Stream, dt float64) error
	Publish(s *interop.Stream, dst interop.Buffer) error
	Save(s *interop.Stream, dst *interop.HostBuffer) (State, error)
	Restore(s *interop.Stream, st State, src *interop.HostBuffer) error
	SaveSize() int
	Drawn() int
}

func (r *rig) model(t testing.TB, name string, o setup) *Model {
	t.Helper()
	m, err := New(name, r.ctx, r.code, o.options(name))
	check(t, err)
	t.Cleanup(func() { check(t, m.Close()) })
	check(t, m.Reset(r.stream, o.Seed))
	return m
}

func (r *rig) step(t testing.TB, m tested, n int, dt float64) {
	t.Helper()
	for range n {
		check(t, m.Step(r.stream, dt))
	}
}

// write puts values into device memory.
func write[T any](t testing.TB, r *rig, b interop.Buffer, values []T) {
	t.Helper()
	size := len(values) * int(unsafe.Sizeof(values[0]))
	h, err := r.ctx.AllocHost(size)
	check(t, err)
	copy(unsafe.Slice((*T)(unsafe.Pointer(&h.Bytes()[0])), len(values)), values)
	check(t, b.CopyFromHost(r.stream, h, 0, size))
	check(t, r.stream.Synchronize())
	check(t, h.Close())
}

// read gives n values of type T from device memory.
func read[T any](t testing.TB, r *rig, b interop.Buffer, n int) []T {
	t.Helper()
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	h, err := r.ctx.AllocHost(size)
	check(t, err)
	check(t, b.CopyToHost(r.stream, h, 0, size))
	check(t, r.stream.Synchronize())
	out := make([]T, n)
	copy(out, unsafe.Slice((*T)(unsafe.Pointer(&h.Bytes()[0])), n))
	check(t, h.Close())
	return out
}

type record struct{ X, Y, Z, S float32 }

// records publishes and reads back.
func (r *rig) records(t testing.TB, m tested) []record {
	t.Helper()
	if m.Drawn() == 0 {
		return nil
	}
	b, err := r.ctx.Alloc(m.Drawn() * RecordSize)
	check(t, err)
	check(t, m.Publish(r.stream, b))
	out := read[record](t, r, b, m.Drawn())
	check(t, b.Close())
	return out
}

func (r record) drawn() bool { return !math.IsNaN(float64(r.S)) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func hostDriver(t testing.TB) driver.Driver { return testenv.Host(t) }
