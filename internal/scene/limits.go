// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Limits of a scene file, checked before it is parsed.
const (
	MaxSize  = 1 << 20 // bytes
	MaxDepth = 8       // brackets within brackets
	MaxKeys  = 1000    // keys and tables
)

// precheck looks at the bytes of a file: size, encoding, zero bytes, depth. It gives the text to parse, without a byte
// order mark, or the first thing that is wrong and where.
func precheck(data []byte) (text []byte, at int, problem string) {
	if len(data) > MaxSize {
		return nil, 0, tooBig(int64(len(data)))
	}
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return nil, 0, "the file is UTF-16 text: save it as UTF-8"
	case len(data) >= 4 && (data[0] == 0) != (data[1] == 0) && (data[0] == 0) == (data[2] == 0) && (data[1] == 0) == (data[3] == 0):
		return nil, 0, "the file looks like UTF-16 text: save it as UTF-8"
	}
	text = bytes.TrimPrefix(data, []byte{0xEF, 0xBB, 0xBF})
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return text, i, "there is a zero byte here: the file is not text, or it is damaged; save it as UTF-8 text"
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return text, i, fmt.Sprintf("byte 0x%02X is not UTF-8: the file seems to be in an older encoding, such as Latin-1; save it as UTF-8", text[i])
		}
		i += n
	}
	if i := tooDeep(text); i >= 0 {
		return text, i, fmt.Sprintf("brackets are nested more than %d deep here: no scene needs that", MaxDepth)
	}
	return text, 0, ""
}

func tooBig(size int64) string {
	return fmt.Sprintf("the file has %d bytes and a scene may have %d: it is probably not a scene", size, MaxSize)
}

// tooDeep finds where brackets are nested deeper than MaxDepth, or gives -1. It knows TOML's strings and comments only as
// far as needed: text within one line's quotes does not count. Brackets in multi-line text may count, which eight of
// them in a row would need to matter.
func tooDeep(text []byte) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case ch == '\n':
			quote = 0
		case quote == '"' && ch == '\\':
			i++
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case ch == '[' || ch == '{':
			if depth++; depth > MaxDepth {
				return i
			}
		case ch == ']' || ch == '}':
			depth = max(depth-1, 0)
		}
	}
	return -1
}

// position turns an offset into a line and a column, both from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
