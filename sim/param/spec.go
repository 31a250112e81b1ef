// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Kind says what a parameter's value is. All kinds are held as one or more float64, see [Spec.Size].
type Kind uint8

// The kinds of parameters. Bool is 0 or 1; Enum is an index into Spec.Choices; Color is red, green and blue in sRGB, 0 to 1;
// Vector has a component for each of Spec.Parts; Array has Spec.Cols values and Matrix Spec.Rows times Spec.Cols, by rows.
const (
	Float Kind = iota
	Int
	Bool
	Enum
	Color
	Vector
	Array
	Matrix
)

var kindNames = [...]string{"float", "int", "bool", "enum", "color", "vector", "array", "matrix"}

// String gives the kind's name as the documentation prints it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// MaxSide is the most rows or columns that an Array or a Matrix may have.
const MaxSide = 64

// Spec describes one parameter. Default, Min, Max and Step are in Unit and hold for every component.
type Spec struct {
	Name  string // key in scene files and --set: lower case, digits and underscores
	Label string // what the panel shows
	Unit  string // SI symbol, "" for a pure number
	Doc   string // tooltip: one or two sentences, what it does and what a larger value means
	Kind  Kind

	Default, Min, Max float64
	Defaults          []float64 // by component, in the place of Default
	Step              float64   // a sensible increment for a spinner or arrow key; 0: the panel chooses
	Low, High         float64   // what a slider spans of Min to Max; both 0: all of it

	Log        bool     // the slider is logarithmic
	Expert     bool     // shown only when the panel shows all
	NeedsReset bool     // a change takes effect at the next Reset, not at the next step
	Auto       bool     // a value of 0 (all components) is chosen by the program, see Set.SetAuto
	Ordered    bool     // Vector of two: the second is above the first, or both are 0
	Zero       string   // what the panel shows in the place of 0
	Choices    []string // Enum: the names, in the order of their numbers
	Parts      []string // Vector: the components' names
	Rows, Cols int      // Array (Cols) and Matrix

	ShowUnit string  // unit that the panel shows and reads, with ShowMul; "" Unit
	ShowMul  float64 // shown value over the value in Unit; 0: 1
}

// Size is the number of components.
func (s *Spec) Size() int {
	switch s.Kind {
	case Color:
		return 3
	case Vector:
		return len(s.Parts)
	case Array:
		return s.Cols
	case Matrix:
		return s.Rows * s.Cols
	}
	return 1
}

// DefaultAt is the default of a component.
func (s *Spec) DefaultAt(part int) float64 {
	if part < len(s.Defaults) {
		return s.Defaults[part]
	}
	return s.Default
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
	case Bool, Color:
	case Enum:
		if len(s.Choices) == 0 {
			return fmt.Errorf("param: %s: an enum without choices", s.Name)
		}
	case Vector:
		if len(s.Parts) == 0 || s.Ordered && len(s.Parts) != 2 {
			return fmt.Errorf("param: %s: a vector with %d parts", s.Name, len(s.Parts))
		}
	case Array, Matrix:
		if s.Cols < 1 || s.Cols > MaxSide || s.Rows > MaxSide || (s.Kind == Matrix) != (s.Rows > 0) {
			return fmt.Errorf("param: %s: %v of %d rows and %d columns", s.Name, s.Kind, s.Rows, s.Cols)
		}
	default:
		return fmt.Errorf("param: %s: unknown %v", s.Name, s.Kind)
	}
	for _, v := range append([]float64{s.Default, s.Min, s.Max, s.Step, s.Low, s.High, s.ShowMul}, s.Defaults...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("param: %s: default, range and step must be finite", s.Name)
		}
	}
	if len(s.Defaults) > s.Size() {
		return fmt.Errorf("param: %s: %d defaults for %d components", s.Name, len(s.Defaults), s.Size())
	}
	least, most := s.Range()
	for i := range s.Size() {
		if v := s.DefaultAt(i); v < least || v > most {
			return fmt.Errorf("param: %s: default %g is not within %g to %g", s.Name, v, least, most)
		}
	}
	if low, high := s.Slider(); low < least || high > most || low > high {
		return fmt.Errorf("param: %s: the slider's %g to %g are not within %g to %g", s.Name, low, high, least, most)
	}
	if s.Log && s.Max <= 0 {
		return fmt.Errorf("param: %s: a logarithmic range must end above 0, not at %g", s.Name, s.Max)
	}
	if s.Auto && slices.ContainsFunc(append(s.Defaults, s.Default), func(v float64) bool { return v != 0 }) {
		return fmt.Errorf("param: %s: the default of what is automatic is 0", s.Name)
	}
	return nil
}

// Range is what each component may be: Min to Max, and what follows from the kind for Bool, Color and Enum.
func (s *Spec) Range() (least, most float64) {
	switch s.Kind {
	case Bool, Color:
		return 0, 1
	case Enum:
		return 0, float64(len(s.Choices) - 1)
	}
	return s.Min, s.Max
}

// Slider is the span that a slider offers.
func (s *Spec) Slider() (low, high float64) {
	if s.Low == 0 && s.High == 0 {
		return s.Range()
	}
	return s.Low, s.High
}

// Clamp gives the value that v becomes: within the range, whole for Int, Bool and Enum. It refuses NaN. Infinities are
// clamped like any value outside the range.
func (s *Spec) Clamp(v float64) (float64, error) {
	least, most := s.Range()
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s: NaN is %w: give a value %s", s.Name, ErrNaN, s.span())
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
	return min(max(v, least), most), nil
}

// span words the range.
func (s *Spec) span() string {
	least, most := s.Range()
	return fmt.Sprintf("between %s and %s", Plain(least), Amount(most, s.Unit))
}

// Group is what belongs together in a section of a scene file and of the panel: a model's parameters, the clock's, the look's.
type Group struct {
	Name  string // section of a scene file, first part of a full name such as flow.octaves
	Title string
	Doc   string
	Specs []Spec
}

// Find gives the description of a parameter, nil for a name that the group has not.
func (g *Group) Find(name string) *Spec {
	for i := range g.Specs {
		if g.Specs[i].Name == name {
			return &g.Specs[i]
		}
	}
	return nil
}

// Names lists the parameters.
func (g *Group) Names() []string {
	names := make([]string, len(g.Specs))
	for i := range g.Specs {
		names[i] = g.Specs[i].Name
	}
	return names
}

// Quantity is a number that a particle or a system has and that a person may see: by colour, in a plot, in a file.
type Quantity struct {
	Name, Unit string  // "speed", "m/s"
	Min, Max   float64 // what there is to expect
}
