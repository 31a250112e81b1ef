// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/host"
	"particles/kernels"
)

// saved is a state with its bytes, apart from any device.
type saved struct {
	state State
	bytes []byte
}

// save saves and waits.
func (r *rig) save(t testing.TB, m tested) saved {
	t.Helper()
	b, err := r.ctx.AllocHost(m.SaveSize())
	check(t, err)
	st, err := m.Save(r.stream, b)
	check(t, err)
	check(t, r.stream.Synchronize())
	out := saved{st, bytes.Clone(b.Bytes()[:st.Bytes])}
	check(t, b.Close())
	return out
}

// restore restores and waits.
func (r *rig) restore(t testing.TB, m tested, from saved) error {
	t.Helper()
	b, err := r.ctx.AllocHost(max(len(from.bytes), 1))
	check(t, err)
	copy(b.Bytes(), from.bytes)
	err = m.Restore(r.stream, from.state, b)
	check(t, r.stream.Synchronize())
	check(t, b.Close())
	return err
}

func equal(a, b saved) bool {
	same := a.state == b.state && bytes.Equal(a.bytes, b.bytes)
	if same != (a.state.Hash(a.bytes) == b.state.Hash(b.bytes)) {
		panic("the states' hashes do not say whether they are the same")
	}
	return same
}

// TestSavedStateGoesOnIdentically saves in the middle of a run and goes on from there in another model of another count.
func TestSavedStateGoesOnIdentically(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			o := setup{Count: 3000, Seed: 9}
			m := r.model(t, name, o)
			r.step(t, m, 20, 1.0/60)
			check(t, m.SetCount(r.stream, 4001))
			r.step(t, m, 30, 1.0/60)
			from := r.save(t, m)
			r.step(t, m, 40, 1.0/50)
			want, wantState := r.records(t, m), r.save(t, m)

			for _, count := range []int{4001, 10, 100_000} { // the other model's own count does not matter
				o.Count = count
				other, err := New(name, r.ctx, r.code, o.options(name))
				check(t, err)
				if count == 100_000 { // a model that is on its way already
					check(t, other.Reset(r.stream, 1))
					r.step(t, other, 5, 0.01)
				}
				check(t, r.restore(t, other, from))
				if other.Count() != 4001 || other.Steps() != from.state.Steps || other.Time() != from.state.Time || other.Seed() != 9 {
					t.Errorf("restored: count %d, step %d, time %g, seed %d", other.Count(), other.Steps(), other.Time(), other.Seed())
				}
				if !equal(from, r.save(t, other)) {
					t.Error("saving what was restored gives another state")
				}
				r.step(t, other, 40, 1.0/50)
				if got := r.records(t, other); !same(want, got) || len(got) == 0 {
					t.Errorf("%d records after the restore differ from the run that went on", len(got))
				}
				if got := r.save(t, other); !bytes.Equal(got.bytes, wantState.bytes) || got.state.Time != wantState.state.Time {
					t.Error("the states differ after the restore")
				}
				check(t, other.Close())
			}
			// Back in time in the same model.
			check(t, r.restore(t, m, from))
			r.step(t, m, 40, 1.0/50)
			if !same(want, r.records(t, m)) {
				t.Error("a model set back went another way")
			}
		})
	})
}

// TestStateMovesBetweenDrivers: what one driver saved another one restores bit for bit, and can save again.
func TestStateMovesBetweenDrivers(t *testing.T) {
	move := func(t *testing.T, from, to *rig, computes bool) {
		eachModel(t, func(t *testing.T, name string) {
			o := setup{Count: 5000, Seed: 4}
			a := from.model(t, name, o)
			from.step(t, a, 45, 1.0/60)
			first := from.save(t, a)
			b := to.model(t, name, o)
			check(t, to.restore(t, b, first))
			second := to.save(t, b)
			if !equal(first, second) {
				t.Fatal("the state changed on its way")
			}
			if computes {
				to.step(t, b, 15, 1.0/60)
				from.step(t, a, 15, 1.0/60)
				near(t, from.records(t, a), to.records(t, b))
			}
			check(t, from.restore(t, a, second))
			if !equal(first, from.save(t, a)) {
				t.Error("the state changed on its way back")
			}
		})
	}
	t.Run("host and host", func(t *testing.T) {
		move(t, open(t, hostDriver(t), kernels.Baseline), open(t, host.New(host.Options{Workers: 1}), kernels.Auto), true)
	})
	t.Run("host and stand-in", func(t *testing.T) {
		move(t, open(t, hostDriver(t), kernels.Auto), open(t, testenv.FakeCUDA(t), kernels.Auto), false)
	})
	t.Run("host and cuda", func(t *testing.T) {
		move(t, open(t, hostDriver(t), kernels.Auto), open(t, testenv.CUDA(t), kernels.Auto), true)
	})
}

// near allows for rounding that puts a few particles in or out of the box.
func near(t *testing.T, want, got []record) {
	t.Helper()
	if len(want) != len(got) || len(want) == 0 {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	off := 0
	for i := range got {
		d := math.Abs(float64(got[i].X-want[i].X)) + math.Abs(float64(got[i].Y-want[i].Y)) + math.Abs(float64(got[i].Z-want[i].Z))
		if got[i].drawn() != want[i].drawn() || !(d < 1e-4) {
			off++
		}
	}
	if off > len(got)/1000+1 {
		t.Errorf("%d of %d particles went another way on the other driver", off, len(got))
	}
}

func TestAModelWithoutParticlesIsSavedToo(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	m := r.model(t, "emitter", setup{Count: 100, Seed: 2})
	from := r.save(t, m)
	if from.state.Bytes != 0 {
		t.Errorf("%d bytes of no particles", from.state.Bytes)
	}
	r.step(t, m, 50, 0.01)
	check(t, r.restore(t, m, from))
	if m.Drawn() != 0 || m.Steps() != 0 {
		t.Errorf("%d particles at step %d", m.Drawn(), m.Steps())
	}
}

// fillOwn puts one word in the place of all that the solver knows.
func fillOwn(s *saved, word uint64) {
	for i := range s.state.Own {
		s.state.Own[i] = word
	}
}

func TestStatesThatCannotBeAreRefused(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	eachModel(t, func(t *testing.T, name string) {
		m := r.model(t, name, setup{Count: 500, Seed: 6})
		r.step(t, m, 60, 0.02)
		good := r.save(t, m)
		want := r.records(t, m)
		nan := math.NaN()
		for what, change := range map[string]func(*saved){
			"version":  func(s *saved) { s.state.Version++ },
			"zero":     func(s *saved) { s.state = State{} },
			"model":    func(s *saved) { s.state.Model = "other" },
			"count":    func(s *saved) { s.state.Count = 0 },
			"huge":     func(s *saved) { s.state.Count = MaxCount + 1 },
			"more":     func(s *saved) { s.state.Count++; s.state.Used++; s.state.Bytes++ },
			"used":     func(s *saved) { s.state.Used = s.state.Count + 1 },
			"fewer":    func(s *saved) { s.state.Used--; s.state.Bytes -= s.state.Bytes / (s.state.Used + 1) },
			"negative": func(s *saved) { s.state.Count = -500; s.state.Bytes = -s.state.Bytes },
			"short":    func(s *saved) { s.bytes = s.bytes[:len(s.bytes)-1] },
			"bytes":    func(s *saved) { s.state.Bytes -= 4 },
			"time":     func(s *saved) { s.state.Time = nan },
			"NaN":      func(s *saved) { fillOwn(s, math.Float64bits(nan)) },
			"minus":    func(s *saved) { fillOwn(s, math.Float64bits(-1)) },
		} {
			bad := good
			change(&bad)
			if err := r.restore(t, m, bad); !errors.Is(err, ErrState) {
				t.Errorf("%s: %v", what, err)
			}
			if !same(want, r.records(t, m)) || m.Count() != 500 {
				t.Fatalf("%s: the refusal changed the model", what)
			}
		}
		b, err := r.ctx.AllocHost(good.state.Bytes - 1)
		check(t, err)
		if _, err := m.Save(r.stream, b); err == nil || !strings.Contains(err.Error(), "bytes") {
			t.Errorf("a buffer too small: %v", err)
		}
		check(t, b.Close())
		fresh, err := New(name, r.ctx, r.code, Options{Count: 10})
		check(t, err)
		b, err = r.ctx.AllocHost(fresh.SaveSize())
		check(t, err)
		if _, err := fresh.Save(r.stream, b); !errors.Is(err, ErrNotReset) {
			t.Errorf("saved before the first Reset: %v", err)
		}
		check(t, b.Close())
		check(t, fresh.Close())
	})
}

func TestAStateThatDoesNotFitIsRefused(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		r := open(t, hostDriver(t), kernels.Auto)
		m := r.model(t, name, setup{Count: 50_000})
		r.step(t, m, 3, 0.02)
		from := r.save(t, m)
		small := open(t, host.New(host.Options{Memory: uint64(from.state.Bytes + m.SaveSize()/2 + 1<<16)}), kernels.Auto) // the state or its new memory, not both
		other := small.model(t, name, setup{Count: 100, Seed: 1})
		small.step(t, other, 5, 0.02)
		before := small.records(t, other)
		b, err := small.ctx.AllocHost(from.state.Bytes)
		check(t, err)
		copy(b.Bytes(), from.bytes)
		if err := other.Restore(small.stream, from.state, b); !errors.Is(err, interop.ErrOutOfMemory) {
			t.Errorf("got %v", err)
		}
		check(t, b.Close())
		if other.Count() != 100 || !same(before, small.records(t, other)) {
			t.Error("the refusal changed the model")
		}
	})
}

func TestSavingAllocatesNothing(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			m := r.model(t, name, setup{Count: 2000, Seed: 1})
			r.step(t, m, 60, 1.0/60)
			b, err := r.ctx.AllocHost(m.SaveSize())
			check(t, err)
			n := testing.AllocsPerRun(100, func() {
				if _, err := m.Save(r.stream, b); err != nil {
					t.Error(err)
				}
			})
			check(t, r.stream.Synchronize())
			check(t, b.Close())
			if n != 0 {
				t.Errorf("%g allocations a save", n)
			}
		})
	})
}
