// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

// copiedRig is a rig in the copied tier.
func copiedRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	in, err := r.c.OpenGLCopied(r.gl)
	r.must(err)
	r.in = in
	return r
}

func TestCopiedTierCopiesOnceAMappingOnItsStream(t *testing.T) {
	r := copiedRig(t)
	out := r.register(64, interop.WriteDiscard)
	inout := r.register(64, interop.ReadWrite)
	in := r.register(64, interop.ReadOnly)
	if out.Tier() != interop.TierCopied || out.Handle() != 0 {
		t.Errorf("tier %v, handle %#x", out.Tier(), out.Handle())
	}
	if got := r.c.Stats(); got.BufferBytes != 3*64 || got.HostBytes != 3*64 || got.Registrations != 3 {
		t.Errorf("stats %+v", got)
	}
	r.calls("alloc 64", "hostalloc 64", "alloc 64", "hostalloc 64", "alloc 64", "hostalloc 64")
	nop := func([]interop.Buffer) error { return nil }
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{out}, nop))
	r.calls("dtoh s1", "sync s1")
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{in}, nop))
	r.calls("htod s1", "sync s1")
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{out, inout, in}, nop))
	r.calls("htod s1", "htod s1", "dtoh s1", "dtoh s1", "sync s1") // one wait for all
	r.must(r.in.Close())
	if got := r.c.Stats(); got.BufferBytes != 0 || got.HostBytes != 0 || got.Registrations != 0 {
		t.Errorf("stats after close %+v", got)
	}
}

func TestCopiedTierWithoutMemoryLeavesNothing(t *testing.T) {
	r := copiedRig(t)
	r.d.fail["hostalloc"] = driver.OutOfMemory
	_, err := r.in.RegisterBuffer(r.gl.NewBuffer(64), 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrOutOfMemory, "64 bytes")
	r.calls("alloc 64", "hostalloc 64", "free")
	if got := r.c.Stats(); got.BufferBytes != 0 || got.Registrations != 0 {
		t.Errorf("stats %+v", got)
	}
}

func TestCopiedTierKeepsTheLastPictureWhenAStepFails(t *testing.T) {
	r := copiedRig(t)
	b := r.register(64, interop.WriteDiscard)
	r.must(b.WithMapped(r.s, func(m interop.Buffer) error { return m.Fill(r.s, 1, 1) }))
	r.d.fail["sync"] = driver.LaunchFailed
	wantErr(t, b.WithMapped(r.s, func(m interop.Buffer) error { return m.Fill(r.s, 2, 1) }), driver.LaunchFailed)
	if b.IsMapped() {
		t.Error("still mapped")
	}
	if got := r.gl.Bytes(b.Name())[0]; got != 1 {
		t.Errorf("OpenGL has %d, want the 1 of the last good frame", got)
	}
	delete(r.d.fail, "sync")
	r.must(b.WithMapped(r.s, func(m interop.Buffer) error { return m.Fill(r.s, 3, 1) }))
	if got := r.gl.Bytes(b.Name())[0]; got != 3 {
		t.Errorf("OpenGL has %d, want 3", got)
	}
}

func TestCopiedTierOnEveryDriver(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		const n = 1 << 20
		w, gl := newWork(t, d, n), testenv.NewFakeGL()
		in, err := w.c.OpenGLCopied(gl)
		w.must(err)
		defer in.Close()
		b, err := in.RegisterBuffer(gl.NewBuffer(n), n, interop.ReadWrite)
		w.must(err)
		gl.Bytes(b.Name())[n-1] = 9
		w.must(b.WithMapped(w.s, func(m interop.Buffer) error {
			if err := w.a.CopyFrom(w.s, m); err != nil {
				return err
			}
			return m.Fill(w.s, 0x42424242, 4)
		}))
		for i, v := range gl.Bytes(b.Name()) {
			if v != 0x42 {
				t.Fatalf("byte %d is %#x, want 0x42", i, v)
			}
		}
		w.must(w.a.CopyToHost(w.s, w.h, 0, n))
		w.must(w.s.Synchronize())
		if got := w.h.Bytes()[n-1]; got != 9 {
			t.Errorf("the kernel's side saw %d, want OpenGL's 9", got)
		}
		if gl.Broken != 0 {
			t.Errorf("%d of OpenGL's rules broken", gl.Broken)
		}
	})
}
