// SPDX-License-Identifier: Apache-2.0

package app

import (
	"slices"
	"time"
)

// The automatic count, used when neither the scene nor the person names one: as
// many particles as this machine moves and draws in good time, a million at most.
// It is measured, not guessed from names: a hybrid machine with a fast GPU that
// computes and a slow one that draws gets what suits the slower of the two.
const (
	autoCountMost   = 1_000_000
	autoCountLeast  = 2_000
	autoCountProbe  = 32_768                // particles of the trial frames
	autoFrameBudget = 33 * time.Millisecond // what a frame must stay under
	autoFrameAim    = 22 * time.Millisecond // what the choice aims at, so that noise does not break the budget
)

// countFor is the automatic count after trial frames of probe particles took the
// times given. The shortest trial is believed, since noise only adds time.
func countFor(probe int, trials []time.Duration) int {
	if len(trials) == 0 {
		return probe
	}
	shortest := max(slices.Min(trials), time.Microsecond)
	count := float64(probe) * float64(autoFrameAim) / float64(shortest)
	return roundCount(int(min(count, autoCountMost)))
}

// lowerCount is the next automatic count after real frames had this median, and
// whether there is to be one: only while the budget is broken.
func lowerCount(count int, median time.Duration) (int, bool) {
	if median <= autoFrameBudget || count <= autoCountLeast {
		return count, false
	}
	lower := roundCount(int(float64(count) * float64(autoFrameAim) / float64(median)))
	return lower, lower < count
}

// roundCount keeps two leading digits, so that the number reads well.
func roundCount(count int) int {
	unit := 1
	for count/unit >= 100 {
		unit *= 10
	}
	return min(max(count/unit*unit, autoCountLeast), autoCountMost)
}
