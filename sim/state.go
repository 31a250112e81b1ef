// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"
	"math"

	"particles/interop"
)

// StateVersion is the version of State and of the bytes beside it. It grows with every change of what they mean.
const StateVersion = 1

// State is what a model knows on the host's side at a moment. Together with the bytes that Save copied it is all that a model
// of the same name needs to go on as if nothing had happened, on any driver. The values of the parameters are no part of it:
// they belong to whoever makes the model, and may have changed since.
//
// The bytes are the model's arrays of float32 one after another, each with as many values as there are particles to keep
// (Count of them, or min(Born, Count) for the emitter), in the machine's byte order.
type State struct {
	Version int
	Model   string
	Count   int
	Bytes   int // that Save copied; 0: none
	Seed    uint64
	Time    float64 // s
	Steps   uint64

	LastDt float64 // flow: of the step before, s; 0: there was none
	Phase  float64 // flow: time slices passed
	Born   int64   // emitter: particles born
	Part   float64 // emitter: of the next particle
	Alive  int     // emitter: as last known
}

// ErrState is what Restore answers to a state that is not the model's, or no state at all.
var ErrState = errors.New("not a state of this model")

// stateOf fills in what all models have in common.
func (b *base) stateOf() State {
	return State{Version: StateVersion, Model: b.info.Name, Count: b.count, Seed: b.seed, Time: b.time, Steps: b.steps}
}

// checkState refuses a state that the model cannot be in, or whose bytes are not those that it needs.
func (b *base) checkState(st *State, src *interop.HostBuffer, bytes int) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("sim: %s: Restore: %w: %s", b.info.Name, ErrState, fmt.Sprintf(format, args...))
	}
	switch {
	case st.Version != StateVersion:
		return bad("it is of version %d, this program has %d", st.Version, StateVersion)
	case st.Model != b.info.Name:
		return bad("it is of the model %q", st.Model)
	case checkCount(st.Count) != nil:
		return bad("%d particles", st.Count)
	case !(st.Time >= 0) || math.IsInf(st.Time, 0):
		return bad("the time is %g s", st.Time)
	case st.Bytes != bytes:
		return bad("it says %d bytes for %d particles, which need %d", st.Bytes, st.Count, bytes)
	case bytes > 0 && src.Size() < bytes:
		return bad("%d bytes of its %d are there", src.Size(), bytes)
	}
	return nil
}

// take makes the common part of the state the model's.
func (b *base) take(st *State) {
	b.count, b.seed, b.time, b.steps, b.ready = st.Count, st.Seed, st.Time, st.Steps, true
}

// saveArrays queues copies of the first n values of each array to dst.
func (b *base) saveArrays(s *interop.Stream, state interop.Buffer, arrays, stride, n int, dst *interop.HostBuffer) error {
	if !b.ready {
		return fmt.Errorf("sim: %s: Save: %w", b.info.Name, ErrNotReset)
	}
	if need := arrays * n * 4; dst.Size() < need {
		return fmt.Errorf("sim: %s: Save: %d particles need %d bytes, the buffer has %d", b.info.Name, n, need, dst.Size())
	}
	for i := range arrays {
		if n == 0 {
			break
		}
		from, err := state.Slice(i*stride*4, n*4)
		if err == nil {
			err = from.CopyToHost(s, dst, i*n*4, n*4)
		}
		if err != nil {
			return fmt.Errorf("sim: %s: Save: %w", b.info.Name, err)
		}
	}
	return nil
}

// restoreArrays queues copies from src to the first n values of each array.
func (b *base) restoreArrays(s *interop.Stream, state interop.Buffer, arrays, stride, n int, src *interop.HostBuffer) error {
	for i := range arrays {
		if n == 0 {
			break
		}
		to, err := state.Slice(i*stride*4, n*4)
		if err == nil {
			err = to.CopyFromHost(s, src, i*n*4, n*4)
		}
		if err != nil {
			return fmt.Errorf("sim: %s: Restore: %w", b.info.Name, err)
		}
	}
	return nil
}

// restoreInto brings the arrays of a state of st.Count particles, n of them kept, to the device, in other memory than state
// unless the model has nothing to lose there and it fits. It gives the memory and its stride; the caller takes them over.
func (b *base) restoreInto(s *interop.Stream, state interop.Buffer, stride, arrays, n int, st *State, src *interop.HostBuffer) (interop.Buffer, int, error) {
	to, toStride := state, stride
	moved := b.ready || room(st.Count) != stride
	if moved {
		var err error
		toStride = room(st.Count)
		if to, err = b.alloc(toStride, arrays*4); err != nil {
			return state, stride, err
		}
	}
	if err := b.restoreArrays(s, to, arrays, toStride, n, src); err != nil {
		if moved {
			err = joinClose(err, to)
		}
		return state, stride, err
	}
	return to, toStride, nil
}

const (
	flowArrays    = flowBytes / 4
	emitterArrays = emitterBytes / 4
)

// SaveSize is six values for every particle.
func (f *flow) SaveSize() int { return f.count * flowBytes }

func (f *flow) Save(s *interop.Stream, dst *interop.HostBuffer) (State, error) {
	if err := f.saveArrays(s, f.state, flowArrays, f.capacity, f.count, dst); err != nil {
		return State{}, err
	}
	st := f.stateOf()
	st.Bytes, st.LastDt, st.Phase, st.Alive = f.count*flowBytes, f.lastDt, f.phase, f.count
	return st, nil
}

func (f *flow) Restore(s *interop.Stream, st State, src *interop.HostBuffer) error {
	if err := f.checkState(&st, src, st.Count*flowBytes); err != nil {
		return err
	}
	if !(st.LastDt >= 0 && st.LastDt <= 1) || !(st.Phase >= 0) || math.IsInf(st.Phase, 0) {
		return fmt.Errorf("sim: flow: Restore: %w: the last step was %g s, the phase is %g", ErrState, st.LastDt, st.Phase)
	}
	state, capacity, err := f.restoreInto(s, f.state, f.capacity, flowArrays, st.Count, &st, src)
	if err != nil {
		return err
	}
	old := f.state
	f.state, f.capacity, f.lastDt, f.phase = state, capacity, st.LastDt, st.Phase
	f.take(&st)
	if old != state {
		return old.Close()
	}
	return nil
}

// SaveSize is eight values for every particle of the capacity.
func (m *emitter) SaveSize() int { return m.count * emitterBytes }

func (m *emitter) Save(s *interop.Stream, dst *interop.HostBuffer) (State, error) {
	n := m.used()
	if err := m.saveArrays(s, m.state, emitterArrays, m.stride, n, dst); err != nil {
		return State{}, err
	}
	st := m.stateOf()
	st.Bytes, st.Born, st.Part, st.Alive = n*emitterBytes, m.born, m.part, m.alive.newest
	return st, nil
}

func (m *emitter) Restore(s *interop.Stream, st State, src *interop.HostBuffer) error {
	if !(st.Part >= 0 && st.Part < 1) || st.Born < 0 || st.Alive < 0 || st.Alive > max(st.Count, 0) {
		return fmt.Errorf("sim: emitter: Restore: %w: %d born and %g of the next, %d alive of %d", ErrState, st.Born, st.Part, st.Alive, st.Count)
	}
	n := int(min(st.Born, int64(max(st.Count, 0))))
	if err := m.checkState(&st, src, n*emitterBytes); err != nil {
		return err
	}
	state, stride, err := m.restoreInto(s, m.state, m.stride, emitterArrays, n, &st, src)
	if err != nil {
		return err
	}
	old := m.state
	m.state, m.stride, m.born, m.part = state, stride, st.Born, st.Part
	m.take(&st)
	m.alive.forget()
	m.alive.newest = st.Alive
	if old != state {
		return old.Close()
	}
	return nil
}
