// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"strings"

	"particles/sim/param"
)

// Assign does what the command line's --set asks for: "model.key=value" sets a parameter of the scene's model, and
// "clock.key=value", likewise camera, look and pacing, those of every scene. Text needs no quotes, and a number may be followed by
// the parameter's unit. Nothing changes when there is an error.
func (s *Scene) Assign(assignment string) error {
	path, value, ok := strings.Cut(assignment, "=")
	path, value = strings.TrimSpace(path), strings.TrimSpace(value)
	section, key, dotted := strings.Cut(path, ".")
	if !ok || !dotted || key == "" || value == "" {
		return fmt.Errorf("%q is no assignment: write model.key=value, such as %s", short(assignment), s.example())
	}
	g, isModel := group(section)
	switch {
	case g == nil:
		var known []string
		for _, g := range s.sections() {
			known = append(known, g.Name)
		}
		return fmt.Errorf("%s: there is no section %q%s", short(path), short(section), didYouMean(section, known))
	case isModel && section != s.Model:
		return fmt.Errorf("%s: the scene's model is %q, not %q; its parameters are %s", short(path), s.Model, section, joinNames(keysOf(s.Model)))
	}
	spec := g.Find(key)
	if spec == nil {
		return unknownIn(g, key)
	}
	parts, err := spec.Read(value)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.put(section, key, parts)
	return nil
}

func unknownIn(g *param.Group, key string) error {
	return fmt.Errorf("unknown key %q in section [%s]%s", short(key), g.Name, didYouMean(key, g.Names()))
}

// example gives an assignment that works for this scene.
func (s *Scene) example() string {
	g := s.sections()[0]
	spec := &g.Specs[0]
	parts := make([]float64, spec.Size())
	for i := range parts {
		parts[i] = spec.DefaultAt(i)
	}
	return g.Name + "." + spec.Name + "=" + spec.Text(parts)
}
