// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a scene.
type Problem struct {
	File   string
	Line   int // from 1; 0: the file as a whole
	Column int // from 1, in bytes
	Key    string
	Text   string // what, why, and what to do
}

func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// Error is all that is wrong with a scene, in the order of the file.
type Error struct {
	Problems []Problem
}

// shown is how many problems an error's text lists.
const shown = 20

func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i == shown {
			fmt.Fprintf(&b, "\nand %d more", len(e.Problems)-shown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// short cuts text that came from a file so that a message stays readable.
func short(s string) string {
	const most = 40
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "..."
}
