// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"
	"io"
	"time"
)

// write is the writer's goroutine: every FlushEvery it empties the rings into one write, so that the file ends with a
// whole event whenever the program dies.
func (r *Recording) write(h *Header) {
	defer close(r.done)
	w := &writer{recording: r, chrome: chrome{buf: make([]byte, 0, flushBytes+flushBytes/4)}}
	w.chrome.header(h)
	w.watch.start()
	tick := time.NewTicker(FlushEvery)
	defer tick.Stop()
	for running := true; running; {
		err := w.drain()
		if err == nil {
			err = w.flush()
		}
		if err != nil {
			r.fail(err)
			w.repair()
			_ = r.out.Close() // the first error is the one to tell
			return
		}
		if w.full {
			break
		}
		select {
		case <-r.stop:
			running = false
		case <-tick.C:
		}
	}
	w.end()
}

// writer is the state of that goroutine.
type writer struct {
	recording *Recording
	chrome    chrome
	watch     watch
	full      bool // the limit is reached
	frame     Frame
	gpu       gpuRecord
	note      Note
	noted     float64 // lost frames that a note tells of
}

// drain encodes what the rings hold.
func (w *writer) drain() error {
	r := w.recording
	s := r.sink
	for s.frames.pop(&w.frame) {
		w.chrome.names = s.names
		w.chrome.frame(&w.frame)
		r.frames.Add(1)
		if err := w.spill(); err != nil || w.full {
			return err
		}
	}
	for s.gpus.pop(&w.gpu) {
		w.chrome.gpu(&w.gpu)
		if err := w.spill(); err != nil || w.full {
			return err
		}
	}
	for s.notes.pop(&w.note) {
		if w.note.Kind == NoteDropped {
			w.noted += w.note.Value
		}
		w.chrome.note(&w.note)
	}
	w.watch.look(r.rec, func(n Note) { w.chrome.note(&n) })
	return w.spill()
}

// spill writes early when much has come together, and sees to the limit.
func (w *writer) spill() error {
	r := w.recording
	if r.limit > 0 && r.Bytes()+int64(len(w.chrome.buf)) > r.limit-tailRoom {
		w.full = true
		return nil
	}
	if len(w.chrome.buf) < flushBytes {
		return nil
	}
	return w.flush()
}

func (w *writer) flush() error {
	if len(w.chrome.buf) == 0 {
		return nil
	}
	n, err := w.recording.out.Write(w.chrome.buf)
	if err == nil && n < len(w.chrome.buf) {
		err = io.ErrShortWrite
	}
	if err == nil {
		w.recording.bytes.Add(int64(n))
		w.chrome.buf = w.chrome.buf[:0]
	}
	return err
}

// end completes the file: the rest of the rings, the closing bracket, and the errors of the last write and of Close.
func (w *writer) end() {
	r := w.recording
	var message string
	err := error(nil)
	if w.full {
		message = fmt.Sprintf("recording stopped at its limit of %d MB after %d frames (chrome://tracing opens no larger file); "+
			"the file is complete, start another recording to go on", r.limit>>20, r.Frames())
		w.chrome.note(&Note{Kind: NoteLimit, T: w.frame.End(), Value: float64(r.limit)})
	} else if err = w.drain(); err == nil && w.full {
		w.chrome.note(&Note{Kind: NoteLimit, T: w.frame.End(), Value: float64(r.limit)})
	}
	if rest := float64(r.Dropped()) - w.noted; rest > 0 {
		w.chrome.note(&Note{Kind: NoteDropped, T: w.frame.End(), Value: rest})
	}
	w.chrome.close()
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		w.repair()
	}
	if e := r.out.Close(); err == nil {
		err = e
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.finish(nil, message)
}

// repair cuts a half-written event off, so that every reader opens the file, and closes the array where that is possible.
func (w *writer) repair() {
	f, ok := w.recording.out.(interface {
		Truncate(size int64) error
		io.WriterAt
	})
	if !ok || f.Truncate(w.recording.Bytes()) != nil {
		return
	}
	if w.recording.Bytes() > 0 {
		if n, err := f.WriteAt([]byte(chromeEnd), w.recording.Bytes()); err == nil {
			w.recording.bytes.Add(int64(n))
		}
	}
}
