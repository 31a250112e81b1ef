// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"particles/sim"
	"particles/sim/param"
)

// MaxCount is the largest number of particles a scene can ask for. A device's memory may allow less.
const MaxCount = sim.MaxCount

// field is one key at the top of a scene file. put checks the value's range and stores it; its error says what is wrong, and is
// put after the key's name.
type field struct {
	key  string
	want string // what a value looks like, for messages
	put  func(s *Scene, v any) error
	get  func(s *Scene) string // the value as TOML; empty when it is not to be written
}

var fields = []field{
	text("title", func(s *Scene) *string { return &s.Title }, 200),
	text("description", func(s *Scene) *string { return &s.Description }, 4000),
	text("model", func(s *Scene) *string { return &s.Model }, 40),
	{
		"count", fmt.Sprintf("a whole number between 0 and %d", MaxCount),
		func(s *Scene, v any) error {
			spec := param.Spec{Kind: param.Int, Max: MaxCount}
			n, err := spec.Decode(v)
			if n == nil {
				return errType
			}
			if err == nil {
				s.Count = int(n[0])
			}
			return err
		},
		func(s *Scene) string { return strconv.Itoa(s.Count) },
	},
	{
		"seed", "a whole number such as 42",
		func(s *Scene, v any) error {
			n, ok := v.(int64)
			if f, isReal := v.(float64); isReal && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
				n, ok = int64(f), true
			}
			if !ok {
				return errType
			}
			s.Seed = n
			return nil
		},
		func(s *Scene) string { return strconv.FormatInt(s.Seed, 10) },
	},
}

// errType stands for "not of the type that field.want says".
var errType = errors.New("wrong type")

func fieldOf(key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

// keysOf lists the keys of a section, "" for the top of the file.
func keysOf(section string) []string {
	if g, _ := group(section); g != nil {
		return g.Names()
	}
	var keys []string
	for i := range fields {
		keys = append(keys, fields[i].key)
	}
	return keys
}

func joinNames(list []string) string { return strings.Join(list, ", ") }

func text(key string, at func(*Scene) *string, most int) field {
	return field{
		key, `text in quotes`,
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
		func(s *Scene) string {
			if t := *at(s); t != "" || key == "model" {
				return quote(t)
			}
			return ""
		},
	}
}
