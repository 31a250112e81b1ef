// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// pick opens a list in the panel and clicks on the entry with the text given.
func (p *program) pick(key, text string) {
	p.t.Helper()
	p.click(key)
	var entry *widget
	p.waitFor("the list is open", func(s *uiState) bool {
		for i := range 20 {
			if w := s.widget(fmt.Sprintf("%s/%d", key, i)); w != nil && w.Text == text {
				entry = w
				return true
			}
		}
		return false
	})
	p.point(entry.X+entry.W/2, entry.Y+entry.H/2)
	p.desk.down(p.t)
	p.settle()
	p.desk.up(p.t)
	p.settle()
}

// TestDriverAndTierAreSwitchedInThePanel while the run goes on: its time never goes back.
func TestDriverAndTierAreSwitchedInThePanel(t *testing.T) {
	d := newDesktop(t, 1280, 1000)
	g := newGPU(t)
	p := g.start(t, d, "fountain", "--count", "2000", "--size", "1000x900")
	time := func() float64 {
		if w := p.read().widget("clock/time"); w != nil {
			return w.Value
		}
		return -1
	}
	p.waitFor("time has passed", func(s *uiState) bool { w := s.widget("clock/time"); return w != nil && w.Value > 0.5 })
	p.click("section/Device & window")
	for _, c := range []struct{ key, text, driver, tier string }{
		{"device/driver", "host", "CPU", "host"},
		{"device/tier", "copied", "CPU", "copied"},
		{"device/driver", "cuda", "CUDA", "copied"},
		{"device/tier", "shared", "CUDA", "shared"},
		{"device/tier", "auto", "CUDA", "shared"},
		{"device/driver", "auto", "CUDA", "shared"},
	} {
		before := time()
		p.pick(c.key, c.text)
		p.waitFor("the badge says "+c.driver+" and "+c.tier, func(s *uiState) bool {
			badge := s.widget("head/badge")
			return badge != nil && strings.Contains(badge.Text, c.driver) && strings.HasSuffix(badge.Text, c.tier)
		})
		p.settle()
		if now := time(); now < before || before <= 0 {
			t.Errorf("%s: time went from %g to %g s", c.text, before, now)
		}
	}
	p.close()
	if n := countLines(p.errs.String(), "now computing on"); n != 6 || countLines(p.errs.String(), "warning") != 0 {
		t.Errorf("6 changes, told:\n%s", p.errs.String())
	}
	g.givenBack(t)
}
