// SPDX-License-Identifier: Apache-2.0

//go:build !windows && !darwin && !wayland

package window

// System is the window system that this build uses.
const System = "X11"

const hasPosition = true
