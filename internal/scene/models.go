// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"strings"

	"particles/sim"
	"particles/sim/param"
)

// models lists the models. Tests put their own in.
var models = sim.Models

// model finds a model's description by name.
func model(name string) (sim.ModelInfo, bool) {
	for _, m := range models() {
		if m.Name == name {
			return m, true
		}
	}
	return sim.ModelInfo{}, false
}

func modelNames() []string {
	var names []string
	for _, m := range models() {
		names = append(names, m.Name)
	}
	return names
}

func specNames(specs []param.Spec) []string {
	names := make([]string, len(specs))
	for i := range specs {
		names[i] = specs[i].Name
	}
	return names
}

// didYouMean gives ": did you mean X?" or, when nothing is near, the choices.
func didYouMean(name string, choices []string) string {
	if near := param.Nearest(name, choices); near != "" {
		return ": did you mean \"" + near + "\"?"
	}
	return "; known are " + strings.Join(choices, ", ")
}
