// SPDX-License-Identifier: Apache-2.0

//go:build !race

package interop_test

const raceEnabled = false
