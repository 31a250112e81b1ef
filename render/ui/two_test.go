// SPDX-License-Identifier: Apache-2.0

package ui

import "testing"

func TestTwoPanelsDoNotDisturbEachOther(t *testing.T) {
	a, b := newRig(t, Options{}), newRig(t, Options{Scale: 2})
	b.resize(2560, 1440)
	for range 5 {
		a.step()
		b.step()
	}
	wa, wb := a.u.State().Find("count"), b.u.State().Find("count")
	if wa == nil || wb == nil || wb.H < 1.8*wa.H {
		t.Fatalf("count rows: %+v at scale 1 and %+v at scale 2", wa, wb)
	}
	b.u.Close()
	b.current()
	a.steps(3)
	a.click("param/speed", 1, 0)
	if got := lastParam(t, &a.cmds, "speed"); got != 1 {
		t.Errorf("after the other has closed: %v, want 1", got)
	}
}
