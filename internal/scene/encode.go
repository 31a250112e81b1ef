// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"bytes"
	"fmt"
	"strings"
)

// Encode writes the scene as a file that Parse reads back to the same scene (but for its Name). Parameters follow the
// order of their groups, each with its unit.
func (s *Scene) Encode() []byte {
	var b bytes.Buffer
	for i := range fields {
		if v := fields[i].get(s); v != "" {
			fmt.Fprintf(&b, "%s = %s\n", fields[i].key, v)
		}
	}
	for _, g := range s.sections() {
		head := "\n[" + g.Name + "]\n"
		for i := range g.Specs {
			spec := &g.Specs[i]
			parts, ok := s.Values[g.Name+"."+spec.Name]
			if !ok {
				continue
			}
			fmt.Fprintf(&b, "%s%s = %s", head, spec.Name, spec.Encode(parts))
			if head = ""; spec.Unit != "" {
				fmt.Fprintf(&b, " # %s", spec.Unit)
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// quote writes a TOML basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
