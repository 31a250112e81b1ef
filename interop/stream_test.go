// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"testing"
	"time"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
)

func TestCase75WorkAfterAWaitIsAfterTheEvent(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		const n = 1 << 22
		w := newWork(t, d, n)
		s2, err := w.c.NewStream(interop.StreamOptions{})
		w.must(err)
		defer s2.Close()
		e, err := w.c.NewEvent(interop.EventOptions{})
		w.must(err)
		defer e.Close()
		wantErr(t, w.s.WaitEvent(nil), interop.ErrArgument)
		for i := range 50 { // each round would differ if s2 ran ahead, now and then
			w.must(w.a.Fill(w.s, uint32(i), 1))
			w.must(e.Record(w.s))
			w.must(s2.WaitEvent(e))
			w.must(w.b.CopyFrom(s2, w.a))
			w.must(w.b.CopyToHost(s2, w.h, 0, n))
			w.must(s2.Synchronize())
			for _, at := range []int{0, n / 2, n - 1} {
				if got := w.h.Bytes()[at]; got != byte(i) {
					t.Fatalf("round %d: byte %d is %d", i, at, got)
				}
			}
		}
	})
}

func TestCase77PrioritiesAreCheckedAndLowestByDefault(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		c := testenv.Context(t, d)
		least, greatest := c.PriorityRange()
		if least < greatest {
			t.Fatalf("range %d to %d", least, greatest)
		}
		for _, p := range []int{least + 1, greatest - 1} {
			_, err := c.NewStream(interop.StreamOptions{Priority: p, HasPriority: true})
			wantErr(t, err, interop.ErrArgument)
		}
		for p, o := range map[int]interop.StreamOptions{
			least:    {},
			greatest: {Priority: greatest, HasPriority: true},
		} {
			s, err := c.NewStream(o)
			if err != nil {
				t.Fatal(err)
			}
			if s.Priority() != p {
				t.Errorf("priority %d, want %d", s.Priority(), p)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestCase79ElapsedIsTheTimeBetween(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		w := newWork(t, d, 64)
		from, to := newEvents(t, w.c)
		start := time.Now()
		w.must(from.Record(w.s))
		w.must(from.Synchronize())
		time.Sleep(50 * time.Millisecond)
		w.must(to.Record(w.s))
		w.must(to.Synchronize())
		most := float64(time.Since(start)) / 1e6 * 1.01 // two clocks
		ms, err := to.Elapsed(from)
		w.must(err)
		if ms < 49.5 || float64(ms) > most {
			t.Errorf("%v ms between events, want 50 to %.1f", ms, most)
		}
	})
}

func newEvents(t *testing.T, c *interop.Context) (from, to *interop.Event) {
	t.Helper()
	from, err1 := c.NewEvent(interop.EventOptions{Timing: true})
	to, err2 := c.NewEvent(interop.EventOptions{Timing: true})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(from.Close(), to.Close()); err != nil {
			t.Error(err)
		}
	})
	return from, to
}

func TestCase80ThreeReasonsWhyThereIsNoTime(t *testing.T) {
	r := newRig(t)
	from, to := newEvents(t, r.c)
	plain, err := r.c.NewEvent(interop.EventOptions{})
	r.must(err)
	defer plain.Close()
	_, err = to.Elapsed(from)
	wantErr(t, err, interop.ErrNotRecorded)
	_, err = to.Elapsed(plain)
	wantErr(t, err, interop.ErrTimingDisabled)
	gate := make(chan struct{})
	k := r.kernel(func(unsafe.Pointer, driver.Work) { <-gate })
	var p uint64
	r.must(from.Record(r.s))
	r.must(k.Launch(r.s, 1, unsafe.Pointer(&p), 8))
	r.must(to.Record(r.s))
	_, err = to.Elapsed(from)
	wantErr(t, err, interop.ErrNotReady)
	if done, err := to.Done(); done || err != nil {
		t.Errorf("before the mark: done %v, %v", done, err)
	}
	if done, err := r.s.Query(); done || err != nil {
		t.Errorf("stream at work: done %v, %v", done, err)
	}
	close(gate)
	r.must(to.Synchronize())
	ms, err := to.Elapsed(from)
	r.must(err)
	if ms < 0 {
		t.Errorf("%v ms", ms)
	}
	if done, err := r.s.Query(); !done || err != nil {
		t.Errorf("after: done %v, %v", done, err)
	}
}

func TestCase81RecordedEventIsDoneOrNot(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		w := newWork(t, d, 1<<20)
		e, err := w.c.NewEvent(interop.EventOptions{})
		w.must(err)
		_, err = e.Done()
		wantErr(t, err, interop.ErrNotRecorded)
		wantErr(t, e.Synchronize(), interop.ErrNotRecorded)
		w.must(w.a.Fill(w.s, 1, 4))
		w.must(e.Record(w.s))
		for {
			done, err := e.Done()
			w.must(err)
			if done {
				break
			}
			time.Sleep(time.Millisecond)
		}
		w.must(e.Close())
		w.must(e.Close())
		_, err = e.Done()
		wantErr(t, err, interop.ErrClosed)
		wantErr(t, e.Record(w.s), interop.ErrClosed)
		wantErr(t, w.s.WaitEvent(e), interop.ErrClosed)
	})
}

func TestClosedStreamStillRunsWhatWasQueued(t *testing.T) {
	testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
		w := newWork(t, d, 1<<20)
		s, err := w.c.NewStream(interop.StreamOptions{})
		w.must(err)
		w.must(w.a.Fill(s, 0x33, 1))
		w.must(w.a.CopyToHost(s, w.h, 0, 1<<20))
		w.must(s.Close())
		w.must(s.Close())
		wantErr(t, s.Synchronize(), interop.ErrClosed)
		w.must(w.c.Synchronize())
		if got := w.h.Bytes()[1<<20-1]; got != 0x33 {
			t.Errorf("last byte %#x, want 0x33", got)
		}
	})
}
