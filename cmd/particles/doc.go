// SPDX-License-Identifier: Apache-2.0

// Command particles shows particle simulations in a window, or renders them without one.
//
//	particles [run] [SCENE]       the default: a window, or --headless
//	particles scenes              list the built-in scenes
//	particles scenes show NAME    print a scene's file
//	particles version
//
// Exit codes: 0 done, 1 failure, 2 usage (flags, values and scene files that are not understood). Errors go to standard
// error; standard output carries results only, and with --json exactly one JSON object.
package main
