// SPDX-License-Identifier: Apache-2.0

//go:build !windows && !darwin && wayland

package window

// System is the window system that this build uses.
const System = "Wayland"

// A Wayland client is not told where its windows are and cannot place them.
const hasPosition = false
