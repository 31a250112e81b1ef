// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"particles/sim/param"
)

// Encode writes the scene as a file that Parse reads back to the same scene (but for its Name). Parameters follow the
// order of the model, each with its unit.
func (s *Scene) Encode() []byte {
	var b bytes.Buffer
	section := ""
	for i := range fields {
		f := &fields[i]
		if f.section != section {
			if section == "" {
				s.encodeParams(&b)
			}
			section = f.section
			fmt.Fprintf(&b, "\n[%s]\n", section)
		}
		if v := f.get(s); v != "" && !(v == `""` && f.key != "model") {
			fmt.Fprintf(&b, "%s = %s\n", f.key, v)
		}
	}
	return b.Bytes()
}

func (s *Scene) encodeParams(b *bytes.Buffer) {
	if len(s.Params) == 0 {
		return
	}
	fmt.Fprintf(b, "\n[%s]\n", s.Model)
	m, _ := model(s.Model)
	for i := range m.Specs {
		spec := &m.Specs[i]
		v, ok := s.Params[spec.Name]
		if !ok {
			continue
		}
		value := tomlReal(v)
		switch spec.Kind {
		case param.Bool, param.Int:
			value = spec.Text(v)
		case param.Enum:
			value = quote(spec.Text(v))
		}
		fmt.Fprintf(b, "%s = %s", spec.Name, value)
		if spec.Unit != "" {
			fmt.Fprintf(b, " # %s", spec.Unit)
		}
		b.WriteByte('\n')
	}
}

// tomlReal writes a float so that it reads back to the same bits.
func tomlReal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func tomlList(v []float64) string {
	parts := make([]string, len(v))
	for i := range v {
		parts[i] = tomlReal(v[i])
	}
	return "[" + strings.Join(parts, ", ") + "]"
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
