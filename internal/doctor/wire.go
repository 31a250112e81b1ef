// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A probe tells its parent what it does in lines on its standard output, each
// written in one piece before the call that it announces, so that a call which
// never comes back has been named. Libraries print there too, so the lines have
// a mark of their own.
const wireMark = "particles-doctor "

// message is one line. One of the fields is set.
type message struct {
	Stage string          `json:"stage,omitempty"`
	Facts json.RawMessage `json:"facts,omitempty"` // all that the probe knows by now
	Done  bool            `json:"done,omitempty"`
}

// reporter writes the lines.
type reporter struct{ out io.Writer }

func (r reporter) send(m message) {
	b, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(r.out, "%s%s\n", wireMark, b)
	}
	if err != nil {
		panic(fmt.Sprintf("doctor: telling the parent: %v", err)) // the parent is gone, or a fact is no JSON
	}
}

func (r reporter) stage(name string) { r.send(message{Stage: name}) }

func (r reporter) facts(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("doctor: %v", err))
	}
	r.send(message{Facts: b})
}

// parseLine reads a line; ok is false for those of others.
func parseLine(line string) (m message, ok bool) {
	// A library may have printed without ending its line.
	_, text, ok := strings.Cut(line, wireMark)
	if !ok || json.Unmarshal([]byte(text), &m) != nil {
		return message{}, false
	}
	return m, true
}
