// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"math"
	"strings"
	"testing"

	"particles/interop"
	"particles/interop/host"
	"particles/kernels"
	"particles/sim/param"
)

func eachModel(t *testing.T, run func(t *testing.T, name string)) {
	for _, info := range Models() {
		t.Run(info.Name, func(t *testing.T) { run(t, info.Name) })
	}
}

// history runs a model for 90 steps of a tenth of a second, in which particles die, with changes at fixed steps, publishing every so often, and gives its last records.
func history(t *testing.T, r *rig, name string, seed uint64, publishEvery int) []record {
	t.Helper()
	m := r.model(t, name, setup{Count: 3000, Seed: seed})
	for i := range 90 {
		if i == 30 {
			check(t, m.SetCount(r.stream, 4001))
		}
		if i == 60 {
			check(t, m.SetCount(r.stream, 2500))
		}
		r.step(t, m, 1, 0.1)
		if i%publishEvery == 0 {
			r.records(t, m)
		}
	}
	return r.records(t, m)
}

func same(a, b []record) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if bits(a[i]) != bits(b[i]) {
			return false
		}
	}
	return true
}

func TestStateDependsOnSeedAndStepsAlone(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			want := history(t, r, name, 7, 1)
			if len(want) == 0 {
				t.Fatal("nothing to compare")
			}
			if !same(want, history(t, r, name, 7, 13)) {
				t.Error("publishing less often changed the state")
			}
			if same(want, history(t, r, name, 8, 1)) {
				t.Error("another seed gave the same state")
			}
			if r.ctx.Device().Driver == "host" {
				one := open(t, host.New(host.Options{Workers: 1}), r.code.ISA())
				if !same(want, history(t, one, name, 7, 1)) {
					t.Error("another number of workers changed the state")
				}
			}
		})
	})
}

func TestEverySeedIsASeed(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	eachModel(t, func(t *testing.T, name string) {
		minus := int64(-1)
		seeds := []uint64{0, 1, uint64(minus), 1 << 63, 1<<63 - 1, 1 << 32}
		states := make([][]record, len(seeds))
		for i, seed := range seeds {
			states[i] = history(t, r, name, seed, 50)
			if !same(states[i], history(t, r, name, seed, 50)) {
				t.Errorf("seed %d is not repeatable", seed)
			}
			for j := range i {
				if same(states[i], states[j]) {
					t.Errorf("seeds %d and %d give the same", seed, seeds[j])
				}
			}
		}
	})
}

func TestResetStartsAgain(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			m := r.model(t, name, setup{Count: 1000, Seed: 5})
			r.step(t, m, 30, 1.0/60)
			want := r.records(t, m)
			check(t, m.Reset(r.stream, 5))
			if m.Time() != 0 || m.Steps() != 0 || m.Seed() != 5 {
				t.Errorf("after Reset: time %g, %d steps, seed %d", m.Time(), m.Steps(), m.Seed())
			}
			r.step(t, m, 30, 1.0/60)
			if !same(want, r.records(t, m)) {
				t.Error("the second run differs from the first")
			}
			if math.Abs(m.Time()-0.5) > 1e-9 || m.Steps() != 30 {
				t.Errorf("time %g, %d steps; want 0.5 and 30", m.Time(), m.Steps())
			}
		})
	})
}

// CUDA and the host sets differ in rounding only: fused multiply-adds and the order of sums.
func TestDevicesAgree(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		run := func(t *testing.T, r *rig) []record {
			m := r.model(t, name, setup{Count: 20_000, Seed: 3})
			r.step(t, m, 30, 1.0/60)
			return r.records(t, m)
		}
		want := run(t, open(t, hostDriver(t), kernels.Baseline))
		eachDevice(t, func(t *testing.T, r *rig) {
			got := run(t, r)
			if len(got) != len(want) {
				t.Fatalf("%d records, want %d", len(got), len(want))
			}
			off := 0
			for i := range got {
				d := math.Abs(float64(got[i].X-want[i].X)) + math.Abs(float64(got[i].Y-want[i].Y)) + math.Abs(float64(got[i].Z-want[i].Z))
				if got[i].drawn() != want[i].drawn() || !(d < 1e-4) || (got[i].drawn() && math.Abs(float64(got[i].S-want[i].S)) > 1e-4) {
					off++ // a particle that one rounding puts in and another out of the box or the ground
				}
			}
			if off > len(got)/2000 {
				t.Errorf("%d of %d particles differ from the baseline's by more than 1e-4", off, len(got))
			}
		})
	})
}

func TestSteppingAndPublishingAllocateNothing(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			m := r.model(t, name, setup{Count: 2000, Seed: 1})
			b, err := r.ctx.Alloc(2000 * RecordSize)
			check(t, err)
			r.step(t, m, 100, 1.0/60)
			check(t, m.Publish(r.stream, b))
			n := testing.AllocsPerRun(200, func() {
				if err := errors.Join(m.Step(r.stream, 1.0/60), m.Publish(r.stream, b)); err != nil {
					t.Error(err)
				}
				_, _ = m.Alive(), m.Drawn()
				_, _ = m.Bounds()
				_ = m.Scalar()
			})
			check(t, r.stream.Synchronize())
			check(t, b.Close())
			if n != 0 {
				t.Errorf("%g allocations a frame", n)
			}
		})
	})
}

func TestModelsRefuseWhatCannotBe(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	for _, count := range []int{-1, 1<<30 + 1, 1 << 40, math.MaxInt} {
		if _, err := New("flow", r.ctx, r.code, Options{Count: count}); err == nil {
			t.Errorf("%d particles were accepted", count)
		}
	}
	if _, err := New("flwo", r.ctx, r.code, Options{}); err == nil || !strings.Contains(err.Error(), `"flow"`) {
		t.Errorf("unknown model: %v", err)
	}
	var unknown *param.UnknownError
	if _, err := New("flow", r.ctx, r.code, Options{Params: param.Values{"flow.octave": {1}}}); !errors.As(err, &unknown) || unknown.Nearest != "octaves" {
		t.Errorf("unknown parameter: %v", err)
	}
	if _, err := New("flow", r.ctx, r.code, Options{Params: param.Values{"flow.gain": {math.NaN()}}}); !errors.Is(err, param.ErrNaN) {
		t.Errorf("NaN: %v", err)
	}
	eachModel(t, func(t *testing.T, name string) {
		m, err := New(name, r.ctx, r.code, Options{Count: 100})
		check(t, err)
		b, err := r.ctx.Alloc(100*RecordSize - 1)
		check(t, err)
		if err := m.Step(r.stream, 0.01); !errors.Is(err, ErrNotReset) {
			t.Errorf("Step before Reset: %v", err)
		}
		if err := m.Publish(r.stream, b); !errors.Is(err, ErrNotReset) {
			t.Errorf("Publish before Reset: %v", err)
		}
		check(t, m.Reset(r.stream, 0))
		for _, dt := range []float64{0, -1, math.NaN(), math.Inf(1), 1.5} {
			if m.Step(r.stream, dt) == nil {
				t.Errorf("a step of %g s was accepted", dt)
			}
		}
		if m.Steps() != 0 || m.Time() != 0 {
			t.Error("refused steps were counted")
		}
		for _, n := range []int{0, -5, MaxCount + 1} {
			if m.SetCount(r.stream, n) == nil || m.Count() != 100 {
				t.Errorf("count %d was accepted", n)
			}
		}
		r.step(t, m, 300, 0.05)
		if err := m.Publish(r.stream, b); m.Drawn() == 100 && err == nil {
			t.Error("a buffer too small was accepted")
		}
		check(t, b.Close())
		check(t, m.Close())
		check(t, m.Close())
		if m.Step(r.stream, 0.01) == nil {
			t.Error("a closed model steps")
		}
	})
}

func TestTooLargeACountIsRefusedWithTheCountThatFits(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		r := open(t, host.New(host.Options{Memory: 1 << 20}), kernels.Auto)
		m := r.model(t, name, setup{Count: 1000})
		r.step(t, m, 5, 0.01)
		want := r.records(t, m)
		err := m.SetCount(r.stream, 1<<20)
		if !errors.Is(err, interop.ErrOutOfMemory) || !strings.Contains(err.Error(), "enough for") {
			t.Errorf("got %v", err)
		}
		if m.Count() != 1000 || !same(want, r.records(t, m)) {
			t.Error("the refusal changed the state")
		}
		if _, err := New(name, r.ctx, r.code, Options{Count: 1 << 29}); !errors.Is(err, interop.ErrOutOfMemory) {
			t.Errorf("got %v", err)
		}
	})
}

func TestModelsDescribeThemselves(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	eachModel(t, func(t *testing.T, name string) {
		m := r.model(t, name, setup{})
		for _, spec := range m.Params().Specs() {
			if spec.Label == "" || len(spec.Doc) < 15 || !strings.HasSuffix(spec.Doc, ".") {
				t.Errorf("%s has no proper label and tooltip", spec.Name)
			}
		}
		for _, at := range []string{"default", "min", "max"} {
			for _, spec := range m.Params().Specs() {
				least, most := spec.Range()
				v := map[string]float64{"default": spec.Default, "min": least, "max": most}[at]
				_, err := m.Params().Set(spec.Name, v)
				check(t, err)
			}
			c, radius := m.Bounds()
			if !(radius > 0 && radius < 1e4) || !(math.Abs(float64(c[1])) < 1e4) {
				t.Errorf("at %s: bounds %v, %g", at, c, radius)
			}
			if q := m.Scalar(); q.Name == "" || q.Unit == "" || !(q.Min < q.Max && q.Max < 1e3) {
				t.Errorf("at %s: %+v", at, q)
			}
		}
	})
}

// What is drawn lies in the ball that the camera frames, but for a few stragglers.
func TestBoundsHoldWhatIsDrawn(t *testing.T) {
	r := open(t, hostDriver(t), kernels.Auto)
	eachModel(t, func(t *testing.T, name string) {
		m := r.model(t, name, setup{Count: 20_000})
		r.step(t, m, 360, 1.0/60)
		c, radius := m.Bounds()
		q := m.Scalar()
		far, dull, drawn, top := 0, 0, 0, 0.0
		for _, p := range r.records(t, m) {
			if !p.drawn() {
				continue
			}
			drawn++
			d := math.Hypot(math.Hypot(float64(p.X-c[0]), float64(p.Y-c[1])), float64(p.Z-c[2]))
			top = max(top, d)
			if d > float64(radius) {
				far++
			}
			if float64(p.S) < q.Min || float64(p.S) > q.Max {
				dull++
			}
		}
		if drawn < 10_000 || far > drawn/100 || top < float64(radius)/3 || dull > drawn/20 {
			t.Errorf("%d drawn, %d beyond %g m, the farthest at %g m, %d out of the colour range", drawn, far, radius, top, dull)
		}
	})
}

func TestStateStaysFiniteAtEveryExtreme(t *testing.T) {
	eachModel(t, func(t *testing.T, name string) {
		eachDevice(t, func(t *testing.T, r *rig) {
			m := r.model(t, name, setup{Count: 1500, Seed: math.MaxUint64})
			for _, spec := range m.Params().Specs() {
				least, most := spec.Range()
				for _, v := range []float64{least, most} {
					_, err := m.Params().Set(spec.Name, v)
					check(t, err)
					r.step(t, m, 3, 1)
					r.step(t, m, 3, 1.0/60)
					r.step(t, m, 1, 1e-9)
					for i, p := range r.records(t, m) {
						sum := math.Abs(float64(p.X)) + math.Abs(float64(p.Y)) + math.Abs(float64(p.Z))
						if !(sum < 1e6) || math.IsInf(float64(p.S), 0) {
							t.Fatalf("%s = %g: particle %d is %v", spec.Name, v, i, p)
						}
					}
				}
				m.Params().ResetAll()
			}
		})
	})
}
