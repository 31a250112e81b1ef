// SPDX-License-Identifier: Apache-2.0

package scene

import "particles/sim/param"

// Scene is what a scene file says.
type Scene struct {
	Name        string // how it was loaded: a built-in name, or the path of the file
	Title       string // one line
	Description string // some sentences
	Model       string // name of the model
	Count       int    // particles; 0: automatic
	Seed        int64  // any value; the generator gets its bits
	// Values holds the parameters that the scene sets, of its model and of the shared groups (clock, camera, look, pacing), by full name.
	// What it does not set has the default of its description.
	Values param.Values
}

// Default is a scene without a model in which everything else has its default.
func Default() Scene { return Scene{Seed: 1} }

// Clone copies the scene with its values.
func (s *Scene) Clone() Scene {
	c := *s
	c.Values = s.Values.Clone()
	return c
}

// put stores a value that has passed its description's check.
func (s *Scene) put(group, key string, parts []float64) {
	if s.Values == nil {
		s.Values = param.Values{}
	}
	s.Values[group+"."+key] = parts
}
