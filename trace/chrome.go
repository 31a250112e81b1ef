// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"strconv"
)

// Places of the tracks in the file.
const (
	pidApp, pidGPU             = 1, 2
	tidRender, tidNotes, tidGC = 1, 2, 3
	chromeEnd                  = "\n]\n"
)

// chrome encodes records as Trace Event JSON in the bare array form: the only one that may end unterminated. Times are
// microseconds with three decimals since the first recorded frame, so that nanoseconds stay exact in every reader. A
// separator is written before an event, never after it, so the text is whole but for the closing bracket at any flush.
type chrome struct {
	buf     []byte
	names   []string
	zero    int64 // recorder's time of ts 0
	any     bool  // zero is set
	events  bool  // something was written before
	lastEnd [NumTracks]int64
	noteEnd [tidGC + 1]int64
	count   int // last value of the particles counter
	counted bool
}

func (c *chrome) open() {
	if c.events {
		c.buf = append(c.buf, ",\n{"...)
	} else {
		c.buf = append(c.buf, "[{"...)
		c.events = true
	}
}

func (c *chrome) close() {
	if c.events {
		c.buf = append(c.buf, chromeEnd...)
	}
}

// micros appends ns as microseconds with three decimals.
func micros(b []byte, ns int64) []byte {
	b = strconv.AppendInt(b, ns/1000, 10)
	f := ns % 1000
	return append(b, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

// slice opens an X event up to and including its duration.
func (c *chrome) slice(name, cat string, pid, tid int, start, end int64) {
	c.open()
	b := append(c.buf, `"name":`...)
	b = quote(b, name)
	if cat != "" {
		b = append(b, `,"cat":"`...)
		b = append(b, cat...)
		b = append(b, '"')
	}
	b = append(b, `,"ph":"X","pid":`...)
	b = strconv.AppendInt(b, int64(pid), 10)
	b = append(b, `,"tid":`...)
	b = strconv.AppendInt(b, int64(tid), 10)
	b = append(b, `,"ts":`...)
	b = micros(b, start)
	b = append(b, `,"dur":`...)
	c.buf = micros(b, end-start)
}

// rel brings a recorder's time to the file's; nothing is before 0.
func (c *chrome) rel(t int64) int64 { return max(t-c.zero, 0) }

func (c *chrome) frame(f *Frame) {
	if !c.any {
		c.any, c.zero = true, f.Start
	}
	start, end := c.rel(f.Start), c.rel(f.End())
	c.slice("frame", "frame", pidApp, tidRender, start, end)
	b := append(c.buf, `,"args":{"seq":`...)
	b = strconv.AppendUint(b, f.Seq, 10)
	b = append(b, `,"steps":`...)
	b = strconv.AppendInt(b, int64(f.Info.Steps), 10)
	b = append(b, `,"sim_s":`...)
	if finite(f.Info.SimTime) {
		b = strconv.AppendFloat(b, f.Info.SimTime, 'f', 6, 64)
	} else {
		b = append(b, "null"...)
	}
	if f.Info.Alive != f.Info.Count {
		b = append(b, `,"alive":`...)
		b = strconv.AppendInt(b, int64(f.Info.Alive), 10)
	}
	for i, name := range flagNames {
		if f.Info.Flags&(1<<i) != 0 {
			b = append(b, `,"`...)
			b = append(b, name...)
			b = append(b, `":1`...)
		}
	}
	c.buf = append(b, "}}"...)

	flow := false
	for i := range f.N {
		p, from, to := f.Segment(i)
		if to == from {
			continue
		}
		c.slice(p.String(), "", pidApp, tidRender, c.rel(from), c.rel(to))
		if p == Launch && !flow {
			flow = true
			c.buf = flowID(c.buf, f.Seq)
			c.buf = append(c.buf, `,"flow_out":true`...)
		}
		c.buf = append(c.buf, '}')
	}
	c.counter("frame_ms", start)
	c.buf = append(micros(c.buf, (end-start+500)/1000), "}}"...)
	if !c.counted || c.count != f.Info.Count {
		c.counted, c.count = true, f.Info.Count
		c.counter("particles", start)
		c.buf = append(strconv.AppendInt(c.buf, int64(f.Info.Count), 10), "}}"...)
	}
}

var flagNames = [...]string{"after_gap", "stalled", "overflowed", "no_slot", "no_gpu"}

// counter opens a counter event up to its value. The key is the name: some readers name the plot by the key alone.
func (c *chrome) counter(name string, at int64) {
	c.open()
	b := append(c.buf, `"name":"`...)
	b = append(b, name...)
	b = append(b, `","ph":"C","pid":1,"tid":1,"ts":`...)
	b = micros(b, at)
	b = append(b, `,"args":{"`...)
	b = append(b, name...)
	c.buf = append(b, `":`...)
}

// flowID appends the id that ties a frame's launch to its kernel. It is text and is read as hexadecimal.
func flowID(b []byte, seq uint64) []byte {
	b = append(b, `,"bind_id":"0x`...)
	b = strconv.AppendUint(b, seq+1, 16)
	return append(b, '"')
}

// gpu writes a frame's spans. Slices of one track never overlap: one that starts before the end of the one before it is
// cut there, and says so.
func (c *chrome) gpu(g *gpuRecord) {
	if !c.any {
		return
	}
	flow := false
	var told [NumTracks]bool // the error bound is said once a track and frame
	for i := range g.times.N {
		s := &g.times.Spans[i]
		start := max(c.rel(s.Start), c.lastEnd[s.Track])
		end := c.rel(s.End)
		if end <= start {
			continue
		}
		c.lastEnd[s.Track] = end
		name := "gpu"
		if int(s.Name) < len(c.names) {
			name = c.names[s.Name]
		}
		c.slice(name, "gpu", pidGPU, int(s.Track)+1, start, end)
		if s.Track == Stream && !flow && !s.Name.wait() {
			flow = true
			c.buf = flowID(c.buf, g.seq)
			c.buf = append(c.buf, `,"flow_in":true`...)
		}
		b := append(c.buf, `,"args":{"seq":`...)
		b = strconv.AppendUint(b, g.seq, 10)
		if !told[s.Track] {
			told[s.Track] = true
			b = append(b, `,"err_us":`...)
			b = micros(b, s.Err)
		}
		if start != c.rel(s.Start) {
			b = append(b, `,"cut":1`...)
		}
		c.buf = append(b, "}}"...)
	}
}

// note writes an instant, or a slice for what lasts, on a track beside the frames.
func (c *chrome) note(n *Note) {
	at := c.rel(n.T)
	if !c.any {
		at = 0
	}
	name := n.Kind.String()
	if n.End > n.T && c.any {
		tid := tidNotes
		if n.Kind == NoteGC {
			tid = tidGC
		}
		at = max(at, c.noteEnd[tid])
		c.noteEnd[tid] = max(c.rel(n.End), at)
		c.slice(name, "note", pidApp, tid, at, c.noteEnd[tid])
	} else {
		c.open()
		b := append(c.buf, `"name":"`...)
		b = append(b, name...)
		b = append(b, `","cat":"note","ph":"I","s":"p","pid":1,"tid":2,"ts":`...)
		c.buf = micros(b, at)
	}
	b := append(c.buf, `,"args":{`...)
	if n.Text != "" {
		b = append(b, `"text":`...)
		b = quote(b, n.Text)
		b = append(b, ',')
	}
	b = append(b, `"value":`...)
	if n.Exact != "" {
		b = quote(b, n.Exact)
	} else {
		b = number(b, n.Value)
	}
	if n.Value2 != 0 {
		b = append(b, `,"value2":`...)
		b = number(b, n.Value2)
	}
	c.buf = append(b, "}}"...)
}

// number appends a float as JSON, which has no NaN and no infinities.
func number(b []byte, v float64) []byte {
	if !finite(v) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// quote appends a JSON string; the plain names of phases do not allocate.
func quote(b []byte, s string) []byte {
	for i := range len(s) {
		if ch := s[i]; ch < ' ' || ch == '"' || ch == '\\' || ch >= 0x7f {
			q, _ := json.Marshal(s) // a string always marshals; bad UTF-8 becomes U+FFFD
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
