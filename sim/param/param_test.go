// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func specs() []Spec {
	return []Spec{
		{Name: "gravity", Unit: "m/s^2", Default: 9.81, Min: 0, Max: 100},
		{Name: "octaves", Kind: Int, Default: 3, Min: 1, Max: 6},
		{Name: "bounce", Kind: Bool, Default: 1},
		{Name: "colour", Kind: Enum, Choices: []string{"speed", "age"}},
		{Name: "softening", Default: 0.05, Min: 0.001, Max: 1, Log: true},
	}
}

func newSet(t testing.TB) *Set {
	t.Helper()
	s, err := NewSet(specs())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSetClampsAndRounds(t *testing.T) {
	s := newSet(t)
	for _, c := range []struct {
		name    string
		v, want float64
	}{
		{"gravity", 1.62, 1.62},
		{"gravity", -1, 0},
		{"gravity", 1e300, 100},
		{"gravity", math.Inf(1), 100},
		{"gravity", math.Inf(-1), 0},
		{"octaves", 2.5, 3},
		{"octaves", 0, 1},
		{"octaves", 99, 6},
		{"bounce", 0, 0},
		{"bounce", -3, 1},
		{"colour", 1, 1},
		{"colour", 7, 1},
	} {
		got, err := s.Set(c.name, c.v)
		if err != nil || got != c.want || s.Get(c.name) != c.want {
			t.Errorf("Set(%s, %g) = %g, %v, kept %g; want %g", c.name, c.v, got, err, s.Get(c.name), c.want)
		}
	}
}

func TestNaNIsRefusedAndChangesNothing(t *testing.T) {
	s := newSet(t)
	before := s.Changes()
	for _, spec := range s.Specs() {
		kept := s.Get(spec.Name)
		if _, err := s.Set(spec.Name, math.NaN()); !errors.Is(err, ErrNaN) {
			t.Errorf("%s: %v", spec.Name, err)
		}
		if s.Get(spec.Name) != kept {
			t.Errorf("%s changed to %g", spec.Name, s.Get(spec.Name))
		}
	}
	if _, err := s.Parse("gravity", "nan"); !errors.Is(err, ErrNaN) {
		t.Errorf("Parse: %v", err)
	}
	if s.Changes() != before {
		t.Error("refusals counted as changes")
	}
}

func TestParseReadsUnitsWordsAndChoices(t *testing.T) {
	s := newSet(t)
	for _, c := range []struct {
		name, text string
		want       float64
	}{
		{"gravity", " 1.62 m/s^2 ", 1.62},
		{"gravity", "3m/s^2", 3},
		{"gravity", "1e999", 100},
		{"octaves", "4", 4},
		{"bounce", "off", 0},
		{"bounce", "TRUE", 1},
		{"colour", "age", 1},
		{"colour", "Speed", 0},
		{"colour", "1", 1},
	} {
		if got, err := s.Parse(c.name, c.text); err != nil || got != c.want {
			t.Errorf("Parse(%s, %q) = %g, %v; want %g", c.name, c.text, got, err, c.want)
		}
	}
	for _, c := range [][2]string{
		{"gravity", "heavy"}, {"gravity", "3 km"}, {"gravity", ""}, {"bounce", "2"}, {"colour", "red"}, {"colour", "-1"},
	} {
		if _, err := s.Parse(c[0], c[1]); err == nil {
			t.Errorf("Parse(%s, %q) was accepted", c[0], c[1])
		}
	}
}

func TestUnknownNameSaysTheNearest(t *testing.T) {
	s := newSet(t)
	for name, want := range map[string]string{
		"graviti": "gravity", "gravtiy": "gravity", "OCTAVE": "octaves", "color": "colour", "zzzzzzzz": "",
	} {
		_, err := s.Set(name, 1)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Nearest != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestFormatReadsBackToTheSameValue(t *testing.T) {
	s := newSet(t)
	rapid.Check(t, func(t *rapid.T) {
		spec := s.Specs()[rapid.IntRange(0, s.Len()-1).Draw(t, "spec")]
		v := rapid.Float64Range(-200, 200).Draw(t, "v")
		if rapid.Bool().Draw(t, "float32") {
			v = float64(float32(v))
		}
		kept, err := s.Set(spec.Name, v)
		if err != nil {
			t.Fatal(err)
		}
		text := s.Format(spec.Name)
		if back, err := s.Parse(spec.Name, text); err != nil || back != kept {
			t.Fatalf("%s: %v became %q became %v, %v", spec.Name, kept, text, back, err)
		}
	})
}

func TestResetGivesDefaultsBack(t *testing.T) {
	s := newSet(t)
	for _, spec := range s.Specs() {
		if _, err := s.Set(spec.Name, spec.Max); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Reset("gravity"); err != nil || s.Get("gravity") != 9.81 {
		t.Errorf("gravity %g, %v", s.Get("gravity"), err)
	}
	s.ResetAll()
	for _, spec := range s.Specs() {
		if got := s.Get(spec.Name); got != spec.Default {
			t.Errorf("%s: %g, want %g", spec.Name, got, spec.Default)
		}
	}
	if s.Reset("nothing") == nil {
		t.Error("an unknown name was reset")
	}
}

func TestContradictingSpecsAreRefused(t *testing.T) {
	for _, c := range []Spec{
		{},
		{Name: "Upper"},
		{Name: "a", Min: 1, Max: 0},
		{Name: "a", Default: 2, Max: 1},
		{Name: "a", Default: math.NaN()},
		{Name: "a", Kind: Enum},
		{Name: "a", Kind: 9},
		{Name: "a", Max: 1, Log: true},
	} {
		if _, err := NewSet([]Spec{c}); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if _, err := NewSet([]Spec{{Name: "a"}, {Name: "a"}}); err == nil {
		t.Error("a name given twice was accepted")
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	s := newSet(t)
	if n := testing.AllocsPerRun(100, func() { _ = s.At(0) + s.Get("octaves") }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
