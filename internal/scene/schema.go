// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"particles/assets"
)

// field is one key of a scene file outside the model's section. put checks the value's range and stores it; its error
// says what is wrong, and is put after the key's name.
type field struct {
	section, key string // section is empty for the top level
	want         string // what a value looks like, for messages
	put          func(s *Scene, v any) error
	get          func(s *Scene) string // the value as TOML; empty when it is not to be written
}

func (f *field) name() string {
	if f.section == "" {
		return f.key
	}
	return f.section + "." + f.key
}

// MaxCount is the largest number of particles a scene can ask for. A device's memory may allow less.
const MaxCount = 1 << 30

var fields = []field{
	text("", "title", func(s *Scene) *string { return &s.Title }, 200),
	text("", "description", func(s *Scene) *string { return &s.Description }, 4000),
	text("", "model", func(s *Scene) *string { return &s.Model }, 40),
	whole("", "count", 0, MaxCount, func(s *Scene) *int { return &s.Count }),
	{
		"", "seed", "a whole number such as 42",
		func(s *Scene, v any) error {
			n, ok := v.(int64)
			if !ok {
				return errType
			}
			s.Seed = n
			return nil
		},
		func(s *Scene) string { return strconv.FormatInt(s.Seed, 10) },
	},
	number("clock", "dt", "s", 1e-6, 1, func(s *Scene) *float64 { return &s.Clock.Dt }),
	number("clock", "scale", "", 0, 1000, func(s *Scene) *float64 { return &s.Clock.Scale }),
	whole("clock", "steps_per_frame", 0, 1000, func(s *Scene) *int { return &s.Clock.StepsPerFrame }),
	number("camera", "yaw", "degrees", -36000, 36000, func(s *Scene) *float64 { return &s.Camera.Yaw }),
	number("camera", "pitch", "degrees", -89, 89, func(s *Scene) *float64 { return &s.Camera.Pitch }),
	number("camera", "distance", "m", 0, 1e6, func(s *Scene) *float64 { return &s.Camera.Distance }),
	target(),
	number("camera", "fov", "degrees", 1, 120, func(s *Scene) *float64 { return &s.Camera.FOV }),
	colorMap(),
	number("look", "exposure", "stops", -20, 20, func(s *Scene) *float64 { return &s.Look.Exposure }),
	number("look", "point_size", "m", 0, 1000, func(s *Scene) *float64 { return &s.Look.PointSize }),
	{
		"look", "one_pixel", "true or false",
		func(s *Scene, v any) error {
			b, ok := v.(bool)
			if !ok {
				return errType
			}
			s.Look.OnePixel = b
			return nil
		},
		func(s *Scene) string { return strconv.FormatBool(s.Look.OnePixel) },
	},
	number("look", "opacity", "", 0, 1, func(s *Scene) *float64 { return &s.Look.Opacity }),
	background(),
	list("look", "color_range", "two numbers such as [0, 2], the second one larger, or [0, 0] for the model's own", 2,
		func(s *Scene) []float64 { return s.Look.ColorRange[:] }, func(v []float64) error {
			if v[0] < v[1] || (v[0] == 0 && v[1] == 0) {
				return nil
			}
			return fmt.Errorf("the second value must be above the first, not %v after %v", v[1], v[0])
		}),
}

func sectionNames() []string { return []string{"clock", "camera", "look"} }

// keysOf lists the keys of a section.
func keysOf(section string) []string {
	var keys []string
	for i := range fields {
		if fields[i].section == section {
			keys = append(keys, fields[i].key)
		}
	}
	return keys
}

func fieldOf(section, key string) *field {
	for i := range fields {
		if fields[i].section == section && fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

// errType stands for "not of the type that field.want says".
var errType = fmt.Errorf("wrong type")

// toReal takes any TOML number.
func toReal(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// toWhole takes any TOML number that is whole, however it is written: 100000, 1e5, 3.0.
func toWhole(v any) (float64, bool) {
	n, ok := toReal(v)
	if !ok || math.IsInf(n, 0) || n != math.Trunc(n) {
		return 0, false
	}
	return n + 0, true // -0 becomes 0
}

// within checks a number against a range.
func within(v, lo, hi float64, unit string) error {
	if math.IsNaN(v) {
		return fmt.Errorf("NaN is not a number: give a value between %s and %s", plain(lo), amount(hi, unit))
	}
	if v < lo || v > hi {
		return fmt.Errorf("%s is out of range: give a value between %s and %s", plain(v), plain(lo), amount(hi, unit))
	}
	return nil
}

// amount writes a number with its unit.
func amount(v float64, unit string) string {
	if unit == "" {
		return plain(v)
	}
	return plain(v) + " " + unit
}

// plain writes a number the shortest way, without an exponent where that is readable.
func plain(v float64) string {
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func text(section, key string, at func(*Scene) *string, most int) field {
	return field{
		section, key, `text in quotes`,
		func(s *Scene, v any) error {
			t, ok := v.(string)
			if !ok {
				return errType
			}
			if len(t) > most {
				return fmt.Errorf("the text has %d bytes, at most %d are allowed", len(t), most)
			}
			*at(s) = t
			return nil
		},
		func(s *Scene) string { return quote(*at(s)) },
	}
}

func whole(section, key string, lo, hi int, at func(*Scene) *int) field {
	return field{
		section, key, fmt.Sprintf("a whole number between %d and %d", lo, hi),
		func(s *Scene, v any) error {
			n, ok := toWhole(v)
			if !ok {
				return errType
			}
			if err := within(n, float64(lo), float64(hi), ""); err != nil {
				return err
			}
			*at(s) = int(n)
			return nil
		},
		func(s *Scene) string { return strconv.Itoa(*at(s)) },
	}
}

func number(section, key, unit string, lo, hi float64, at func(*Scene) *float64) field {
	return field{
		section, key, fmt.Sprintf("a number between %s and %s", plain(lo), amount(hi, unit)),
		func(s *Scene, v any) error {
			n, ok := toReal(v)
			if !ok {
				return errType
			}
			if err := within(n, lo, hi, unit); err != nil {
				return err
			}
			*at(s) = n
			return nil
		},
		func(s *Scene) string { return tomlReal(*at(s)) },
	}
}

func list(section, key, want string, n int, at func(*Scene) []float64, check func([]float64) error) field {
	return field{
		section, key, want,
		func(s *Scene, v any) error {
			items, ok := v.([]any)
			if !ok || len(items) != n {
				return errType
			}
			values := make([]float64, n)
			for i, item := range items {
				if values[i], ok = toReal(item); !ok {
					return errType
				}
				if err := within(values[i], -1e6, 1e6, ""); err != nil {
					return err
				}
			}
			if err := check(values); err != nil {
				return err
			}
			copy(at(s), values)
			return nil
		},
		func(s *Scene) string { return tomlList(at(s)) },
	}
}

// colorMap takes the name of a colour map that there is.
func colorMap() field {
	f := text("look", "color_map", func(s *Scene) *string { return &s.Look.ColorMap }, 40)
	put := f.put
	f.put = func(s *Scene, v any) error {
		if name, ok := v.(string); ok && name != "" && !slices.Contains(assets.ColorMaps(), name) {
			return fmt.Errorf("unknown colour map %q%s", short(name), didYouMean(name, assets.ColorMaps()))
		}
		return put(s, v)
	}
	return f
}

func target() field {
	f := list("camera", "target", "three numbers such as [0, 1, 0]", 3,
		func(s *Scene) []float64 { return s.Camera.Target[:] }, func([]float64) error { return nil })
	put, get := f.put, f.get
	f.put = func(s *Scene, v any) error {
		err := put(s, v)
		s.Camera.HasTarget = s.Camera.HasTarget || err == nil
		return err
	}
	f.get = func(s *Scene) string {
		if !s.Camera.HasTarget {
			return ""
		}
		return get(s)
	}
	return f
}

// background takes three numbers from 0 to 1, or "#rrggbb".
func background() field {
	f := list("look", "background", `a colour such as "#0a0c10" or [0.04, 0.05, 0.06]`, 3,
		func(s *Scene) []float64 { return s.Look.Background[:] }, func(v []float64) error {
			for _, c := range v {
				if err := within(c, 0, 1, ""); err != nil {
					return err
				}
			}
			return nil
		})
	put := f.put
	f.put = func(s *Scene, v any) error {
		t, ok := v.(string)
		if !ok {
			return put(s, v)
		}
		hex, found := strings.CutPrefix(t, "#")
		n, err := strconv.ParseUint(hex, 16, 32)
		if !found || len(hex) != 6 || err != nil {
			return fmt.Errorf("%q is no colour: give six hexadecimal digits after #, such as \"#0a0c10\"", short(t))
		}
		for i := range 3 {
			s.Look.Background[i] = float64(n>>(16-8*i)&0xff) / 255
		}
		return nil
	}
	return f
}
