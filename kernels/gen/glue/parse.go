// SPDX-License-Identifier: Apache-2.0

// Package glue reads the kernels' headers and writes what joins them to Go: the parameter structs, the list of modules, the table of
// host bodies, and the test of the structs' layouts. `make kernels` runs it; a test fails when its output is not what is committed.
package glue

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"particles/kernels/src"
)

// Struct is a struct of a header that travels between Go and C.
type Struct struct {
	Name, Header string // "FlowStep", "flow.h"
	Fields       []Field
	Size, Align  int // bytes, by the rules of the C ABIs for 64-bit processors
}

// Field is a field of a Struct. Type is C's.
type Field struct {
	Name, Type   string
	Len          int // of an array; 0: none
	Offset, Size int // bytes; Size is the whole array's
	Comment      string
	Line         int // of the struct's body: fields of one line belong together
}

// Kernel is a kernel of a module and its parameter struct.
type Kernel struct{ Module, Name, Params string }

var (
	structs  = regexp.MustCompile(`(?ms)^struct (\w+) \{\n(.*?)^\};`)
	fields   = regexp.MustCompile(`^\s*((?:\w+ )*\w+\*?) (\w[\w\[\], ]*);(?:\s*//\s*(.*))?$`)
	variable = regexp.MustCompile(`^(\w+)(?:\[(\d+)\])?$`)
	declared = regexp.MustCompile(`(?m)^PK_(?:KERNEL|BODIES)\((\w+), (\w+)\)$`)
	sizes    = map[string]int{"float": 4, "double": 8, "int": 4, "unsigned": 4, "pk_ptr": 8, "pk_surface": 8, "unsigned long long": 8, "char*": 8}
)

// private is what lies in an anonymous namespace, which no other file sees.
var private = regexp.MustCompile(`(?ms)^namespace \{.*?^\}  // namespace`)

// headers gives the headers that may hold parameter structs and kernels, without their private parts.
func headers() (map[string]string, error) {
	texts, err := src.Headers()
	for name := range texts {
		if texts[name] = private.ReplaceAllString(texts[name], ""); name == "work.h" || name == "table.h" || strings.HasPrefix(name, "lane") {
			delete(texts, name)
		}
	}
	return texts, err
}

// Kernels lists the kernels of all headers, by module.
func Kernels() ([]Kernel, error) {
	texts, err := headers()
	if err != nil {
		return nil, err
	}
	var list []Kernel
	for _, name := range sortedKeys(texts) {
		for _, m := range declared.FindAllStringSubmatch(texts[name], -1) {
			list = append(list, Kernel{strings.TrimSuffix(name, ".h"), m[1], m[2]})
		}
	}
	return list, nil
}

// Modules lists the headers that declare kernels.
func Modules() ([]string, error) {
	list, err := Kernels()
	var names []string
	for _, k := range list {
		if !slices.Contains(names, k.Module) {
			names = append(names, k.Module)
		}
	}
	return names, err
}

// Structs lists the structs at the top level of all headers, each after those that it holds.
func Structs() ([]Struct, error) {
	texts, err := headers()
	if err != nil {
		return nil, err
	}
	var list []Struct
	known := map[string]Struct{}
	waiting := map[string][2]string{}
	for name, text := range texts {
		for _, m := range structs.FindAllStringSubmatch(text, -1) {
			waiting[m[1]] = [2]string{name, m[2]}
		}
	}
	for progress := true; progress && len(waiting) > 0; {
		progress = false
		for _, name := range sortedKeys(waiting) {
			s, err := parse(name, waiting[name][0], waiting[name][1], known)
			if err != nil {
				return nil, err
			}
			if s.Size > 0 {
				known[name], list, progress = s, append(list, s), true
				delete(waiting, name)
			}
		}
	}
	if len(waiting) > 0 {
		return nil, fmt.Errorf("kernels: these structs hold types that are none of ours: %v", sortedKeys(waiting))
	}
	slices.SortStableFunc(list, func(a, b Struct) int { return strings.Compare(a.Header, b.Header) })
	return list, nil
}

// parse lays a struct out; its Size is 0 when it holds a type that is not known yet.
func parse(name, header, body string, known map[string]Struct) (Struct, error) {
	s := Struct{Name: name, Header: header, Align: 1}
	for n, line := range strings.Split(body, "\n") {
		if t := strings.TrimSpace(line); t == "" || strings.HasPrefix(t, "//") {
			continue
		}
		m := fields.FindStringSubmatch(line)
		if m == nil {
			return s, fmt.Errorf("kernels: %s: struct %s: %q is no field that Go can have", header, name, strings.TrimSpace(line))
		}
		size, align := sizes[m[1]], sizes[m[1]]
		if inner, ok := known[m[1]]; ok {
			size, align = inner.Size, inner.Align
		}
		if size == 0 {
			return Struct{}, nil
		}
		for _, v := range strings.Split(m[2], ", ") {
			v := variable.FindStringSubmatch(v)
			if v == nil {
				return s, fmt.Errorf("kernels: %s: struct %s: %q is no field that Go can have", header, name, strings.TrimSpace(line))
			}
			f := Field{Name: v[1], Type: m[1], Comment: m[3], Line: n, Offset: (s.Size + align - 1) / align * align, Size: size}
			if v[2] != "" {
				f.Len, _ = strconv.Atoi(v[2]) // digits, by the pattern
				f.Size *= f.Len
			}
			s.Fields = append(s.Fields, f)
			s.Size, s.Align = f.Offset+f.Size, max(s.Align, align)
		}
	}
	s.Size = (s.Size + s.Align - 1) / s.Align * s.Align
	return s, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
