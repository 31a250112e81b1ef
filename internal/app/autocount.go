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
	autoFrameBudget = 33 * time.Millisecond // what a frame must stay under
	autoFrameAim    = 22 * time.Millisecond // what the choice aims at, so that noise does not break the budget
)

// autoCountProbes are the counts of the trial frames. There are two because a frame
// also has a part that does not depend on the count, such as the hand-over between
// CUDA and OpenGL.
var autoCountProbes = [2]int{16_384, 65_536}

// countFor is the automatic count after the trial frames of the two probes took the
// times given: the line through the shortest of each, since noise only adds time.
func countFor(small, large []time.Duration) int {
	if len(small) == 0 || len(large) == 0 {
		return autoCountProbes[0]
	}
	t0, t1 := slices.Min(small).Seconds(), slices.Min(large).Seconds()
	n0, n1 := float64(autoCountProbes[0]), float64(autoCountProbes[1])
	aim := autoFrameAim.Seconds()
	perParticle := (t1 - t0) / (n1 - n0)
	if perParticle <= 0 { // the count did not matter: far from any limit, unless the fixed part is one
		perParticle = 1e-12
	}
	fixed := max(t0-perParticle*n0, 0)
	count := (aim - fixed) / perParticle
	return roundCount(int(min(max(count, 0), autoCountMost)))
}

// countBelow is the automatic count where frames of count particles already take
// longer than the aim: in proportion, since there is no second point for a line.
func countBelow(count int, times []time.Duration) int {
	t := max(slices.Min(times), time.Microsecond)
	return roundCount(int(min(float64(count)*float64(autoFrameAim)/float64(t), float64(count))))
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
