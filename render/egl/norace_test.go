// SPDX-License-Identifier: Apache-2.0

//go:build !race

package egl_test

const raceEnabled = false
