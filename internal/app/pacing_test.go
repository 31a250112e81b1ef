// SPDX-License-Identifier: Apache-2.0

package app

import (
	"testing"
	"time"
)

// pace runs frames that take work each, and gives the time they took with the sleeps.
func pace(p *pacer, frames int, work time.Duration) (total time.Duration, news int) {
	now := time.Unix(1000, 0)
	p.rested(now)
	start := now
	for range frames {
		now = now.Add(work)
		sleep, said := p.frame(now)
		now = now.Add(sleep)
		if said {
			news++
		}
	}
	return now.Sub(start), news
}

func TestFrameCapHoldsOnAverage(t *testing.T) {
	p := pacer{cap: 100}
	total, _ := pace(&p, 200, 3*time.Millisecond)
	if total < 1990*time.Millisecond || total > 2010*time.Millisecond {
		t.Errorf("200 frames at 100 a second took %v", total)
	}
}

func TestSlowFramesAreNotMadeUpFor(t *testing.T) {
	p := pacer{cap: 100}
	pace(&p, 50, 30*time.Millisecond)
	now := time.Unix(2000, 0)
	p.next = now
	if sleep, _ := p.frame(now.Add(time.Millisecond)); sleep < 8*time.Millisecond {
		t.Errorf("after slow frames the next one sleeps %v: the cap's debt was kept", sleep)
	}
}

func TestVsyncThatDoesNotHoldIsReplacedByACap(t *testing.T) {
	for _, refresh := range []float64{60, 0} { // 0: the monitor's rate is unknown, as in Xvfb
		p := pacer{}
		p.setVsync(true, refresh, time.Unix(1000, 0))
		total, news := pace(&p, 2000, time.Millisecond)
		if news != 1 {
			t.Errorf("refresh %g: told %d times that vsync is not in force, want once", refresh, news)
		}
		if want := 1900.0 / 60; total.Seconds() < want {
			t.Errorf("refresh %g: 2000 frames took %v, so nothing capped them", refresh, total)
		}
	}
}

func TestVsyncInForceIsLeftAlone(t *testing.T) {
	p := pacer{}
	p.setVsync(true, 60, time.Unix(1000, 0))
	if _, news := pace(&p, 500, time.Second/60); news != 0 || p.rate() != 0 {
		t.Errorf("vsync that holds was capped to %g frames a second", p.rate())
	}
}
