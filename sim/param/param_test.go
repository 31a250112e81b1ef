// SPDX-License-Identifier: Apache-2.0

package param

import (
	"errors"
	"math"
	"slices"
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
		{Name: "tint", Kind: Color, Defaults: []float64{0.25, 0.5, 1}},
		{Name: "span", Kind: Vector, Parts: []string{"from", "to"}, Max: 10, Auto: true, Ordered: true},
		{Name: "masses", Kind: Array, Cols: 4, Default: 1, Max: 100},
		{Name: "pull", Kind: Matrix, Rows: 16, Cols: 16, Min: -1, Max: 1},
	}
}

func newSet(t testing.TB) *Set {
	t.Helper()
	s, err := NewSet(Group{Name: "test", Specs: specs()})
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
		{"tint", 7, 1},
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
	if s.Changes() != before {
		t.Error("refusals counted as changes")
	}
}

func TestTextIsReadStrictly(t *testing.T) {
	s := newSet(t)
	matrix := make([]float64, 256)
	copy(matrix, []float64{0, 0.5})
	copy(matrix[16:], []float64{-0.5, 1})
	for _, c := range []struct {
		name, text string
		want       []float64
	}{
		{"gravity", " 1.62 m/s^2 ", []float64{1.62}},
		{"gravity", "3m/s^2", []float64{3}},
		{"octaves", "4", []float64{4}},
		{"octaves", "4.0", []float64{4}},
		{"bounce", "off", []float64{0}},
		{"bounce", "TRUE", []float64{1}},
		{"colour", "age", []float64{1}},
		{"colour", "Speed", []float64{0}},
		{"tint", "#ff0033", []float64{1, 0, 0.2}},
		{"tint", "[0, 0.5, 1]", []float64{0, 0.5, 1}},
		{"span", "1, 2", []float64{1, 2}},
		{"span", "0, 0", []float64{0, 0}},
		{"masses", "2, 3", []float64{2, 3, 1, 1}},
		{"pull", "[[0, 0.5], [-0.5, 1]]", matrix},
	} {
		if got, err := s.group.Find(c.name).Read(c.text); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Read(%s, %q) = %g, %v; want %g", c.name, c.text, got, err, c.want)
		}
	}
	for _, c := range [][2]string{
		{"gravity", "heavy"},
		{"gravity", "3 km"},
		{"gravity", ""},
		{"gravity", "1e999"},
		{"gravity", "101"},
		{"gravity", "nan"},
		{"octaves", "2.5"},
		{"octaves", "7"},
		{"bounce", "2"},
		{"colour", "red"},
		{"colour", "-1"},
		{"tint", "#12345"},
		{"tint", "[0, 0]"},
		{"tint", "[0, 0, 2]"},
		{"tint", "blue"},
		{"span", "2, 1"},
		{"span", "1"},
		{"span", "nan, nan"},
		{"masses", "1, 2, 3, 4, 5"},
		{"masses", ""},
		{"pull", "[[0, 1], [0]]"},
		{"pull", "[]"},
		{"pull", "[[]]"},
		{"pull", "[[2]]"},
		{"pull", "0, 1"},
	} {
		if v, err := s.group.Find(c[0]).Read(c[1]); err == nil {
			t.Errorf("Read(%s, %q) was accepted: %g", c[0], c[1], v)
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

func TestWrittenValuesReadBackToTheSame(t *testing.T) {
	s := newSet(t)
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, s.Len()-1).Draw(t, "spec")
		spec := &s.Specs()[i]
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			v := rapid.Float64Range(-200, 200).Draw(t, "v")
			if rapid.Bool().Draw(t, "float32") {
				v = float64(float32(v))
			}
			part := rapid.IntRange(0, spec.Size()-1).Draw(t, "part")
			if kept, err := s.SetPart(i, part, v); err != nil || kept != s.Parts(i)[part] {
				t.Fatal(kept, err)
			}
		}
		if spec.Ordered && s.Parts(i)[0] == s.Parts(i)[1] {
			return // two ends dragged onto each other are no range to write down
		}
		if back, err := spec.Read(s.Format(i)); err != nil || !slices.Equal(back, s.Parts(i)) {
			t.Fatalf("%s: %v became %q became %v, %v", spec.Name, s.Parts(i), s.Format(i), back, err)
		}
	})
}

func TestAutomaticValuesBecomeOnesOwnWhenChanged(t *testing.T) {
	s := newSet(t)
	i, _ := s.Index("span")
	s.SetAuto(i, "m/s", 1, 3)
	if !s.Auto(i) || s.InForce(i, 0) != 1 || s.InForce(i, 1) != 3 || s.AutoUnit(i) != "m/s" {
		t.Errorf("automatic: %v, %g to %g %s", s.Auto(i), s.InForce(i, 0), s.InForce(i, 1), s.AutoUnit(i))
	}
	if _, err := s.SetPart(i, 1, 5); err != nil || s.Auto(i) || s.InForce(i, 0) != 1 || s.InForce(i, 1) != 5 {
		t.Errorf("the upper end set to 5: %v, %v", s.Parts(i), err)
	}
	if _, err := s.SetPart(i, 0, 7); err != nil || s.InForce(i, 1) != 7 {
		t.Errorf("the lower end above the upper: %v, %v", s.Parts(i), err)
	}
	s.Reset(i)
	if !s.Auto(i) {
		t.Error("not automatic after the reset")
	}
}

func TestNarrowedValuesStayBelow(t *testing.T) {
	s := newSet(t)
	i, _ := s.Index("octaves")
	if s.Narrow(i, 4) {
		t.Error("3 of at most 4 was lowered")
	}
	if v, _ := s.SetPart(i, 0, 6); v != 4 || s.Most(i) != 4 {
		t.Errorf("6 of at most 4 became %g", v)
	}
	if !s.Narrow(i, 2) || s.At(i) != 2 {
		t.Errorf("lowered to %g, want 2", s.At(i))
	}
	s.Reset(i)
	if s.At(i) != 2 {
		t.Errorf("reset to %g, want 2", s.At(i))
	}
}

func TestValuesAreTakenByFullName(t *testing.T) {
	s := newSet(t)
	v := Values{"test.gravity": {2}, "other.gravity": {3}, "test.span": {1, 2}}
	if err := s.Take(v.Clone()); err != nil || s.Get("gravity") != 2 || s.Get("span") != 1 {
		t.Errorf("%v, %v", s.values, err)
	}
	if err := s.Take(Values{"test.span": {1}}); err == nil {
		t.Error("one value for two was taken")
	}
	seen := map[string]any{}
	s.Describe(seen)
	if len(seen) != s.Len() || seen["test.colour"] != "speed" || seen["test.bounce"] != true || seen["test.gravity"] != 2.0 {
		t.Errorf("described as %v", seen)
	}
}

func TestResetGivesDefaultsBack(t *testing.T) {
	s := newSet(t)
	for i, spec := range s.Specs() {
		for part := range spec.Size() {
			_, most := spec.Range()
			if _, err := s.SetPart(i, part, most); err != nil {
				t.Fatal(err)
			}
		}
		if s.Changed(i) != (spec.Name != "bounce") {
			t.Errorf("%s: changed is %v", spec.Name, s.Changed(i))
		}
	}
	s.Reset(0)
	if s.Get("gravity") != 9.81 {
		t.Errorf("gravity %g", s.Get("gravity"))
	}
	s.ResetAll()
	for i, spec := range s.Specs() {
		if s.Changed(i) {
			t.Errorf("%s: %g", spec.Name, s.Parts(i))
		}
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
		{Name: "a", Min: -2, Max: -1, Default: -1, Log: true},
		{Name: "a", Kind: Vector},
		{Name: "a", Kind: Array},
		{Name: "a", Kind: Matrix, Cols: 2},
		{Name: "a", Kind: Matrix, Rows: 2, Cols: 100},
		{Name: "a", Max: 1, Low: 0, High: 2},
		{Name: "a", Max: 1, Default: 1, Auto: true},
		{Name: "a", Defaults: []float64{0, 0}},
	} {
		if _, err := NewSet(Group{Specs: []Spec{c}}); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if _, err := NewSet(Group{Specs: []Spec{{Name: "a"}, {Name: "a"}}}); err == nil {
		t.Error("a name given twice was accepted")
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	s := newSet(t)
	if n := testing.AllocsPerRun(100, func() { _ = s.At(0) + s.Get("octaves") }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
