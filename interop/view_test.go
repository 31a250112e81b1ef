// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"runtime"
	"slices"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

func TestCase21TypedViewOfAMapping(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		ctx, gl := testenv.Context(t, d), testenv.NewFakeGL()
		w := &work{T: t, c: ctx}
		s, err := ctx.NewStream(interop.StreamOptions{})
		w.must(err)
		defer s.Close()
		open := ctx.OpenGL
		if d.Properties().Name == "cuda" { // OpenGL is in memory here
			open = ctx.OpenGLCopied
		}
		in, err := open(gl)
		w.must(err)
		defer in.Close()
		b, err := in.RegisterBuffer(gl.NewBuffer(1024), 1024, interop.ReadWrite)
		w.must(err)
		var v interop.View[float32]
		w.must(b.WithMapped(s, func(m interop.Buffer) error {
			if v, err = interop.NewView[float32](m, 256); err != nil {
				return err
			}
			if v.DevicePtr() != m.DevicePtr() || v.Len() != 256 || !slices.Equal(v.Shape(), []int{256}) || !slices.Equal(v.Strides(), []int{1}) {
				t.Errorf("view %v of %v", v, m)
			}
			_, err := v.Host(s)
			if want := d.Properties().HostMemory; (err == nil) != want {
				t.Errorf("host view: %v", err)
			} else if !want {
				wantErr(t, err, interop.ErrNotHostMemory)
			}
			return nil
		}))
		if v.DevicePtr() != 0 || v.Len() != 0 {
			t.Errorf("the view outlived its mapping: %v", v)
		}
		_, err = v.Host(s)
		wantErr(t, err, interop.ErrClosed)
		_, err = v.Range(0, 0, 1)
		wantErr(t, err, interop.ErrClosed)
		_, err = interop.NewView[float32](v.Buffer(), 1)
		wantErr(t, err, interop.ErrClosed)
	})
}

func TestViewShapesAndStrides(t *testing.T) {
	r := newRig(t)
	b, err := r.c.Alloc(4 * 24)
	r.must(err)
	defer b.Close()
	v, err := interop.NewView[int32](b, 2, 3, 4)
	r.must(err)
	all, err := v.Host(r.s)
	r.must(err)
	for i := range all {
		all[i] = int32(i)
	}
	if !slices.Equal(v.Strides(), []int{12, 4, 1}) || !v.Contiguous() || v.Dims() != 3 {
		t.Errorf("view %v", v)
	}
	row, err := v.Range(0, 1, 1)
	r.must(err)
	if row, err = row.Range(1, 2, 1); err != nil {
		t.Fatal(err)
	}
	got, err := row.Host(r.s)
	r.must(err)
	if !slices.Equal(got, []int32{20, 21, 22, 23}) { // [1][2][:]
		t.Errorf("row %v", got)
	}
	tr, err := v.Transpose(0, 2)
	r.must(err)
	if !slices.Equal(tr.Shape(), []int{4, 3, 2}) || !slices.Equal(tr.Strides(), []int{1, 4, 12}) || tr.Contiguous() {
		t.Errorf("transposed %v", tr)
	}
	_, err = tr.Host(r.s)
	wantErr(t, err, interop.ErrArgument, "contiguous")
	column, err := v.Range(2, 1, 2)
	r.must(err)
	if column.DevicePtr() != v.DevicePtr()+4 || column.Contiguous() {
		t.Errorf("column %v", column)
	}
	whole, err := interop.NewView[[3]float64](b)
	r.must(err)
	if whole.Len() != 4 || whole.Dim(0) != 4 || whole.Dim(1) != 0 || whole.Stride(1) != 0 {
		t.Errorf("whole %v", whole)
	}
	for _, shape := range [][]int{{25}, {0}, {-1}, {2, 13}, {1 << 40, 1 << 40}, {1, 1, 1, 1, 1}} {
		_, err := interop.NewView[int32](b, shape...)
		wantErr(t, err, interop.ErrArgument)
	}
	_, err = interop.NewView[*int](b)
	wantErr(t, err, interop.ErrArgument, "pointers")
	_, err = interop.NewView[struct {
		A int
		S string
	}](b)
	wantErr(t, err, interop.ErrArgument)
	_, err = interop.NewView[struct{}](b)
	wantErr(t, err, interop.ErrArgument)
	odd, err := b.Slice(2, 8)
	r.must(err)
	_, err = interop.NewView[float32](odd)
	wantErr(t, err, interop.ErrArgument, "aligned")
	for _, axes := range [][3]int{{3, 0, 1}, {0, 2, 1}, {0, -1, 1}, {0, 0, 0}} {
		_, err = v.Range(axes[0], axes[1], axes[2])
		wantErr(t, err, interop.ErrArgument)
	}
}

func TestViewAllocatesNothing(t *testing.T) {
	r := newRig(t)
	b, err := r.c.Alloc(1024)
	r.must(err)
	defer b.Close()
	allocs := testing.AllocsPerRun(100, func() {
		v, e := interop.NewView[float32](b, 16, 16)
		if e == nil {
			v, e = v.Range(0, 1, 2)
		}
		if e != nil || v.Len() != 32 {
			err = e
		}
	})
	r.must(err)
	if allocs != 0 && !raceEnabled {
		t.Errorf("%v allocations", allocs)
	}
}

func TestCase22To26OneStepMappingOwnsItsRegistration(t *testing.T) {
	r := newRig(t)
	m, err := r.in.MapBuffer(r.s, r.gl.NewBuffer(256), 256, interop.WriteDiscard)
	r.must(err)
	if m.Size() != 256 || m.DevicePtr() == 0 {
		t.Errorf("buffer %v", m)
	}
	r.calls("register 1 flags 2", "map r1 s1")
	r.must(m.Close())
	r.calls("unmap r1 s1", "unregister r1")
	if m.Size() != 0 || m.DevicePtr() != 0 || r.c.Stats().Registrations != 0 {
		t.Errorf("after: %v, %+v", m, r.c.Stats())
	}
	r.must(m.Close())
	r.calls()
	// What was not given back goes with the interop, in the same order.
	_, err = r.in.MapBuffer(r.s, r.gl.NewBuffer(64), 64, interop.ReadWrite)
	r.must(err)
	r.d.take()
	r.must(r.in.Close())
	r.calls("unmap r1 s1", "unregister r1")
}

func TestCase27OneStepRefusesBeforeRegistering(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewBuffer(64)
	_, err := r.in.MapBuffer(nil, name, 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrNilStream)
	_, err = r.in.MapBuffer(r.s, name, 65, interop.ReadWrite)
	wantErr(t, err, interop.ErrArgument)
	r.calls()
	r.d.fail["map"] = driver.Unknown
	_, err = r.in.MapBuffer(r.s, name, 64, interop.ReadWrite)
	wantErr(t, err, driver.Unknown, "cuGraphicsMapResources")
	r.calls("register 1 flags 0", "map r1 s1", "unregister r1")
	delete(r.d.fail, "map")
	m, err := r.in.MapBuffer(r.s, name, 64, interop.ReadWrite)
	r.must(err)
	r.d.fail["unregister"] = driver.Unknown
	wantErr(t, m.Close(), driver.Unknown, "cuGraphicsUnregisterResource")
	if r.c.Stats().Registrations != 1 || r.c.Stats().Mappings != 0 {
		t.Errorf("stats %+v", r.c.Stats())
	}
	delete(r.d.fail, "unregister")
	r.must(r.in.Close()) // can be repeated there
}

func TestCase26ChainedRegisterAndMapStaysValid(t *testing.T) {
	r := newRig(t)
	chain := func() interop.Buffer {
		b, err := r.in.RegisterBuffer(r.gl.NewBuffer(64), 64, interop.ReadWrite)
		r.must(err)
		m, err := b.Map(r.s)
		r.must(err)
		return m // b is not kept by anybody here
	}
	m := chain()
	collect()
	if m.Size() != 64 {
		t.Error("the mapping went with its registration's variable")
	}
	r.must(m.Fill(r.s, 1, 4))
	r.must(m.Close())
	r.d.take()
	r.must(r.in.Close())
	r.calls("unregister r1")
}

// collect runs the garbage collector and what it queues.
func collect() {
	for range 3 {
		runtime.GC()
	}
}
