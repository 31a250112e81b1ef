// SPDX-License-Identifier: Apache-2.0

// Package e2e holds the end-to-end tests: they run the program itself, as a
// person would, in a real window under an X server with a window manager, with
// a real mouse and keyboard, or headless; and they look at what it leaves.
//
// The program is build/particles, or what PARTICLES_BIN names.
package e2e
