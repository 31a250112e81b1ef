// SPDX-License-Identifier: Apache-2.0

// Package scene reads scene files: TOML that picks a model and sets its parameters, count, seed, clock, camera and look.
//
// Reading is strict. Anything that is not understood is an error with file, line and column, the key, the nearest key
// that exists, and what to do; all that is wrong with a file is reported together. Files are checked for size, encoding
// and depth before they are parsed, so that a hostile file costs nothing.
//
// A Scene is a plain value. Everything here may be called from any goroutine.
//
//	s, err := scene.Load("ribbons")          // built in
//	s, err = scene.Load("./mine.toml")       // a file
//	err = s.Assign("flow.frequency=0.8")     // the command line's --set
//	text := s.Encode()                       // Parse reads it back to the same scene
package scene
