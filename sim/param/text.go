// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Read turns text into the number it stands for, not yet clamped: a number, with the parameter's own unit after it if
// wished; true, false, on, off, yes, no for a Bool; a choice's name or number for an Enum.
func (s *Spec) Read(text string) (float64, error) {
	t := strings.TrimSpace(text)
	if s.Unit != "" {
		if cut, ok := strings.CutSuffix(t, s.Unit); ok {
			t = strings.TrimSpace(cut)
		}
	}
	switch s.Kind {
	case Bool:
		switch strings.ToLower(t) {
		case "true", "on", "yes", "1":
			return 1, nil
		case "false", "off", "no", "0":
			return 0, nil
		}
		return 0, fmt.Errorf("%s: %q is neither true nor false", s.Name, text)
	case Enum:
		for i, c := range s.Choices {
			if strings.EqualFold(c, t) {
				return float64(i), nil
			}
		}
		if v, err := strconv.Atoi(t); err == nil && v >= 0 && v < len(s.Choices) {
			return float64(v), nil
		}
		return 0, fmt.Errorf("%s: %q is none of %s", s.Name, text, strings.Join(s.Choices, ", "))
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil && !math.IsInf(v, 0) { // out of range gives an infinity: clamped like any large value
		return 0, fmt.Errorf("%s: %q is not a number%s", s.Name, text, unitHint(s.Unit))
	}
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%s: %w: give a number between %g and %g", s.Name, ErrNaN, s.Min, s.Max)
	}
	return v, nil
}

func unitHint(unit string) string {
	if unit == "" {
		return ""
	}
	return " in " + unit
}

// Parse reads text (see Spec.Read) and sets the parameter; it returns the value kept, clamped.
func (s *Set) Parse(name, text string) (applied float64, err error) {
	i, ok := s.index[name]
	if !ok {
		return 0, &UnknownError{Name: name, Nearest: s.Nearest(name)}
	}
	v, err := s.specs[i].Read(text)
	if err != nil {
		return s.values[i], err
	}
	return s.SetAt(i, v)
}

// Format gives the value as text that Parse reads back to the same number, without its unit.
func (s *Set) Format(name string) string {
	i, ok := s.index[name]
	if !ok {
		return ""
	}
	return s.specs[i].Text(s.values[i])
}

// Text gives a value of this parameter as text, without its unit.
func (s *Spec) Text(v float64) string {
	switch s.Kind {
	case Bool:
		return strconv.FormatBool(v != 0)
	case Int:
		return strconv.FormatInt(int64(v), 10)
	case Enum:
		if i := int(v); i >= 0 && i < len(s.Choices) {
			return s.Choices[i]
		}
	}
	if f := float32(v); float64(f) == v { // from a float32 slider: 0.3, not 0.30000001192092896
		text := strconv.FormatFloat(v, 'g', -1, 32)
		if back, err := strconv.ParseFloat(text, 64); err == nil && back == v {
			return text
		}
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
