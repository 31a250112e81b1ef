// SPDX-License-Identifier: Apache-2.0

package app

import (
	"testing"
	"time"
)

func TestAutomaticCountFollowsTheMeasuredFrame(t *testing.T) {
	const ms = time.Millisecond
	cases := []struct {
		name   string
		trials []time.Duration
		want   int
	}{
		{"software renderer", []time.Duration{15 * ms, 11 * ms, 12 * ms}, 65_000},
		{"a GPU far under the budget", []time.Duration{ms / 2, ms / 3}, autoCountMost},
		{"a machine too slow for anything", []time.Duration{2 * time.Second}, autoCountLeast},
		{"no trial", nil, autoCountProbe},
		{"a clock that did not move", []time.Duration{0}, autoCountMost},
	}
	for _, c := range cases {
		if got := countFor(autoCountProbe, c.trials); got != c.want {
			t.Errorf("%s: %d particles, want %d", c.name, got, c.want)
		}
	}
}

func TestAutomaticCountIsOnlyLowered(t *testing.T) {
	if count, changed := lowerCount(60_000, 20*time.Millisecond); changed {
		t.Errorf("a frame within the budget changed the count to %d", count)
	}
	count, changed := lowerCount(60_000, 66*time.Millisecond)
	if !changed || count != 20_000 {
		t.Errorf("a frame of twice the budget gives %d (%v), want 20000", count, changed)
	}
	if count, changed := lowerCount(autoCountLeast, time.Second); changed {
		t.Errorf("went below the least count: %d", count)
	}
	for count, i := autoCountMost, 0; ; i++ {
		next, changed := lowerCount(count, 40*time.Millisecond)
		if !changed {
			break
		}
		if next >= count || i > 100 {
			t.Fatalf("lowering does not end: %d after %d", next, count)
		}
		count = next
	}
}
