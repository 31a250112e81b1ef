// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Values holds what a scene says, by full name (flow.octaves), a number for each component.
type Values map[string][]float64

// Clone copies the values.
func (v Values) Clone() Values {
	if v == nil {
		return nil
	}
	c := make(Values, len(v))
	for name, parts := range v {
		c[name] = slices.Clone(parts)
	}
	return c
}

// Set holds the live values of a group's parameters. Not safe for use by several goroutines at once.
type Set struct {
	group   Group
	first   []int // index of each parameter's first component in values
	values  []float64
	auto    []float64 // what 0 stands for, where the spec says Auto
	units   []string  // of the automatic value; "": the spec's
	most    []float64 // the largest value of now, at most the range's
	index   map[string]int
	changes uint64
}

// NewSet makes a set with every value at its default. It refuses descriptions that contradict themselves.
func NewSet(g Group) (*Set, error) {
	g.Specs = slices.Clone(g.Specs)
	n := len(g.Specs)
	s := &Set{group: g, first: make([]int, n), units: make([]string, n), most: make([]float64, n), index: make(map[string]int, n)}
	for i := range g.Specs {
		spec := &g.Specs[i]
		if err := spec.check(); err != nil {
			return nil, err
		}
		if _, twice := s.index[spec.Name]; twice {
			return nil, fmt.Errorf("param: %s is described twice", spec.Name)
		}
		s.index[spec.Name], s.first[i] = i, len(s.values)
		_, s.most[i] = spec.Range()
		for part := range spec.Size() {
			s.values = append(s.values, spec.DefaultAt(part))
		}
	}
	s.auto = make([]float64, len(s.values))
	return s, nil
}

// Must is NewSet for descriptions of our own.
func Must(g Group) *Set {
	s, err := NewSet(g)
	if err != nil {
		panic(err)
	}
	return s
}

// Group gives the description. Its slices are the set's own: read only.
func (s *Set) Group() *Group { return &s.group }

// Specs gives the parameters' descriptions in the order of the panel. The slice is the set's own: read only.
func (s *Set) Specs() []Spec { return s.group.Specs }

// Len is the number of parameters.
func (s *Set) Len() int { return len(s.group.Specs) }

// Index gives a parameter's place in Specs, for At.
func (s *Set) Index(name string) (int, bool) {
	i, ok := s.index[name]
	return i, ok
}

// FullName is the name in scene files and traces, such as flow.octaves.
func (s *Set) FullName(i int) string { return s.group.Name + "." + s.group.Specs[i].Name }

// At gives the (first) value of the i-th parameter of Specs. It allocates nothing.
func (s *Set) At(i int) float64 { return s.values[s.first[i]] }

// On reads a Bool.
func (s *Set) On(i int) bool { return s.At(i) != 0 }

// Choice reads an Enum: the name chosen.
func (s *Set) Choice(i int) string { return s.group.Specs[i].Choices[int(s.At(i))] }

// Parts gives all components of the i-th parameter. The slice is the set's own: read only, good until the next change.
func (s *Set) Parts(i int) []float64 {
	return s.values[s.first[i] : s.first[i]+s.group.Specs[i].Size()]
}

// Auto reports whether the program chooses the value: the spec says Auto, and all components are 0.
func (s *Set) Auto(i int) bool {
	return s.group.Specs[i].Auto && !slices.ContainsFunc(s.Parts(i), func(v float64) bool { return v != 0 })
}

// InForce is a component's value, or what the program chose in its place.
func (s *Set) InForce(i, part int) float64 {
	if s.Auto(i) {
		return s.auto[s.first[i]+part]
	}
	return s.values[s.first[i]+part]
}

// SetAuto says what an automatic value is now, and in which unit ("": the spec's), for InForce and the panel. It allocates nothing.
func (s *Set) SetAuto(i int, unit string, parts ...float64) {
	s.units[i] = unit
	copy(s.auto[s.first[i]:s.first[i]+s.group.Specs[i].Size()], parts)
}

// AutoUnit is the unit that goes with SetAuto's values.
func (s *Set) AutoUnit(i int) string {
	if s.units[i] != "" {
		return s.units[i]
	}
	return s.group.Specs[i].Unit
}

// Narrow lowers the largest value of a parameter to what the machine can do; a value above comes down to it. It reports whether
// one did.
func (s *Set) Narrow(i int, most float64) (lowered bool) {
	spec := &s.group.Specs[i]
	least, highest := spec.Range()
	s.most[i] = min(max(most, least), highest)
	for part, v := range s.Parts(i) {
		if v > s.most[i] {
			s.values[s.first[i]+part] = s.most[i]
			s.changes++
			lowered = true
		}
	}
	return lowered
}

// Most is the largest value that the parameter can have now.
func (s *Set) Most(i int) float64 { return s.most[i] }

// Get gives a (first) value by name; 0 for a name that is none of the set's.
func (s *Set) Get(name string) float64 {
	if i, ok := s.index[name]; ok {
		return s.At(i)
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
		return 0, s.unknown(name)
	}
	return s.SetPart(i, 0, v)
}

// SetPart is Set by index, for one component. The other end of an Ordered vector moves out of the way.
func (s *Set) SetPart(i, part int, v float64) (applied float64, err error) {
	spec := &s.group.Specs[i]
	if v, err = spec.Clamp(v); err != nil {
		return s.Parts(i)[part], err
	}
	v = min(v, s.most[i])
	if s.Auto(i) && v != 0 { // what was chosen becomes the person's own
		for other := range spec.Size() {
			s.put(i, other, s.auto[s.first[i]+other])
		}
	}
	s.put(i, part, v)
	if p := s.Parts(i); spec.Ordered && p[0] > p[1] {
		s.put(i, 1-part, v)
	}
	return s.Parts(i)[part], nil
}

func (s *Set) put(i, part int, v float64) {
	if at := s.first[i] + part; s.values[at] != v {
		s.values[at] = v
		s.changes++
	}
}

// Put keeps all components of a value that [Spec.Decode] or [Spec.Read] gave. Names that are none of the set's are refused.
func (s *Set) Put(name string, parts []float64) error {
	i, ok := s.index[name]
	if !ok {
		return s.unknown(name)
	}
	if len(parts) != s.group.Specs[i].Size() {
		return fmt.Errorf("%s: %d values, want %d", name, len(parts), s.group.Specs[i].Size())
	}
	for part, v := range parts {
		v, err := s.group.Specs[i].Clamp(v)
		if err != nil {
			return err
		}
		s.put(i, part, min(v, s.most[i]))
	}
	return nil
}

// Take keeps those of the values that are the group's, and leaves the others as they are.
func (s *Set) Take(v Values) error {
	for full, parts := range v {
		if name, ours := strings.CutPrefix(full, s.group.Name+"."); ours {
			if err := s.Put(name, parts); err != nil {
				return err
			}
		}
	}
	return nil
}

// Changed reports whether a parameter is not at its default.
func (s *Set) Changed(i int) bool {
	for part, v := range s.Parts(i) {
		if v != s.group.Specs[i].DefaultAt(part) {
			return true
		}
	}
	return false
}

// Reset gives a parameter its default back.
func (s *Set) Reset(i int) {
	for part := range s.group.Specs[i].Size() {
		s.put(i, part, min(s.group.Specs[i].DefaultAt(part), s.most[i]))
	}
}

// ResetAll gives every parameter its default back.
func (s *Set) ResetAll() {
	for i := range s.group.Specs {
		s.Reset(i)
	}
}

// Format gives the value as text that [Spec.Read] reads back to the same, without its unit.
func (s *Set) Format(i int) string { return s.group.Specs[i].Text(s.Parts(i)) }

// Describe puts all values under their full names, as numbers, truths, texts and lists, for files that others read.
func (s *Set) Describe(into map[string]any) {
	for i := range s.group.Specs {
		spec, v := &s.group.Specs[i], s.Parts(i)
		switch {
		case spec.Kind == Bool:
			into[s.FullName(i)] = v[0] != 0
		case spec.Kind == Enum:
			into[s.FullName(i)] = s.Choice(i)
		case spec.Size() == 1 && spec.Kind <= Int:
			into[s.FullName(i)] = v[0]
		default:
			into[s.FullName(i)] = slices.Clone(v)
		}
	}
}

func (s *Set) unknown(name string) error {
	return &UnknownError{Name: name, Nearest: Nearest(name, s.group.Names())}
}
