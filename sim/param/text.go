// SPDX-License-Identifier: Apache-2.0

package param

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Decode turns a value of a file (bool, string, int64, float64 or []any of them) into the components it stands for. It is
// strict: what is of another type or outside the range is refused, with what would be right. A shorter Array or smaller Matrix
// than the largest leaves the rest at the defaults.
func (s *Spec) Decode(v any) ([]float64, error) {
	var parts []float64
	switch s.Kind {
	case Bool:
		b, ok := v.(bool)
		if !ok {
			return nil, s.mustBe(v)
		}
		if b {
			return []float64{1}, nil
		}
		return []float64{0}, nil
	case Enum:
		t, ok := v.(string)
		if !ok {
			return nil, s.mustBe(v)
		}
		return s.choice(t)
	case Color:
		if t, ok := v.(string); ok {
			return hexColor(t)
		}
		parts = numbers(v, 3)
	case Vector:
		parts = numbers(v, len(s.Parts))
	case Array:
		list, _ := v.([]any)
		if n := len(list); n >= 1 && n <= s.Cols {
			if parts = numbers(v, n); parts != nil {
				parts = append(parts, s.defaults()[n:]...)
			}
		}
	case Matrix:
		parts = s.matrix(v)
	case Int:
		if n, ok := whole(v); ok {
			parts = []float64{n}
		}
	default:
		if n, ok := real(v); ok {
			parts = []float64{n}
		}
	}
	if parts == nil {
		return nil, s.mustBe(v)
	}
	return parts, s.Check(parts)
}

// Check refuses components that are outside the range: a file or a command line that asks for what cannot be is told so, not
// quietly bent.
func (s *Spec) Check(parts []float64) error {
	least, most := s.Range()
	for _, v := range parts {
		if math.IsNaN(v) {
			return fmt.Errorf("NaN is %w: give a value %s", ErrNaN, s.span())
		}
		if v < least || v > most {
			return fmt.Errorf("%s is out of range: give a value %s", Plain(v), s.span())
		}
		if s.Kind == Int && v != math.Trunc(v) {
			return fmt.Errorf("%s is not a whole number", Plain(v))
		}
	}
	if s.Ordered && !(parts[0] < parts[1]) && (parts[0] != 0 || parts[1] != 0) {
		return fmt.Errorf("the second value must be above the first, not %s after %s (or both 0 for the program's choice)", Plain(parts[1]), Plain(parts[0]))
	}
	return nil
}

func (s *Spec) mustBe(v any) error { return fmt.Errorf("must be %s, not %s", s.Want(), TypeName(v)) }

// Want says what a value looks like.
func (s *Spec) Want() string {
	span := s.span()
	switch s.Kind {
	case Bool:
		return "true or false"
	case Enum:
		return `one of "` + strings.Join(s.Choices, `", "`) + `"`
	case Color:
		return `a colour such as "#0a0c10" or [0.04, 0.05, 0.06]`
	case Vector:
		return fmt.Sprintf("%d numbers (%s) %s such as %s", len(s.Parts), strings.Join(s.Parts, ", "), span, s.Encode(s.defaults()))
	case Array:
		return fmt.Sprintf("a list of 1 to %d numbers %s", s.Cols, span)
	case Matrix:
		return fmt.Sprintf("a list of 1 to %d rows of the same 1 to %d numbers %s, such as [[0, 1], [1, 0]]", s.Rows, s.Cols, span)
	case Int:
		return "a whole number " + span
	}
	return "a number " + span
}

func (s *Spec) choice(t string) ([]float64, error) {
	i := slices.IndexFunc(s.Choices, func(c string) bool { return strings.EqualFold(c, t) })
	if i < 0 {
		hint := ""
		if near := Nearest(t, s.Choices); near != "" {
			hint = ": did you mean \"" + near + "\"?"
		}
		return nil, fmt.Errorf("%q is none of \"%s\"%s", cut(t), strings.Join(s.Choices, `", "`), hint)
	}
	return []float64{float64(i)}, nil
}

func (s *Spec) defaults() []float64 {
	parts := make([]float64, s.Size())
	for i := range parts {
		parts[i] = s.DefaultAt(i)
	}
	return parts
}

// matrix takes rows of the same length; the rest keeps its defaults.
func (s *Spec) matrix(v any) []float64 {
	rows, ok := v.([]any)
	if !ok || len(rows) < 1 || len(rows) > s.Rows {
		return nil
	}
	parts, cols := s.defaults(), 0
	for i, row := range rows {
		list, _ := row.([]any)
		if i == 0 {
			cols = len(list)
		}
		values := numbers(row, cols)
		if values == nil || cols < 1 || cols > s.Cols {
			return nil
		}
		copy(parts[i*s.Cols:], values)
	}
	return parts
}

func hexColor(t string) ([]float64, error) {
	hex, found := strings.CutPrefix(t, "#")
	n, err := strconv.ParseUint(hex, 16, 32)
	if !found || len(hex) != 6 || err != nil {
		return nil, fmt.Errorf("%q is no colour: give six hexadecimal digits after #, such as \"#0a0c10\"", cut(t))
	}
	return []float64{float64(n>>16) / 255, float64(n>>8&0xff) / 255, float64(n&0xff) / 255}, nil
}

// numbers takes a list of exactly n numbers, else nil.
func numbers(v any, n int) []float64 {
	list, ok := v.([]any)
	if !ok || len(list) != n || n == 0 {
		return nil
	}
	parts := make([]float64, n)
	for i := range list {
		if parts[i], ok = real(list[i]); !ok {
			return nil
		}
	}
	return parts
}

// real takes any number.
func real(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n + 0, true // -0 becomes 0
	}
	return 0, false
}

// whole takes any number that is whole, however it is written: 100000, 1e5, 3.0.
func whole(v any) (float64, bool) {
	n, ok := real(v)
	return n, ok && !math.IsInf(n, 0) && n == math.Trunc(n)
}

// Encode writes a value as TOML that Decode reads back to the same. Of a Matrix or Array it leaves out what lies beyond the last
// value that is not the default.
func (s *Spec) Encode(parts []float64) string {
	switch s.Kind {
	case Bool:
		return strconv.FormatBool(parts[0] != 0)
	case Int:
		return strconv.FormatInt(int64(parts[0]), 10)
	case Enum:
		return strconv.Quote(s.Choices[int(parts[0])])
	case Color, Vector:
		return list(parts)
	case Array, Matrix:
		rows, cols := 1, 1
		for i, v := range parts {
			if v != s.DefaultAt(i) {
				rows, cols = max(rows, i/s.Cols+1), max(cols, i%s.Cols+1)
			}
		}
		if s.Kind == Array {
			return list(parts[:cols])
		}
		text := make([]string, rows)
		for i := range text {
			text[i] = list(parts[i*s.Cols : i*s.Cols+cols])
		}
		return "[" + strings.Join(text, ", ") + "]"
	}
	return number(parts[0])
}

// number writes a float so that it reads back to the same bits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func list(parts []float64) string {
	text := make([]string, len(parts))
	for i, v := range parts {
		text[i] = number(v)
	}
	return "[" + strings.Join(text, ", ") + "]"
}

// Text gives a value as a person reads it, without its unit: a choice's name bare, a number from a float32 as 0.3 and not
// 0.30000001192092896.
func (s *Spec) Text(parts []float64) string {
	if s.Kind == Enum {
		return s.Choices[int(parts[0])]
	}
	if v := parts[0]; s.Kind == Float && float64(float32(v)) == v {
		text := strconv.FormatFloat(v, 'g', -1, 32)
		if back, err := strconv.ParseFloat(text, 64); err == nil && back == v {
			return text
		}
	}
	return s.Encode(parts)
}

// Read turns what a person types into the components it stands for, and is as strict as Decode: a number with the parameter's own
// unit after it if wished; true, false, on, off, yes, no; a choice's name; #rrggbb; a list with or without brackets.
func (s *Spec) Read(text string) ([]float64, error) {
	t := strings.Trim(strings.TrimSpace(text), `"'`)
	if s.Unit != "" {
		t = strings.TrimSpace(strings.TrimSuffix(t, s.Unit))
	}
	switch s.Kind {
	case Bool:
		switch strings.ToLower(t) {
		case "true", "on", "yes", "1":
			return []float64{1}, nil
		case "false", "off", "no", "0":
			return []float64{0}, nil
		}
		return nil, s.mustBe(text)
	case Enum:
		return s.choice(t)
	case Float, Int:
		v, err := strconv.ParseFloat(t, 64)
		if err != nil && !math.IsInf(v, 0) { // too large a number is told as out of range
			return nil, s.mustBe(text)
		}
		return s.Decode(v)
	}
	if strings.HasPrefix(t, "#") {
		return s.Decode(t)
	}
	if !strings.HasPrefix(t, "[") {
		t = "[" + t + "]"
	}
	var v []any
	if err := json.Unmarshal([]byte(t), &v); err != nil {
		return nil, s.mustBe(text)
	}
	return s.Decode(v)
}

// Plain writes a number the shortest way, without an exponent where that is readable.
func Plain(v float64) string {
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return number(v)
}

// Amount writes a number with its unit.
func Amount(v float64, unit string) string {
	if unit == "" {
		return Plain(v)
	}
	return Plain(v) + " " + unit
}

// TypeName describes a value of a wrong type.
func TypeName(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", cut(v))
	case bool:
		return fmt.Sprint(v)
	case int64:
		return fmt.Sprintf("the number %d", v)
	case float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "a section"
	}
	return "a date or time"
}

// cut shortens text that came from a file so that a message stays readable.
func cut(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}
