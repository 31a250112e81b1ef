// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"reflect"
	"testing"

	"particles/internal/scene"
	"particles/internal/testenv"
	"particles/interop/driver"
)

// TestSwitchingTheDeviceKeepsTheParticles: a run that changed its device shows the
// same states as one that did not.
func TestSwitchingTheDeviceKeepsTheParticles(t *testing.T) {
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			var want kept
			t.Run("one that stays", func(t *testing.T) { // its OpenGL context is gone after this
				r := openRun(t, name, nil)
				r.drawFrames(t, 60)
				want = r.now(t)
			})
			r := openRun(t, name, nil)
			r.drawFrames(t, 25)
			before := r.now(t)
			first := r.engine
			r.on(t, "host", "copied")
			if r.engine == first || r.engine.choice.Tier.String() != "copied" {
				t.Fatalf("the device was not changed: %s", r.engine.choice)
			}
			if !samePlace(before, r.now(t)) {
				t.Error("the particles moved")
			}
			r.drawFrames(t, 15)
			r.on(t, "", "auto")
			r.drawFrames(t, 20)
			if !samePlace(want, r.now(t)) {
				t.Error("the run that changed its device went another way")
			}
		})
	}
}

// TestSwitchingToAGPUAndBackKeepsTheParticles uses the stand-in, on which they do not move.
func TestSwitchingToAGPUAndBackKeepsTheParticles(t *testing.T) {
	calls := logged(t)
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			said := &messages{}
			r := openRun(t, name, standIn(t, said, func(o *Options) { o.Driver = "host" }))
			r.drawFrames(t, 30)
			before := r.now(t)
			for i := range r.engine.model.Params().Len() { // all parameters a little away from their defaults
				spec := &r.engine.model.Params().Specs()[i]
				_, most := spec.Range()
				v := spec.DefaultAt(0) + (most-spec.DefaultAt(0))/4
				if _, err := r.engine.model.Params().SetPart(i, 0, v); err != nil {
					t.Fatal(err)
				}
			}
			params := map[string]any{}
			r.engine.model.Params().Describe(params)
			for _, to := range [][2]string{{"cuda", ""}, {"", "copied"}, {"", "shared"}, {"auto", "auto"}} {
				r.on(t, to[0], to[1])
				if d := r.engine.choice.Driver; d != "cuda" {
					t.Fatalf("to %v: on %s\n%s", to, d, said.all())
				}
				if !samePlace(before, r.now(t)) {
					t.Fatalf("to %v: the particles moved", to)
				}
			}
			r.on(t, "host", "")
			if !samePlace(before, r.now(t)) {
				t.Error("back: the particles moved")
			}
			after := map[string]any{}
			if r.engine.model.Params().Describe(after); !reflect.DeepEqual(params, after) {
				t.Errorf("the parameters went from %v to %v", params, after)
			}
			r.drawFrames(t, 10)
			if n := len(said.lines("now computing")); n != 5 {
				t.Errorf("5 changes, told %d times:\n%s", n, said.all())
			}
		})
		allGivenBack(t, calls)
	}
}

func TestAFailedSwitchLeavesEverything(t *testing.T) {
	said := &messages{}
	r := openRun(t, "fountain", standIn(t, said, func(o *Options) { o.Driver = "host" }))
	r.drawFrames(t, 30)
	before, engine := r.now(t), r.engine
	for _, c := range [][3]string{
		{"no driver", "FAKE_CU", "cuInit=999"},
		{"kernels refused", "FAKE_CU", "cuModuleLoadDataEx=222"},
		{"no memory", "FAKE_CU_MEM", "100000"},
		{"copies fail", "FAKE_CU", "cuMemcpyHtoDAsync_v2=1"},
		{"sharing refused, no copies", "FAKE_CU", "cuGraphicsGLRegisterBuffer=304,cuMemHostAlloc=2"},
	} {
		t.Setenv(c[1], c[2])
		told := len(said.lines("the device is not changed"))
		r.on(t, "cuda", "")
		if r.engine != engine || r.o.Driver != "host" || !samePlace(before, r.now(t)) {
			t.Errorf("%s: something changed: %s", c[0], r.engine.choice)
		}
		if n := len(said.lines("the device is not changed")); n != told+1 {
			t.Errorf("%s: told %d times:\n%s", c[0], n-told, said.all())
		}
		t.Setenv(c[1], "")
	}
	r.o.openCUDA = func() (driver.Driver, error) { return nil, errors.New("not here") }
	r.on(t, "cuda", "")
	if r.engine != engine || len(said.lines("not here")) != 1 {
		t.Errorf("a driver that is not there:\n%s", said.all())
	}
	r.drawFrames(t, 5)
}

// TestStateMovesToARealGPUAndBack is bit for bit the same there and back, and goes on on either.
func TestStateMovesToARealGPUAndBack(t *testing.T) {
	testenv.CUDA(t)
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			r := openRun(t, name, func(o *Options) { o.Scene.Count = 50_000 })
			r.drawFrames(t, 60)
			for _, to := range [][2]string{{"cuda", "auto"}, {"cuda", "copied"}, {"host", "auto"}, {"cuda", "auto"}} {
				before := r.now(t)
				r.on(t, to[0], to[1])
				if r.engine.choice.Driver != to[0] {
					t.Fatalf("to %v: %s", to, r.engine.choice)
				}
				if !samePlace(before, r.now(t)) {
					t.Errorf("to %v: the particles moved", to)
				}
				r.drawFrames(t, 30)
			}
		})
	}
}
