// SPDX-License-Identifier: Apache-2.0

package assets

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:generate go run gen_colormaps.go

// DefaultColorMap is the map that a look without a name gets.
const DefaultColorMap = "ember"

const colorMapSuffix = ".cmap"

// ColorMaps returns the names of all colour maps, sorted.
func ColorMaps() []string {
	entries, err := fs.ReadDir(FS(), "colormaps")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), colorMapSuffix); ok {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// ColorMap returns the 256 sRGB colours of a map, low end first. The empty name is DefaultColorMap. An unknown name is
// an error that lists the known ones.
func ColorMap(name string) ([256][3]uint8, error) {
	if name == "" {
		name = DefaultColorMap
	}
	known := ColorMaps()
	if !slices.Contains(known, name) {
		return [256][3]uint8{}, fmt.Errorf("assets: no colour map %q; there are %s", name, strings.Join(known, ", "))
	}
	file := path.Join("colormaps", name+colorMapSuffix)
	data, err := ReadFile(file)
	if err != nil {
		return [256][3]uint8{}, fmt.Errorf("assets: colour map %s: %w", name, err)
	}
	return parseColorMap(file, data)
}

// parseColorMap reads 256 words rrggbb; lines starting with # are notes.
func parseColorMap(file string, data []byte) (m [256][3]uint8, err error) {
	n := 0
	lines := bufio.NewScanner(bytes.NewReader(data))
	for line := 1; lines.Scan(); line++ {
		text := lines.Text()
		if strings.HasPrefix(text, "#") {
			continue
		}
		for word := range strings.FieldsSeq(text) {
			if n == len(m) {
				return m, fmt.Errorf("assets: %s:%d: more than %d colours", file, line, len(m))
			}
			rgb, err := hex.DecodeString(word)
			if err != nil || len(rgb) != 3 {
				return m, fmt.Errorf("assets: %s:%d: %q is not a colour; write rrggbb in hexadecimal", file, line, word)
			}
			m[n] = [3]uint8(rgb)
			n++
		}
	}
	if err := lines.Err(); err != nil {
		return m, fmt.Errorf("assets: %s: %w", file, err)
	}
	if n != len(m) {
		return m, fmt.Errorf("assets: %s: %d colours, want %d", file, n, len(m))
	}
	return m, nil
}
