// SPDX-License-Identifier: Apache-2.0

package interoptest

import (
	"fmt"
	"slices"
	"sync"

	"particles/interop/driver"
	"particles/interop/host"
)

// Options says what a Driver stands on. The zero value is right for most tests.
type Options struct {
	// Inner is what the calls are passed on to; nil: a host driver of its own with
	// one worker, so that kernels run and copies copy.
	Inner driver.Driver
	// Shared makes it pass for a GPU's driver: OpenGL buffers are in the shared
	// tier, not mapped for the CPU. Images need PTX (any
	// text) beside their host kernels then.
	Shared bool
}

// Call is one call that was made.
type Call struct {
	N        int    // from 1, since New
	Name     string // "cuGraphicsMapResources"
	Args     string // as text: handles, sizes, the stream
	Code     driver.Code
	Injected bool // failed because the test wanted it, and not passed on
}

// String is one line: "12 cuMemAlloc(64) = CUDA_ERROR_OUT_OF_MEMORY, injected".
func (c Call) String() string {
	s := fmt.Sprintf("%d %s(%s) = %s", c.N, c.Name, c.Args, c.Code)
	if c.Injected {
		s += ", injected"
	}
	return s
}

// Driver is a driver.Driver that records its calls, enforces the rules and fails
// the calls that a test wants to fail. Safe for use by several goroutines.
type Driver struct {
	inner  driver.Driver
	shared bool

	mu         sync.Mutex
	calls      []Call
	taken      int // calls before this were taken
	inject     []injection
	violations []string
	rules
}

type injection struct {
	name string // "": any call
	left int    // calls until it fails; 0: every one of that name from now on
	code driver.Code

	sticky bool // from then on every call
}

// New makes a driver.
func New(o Options) *Driver {
	if o.Inner == nil {
		o.Inner = host.New(host.Options{Workers: 1})
	}
	d := &Driver{inner: o.Inner, shared: o.Shared}
	d.rules.init()
	return d
}

// Calls gives all calls since New.
func (d *Driver) Calls() []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.calls)
}

// Take gives the calls since the last Take.
func (d *Driver) Take() []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := slices.Clone(d.calls[d.taken:])
	d.taken = len(d.calls)
	return c
}

// Names gives the names of calls, in order.
func Names(calls []Call) []string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Name
	}
	return names
}

// FailAt makes the k-th call from now answer code, and not be passed on. 1 is the
// next call.
func (d *Driver) FailAt(k int, code driver.Code) { d.FailCall("", k, code) }

// FailCall makes the nth call of that name from now answer code, and not be passed
// on; with nth 0 every one, until Heal. Names are those of Call.Name.
func (d *Driver) FailCall(name string, nth int, code driver.Code) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inject = append(d.inject, injection{name: name, left: nth, code: code})
}

// FailFrom makes every call from the k-th on answer code, as a driver does once a
// kernel has broken the context (700, 719), until Heal.
func (d *Driver) FailFrom(k int, code driver.Code) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inject = append(d.inject, injection{left: k, code: code, sticky: true})
}

// Heal takes back the failures that were asked for and have not happened.
func (d *Driver) Heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inject = nil
}

// Injected gives the calls that were made to fail.
func (d *Driver) Injected() []Call {
	var out []Call
	for _, c := range d.Calls() {
		if c.Injected {
			out = append(out, c)
		}
	}
	return out
}

// Violations says which calls broke the driver's rules: each was refused with the
// code that CUDA answers, and not passed on. Code that uses interop makes none.
func (d *Driver) Violations() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.violations)
}

// State counts what the driver holds.
func (d *Driver) State() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state()
}

// TB is what the assertions need of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, a ...any)
}

// Clean fails the test if anything is held or a rule was broken, and says what.
func (d *Driver) Clean(t TB) {
	t.Helper()
	if s := d.State(); s != (State{}) {
		t.Errorf("the driver still holds %s", s)
	}
	d.Lawful(t)
}

// Lawful fails the test if a rule was broken.
func (d *Driver) Lawful(t TB) {
	t.Helper()
	for _, v := range d.Violations() {
		t.Errorf("rule broken: %s", v)
	}
}

// problem is why a call breaks the rules.
type problem struct {
	code driver.Code
	why  string
}

func wrong(code driver.Code, format string, a ...any) problem {
	return problem{code: code, why: fmt.Sprintf(format, a...)}
}

// first gives the first problem there is.
func first(ps ...problem) problem {
	for _, p := range ps {
		if p.code != driver.Success {
			return p
		}
	}
	return problem{}
}

// do makes a call: noted, failed if the test wants it, checked, passed on. check
// and done (after a success) run with the lock held; both may be nil.
func (d *Driver) do(name, args string, check func() problem, call func() driver.Code, done func()) driver.Code {
	d.mu.Lock()
	i := len(d.calls)
	d.calls = append(d.calls, Call{N: i + 1, Name: name, Args: args})
	if code, ok := d.failing(name); ok {
		d.calls[i].Code, d.calls[i].Injected = code, true
		d.mu.Unlock()
		return code
	}
	if check != nil {
		if p := check(); p.code != driver.Success {
			d.calls[i].Code = p.code
			d.violations = append(d.violations, fmt.Sprintf("%s: %s", d.calls[i], p.why))
			d.mu.Unlock()
			return p.code
		}
	}
	d.mu.Unlock()
	code := call()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[i].Code = code
	if code == driver.Success && done != nil {
		done()
	}
	return code
}

// failing counts the call against the failures asked for.
func (d *Driver) failing(name string) (driver.Code, bool) {
	for i := range d.inject {
		f := &d.inject[i]
		if f.name != "" && f.name != name {
			continue
		}
		if f.left == 0 {
			return f.code, true
		}
		if f.left--; f.left == 0 {
			code := f.code
			if f.sticky {
				return code, true // left stays 0
			}
			d.inject = slices.Delete(d.inject, i, i+1)
			return code, true
		}
	}
	return driver.Success, false
}
