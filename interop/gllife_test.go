// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"strings"
	"testing"
	"unsafe"

	"particles/interop"
	"particles/interop/driver"
)

func TestCase67InteropClosesLastFirst(t *testing.T) {
	r := newRig(t)
	for range 3 {
		r.register(64, interop.ReadWrite)
	}
	b := r.register(64, interop.ReadWrite)
	r.mapped(b)
	r.d.take()
	r.must(r.in.Close())
	r.calls("unmap r4 s1", "unregister r4", "unregister r3", "unregister r2", "unregister r1")
	_, err := r.in.RegisterBuffer(r.gl.NewBuffer(64), 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrClosed)
}

func TestFailedUnmapPoisonsUntilClosed(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	m := r.mapped(b)
	r.d.fail["unmap"] = driver.Unknown
	wantErr(t, m.Close(), driver.Unknown, "cuGraphicsUnmapResources", "GL buffer 1")
	if m.DevicePtr() != 0 {
		t.Error("a buffer that was given back has an address")
	}
	_, err := b.Map(r.s)
	wantErr(t, err, interop.ErrPoisoned, "cuGraphicsUnmapResources")
	delete(r.d.fail, "unmap")
	r.d.take()
	r.must(b.Close()) // once more, then unregistered
	if got := r.d.take(); len(got) < 2 || !strings.HasPrefix(got[0], "unmap r1") || got[len(got)-1] != "unregister r1" {
		t.Errorf("calls %q", got)
	}
}

func TestLostContentsAreReportedAndTheBufferStaysUsable(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.WriteDiscard)
	r.gl.Lose = true
	wantErr(t, b.WithMapped(r.s, func(interop.Buffer) error { return nil }), driver.ContentsLost, "next frame")
	r.gl.Lose = false
	r.must(b.WithMapped(r.s, func(interop.Buffer) error { return nil }))
}

func TestMappingThatIsTooSmallOrNowhereIsUndone(t *testing.T) {
	r := newRig(t)
	b := r.register(256, interop.WriteDiscard)
	r.d.mapped = func(driver.Resource) (driver.DevicePtr, int, driver.Code) { return 4096, 64, 0 }
	_, err := b.Map(r.s)
	wantErr(t, err, interop.ErrSizeChanged, "256", "64")
	r.d.mapped = func(driver.Resource) (driver.DevicePtr, int, driver.Code) { return 0, 256, 0 }
	_, err = b.Map(r.s)
	wantErr(t, err, driver.NotMappedAsPointer)
	r.calls("register 1 flags 2", "map r1 s1", "unmap r1 s1", "map r1 s1", "unmap r1 s1")
	if b.IsMapped() {
		t.Error("half a mapping was left")
	}
	// The undoing fails too: the state is unknown from then on.
	r.d.fail["unmap"] = driver.Unknown
	_, err = b.Map(r.s)
	wantErr(t, err, driver.NotMappedAsPointer)
	_, err = b.Map(r.s)
	wantErr(t, err, interop.ErrPoisoned)
	r.d.mapped = nil
}

func TestMutableStorageMustBeAskedForAndIsWatched(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewBuffer(64)
	r.gl.BufferData(name, 64)
	_, err := r.in.RegisterBuffer(name, 64, interop.WriteDiscard)
	wantErr(t, err, interop.ErrMutableStorage, "GL buffer 1", "glBufferStorage")
	r.calls()
	b, err := r.in.RegisterBuffer(name, 64, interop.WriteDiscard|interop.Mutable)
	r.must(err)
	r.must(b.WithMapped(r.s, func(interop.Buffer) error { return nil }))
	r.gl.BufferData(name, 128)
	r.d.take()
	_, err = b.Map(r.s)
	wantErr(t, err, interop.ErrSizeChanged, "64 bytes then and 128 now")
	r.gl.DeleteBuffer(name)
	_, err = b.Map(r.s)
	wantErr(t, err, interop.ErrSizeChanged, "deleted")
	r.calls()
}

func TestRegisteringRefusesWhatCannotBeRight(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewBuffer(64)
	_, err := r.in.RegisterBuffer(name, 65, interop.ReadWrite)
	wantErr(t, err, interop.ErrArgument, "65", "64")
	_, err = r.in.RegisterBuffer(name, 0, interop.ReadWrite)
	wantErr(t, err, interop.ErrArgument)
	_, err = r.in.RegisterBuffer(99, 64, interop.ReadWrite)
	wantErr(t, err, driver.InvalidHandle, "OpenGL has no buffer 99")
	r.calls()
	_, err = r.in.RegisterBuffer(name, 64, interop.ReadWrite)
	r.must(err)
	_, err = r.in.RegisterBuffer(name, 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrDuplicate)
}

func TestMappingOwnsItsStream(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.WriteDiscard)
	s := r.stream()
	m, err := b.Map(s)
	r.must(err)
	r.d.take()
	r.must(s.Close())
	r.calls() // lives on for the unmap
	wantErr(t, s.Synchronize(), interop.ErrClosed)
	r.must(m.Close())
	r.calls("unmap r1 s2", "streamdestroy s2")
	r.must(s.Close())
	r.calls()
}

func TestBufferClosedWithinTheBodyIsNotUnmappedAgain(t *testing.T) {
	r := newRig(t)
	a, b := r.register(64, interop.ReadWrite), r.register(64, interop.ReadWrite)
	s2 := r.stream()
	r.d.take()
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{a, b}, func(ms []interop.Buffer) error {
		if err := ms[0].Close(); err != nil {
			return err
		}
		return ms[1].SetReleaseStream(s2)
	}))
	r.calls("map r1 r2 s1", "unmap r1 s1", "record s1", "wait s2", "unmap r2 s2")
	// Calls nest: the inner one has buffers of its own.
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{a}, func(outer []interop.Buffer) error {
		err := r.in.WithMappedAll(r.s, []*interop.GLBuffer{b}, func(inner []interop.Buffer) error {
			if inner[0].DevicePtr() == outer[0].DevicePtr() {
				t.Error("the inner call took the outer one's slice")
			}
			return nil
		})
		if outer[0].Size() != 64 {
			t.Error("the inner call gave back the outer one's buffer")
		}
		return err
	}))
	r.must(s2.Close())
}

func TestKernelSeesAndWritesTheGLBuffer(t *testing.T) {
	for _, tier := range []string{"host", "copied"} {
		t.Run(tier, func(t *testing.T) {
			r := newRig(t)
			if tier == "copied" {
				in, err := r.c.OpenGLCopied(r.gl)
				r.must(err)
				r.in = in
			}
			const n = 1000
			out, inout, in := r.register(n, interop.WriteDiscard), r.register(n, interop.ReadWrite), r.register(n, interop.ReadOnly)
			for i := range n {
				r.gl.Bytes(inout.Name())[i] = byte(i)
				r.gl.Bytes(in.Name())[i] = byte(3 * i)
			}
			k := r.kernel(func(p unsafe.Pointer, w driver.Work) {
				a := (*[3]driver.DevicePtr)(p)
				for i := w.Begin; i < w.End; i++ {
					*at(a[0], i) = *at(a[1], i) + *at(a[2], i)
					*at(a[1], i)++
					*at(a[2], i) = 0 // must not reach OpenGL in the copied tier
				}
			})
			r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{out, inout, in}, func(ms []interop.Buffer) error {
				a := [3]driver.DevicePtr{ms[0].DevicePtr(), ms[1].DevicePtr(), ms[2].DevicePtr()}
				return interop.Launch(k, r.s, n, &a)
			}))
			for i := range n {
				if got, want := r.gl.Bytes(out.Name())[i], byte(4*i); got != want {
					t.Fatalf("out[%d] is %d, want %d", i, got, want)
				}
				if got, want := r.gl.Bytes(inout.Name())[i], byte(i+1); got != want {
					t.Fatalf("inout[%d] is %d, want %d", i, got, want)
				}
			}
			if tier == "copied" && r.gl.Bytes(in.Name())[1] != 3 {
				t.Error("a read-only buffer was written")
			}
			if r.gl.Broken != 0 {
				t.Errorf("%d of OpenGL's rules broken", r.gl.Broken)
			}
			r.must(r.in.Close())
		})
	}
}

// at is the byte i of host device memory.
func at(p driver.DevicePtr, i int) *byte {
	u := uintptr(p)
	return (*byte)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&u)), i))
}

// kernel loads a kernel that the context's close unloads.
func (r *rig) kernel(f driver.HostKernel) *interop.Kernel {
	r.Helper()
	m, err := r.c.LoadModule(driver.Image{Name: "test", PTX: []byte(".version"), Host: map[string]driver.HostKernel{"k": f}})
	r.must(err)
	r.Cleanup(func() { r.must(m.Close()) })
	k, err := m.Kernel("k")
	r.must(err)
	return k
}
