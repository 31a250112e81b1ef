// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNaN is in the error of a value that is not a number.
var ErrNaN = errors.New("not a number")

// UnknownError says that a name is none of the set's, and which one may have been meant.
type UnknownError struct {
	Name    string
	Nearest string // "" when nothing is near
}

func (e *UnknownError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("unknown parameter %q", e.Name)
	}
	return fmt.Sprintf("unknown parameter %q: did you mean %q?", e.Name, e.Nearest)
}

// Set holds the live values of a model's parameters. Not safe for use by several goroutines at once.
type Set struct {
	specs   []Spec
	values  []float64
	index   map[string]int
	changes uint64
}

// NewSet makes a set with every value at its default. It refuses descriptions that contradict themselves.
func NewSet(specs []Spec) (*Set, error) {
	s := &Set{specs: slices.Clone(specs), values: make([]float64, len(specs)), index: make(map[string]int, len(specs))}
	for i := range s.specs {
		if err := s.specs[i].check(); err != nil {
			return nil, err
		}
		name := s.specs[i].Name
		if _, twice := s.index[name]; twice {
			return nil, fmt.Errorf("param: %s is described twice", name)
		}
		s.index[name] = i
		s.values[i] = s.specs[i].Default
	}
	return s, nil
}

// Specs gives the descriptions in the order of the panel. The slice is the set's own: read only.
func (s *Set) Specs() []Spec { return s.specs }

// Len is the number of parameters.
func (s *Set) Len() int { return len(s.specs) }

// Index gives a parameter's place in Specs, for At.
func (s *Set) Index(name string) (int, bool) {
	i, ok := s.index[name]
	return i, ok
}

// At gives the value of the i-th parameter of Specs. It allocates nothing.
func (s *Set) At(i int) float64 { return s.values[i] }

// Get gives a value by name; 0 for a name that is none of the set's.
func (s *Set) Get(name string) float64 {
	if i, ok := s.index[name]; ok {
		return s.values[i]
	}
	return 0
}

// Changes counts the calls that changed a value: a cheap way to see that something must be worked out again.
func (s *Set) Changes() uint64 { return s.changes }

// Set clamps v to the parameter's range, keeps it and returns what was kept: compare with v to tell the user that it was
// clamped. NaN and unknown names are refused and change nothing.
func (s *Set) Set(name string, v float64) (applied float64, err error) {
	i, ok := s.index[name]
	if !ok {
		return 0, &UnknownError{Name: name, Nearest: s.Nearest(name)}
	}
	return s.SetAt(i, v)
}

// SetAt is Set by index.
func (s *Set) SetAt(i int, v float64) (applied float64, err error) {
	v, err = s.specs[i].Clamp(v)
	if err != nil {
		return s.values[i], err
	}
	if v != s.values[i] {
		s.values[i] = v
		s.changes++
	}
	return v, nil
}

// Reset gives one parameter its default back.
func (s *Set) Reset(name string) error {
	i, ok := s.index[name]
	if !ok {
		return &UnknownError{Name: name, Nearest: s.Nearest(name)}
	}
	_, err := s.SetAt(i, s.specs[i].Default)
	return err
}

// ResetAll gives every parameter its default back.
func (s *Set) ResetAll() {
	for i := range s.specs {
		if s.values[i] != s.specs[i].Default {
			s.values[i] = s.specs[i].Default
			s.changes++
		}
	}
}

// Values copies all values into a new map, for scene files and the trace header.
func (s *Set) Values() map[string]float64 {
	m := make(map[string]float64, len(s.specs))
	for i := range s.specs {
		m[s.specs[i].Name] = s.values[i]
	}
	return m
}

// Nearest gives the parameter name closest to a mistyped one, "" when none is close.
func (s *Set) Nearest(name string) string {
	names := make([]string, len(s.specs))
	for i := range s.specs {
		names[i] = s.specs[i].Name
	}
	return Nearest(name, names)
}
