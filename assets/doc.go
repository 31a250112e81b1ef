// SPDX-License-Identifier: Apache-2.0

// Package assets holds the files that travel inside the binary: colour maps, fonts and scenes.
//
// Nothing is looked up relative to the working directory: the program behaves the same from wherever it is
// started. While developing, the environment variable PARTICLES_DEV names the root of a checkout (1 means the
// current directory), and its assets folder is then read instead of the embedded copy:
//
//	PARTICLES_DEV=1 build/particles
//
// All functions may be called from any goroutine. What they return belongs to the caller.
package assets
