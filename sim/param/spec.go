// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"math"
)

// Kind says how a parameter's number is read and shown. All kinds are held as float64.
type Kind uint8

// The kinds of parameters. Bool is 0 or 1; Enum is an index into Spec.Choices.
const (
	Float Kind = iota
	Int
	Bool
	Enum
)

// String gives the kind's name as the documentation prints it.
func (k Kind) String() string {
	switch k {
	case Float:
		return "float"
	case Int:
		return "int"
	case Bool:
		return "bool"
	case Enum:
		return "enum"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Spec describes one parameter. Default, Min, Max and Step are in Unit.
type Spec struct {
	Name  string // key in scene files and --set: lower case, digits and underscores
	Label string // what the panel shows
	Unit  string // SI symbol, "" for a pure number
	Doc   string // tooltip: one or two sentences, what it does and what a larger value means
	Kind  Kind

	Default, Min, Max float64
	Step              float64 // a sensible increment for a spinner or arrow key; 0: the panel chooses

	Log        bool     // the slider is logarithmic (Min must be above 0)
	Expert     bool     // shown only when the panel shows all
	NeedsReset bool     // a change takes effect at the next Reset, not at the next step
	Choices    []string // Enum: the names, in the order of their numbers
}

// check reports what is wrong with a description; descriptions are ours, so this is for the tests and NewSet.
func (s *Spec) check() error {
	if s.Name == "" {
		return errors.New("param: a parameter without a name")
	}
	for _, r := range s.Name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return fmt.Errorf("param: name %q: only a-z, 0-9 and _ are allowed", s.Name)
		}
	}
	switch s.Kind {
	case Float, Int:
	case Bool:
		s.Min, s.Max, s.Step = 0, 1, 1
	case Enum:
		if len(s.Choices) == 0 {
			return fmt.Errorf("param: %s: an enum without choices", s.Name)
		}
		s.Min, s.Max, s.Step = 0, float64(len(s.Choices)-1), 1
	default:
		return fmt.Errorf("param: %s: unknown %v", s.Name, s.Kind)
	}
	for _, v := range [...]float64{s.Default, s.Min, s.Max, s.Step} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("param: %s: default, range and step must be finite", s.Name)
		}
	}
	if s.Min > s.Max || s.Default < s.Min || s.Default > s.Max {
		return fmt.Errorf("param: %s: default %g is not within %g to %g", s.Name, s.Default, s.Min, s.Max)
	}
	if s.Log && s.Min <= 0 {
		return fmt.Errorf("param: %s: a logarithmic range must start above 0, not at %g", s.Name, s.Min)
	}
	return nil
}

// Clamp gives the value that v becomes: within the range, whole for Int, Bool and Enum. It refuses NaN. Infinities are
// clamped like any value outside the range.
func (s *Spec) Clamp(v float64) (float64, error) {
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s: %w: give a number between %g and %g", s.Name, ErrNaN, s.Min, s.Max)
	}
	switch s.Kind {
	case Bool:
		if v != 0 {
			return 1, nil
		}
		return 0, nil
	case Int, Enum:
		v = math.Round(v)
	}
	return min(max(v, s.Min), s.Max), nil
}
