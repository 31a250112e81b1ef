// SPDX-License-Identifier: Apache-2.0

package app

import "runtime/metrics"

// allocCounter counts the Go heap objects that the program makes, by the runtime's
// own metric, which stops nothing. It counts the whole program: writers in the
// background too.
type allocCounter struct {
	sample []metrics.Sample
	from   uint64 // objects at the end of the warm-up
	warm   int    // frames of the warm-up still to come
	frames uint64
	to     uint64 // objects at the end of the last frame; 0 while running

	recent     uint64 // objects at the last look
	recentAt   uint64
	recentRate float64
}

// allocWarmUp frames are not counted: caches and buffers reach their size in them.
const allocWarmUp = 30

// start begins to count, in a run of so many frames (0: no limit).
func (a *allocCounter) start(frames int) {
	a.sample = []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	a.warm = allocWarmUp
	if frames > 0 {
		a.warm = max(1, min(a.warm, frames/2))
	}
	a.recentRate, a.to = -1, 0
	metrics.Read(a.sample)
}

func (a *allocCounter) objects() uint64 {
	metrics.Read(a.sample)
	return a.sample[0].Value.Uint64()
}

// frame counts a frame that has ended.
func (a *allocCounter) frame() {
	if a.warm > 0 {
		if a.warm--; a.warm == 0 {
			a.from = a.objects()
			a.recent, a.recentAt = a.from, 0
		}
		return
	}
	a.frames++
	if a.frames-a.recentAt >= 64 {
		now := a.objects()
		a.recentRate = float64(now-a.recent) / float64(a.frames-a.recentAt)
		a.recent, a.recentAt = now, a.frames
	}
}

// stop ends the count: what follows the last frame, such as writing a picture, is no part of one.
func (a *allocCounter) stop() { a.to = a.objects() }

// perFrame is the mean over the run after the warm-up; negative when the run ended within it.
func (a *allocCounter) perFrame() float64 {
	if a.frames == 0 {
		return -1
	}
	to := a.to
	if to == 0 {
		to = a.objects()
	}
	return float64(to-a.from) / float64(a.frames)
}
