// SPDX-License-Identifier: Apache-2.0

package app

import "testing"

var wasted [][]byte

// TestOnlyFramesAreCounted: what is made in the warm-up and after the last frame belongs to no frame.
func TestOnlyFramesAreCounted(t *testing.T) {
	var a allocCounter
	a.start(20)
	if n := a.perFrame(); n >= 0 {
		t.Errorf("%g objects a frame before any", n)
	}
	waste := func(n int) {
		for range n {
			wasted = append(wasted, make([]byte, 64))
		}
	}
	for range 10 { // the warm-up: half of a short run
		waste(1000)
		a.frame()
	}
	for range 10 {
		waste(100)
		a.frame()
	}
	a.stop()
	waste(100_000)
	if n := a.perFrame(); n < 100 || n > 200 {
		t.Errorf("%g objects a frame, want a little over 100", n)
	}
}
