// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// watch looks for what disturbs frames from outside: the garbage collector and the machine going to sleep. It runs in the
// writer's goroutine and allocates only when the collector ran.
type watch struct {
	gc     [1]metrics.Sample
	cycles uint64
	stats  debug.GCStats
	asleep time.Duration
	canNap bool
}

func (w *watch) start() {
	w.gc[0].Name = "/gc/cycles/total:gc-cycles"
	metrics.Read(w.gc[:])
	w.cycles = w.gc[0].Value.Uint64()
	w.asleep, w.canNap = timeAsleep()
}

// look tells what happened since the last look.
func (w *watch) look(rec *Recorder, tell func(Note)) {
	metrics.Read(w.gc[:])
	if n := w.gc[0].Value.Uint64(); n != w.cycles {
		w.pauses(int(min(n-w.cycles, 64)), rec, tell)
		w.cycles = n
	}
	if asleep, ok := timeAsleep(); ok && w.canNap {
		if d := asleep - w.asleep; d > 100*time.Millisecond {
			tell(Note{Kind: NoteSuspend, T: rec.Now(), Value: d.Seconds()})
		}
		w.asleep = asleep
	}
}

// pauses tells the last n pauses. PauseEnd is on the wall clock; it is brought to the recorder's by its distance from
// now, which is wrong only if the wall clock was set in between.
func (w *watch) pauses(n int, rec *Recorder, tell func(Note)) {
	debug.ReadGCStats(&w.stats)
	now, wall := rec.Now(), time.Now()
	for i := min(n, len(w.stats.PauseEnd), len(w.stats.Pause)) - 1; i >= 0; i-- {
		age := wall.Sub(w.stats.PauseEnd[i])
		if age < 0 || age > time.Minute {
			continue
		}
		end := now - int64(age)
		tell(Note{Kind: NoteGC, T: end - int64(w.stats.Pause[i]), End: end, Value: w.stats.Pause[i].Seconds() * 1e3})
	}
}
