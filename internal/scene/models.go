// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"strings"

	"particles/sim/param"
)

// modelInfo is what a scene needs to know of a model.
type modelInfo struct {
	Name  string
	Specs []param.Spec
}

// models lists the models. Tests put their own in.
var models = func() []modelInfo {
	return []modelInfo{{Name: "flow"}, {Name: "emitter"}}
}

// model finds a model's description by name.
func model(name string) (modelInfo, bool) {
	for _, m := range models() {
		if m.Name == name {
			return m, true
		}
	}
	return modelInfo{}, false
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
