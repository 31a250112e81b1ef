// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"particles/sim/param"
)

// takeParam stores a model's parameter from the file.
func (r *reader) takeParam(model, key string, v any) {
	full := model + "." + key
	spec, text := findSpec(model, key)
	if spec == nil {
		if fieldOf("", key) != nil {
			text = fmt.Sprintf("unknown key %q in section [%s]: it belongs at the top of the file, before the first section", key, model)
		} else if home := r.homeOf(key); home != "" {
			text = fmt.Sprintf("unknown key %q in section [%s]: it belongs in section [%s]", key, model, home)
		}
		r.problem(full, text)
		return
	}
	n, err := specValue(spec, v)
	if err == nil {
		err = inSpec(spec, n)
	}
	if err != nil {
		r.problem(full, full+": "+err.Error())
		return
	}
	r.scene.put(key, n)
}

func (s *Scene) put(key string, v float64) {
	if s.Params == nil {
		s.Params = map[string]float64{}
	}
	s.Params[key] = v
}

// findSpec finds a parameter's description, or says what is wrong with the key.
func findSpec(modelName, key string) (*param.Spec, string) {
	m, _ := model(modelName)
	if i := slices.IndexFunc(m.Specs, func(s param.Spec) bool { return s.Name == key }); i >= 0 {
		return &m.Specs[i], ""
	}
	return nil, fmt.Sprintf("unknown key %q in section [%s]%s", short(key), modelName, didYouMean(key, specNames(m.Specs)))
}

// specValue brings a TOML value to the parameter's number.
func specValue(spec *param.Spec, v any) (float64, error) {
	switch spec.Kind {
	case param.Bool:
		if b, ok := v.(bool); ok {
			if b {
				return 1, nil
			}
			return 0, nil
		}
		return 0, fmt.Errorf("must be true or false, not %s", typeName(v))
	case param.Enum:
		t, ok := v.(string)
		if !ok {
			return 0, fmt.Errorf("must be one of %s, not %s", quoted(spec.Choices), typeName(v))
		}
		if i := slices.Index(spec.Choices, t); i >= 0 {
			return float64(i), nil
		}
		return 0, fmt.Errorf("%q is none of %s%s", short(t), quoted(spec.Choices), nearChoice(t, spec.Choices))
	case param.Int:
		if n, ok := toWhole(v); ok {
			return n, nil
		}
		return 0, fmt.Errorf("must be a whole number between %s and %s, not %s", plain(spec.Min), amount(spec.Max, spec.Unit), typeName(v))
	}
	if n, ok := toReal(v); ok {
		return n, nil
	}
	return 0, fmt.Errorf("must be a number between %s and %s, not %s", plain(spec.Min), amount(spec.Max, spec.Unit), typeName(v))
}

func nearChoice(t string, choices []string) string {
	if near := param.Nearest(t, choices); near != "" {
		return ": did you mean \"" + near + "\"?"
	}
	return ""
}

func quoted(choices []string) string { return `"` + strings.Join(choices, `", "`) + `"` }

// inSpec checks the range: a file or a command line that asks for what cannot be is told so, not quietly bent.
func inSpec(spec *param.Spec, v float64) error {
	if spec.Kind == param.Bool || spec.Kind == param.Enum {
		return nil
	}
	if err := within(v, spec.Min, spec.Max, spec.Unit); err != nil {
		return err
	}
	if spec.Kind == param.Int && v != math.Trunc(v) {
		return fmt.Errorf("%s is not a whole number", plain(v))
	}
	return nil
}
