// SPDX-License-Identifier: Apache-2.0

//go:build windows || darwin

package window

// System is the window system that this build uses.
const System = "the operating system's"

const hasPosition = true
