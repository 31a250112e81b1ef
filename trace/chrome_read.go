// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ChromeTrace is what a file of a Recording holds. Times are nanoseconds since the first recorded frame.
type ChromeTrace struct {
	Session   map[string]any     // the header
	Tracks    map[TrackID]string // names of the tracks
	Processes map[int]string
	Frames    []ChromeFrame // in the order of the file
	GPU       []ChromeSlice // likewise
	Notes     []ChromeSlice
	Counters  map[string]int // values a counter has
	Events    int
	Truncated bool // the file ends without its closing bracket: the program was killed, or is still writing
}

// TrackID is a track's place in the file.
type TrackID struct{ Pid, Tid int }

// ChromeFrame is a frame with its phases.
type ChromeFrame struct {
	ChromeSlice
	Seq    uint64
	Phases []ChromeSlice
}

// ChromeSlice is one event of a track. Instants have a Dur of 0.
type ChromeSlice struct {
	Name       string
	Track      TrackID
	Start, Dur int64
	Args       map[string]any // nil for phases
}

// End is Start + Dur.
func (s *ChromeSlice) End() int64 { return s.Start + s.Dur }

// Flag tells whether the slice has a flag among its args, such as "after_gap".
func (s *ChromeSlice) Flag(name string) bool { return s.Args[name] == 1.0 }

// chromeEvent is an event as JSON.
type chromeEvent struct {
	Name, Cat, Ph string
	Pid, Tid      int
	Ts, Dur       chromeTime
	Args          map[string]any
}

// chromeTime reads microseconds as nanoseconds, exactly when there are at most three decimals.
type chromeTime int64

func (t *chromeTime) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	whole, frac, _ := strings.Cut(s, ".")
	if len(frac) <= 3 && len(whole) <= 15 && !strings.ContainsAny(s, "eE") {
		frac += "000"[len(frac):]
		if n, err := strconv.ParseInt(whole+frac, 10, 64); err == nil {
			*t = chromeTime(n)
			return nil
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(f) > 1e15 {
		return fmt.Errorf("%q is no time in microseconds", s)
	}
	*t = chromeTime(math.Round(f * 1000))
	return nil
}

// ReadChrome reads a file that a Recording wrote, also one that ends in the middle: what comes after the last whole event
// is left out and Truncated is set. It reads as a stream, and holds frames and slices in memory.
func ReadChrome(r io.Reader) (*ChromeTrace, error) {
	t := &ChromeTrace{Tracks: map[TrackID]string{}, Processes: map[int]string{}, Counters: map[string]int{}}
	dec := json.NewDecoder(bufio.NewReaderSize(r, 1<<16))
	first, err := dec.Token()
	if torn(err) {
		t.Truncated = true
		return t, nil
	}
	if err != nil || first != json.Delim('[') {
		return nil, fmt.Errorf("trace: not a Chrome trace in array form: it does not start with %q", "[")
	}
	for dec.More() {
		var e chromeEvent
		if err := dec.Decode(&e); torn(err) {
			t.Truncated = true
			return t, nil
		} else if err != nil {
			return t, fmt.Errorf("trace: event %d, before byte %d: %w", t.Events+1, dec.InputOffset(), err)
		}
		t.Events++
		if err := t.add(&e); err != nil {
			return t, fmt.Errorf("trace: event %d, before byte %d: %w", t.Events, dec.InputOffset(), err)
		}
	}
	_, err = dec.Token()
	t.Truncated = torn(err)
	if err != nil && !t.Truncated {
		return t, fmt.Errorf("trace: after event %d, at byte %d: %w", t.Events, dec.InputOffset(), err)
	}
	if t.Truncated {
		return t, nil
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return t, fmt.Errorf("trace: there is more after the closing bracket, at byte %d", dec.InputOffset())
	}
	return t, nil
}

func torn(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func (t *ChromeTrace) add(e *chromeEvent) error {
	id := TrackID{e.Pid, e.Tid}
	s := ChromeSlice{Name: e.Name, Track: id, Start: int64(e.Ts), Dur: int64(e.Dur), Args: e.Args}
	switch e.Ph {
	case "M":
		name, _ := e.Args["name"].(string)
		switch e.Name {
		case "process_name":
			t.Processes[e.Pid] = name
		case "thread_name":
			t.Tracks[id] = name
		}
	case "I", "i":
		if e.Name == "session" {
			t.Session = e.Args
		} else {
			t.Notes = append(t.Notes, s)
		}
	case "C":
		t.Counters[e.Name]++
	case "X":
		return t.addSlice(e, s)
	default:
		return fmt.Errorf("an event %q has the unknown kind %q", e.Name, e.Ph)
	}
	return nil
}

func (t *ChromeTrace) addSlice(e *chromeEvent, s ChromeSlice) error {
	switch {
	case e.Pid == pidGPU:
		t.GPU = append(t.GPU, s)
	case e.Tid != tidRender:
		t.Notes = append(t.Notes, s)
	case e.Name == "frame":
		seq, ok := e.Args["seq"].(float64)
		if !ok || seq < 0 || seq != math.Trunc(seq) || seq > 1<<53 {
			return fmt.Errorf("a frame at %d ns has no number", s.Start)
		}
		t.Frames = append(t.Frames, ChromeFrame{ChromeSlice: s, Seq: uint64(seq)})
	case len(t.Frames) == 0:
		return fmt.Errorf("a phase %q comes before any frame", e.Name)
	default:
		f := &t.Frames[len(t.Frames)-1]
		f.Phases = append(f.Phases, s)
	}
	return nil
}
