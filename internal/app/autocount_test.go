// SPDX-License-Identifier: Apache-2.0

package app

import (
	"testing"
	"time"
)

func TestAutomaticCountFollowsTheMeasuredFrame(t *testing.T) {
	ms := func(values ...float64) (d []time.Duration) {
		for _, v := range values {
			d = append(d, time.Duration(v*float64(time.Millisecond)))
		}
		return d
	}
	cases := []struct {
		name         string
		small, large []time.Duration
		want         int
	}{
		{"software renderer: 4 ms and 0.25 us a particle", ms(9.5, 8.096), ms(20.384, 25), 72_000},
		{"a GPU with a fixed part of 0.7 ms and 5 ns a particle", ms(0.9, 0.782), ms(1.028, 1.5), autoCountMost},
		{"a count that did not matter", ms(0.5), ms(0.5), autoCountMost},
		{"the larger probe by chance faster", ms(0.6), ms(0.5), autoCountMost},
		{"a machine too slow for anything", ms(2000), ms(8000), autoCountLeast},
		{"a fixed part over the aim", ms(30), ms(30), autoCountLeast},
		{"no trial", nil, nil, autoCountProbes[0]},
	}
	for _, c := range cases {
		if got := countFor(c.small, c.large); got != c.want {
			t.Errorf("%s: %d particles, want %d", c.name, got, c.want)
		}
	}
}

func TestAutomaticCountOfASlowMachineNeedsOneProbe(t *testing.T) {
	for _, c := range []struct {
		frame time.Duration
		want  int
	}{
		{44 * time.Millisecond, 8100}, {20 * time.Second, autoCountLeast}, {time.Millisecond, 16000},
	} {
		if got := countBelow(autoCountProbes[0], []time.Duration{c.frame + time.Second, c.frame}); got != c.want {
			t.Errorf("frames of %v give %d particles, want %d", c.frame, got, c.want)
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
