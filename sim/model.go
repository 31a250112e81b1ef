// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// RecordSize is the size in bytes of what Publish writes for a particle: x, y, z in metres and a scalar for the colour, all
// float32. A scalar that is NaN means: do not draw.
const RecordSize = 16

// MaxCount is the largest number of particles of a model.
const MaxCount = 1 << 30

// DefaultCount is the number of particles when none is asked for.
const DefaultCount = 100_000

// Options says how a model is made.
type Options struct {
	Count  int // 0: DefaultCount
	Seed   uint64
	Params param.Values // values other than the defaults, by full name; those of other groups are passed over
	// Reserve is what the caller will take of the device's memory for each particle beside the model, in bytes, such as
	// what Publish writes into. A count is refused if it fits only without.
	Reserve int
}

// ModelInfo describes a model without a device: all that is written once for every model follows from it.
type ModelInfo struct {
	param.Group
	Arrays  []Array  // a particle's state
	Kernels []string // of the module named like the model, in the order of the solver's own constants

	make func(*Model) (solver, error)
}

// solver is what a model adds to the kit: its physics.
type solver interface {
	// spawn queues the laying out of the particles [from, to), at a Reset and when the count grows.
	spawn(s *interop.Stream, from, to int) error
	step(s *interop.Stream, dt float64) error
	// publish queues writing n records to dst.
	publish(s *interop.Stream, dst interop.DevicePtr, n int) error
	bounds() (centre [3]float32, radius float32)
	// attributes lists what a particle's colour, plots and exports may show, with the ranges of now, and which of them the records'
	// scalar is.
	attributes(into []param.Quantity) (all []param.Quantity, shown int)
	// own visits what the solver knows on the host's side, to save, restore or clear it.
	own(f *fields)
}

// ring is a solver whose particles fill slots from 0 on and are laid out anew when the count changes.
type ring interface {
	used() int // slots that have ever held a particle
	alive() int
	repack(s *interop.Stream, to *arrays, count int) error // queues it; at least one slot is used
	release() error                                        // gives back what the solver holds
}

var models = []*ModelInfo{&flowInfo, &emitterInfo}

// Models lists all models, for the scene files, the command line and the documentation.
func Models() []ModelInfo {
	list := make([]ModelInfo, len(models))
	for i := range models {
		list[i] = *models[i]
	}
	return list
}

// Model is a solver with its state on the device. All methods are called from one goroutine. Work is queued on the stream
// given, which should be the same one throughout, or ordered by events; nothing waits for it but Close and a change of the
// count that needs other memory.
type Model struct {
	info   *ModelInfo
	ctx    *interop.Context
	code   *kernels.Set
	params *param.Set
	solver solver
	ring   ring // the solver, if it is one

	kernels []*interop.Kernel
	mem     arrays
	count   int
	seed    uint64
	time    float64
	steps   uint64
	ready   bool
	reserve int // Options.Reserve

	visit      fields           // scratch
	attributes []param.Quantity // likewise
}

// New makes a model by name. Its memory is allocated; Reset then starts it.
func New(name string, ctx *interop.Context, k *kernels.Set, o Options) (*Model, error) {
	names := make([]string, len(models))
	for i, info := range models {
		if info.Name == name {
			m, err := newModel(info, ctx, k, o)
			if err != nil {
				return nil, fmt.Errorf("sim: %s: %w", name, err)
			}
			return m, nil
		}
		names[i] = info.Name
	}
	hint := ""
	if near := param.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(": did you mean %q?", near)
	}
	return nil, fmt.Errorf("sim: unknown model %q%s", name, hint)
}

func newModel(info *ModelInfo, ctx *interop.Context, k *kernels.Set, o Options) (*Model, error) {
	m := &Model{info: info, ctx: ctx, code: k, count: o.Count, seed: o.Seed, reserve: o.Reserve}
	if m.count == 0 {
		m.count = DefaultCount
	}
	if err := checkCount(m.count); err != nil {
		return nil, err
	}
	var err error
	if m.params, err = param.NewSet(info.Group); err == nil {
		err = m.params.Take(o.Params)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range info.Kernels {
		kernel, err := k.Kernel(info.Name, name)
		if err != nil {
			return nil, err
		}
		m.kernels = append(m.kernels, kernel)
	}
	if m.mem, err = m.alloc(m.count); err != nil {
		return nil, err
	}
	if m.solver, err = info.make(m); err != nil {
		return nil, joinClose(err, &m.mem)
	}
	m.ring, _ = m.solver.(ring)
	return m, nil
}

func checkCount(n int) error {
	if n < 1 || n > MaxCount {
		return fmt.Errorf("%d particles: want 1 to %d", n, MaxCount)
	}
	return nil
}

// ErrNotReset is what Step and Publish answer before the first Reset.
var ErrNotReset = errors.New("the model was never reset, so it has no particles yet")

// failed names the model and what it was doing; nil stays nil.
func (m *Model) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sim: %s: %s: %w", m.info.Name, what, err)
}

// Reset starts again from a seed. It must be called before the first Step.
func (m *Model) Reset(s *interop.Stream, seed uint64) error {
	m.seed, m.time, m.steps = seed, 0, 0
	m.visit.clear(m.solver)
	if err := m.solver.spawn(s, 0, m.count); err != nil {
		return m.failed("Reset", err)
	}
	m.ready = true
	return nil
}

// Step queues one step of dt seconds, above 0 and at most 1. It allocates nothing.
func (m *Model) Step(s *interop.Stream, dt float64) error {
	if !m.ready {
		return m.failed("Step", ErrNotReset)
	}
	if !(dt > 0 && dt <= 1) {
		return fmt.Errorf("sim: %s: a step of %g s: want more than 0 and at most 1", m.info.Name, dt)
	}
	return m.failed("Step", m.solver.step(s, dt))
}

// passed counts a step whose kernels are queued.
func (m *Model) passed(dt float64) {
	m.steps++
	m.time += dt
}

// Publish queues writing Drawn records of RecordSize bytes into dst. It allocates nothing.
func (m *Model) Publish(s *interop.Stream, dst interop.Buffer) error {
	if !m.ready {
		return m.failed("Publish", ErrNotReset)
	}
	n := m.Drawn()
	if have := dst.Size(); have < n*RecordSize {
		return fmt.Errorf("sim: %s: %d records need %d bytes, the buffer has %d", m.info.Name, n, n*RecordSize, have)
	}
	return m.failed("Publish", m.solver.publish(s, dst.DevicePtr(), n))
}

// SetCount changes the count. Particles that are alive stay as they are; a smaller count drops the last ones, or the oldest
// of those that live and die. An error leaves everything as it was.
func (m *Model) SetCount(s *interop.Stream, n int) error {
	if err := checkCount(n); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	if n == m.count {
		return nil
	}
	old, count, to := m.mem, m.count, m.mem
	moved := m.ring != nil || n > old.room || room(n) < old.room/2
	if moved {
		var err error
		if to, err = m.alloc(n); err != nil {
			return m.failed("SetCount", err)
		}
		if err := m.fill(s, &to, n); err != nil {
			return m.failed("SetCount", joinClose(err, &to))
		}
	}
	m.mem, m.count = to, n
	if m.ready && n > count {
		if err := m.solver.spawn(s, count, n); err != nil {
			m.mem, m.count = old, count
			if moved {
				err = joinClose(err, &to)
			}
			return m.failed("SetCount", err)
		}
	}
	if moved {
		return old.Close() // waits for the copies
	}
	return nil
}

// fill queues bringing the particles to the arrays of another count.
func (m *Model) fill(s *interop.Stream, to *arrays, n int) error {
	switch used := m.Drawn(); {
	case !m.ready || used == 0:
		return nil
	case m.ring != nil:
		return m.ring.repack(s, to, n)
	default:
		return m.mem.copyTo(s, to, min(used, n))
	}
}

// Name is the model's.
func (m *Model) Name() string { return m.info.Name }

// Params holds the live values: a change is seen by the next Step.
func (m *Model) Params() *param.Set { return m.params }

// Count is the number of particles asked for: the capacity, where particles live and die.
func (m *Model) Count() int { return m.count }

// Bytes is what a particle takes of the device's memory.
func (m *Model) Bytes() int { return m.info.Bytes() }

// Drawn is the number of records that Publish writes, at most Count.
func (m *Model) Drawn() int {
	if m.ring != nil {
		return m.ring.used()
	}
	return m.count
}

// Alive is the newest known number of particles alive; it is read late and never waited for.
func (m *Model) Alive() int {
	if m.ring != nil {
		return m.ring.alive()
	}
	return m.count
}

// Bounds is a ball around what there is to see, in metres.
func (m *Model) Bounds() (centre [3]float32, radius float32) { return m.solver.bounds() }

// Attributes lists what a particle's colour may show, with the ranges of now. The slice is reused by the next call.
func (m *Model) Attributes() []param.Quantity {
	m.attributes, _ = m.solver.attributes(m.attributes[:0])
	return m.attributes
}

// Scalar is what the records' scalar is now, with the range that the colour map should span.
func (m *Model) Scalar() param.Quantity {
	var shown int
	m.attributes, shown = m.solver.attributes(m.attributes[:0])
	return m.attributes[shown]
}

// Time is the simulated time since Reset in seconds.
func (m *Model) Time() float64 { return m.time }

// Steps counts the steps since Reset.
func (m *Model) Steps() uint64 { return m.steps }

// Seed is the last Reset's.
func (m *Model) Seed() uint64 { return m.seed }

// Close gives the memory back; the stream must not be working on it any more, or is waited for. Again, and of nil: no-op.
func (m *Model) Close() error {
	if m == nil || m.mem.room == 0 {
		return nil
	}
	m.ready = false
	var err error
	if m.ring != nil {
		err = m.ring.release()
	}
	return joinClose(err, &m.mem)
}
