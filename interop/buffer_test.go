// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// work is a context with a stream and a pair of buffers.
type work struct {
	*testing.T
	c    *interop.Context
	s    *interop.Stream
	a, b interop.Buffer
	h    *interop.HostBuffer
}

func newWork(t *testing.T, d driver.Driver, n int) *work {
	t.Helper()
	w := &work{T: t, c: testenv.Context(t, d)}
	var errs [4]error
	w.s, errs[0] = w.c.NewStream(interop.StreamOptions{})
	w.a, errs[1] = w.c.Alloc(n)
	w.b, errs[2] = w.c.Alloc(n)
	w.h, errs[3] = w.c.AllocHost(n)
	w.must(errors.Join(errs[:]...))
	t.Cleanup(func() {
		for _, err := range []error{w.a.Close(), w.b.Close(), w.h.Close(), w.s.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return w
}

func (w *work) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func TestCase68And69And70CopiesAndFillsAreChecked(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		r := &recorder{Driver: d}
		w := newWork(t, r, 100)
		r.take()
		small, err := w.a.Slice(0, 99)
		w.must(err)
		wantErr(t, small.CopyFrom(w.s, w.b), interop.ErrArgument, "100", "99")
		wantErr(t, w.a.CopyFrom(w.s, interop.Buffer{}), interop.ErrZeroValue)
		wantErr(t, w.a.Fill(w.s, 256, 1), interop.ErrArgument, "0x100")
		wantErr(t, w.a.Fill(w.s, 1<<16, 2), interop.ErrArgument)
		wantErr(t, w.a.Fill(w.s, 1, 3), interop.ErrArgument, "3")
		wantErr(t, small.Fill(w.s, 1, 2), interop.ErrArgument, "99")
		wantErr(t, w.a.CopyToHost(w.s, w.h, 1, 100), interop.ErrArgument)
		wantErr(t, w.a.CopyToHost(w.s, w.h, 0, 101), interop.ErrArgument)
		wantErr(t, w.a.CopyFromHost(w.s, w.h, -1, 1), interop.ErrArgument)
		wantErr(t, w.a.CopyFromHost(w.s, nil, 0, 1), interop.ErrZeroValue)
		wantErr(t, w.a.Fill(nil, 1, 1), interop.ErrNilStream)
		for _, bad := range [][2]int{{-1, 5}, {0, 0}, {0, 101}, {100, 1}, {1, int(^uint(0) >> 1)}} {
			_, err := w.a.Slice(bad[0], bad[1])
			wantErr(t, err, interop.ErrArgument)
		}
		for _, n := range []int{0, -5} {
			_, err := w.c.Alloc(n)
			wantErr(t, err, interop.ErrArgument)
			_, err = w.c.AllocHost(n)
			wantErr(t, err, interop.ErrArgument)
		}
		if got := r.take(); len(got) != 0 {
			t.Errorf("driver calls %q for refused arguments", got)
		}
	})
}

func TestCase71BytesGoRoundThroughFillsAndCopies(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		const n = 4096 + 12
		w := newWork(t, d, n)
		w.must(w.a.Fill(w.s, 0x42, 1))
		half, err := w.a.Slice(4, 8)
		w.must(err)
		w.must(half.Fill(w.s, 0x01020304, 4))
		two, err := w.a.Slice(n-4, 4)
		w.must(err)
		w.must(two.Fill(w.s, 0xaabb, 2))
		w.must(w.b.CopyFrom(w.s, w.a))
		w.must(w.b.CopyToHost(w.s, w.h, 0, n))
		w.must(w.s.Synchronize())
		want := bytes.Repeat([]byte{0x42}, n)
		copy(want[4:], []byte{4, 3, 2, 1, 4, 3, 2, 1})
		copy(want[n-4:], []byte{0xbb, 0xaa, 0xbb, 0xaa})
		if !bytes.Equal(w.h.Bytes(), want) {
			t.Fatal("bytes differ after fill and copies")
		}
		for i := range w.h.Bytes() {
			w.h.Bytes()[i] = byte(i * 7)
		}
		w.must(w.a.CopyFromHost(w.s, w.h, 100, 50)) // host bytes 100..149 to the start
		w.must(w.s.Synchronize())
		clear(w.h.Bytes())
		w.must(w.a.CopyToHost(w.s, w.h, 200, 51))
		w.must(w.s.Synchronize())
		for i := range 50 {
			if got := w.h.Bytes()[200+i]; got != byte((100+i)*7) {
				t.Fatalf("byte %d is %d, want %d", i, got, byte((100+i)*7))
			}
		}
		if w.h.Bytes()[250] != 0x42 || w.h.Bytes()[199] != 0 || w.h.Bytes()[251] != 0 {
			t.Error("a copy wrote beside its range")
		}
	})
}

func TestCase72ClosedBufferRefusesWithoutADriverCall(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		r := &recorder{Driver: d}
		w := newWork(t, r, 64)
		part, err := w.a.Slice(8, 8)
		w.must(err)
		wantErr(t, part.Close(), interop.ErrArgument, "slice")
		r.take()
		w.must(w.a.Close())
		if got := r.take(); len(got) != 1 {
			t.Errorf("calls %q, want one free", got)
		}
		for _, b := range []interop.Buffer{w.a, part} {
			if b.DevicePtr() != 0 || b.Size() != 0 {
				t.Error("address or size after close")
			}
			wantErr(t, b.Fill(w.s, 0, 1), interop.ErrClosed)
			wantErr(t, b.CopyFrom(w.s, w.b), interop.ErrClosed)
			wantErr(t, w.b.CopyFrom(w.s, b), interop.ErrClosed)
			wantErr(t, b.CopyToHost(w.s, w.h, 0, 1), interop.ErrClosed)
			wantErr(t, b.SetReleaseStream(w.s), interop.ErrClosed)
			_, err = b.Slice(0, 1)
			wantErr(t, err, interop.ErrClosed)
			w.must(b.Close())
		}
		w.must(w.h.Close())
		wantErr(t, w.b.CopyToHost(w.s, w.h, 0, 1), interop.ErrClosed)
		if got := r.take(); len(got) != 0 {
			t.Errorf("driver calls %q", got)
		}
	})
}

func TestThingsOfAnotherContextAreRefused(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		w, other := newWork(t, d, 64), newWork(t, d, 64)
		wantErr(t, w.a.Fill(other.s, 0, 1), interop.ErrWrongContext)
		wantErr(t, w.a.CopyFrom(w.s, other.a), interop.ErrWrongContext)
		wantErr(t, w.a.CopyToHost(w.s, other.h, 0, 1), interop.ErrWrongContext)
		e, err := other.c.NewEvent(interop.EventOptions{})
		other.must(err)
		defer e.Close()
		wantErr(t, e.Record(w.s), interop.ErrWrongContext)
		wantErr(t, w.s.WaitEvent(e), interop.ErrWrongContext)
	})
}

func TestReleaseStreamOfAllocatedMemoryIsWaitedFor(t *testing.T) {
	r := newRig(t)
	b, err := r.c.Alloc(64)
	r.must(err)
	r.must(b.SetReleaseStream(r.s))
	s2 := r.stream()
	r.must(b.SetReleaseStream(s2))
	r.must(s2.Close()) // lives on for the release
	r.d.take()
	r.must(b.Close())
	r.calls("sync s2", "streamdestroy s2", "free")
}

func TestTooMuchMemoryIsRefusedWithSizes(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		c := testenv.Context(t, d)
		free, total, err := c.MemInfo()
		if err != nil || free == 0 || free > total {
			t.Fatalf("free %d, total %d, error %v", free, total, err)
		}
		_, err = c.Alloc(1 << 50)
		wantErr(t, err, interop.ErrOutOfMemory, "1048576.0 GiB", "free", c.Device().Name)
		if !c.Stats().Zero() {
			t.Errorf("stats %+v after a refused allocation", c.Stats())
		}
	})
}
