// SPDX-License-Identifier: Apache-2.0

// Package param is the registry of what a person can set: one description of each parameter (name, unit, range, default,
// tooltip), and one door through which every value goes. Scene files, the command line's --set, the panel, the trace's header and
// its change marks, and the documentation all read the same [Spec]s.
//
// What is written down ([Spec.Decode], [Spec.Read]) is honoured or refused; what is dragged ([Set.SetPart]) is clamped.
//
// A Set belongs to one goroutine (the one that owns the model); nothing here locks. Reading by index ([Set.At]) allocates
// nothing and is what a model does each step; reading by name is for people's tools.
//
//	set, err := param.NewSet(param.Group{Name: "ball", Specs: []param.Spec{
//		{Name: "gravity", Unit: "m/s^2", Default: 9.81, Min: 0, Max: 100},
//	}})
//	parts, err := set.Specs()[0].Read("1.62 m/s^2") // strict
//	err = set.Put("gravity", parts)
//	applied, err := set.Set("gravity", 1e9)         // 100: clamped
package param
