// SPDX-License-Identifier: Apache-2.0

// Package param is the registry of a model's parameters: one description of each (name, unit, range, default, tooltip) and
// one door through which every value goes. The panel, the scene files, the command line's --set, the trace header and the
// documentation all read the same [Spec]s, and all write through [Set.Set] or [Set.Parse], which clamp to the range, round
// whole numbers and refuse NaN.
//
// A Set belongs to one goroutine (the one that owns the model); nothing here locks. Reading by index ([Set.At]) allocates
// nothing and is what a model does each step; reading by name is for people's tools.
//
//	set, err := param.NewSet([]param.Spec{{Name: "gravity", Unit: "m/s^2", Default: 9.81, Min: 0, Max: 100}})
//	applied, err := set.Parse("gravity", "1.62 m/s^2") // 1.62
//	applied, err = set.Set("gravity", 1e9)             // 100: clamped
package param
