// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"
	"time"

	"particles/render/ui"
)

// toastTime is how long a message stays over the picture.
const toastTime = 6 * time.Second

// toasts are the messages that are shown now.
type toasts struct {
	list  []toast
	shown []ui.Toast
}

type toast struct {
	text  string
	level ui.Level
	since time.Time
}

// add shows a message from now on. The same text again only stays longer.
func (t *toasts) add(text string, level ui.Level, now time.Time) {
	for i := range t.list {
		if t.list[i].text == text {
			t.list[i].since = now
			return
		}
	}
	t.list = append(t.list, toast{text, level, now})
}

// current drops old messages and gives the rest.
func (t *toasts) current(now time.Time) []ui.Toast {
	t.shown = t.shown[:0]
	kept := t.list[:0]
	for _, one := range t.list {
		if age := now.Sub(one.since); age < toastTime {
			kept = append(kept, one)
			t.shown = append(t.shown, ui.Toast{Text: one.text, Level: one.level, Age: age.Seconds()})
		}
	}
	t.list = kept
	return t.shown
}

// tell informs the user, in the log and over the picture.
func (r *run) tell(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.log.Info(text)
	r.toasts.add(text, ui.Info, time.Now())
}

// warn tells of an error that the run survives.
func (r *run) warn(err error) {
	r.log.Warn(err.Error())
	r.toasts.add(err.Error(), ui.Warning, time.Now())
}

func droppedText(frames int64) string {
	return fmt.Sprintf("%d frames are missing from the trace: the disk did not keep up", frames)
}
