// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

// run makes the world and does the steps. errs are what the program was told, in order.
func (w *world) run(d *interoptest.Driver, copied bool, steps []step, after func(what string)) (errs []error) {
	if err := w.open(d, copied); err != nil {
		return []error{err}
	}
	for _, s := range steps {
		if ops[s.op].name == "unregister" && len(w.regs) == 0 {
			continue
		}
		if err := ops[s.op].do(w, s); err != nil {
			errs = append(errs, err)
		}
		after(ops[s.op].name)
	}
	return errs
}

// end gives back what is left, in the program's way, then the context's. The
// errors are those of calls: that things were left open is what the test wants.
func (w *world) end() error {
	var errs []error
	for _, f := range slices.Backward(w.free) {
		errs = append(errs, f())
	}
	if w.in != nil {
		errs = append(errs, w.in.Close())
	}
	if w.c != nil {
		err := w.c.Close()
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			var rest []error
			for _, e := range all.Unwrap() {
				if leak, ok := e.(*interop.LeakError); ok {
					e = errors.Join(leak.Errors...)
				}
				rest = append(rest, e)
			}
			err = errors.Join(rest...)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// frees are the calls that give back one object; when such a call fails the driver
// keeps it, and nobody asks again, but for the two of the graphics resources.
var frees = []string{"cuMemFree", "cuMemFreeHost", "cuStreamDestroy", "cuEventDestroy", "cuModuleUnload", "cuArrayDestroy", "cuSurfObjectDestroy"}

var (
	randomStep = rapid.Custom(func(t *rapid.T) step {
		return step{rapid.IntRange(0, len(ops)-1).Draw(t, "op"), rapid.IntRange(0, 11).Draw(t, "a"), rapid.IntRange(0, 5).Draw(t, "b")}
	})
	randomSteps = rapid.SliceOfN(randomStep, 1, 12) // short, so that rapid finds the shortest that fails
	manySteps   = rapid.SliceOfN(randomStep, 150, 150)
)

func TestAnyDriverCallOfARandomProgramMayFail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := faults{fatal: t, copied: false}
		tier := rapid.SampledFrom([]string{"host", "shared", "copied"}).Draw(t, "tier")
		f.copied = tier == "copied"
		f.fresh = func() (*interoptest.Driver, *world) {
			return interoptest.New(interoptest.Options{Shared: tier != "host"}), &world{}
		}
		f.steps = randomSteps.Draw(t, "steps")
		f.code = rapid.SampledFrom([]driver.Code{driver.Unknown, driver.OutOfMemory, driver.InvalidValue, driver.NotPermitted, driver.IllegalAddress}).Draw(t, "code")
		f.everyCall()
	})
}

// One long program a tier, with state that has piled up when the call fails.
func TestAnyDriverCallOfALongProgramMayFail(t *testing.T) {
	for i, tier := range []string{"host", "shared", "copied"} {
		f := faults{fatal: t, copied: tier == "copied", steps: manySteps.Example(i), code: driver.Unknown, every: 1}
		if testing.Short() || raceEnabled {
			f.every = 17
		}
		f.fresh = func() (*interoptest.Driver, *world) {
			return interoptest.New(interoptest.Options{Shared: tier != "host"}), &world{}
		}
		f.everyCall()
	}
}

// The same on a GPU, shared through EGL and copied, with fewer programs.
func TestAnyDriverCallOfARandomProgramMayFailOnTheGPU(t *testing.T) {
	inner := testenv.CUDA(t)
	g := testenv.EGL(t)
	c := testenv.Context(t, inner) // keeps the primary context, which is slow to make
	_, err := c.OpenGL(g)
	for _, copied := range []bool{true, false} {
		if !copied && err != nil {
			testenv.Missing(t, "gpu", "needs OpenGL on the CUDA device: %v", err)
		}
		for i := range 8 {
			things := onGPU{GL: g, t: t}
			f := faults{fatal: t, copied: copied, steps: randomSteps.Example(i), code: driver.Unknown}
			f.fresh = func() (*interoptest.Driver, *world) {
				return interoptest.New(interoptest.Options{Inner: inner}), &world{gl: &things}
			}
			f.everyCall()
		}
	}
}

// onGPU makes things in a real OpenGL; the end of the test deletes them.
type onGPU struct {
	*testenv.GL
	t *testing.T
}

func (g *onGPU) makeBuffer() uint32 { return g.NewBuffer(g.t, thingSize) }

func (g *onGPU) makeTexture() uint32 {
	return g.NewTexture(g.t, driver.Texture2DArray, glRGBA8, 8, 8, 3, 2)
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Errorf(format string, a ...any)
	Fatalf(format string, a ...any)
}

// faults is a program and the failure to try at each of its calls.
type faults struct {
	fatal  fataler
	fresh  func() (*interoptest.Driver, *world)
	copied bool
	steps  []step
	code   driver.Code
	every  int // fail each call (0, 1) or only one in so many
}

func (f *faults) everyCall() {
	t := f.fatal
	// Without a failure nothing is reported and nothing is left.
	d, w := f.fresh()
	if errs := w.run(d, f.copied, f.steps, func(string) {}); len(errs) > 0 {
		t.Fatalf("without a failure: %v", errs)
	}
	if err := w.end(); err != nil {
		t.Fatalf("without a failure, closing: %v", err)
	}
	d.Clean(t)
	for k := 0; k < len(d.Calls()); k += max(f.every, 1) {
		d, w := f.fresh()
		if f.code == driver.IllegalAddress { // which a driver answers for ever
			brokenFrom(t, d, w, f.copied, f.steps, k+1, f.code)
		} else {
			oneFailure(t, d, w, f.copied, f.steps, k+1, f.code)
		}
		release(d)
	}
}

// oneFailure does the steps with the k-th call failing.
func oneFailure(t fataler, d *interoptest.Driver, w *world, copied bool, steps []step, k int, code driver.Code) {
	d.FailAt(k, code)
	told := w.run(d, copied, steps, func(what string) { consistent(t, d, w, what) })
	if w.c == nil && len(told) == 1 { // not even a context: the next try works
		checkTold(t, d, told, code)
		if told = w.run(d, copied, steps, func(string) {}); len(told) > 0 {
			t.Fatalf("call %d failed, then: %v", k, told)
		}
	}
	if err := w.end(); err != nil {
		told = append(told, err)
	}
	injected := d.Injected()
	if len(injected) == 0 {
		d.Clean(t) // a run with fewer calls: whether a surface is still in use depends on time
		return
	}
	call := injected[0]
	if w.c != nil && len(told) > 0 {
		checkTold(t, d, told, code)
	}
	if len(told) == 0 && !slices.Contains([]string{"cuDeviceGetCount"}, call.Name) && d.State().Contexts == 0 && !retried(d, call) {
		t.Fatalf("%s: nobody was told", call)
	}
	// Nothing is left but what the failed call itself refused to take.
	left := d.State()
	switch {
	case call.Name == "cuDevicePrimaryCtxRelease":
		if left != (interoptest.State{Contexts: 1}) {
			t.Fatalf("%s: the driver still holds %s", call, left)
		}
	case left != (interoptest.State{}):
		t.Fatalf("%s: the driver still holds %s", call, left)
	}
	for _, v := range d.Violations() {
		if !slices.Contains(frees, call.Name) {
			t.Fatalf("%s: rule broken: %s", call, v)
		}
	}
	if len(d.Violations()) > 1 {
		t.Fatalf("%s: rules broken: %q", call, d.Violations())
	}
	if w.c != nil && !w.c.Stats().Zero() {
		t.Fatalf("%s: the context still counts %+v", call, w.c.Stats())
	}
}

// brokenFrom does the steps with every call failing from the k-th on: everything
// reports the code, and still all is closed.
func brokenFrom(t fataler, d *interoptest.Driver, w *world, copied bool, steps []step, k int, code driver.Code) {
	d.FailFrom(k, code)
	told := w.run(d, copied, steps, func(string) {})
	// What only frees says nothing any more once the failure was reported.
	if err := w.end(); err != nil {
		told = append(told, err)
	}
	call, ok := interoptest.Call{}, false
	for _, c := range d.Injected() {
		call, ok = c, true
		break
	}
	if !ok {
		return
	}
	if len(told) == 0 {
		t.Fatalf("%s: nobody was told", call)
	}
	for i, err := range told {
		if !errors.Is(err, code) {
			t.Fatalf("%s: error %d is %v", call, i, err)
		}
	}
	var e *interop.Error
	if !errors.As(told[0], &e) || e.Op != call.Name {
		t.Fatalf("%s: told %v", call, told[0])
	}
	if w.c != nil && !w.c.Stats().Zero() {
		t.Fatalf("%s: the context still counts %+v", call, w.c.Stats())
	}
}

// release gives back the context whose release was made to fail, so that the host
// driver beneath ends its goroutines.
func release(d *interoptest.Driver) {
	d.Heal()
	for range d.State().Contexts {
		d.DevicePrimaryCtxRelease(0)
	}
}

// retried: the call's failure needed no report, since it was made again and worked
// within the same run (the world could not be made and was made again).
func retried(d *interoptest.Driver, call interoptest.Call) bool {
	return call.N < 10 && slices.Contains([]string{"cuDeviceGet", "cuDriverGetVersion", "cuDeviceGetName", "cuDeviceGetUuid", "cuDeviceGetAttribute", "cuDeviceTotalMem", "cuDevicePrimaryCtxRetain"}, call.Name)
}

// checkTold: the first error names call, code and cure; later ones may only repeat it.
func checkTold(t fataler, d *interoptest.Driver, told []error, code driver.Code) {
	call := d.Injected()[0]
	for i, err := range told {
		var e *interop.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Fatalf("%s: error %d is %v", call, i, err)
		}
		if e.Op != call.Name || e.Name != code.Name() || e.Text == "" || e.Cure != driver.Cure(call.Name, code) {
			t.Fatalf("%s: %#v", call, e)
		}
	}
	if len(told) > 1 {
		t.Fatalf("%s: told %d times: %v", call, len(told), told)
	}
}

// consistent: the context's counts are the driver's, but for an unmap that failed.
func consistent(t fataler, d *interoptest.Driver, w *world, what string) {
	st, held := w.c.Stats(), d.State()
	poisoned := 0
	for _, c := range d.Injected() {
		if c.Name == "cuGraphicsUnmapResources" {
			poisoned = len(w.regs) + len(w.imgs) + len(w.free)
		}
	}
	if w.in.Tier() != interop.TierCopied && (held.Registered != st.Registrations || held.Mapped < st.Mappings || held.Mapped > st.Mappings+poisoned) {
		t.Fatalf("after %s: context %+v, driver %s", what, st, held)
	}
	for _, g := range w.regs {
		if g.mapped != g.b.IsMapped() || g.mapped != (g.m.DevicePtr() != 0) {
			t.Fatalf("after %s: %v, buffer %v, model mapped %t", what, g.b, g.m, g.mapped)
		}
	}
	for _, g := range w.imgs {
		if w, _, _ := g.a.Size(); g.mapped != g.i.IsMapped() || g.mapped != (w != 0) {
			t.Fatalf("after %s: %v, array %v, model mapped %t", what, g.i, g.a, g.mapped)
		}
	}
}
