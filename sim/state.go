// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"particles/interop"
)

// StateVersion is the version of State and of the bytes beside it. It grows with every change of what they mean.
const StateVersion = 2

// State is what a model knows on the host's side at a moment. Together with the bytes that Save copied it is all that a model
// of the same name needs to go on as if nothing had happened, on any driver. The values of the parameters are no part of it:
// they belong to whoever makes the model, and may have changed since.
//
// The bytes are the model's arrays one after another, the first Used elements of each, in the machine's byte order.
type State struct {
	Version int
	Model   string
	Count   int
	Used    int // elements kept of each array
	Bytes   int // that Save copied; 0: none
	Seed    uint64
	Time    float64 // s
	Steps   uint64
	Own     [maxOwn]uint64 // what the solver knows beside, in its own order
}

const maxOwn = 8

// ErrState is what Restore answers to a state that is not the model's, or no state at all.
var ErrState = errors.New("not a state of this model")

// Hash is the SHA-256 of a state with its bytes: equal for equal states, on any machine of the same byte order.
func (st *State) Hash(bytes []byte) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %d %d %d ", st.Version, st.Model, st.Count, st.Used, st.Seed, st.Steps)
	var own [8 * (1 + maxOwn)]byte
	binary.LittleEndian.PutUint64(own[:], math.Float64bits(st.Time))
	for i, v := range st.Own {
		binary.LittleEndian.PutUint64(own[8*(i+1):], v)
	}
	h.Write(own[:])
	h.Write(bytes[:st.Bytes])
	return [sha256.Size]byte(h.Sum(nil))
}

// fields visits what a solver knows on the host's side: one method of the solver serves to save, check, restore and clear it.
type fields struct {
	mode  visiting
	words [maxOwn]uint64
	n     int
	count int64 // of the state
	used  int64
	err   error
}

type visiting uint8

const (
	clearing visiting = iota
	saving
	checking
	restoring
)

func (f *fields) run(mode visiting, st *State, s solver) error {
	*f = fields{mode: mode, words: st.Own, count: int64(st.Count), used: int64(st.Used)}
	s.own(f)
	for _, w := range f.words[f.n:] {
		f.require(w == 0, "a value that the model has not", math.Float64frombits(w))
	}
	return f.err
}

func (f *fields) clear(s solver) {
	*f = fields{}
	s.own(f)
}

// real visits a number of [least, most].
func (f *fields) real(name string, v *float64, least, most float64) {
	w := f.word()
	switch x := math.Float64frombits(*w); {
	case f.mode == saving:
		*w = math.Float64bits(*v)
	case f.mode == checking:
		f.require(x >= least && x <= most, name, x)
	default:
		*v = x
	}
}

// whole visits a whole number of [0, most] and gives the state's.
func (f *fields) whole(name string, v *int64, most int64) int64 {
	w := f.word()
	switch f.mode {
	case saving:
		*w = uint64(*v)
	case checking:
		f.require(int64(*w) >= 0 && int64(*w) <= most, name, float64(int64(*w)))
	default:
		*v = int64(*w)
	}
	return int64(*w)
}

// require refuses a state that cannot be.
func (f *fields) require(ok bool, name string, v float64) {
	if f.mode == checking && !ok {
		f.err = fmt.Errorf("%s is %g", name, v)
	}
}

func (f *fields) word() *uint64 {
	f.n++ // a solver with too many fails its first test here
	return &f.words[f.n-1]
}

// SaveSize is the most bytes that Save copies at the present count.
func (m *Model) SaveSize() int { return m.count * m.info.Bytes() }

// Save queues a copy of the state on the device to dst, which must have SaveSize bytes; they are there, and may be read, once
// the stream has passed. The State is of the same moment. It allocates nothing, so that a frame may hold it.
func (m *Model) Save(s *interop.Stream, dst *interop.HostBuffer) (State, error) {
	if !m.ready {
		return State{}, m.failed("Save", ErrNotReset)
	}
	st := State{
		Version: StateVersion, Model: m.info.Name, Count: m.count, Used: m.Drawn(), Seed: m.seed, Time: m.time, Steps: m.steps,
	}
	st.Bytes = st.Used * m.info.Bytes()
	if dst.Size() < st.Bytes {
		return State{}, m.failed("Save", fmt.Errorf("%d particles need %d bytes, the buffer has %d", st.Used, st.Bytes, dst.Size()))
	}
	err := m.mem.each(st.Used, func(array, offset, size int) error {
		from, err := m.mem.views[array].Slice(0, size)
		if err != nil {
			return err
		}
		return from.CopyToHost(s, dst, offset, size)
	})
	if err != nil {
		return State{}, m.failed("Save", err)
	}
	err = m.visit.run(saving, &st, m.solver)
	st.Own = m.visit.words
	return st, err
}

// Restore puts the model into a saved state, count and seed included, and queues the copies from src, which must stay as it is
// until the stream has passed. The state may come from another driver: the model goes on from the same bits. It stands in for
// Reset. An error (ErrState, no memory) leaves the model as it was.
func (m *Model) Restore(s *interop.Stream, st State, src *interop.HostBuffer) error {
	if err := m.checkState(&st, src); err != nil {
		return m.failed("Restore", err)
	}
	// In other memory than its own, unless the model has nothing to lose there and it fits.
	old, to := m.mem, m.mem
	moved := m.ready || room(st.Count) != old.room
	if moved {
		var err error
		if to, err = m.alloc(st.Count); err != nil {
			return m.failed("Restore", err)
		}
	}
	err := to.each(st.Used, func(array, offset, size int) error {
		dst, err := to.views[array].Slice(0, size)
		if err != nil {
			return err
		}
		return dst.CopyFromHost(s, src, offset, size)
	})
	if err != nil {
		if moved {
			err = joinClose(err, &to)
		}
		return m.failed("Restore", err)
	}
	m.mem, m.count, m.seed, m.time, m.steps, m.ready = to, st.Count, st.Seed, st.Time, st.Steps, true
	err = m.visit.run(restoring, &st, m.solver)
	if moved {
		err = errors.Join(err, old.Close())
	}
	return err
}

// checkState refuses a state that the model cannot be in, or whose bytes are not those that it needs.
func (m *Model) checkState(st *State, src *interop.HostBuffer) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrState, fmt.Sprintf(format, args...))
	}
	switch {
	case st.Version != StateVersion:
		return bad("it is of version %d, this program has %d", st.Version, StateVersion)
	case st.Model != m.info.Name:
		return bad("it is of the model %q", st.Model)
	case checkCount(st.Count) != nil || st.Used < 0 || st.Used > st.Count || m.ring == nil && st.Used != st.Count:
		return bad("%d of %d particles", st.Used, st.Count)
	case !(st.Time >= 0) || math.IsInf(st.Time, 0):
		return bad("the time is %g s", st.Time)
	case st.Bytes != st.Used*m.info.Bytes():
		return bad("it says %d bytes for %d particles, which need %d", st.Bytes, st.Used, st.Used*m.info.Bytes())
	case st.Bytes > 0 && src.Size() < st.Bytes:
		return bad("%d bytes of its %d are there", src.Size(), st.Bytes)
	}
	if err := m.visit.run(checking, st, m.solver); err != nil {
		return bad("%v", err)
	}
	return nil
}
