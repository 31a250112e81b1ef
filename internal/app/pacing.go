// SPDX-License-Identifier: Apache-2.0

package app

import "time"

// Pacing that the program does itself: a frame cap, a cap in the place of a
// vertical sync that is not in force, and rest while there is nothing to show.
const (
	assumedRefresh = 60.0                   // Hz, where the monitor's rate is unknown
	vsyncFrames    = 90                     // frames looked at before vsync is said not to work
	idleWait       = 100 * time.Millisecond // longest sleep while paused or minimised
	busyAfterEvent = 8                      // frames drawn after an event while paused, so that the panel settles
)

// pacer decides how long to sleep before the next frame.
type pacer struct {
	vsync   bool    // asked for
	refresh float64 // Hz, 0 unknown
	cap     float64 // frames a second that the person asked for, 0 none

	next   time.Time // when the next frame may start
	frames int       // since vsync was asked for
	since  time.Time
	broken bool // vsync was asked for and is not in force
}

// setVsync notes what was asked for; whether it is in force will be measured.
func (p *pacer) setVsync(on bool, refresh float64, now time.Time) {
	*p = pacer{vsync: on, refresh: refresh, cap: p.cap, since: now}
}

// rate is the cap in force in frames a second; 0 for none.
func (p *pacer) rate() float64 {
	rate := p.cap
	if p.broken {
		refresh := p.refresh
		if refresh <= 0 {
			refresh = assumedRefresh
		}
		if rate <= 0 || refresh < rate {
			rate = refresh
		}
	}
	return rate
}

// frame counts a frame that started at now, and says how long to sleep before the
// next one may start. News tells that vsync has just been found not to be in force.
func (p *pacer) frame(now time.Time) (sleep time.Duration, news bool) {
	if p.vsync && !p.broken && p.rate() == 0 {
		p.frames++
		if p.frames == vsyncFrames {
			refresh := p.refresh
			if refresh <= 0 {
				refresh = 4 * assumedRefresh // no common monitor is faster
			}
			measured := float64(p.frames) / now.Sub(p.since).Seconds()
			p.broken = measured > 1.4*refresh
			news = p.broken
			p.frames, p.since = 0, now
		}
	}
	rate := p.rate()
	if rate <= 0 {
		p.next = now
		return 0, news
	}
	p.next = p.next.Add(time.Duration(float64(time.Second) / rate))
	if behind := now.Sub(p.next); behind > 0 { // too slow for the cap: no debt is kept
		p.next = now
		return 0, news
	}
	return p.next.Sub(now), news
}

// rested says that the program slept for other reasons, so that no frame is
// counted against the time.
func (p *pacer) rested(now time.Time) {
	p.frames, p.since, p.next = 0, now, now
}
