// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Assign does what the command line's --set asks for: "model.key=value" sets a parameter of the scene's model, and
// "clock.key=value", likewise camera and look, the other keys of a scene file. Values are written as in a file; text
// needs no quotes, and a number may be followed by the parameter's unit. Nothing changes when there is an error.
func (s *Scene) Assign(assignment string) error {
	path, value, ok := strings.Cut(assignment, "=")
	path, value = strings.TrimSpace(path), strings.TrimSpace(value)
	section, key, dotted := strings.Cut(path, ".")
	if !ok || !dotted || key == "" || value == "" {
		return fmt.Errorf("%q is no assignment: write model.key=value, such as %s", short(assignment), s.example())
	}
	if section == s.Model {
		return s.assignParam(key, value)
	}
	if slices.Contains(sectionNames(), section) {
		f := fieldOf(section, key)
		if f == nil {
			return fmt.Errorf("unknown key %q in [%s]%s", short(key), section, didYouMean(key, keysOf(section)))
		}
		v := tomlValue(value)
		if err := f.put(s, v); err != nil {
			return fmt.Errorf("%s", wrong(f, v, err))
		}
		return nil
	}
	if _, other := model(section); other {
		return fmt.Errorf("%s: the scene's model is %q, not %q; its parameters are %s", short(path), s.Model, section, strings.Join(s.paramNames(), ", "))
	}
	return fmt.Errorf("%s: there is no section %q%s", short(path), short(section), didYouMean(section, append([]string{s.Model}, sectionNames()...)))
}

func (s *Scene) paramNames() []string {
	m, _ := model(s.Model)
	return specNames(m.Specs)
}

// example gives an assignment that works for this scene.
func (s *Scene) example() string {
	m, ok := model(s.Model)
	if !ok || len(m.Specs) == 0 {
		return "flow.amplitude=2"
	}
	return m.Name + "." + m.Specs[0].Name + "=" + m.Specs[0].Text(m.Specs[0].Default)
}

func (s *Scene) assignParam(key, value string) error {
	spec, problem := findSpec(s.Model, key)
	if spec == nil {
		return fmt.Errorf("%s", problem)
	}
	v, err := spec.Read(strings.Trim(value, `"'`))
	if err != nil {
		return fmt.Errorf("%s.%w (%s)", s.Model, err, describe(spec.Min, spec.Max, spec.Unit))
	}
	if err := inSpec(spec, v); err != nil {
		return fmt.Errorf("%s.%s: %w", s.Model, key, err)
	}
	s.put(key, v)
	return nil
}

func describe(lo, hi float64, unit string) string {
	return "range " + plain(lo) + " to " + amount(hi, unit)
}

// tomlValue reads a value as a file would hold it; what is no TOML value is text.
func tomlValue(text string) any {
	var doc struct{ V any }
	if strings.ContainsAny(text, "\r\n") || len(text) > 1000 || toml.Unmarshal([]byte("V = "+text), &doc) != nil {
		return text
	}
	return doc.V
}
