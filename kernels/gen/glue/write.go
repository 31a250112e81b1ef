// SPDX-License-Identifier: Apache-2.0

package glue

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

const generated = "// SPDX-License-Identifier: Apache-2.0\n\n// Code generated from the headers of kernels/src by `make kernels`; DO NOT EDIT.\n\n"

// Files gives the files to commit, by their paths below kernels/.
func Files() (map[string][]byte, error) {
	structs, err := Structs()
	if err != nil {
		return nil, err
	}
	kernels, err := Kernels()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"src/table.h": table(structs, kernels)}
	for path, text := range map[string][]byte{"params.go": params(structs, kernels), "params_layout_test.go": layout(structs)} {
		if files[path], err = format.Source(text); err != nil {
			return nil, fmt.Errorf("kernels: %s: %w", path, err)
		}
	}
	return files, nil
}

// twins are structs whose Go form is written by hand, since other packages own it.
var twins = map[string]string{"HostSurface": "driver.HostSurface"}

var goTypes = map[string]string{"float": "float32", "double": "float64", "int": "int32", "unsigned": "uint32", "unsigned long long": "uint64", "pk_ptr": "driver.DevicePtr", "pk_surface": "driver.Surface"}

// goName turns from_stride into FromStride.
func goName(c string) string {
	var b strings.Builder
	for _, word := range strings.Split(c, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// params writes the Go twins of the structs, and the list of modules.
func params(structs []Struct, kernels []Kernel) []byte {
	var b bytes.Buffer
	b.WriteString(generated + "package kernels\n\nimport \"particles/interop/driver\"\n\n// Modules lists the modules; each is a header of kernels/src.\nvar Modules = []string{")
	for i, k := range kernels {
		if i == 0 || kernels[i-1].Module != k.Module {
			fmt.Fprintf(&b, "%q, ", k.Module)
		}
	}
	b.WriteString("}\n")
	for _, s := range structs {
		if twins[s.Name] != "" {
			continue
		}
		fmt.Fprintf(&b, "\n// %s is %[1]s of src/%s", s.Name, s.Header)
		of := ": the parameters of "
		for _, k := range kernels {
			if k.Params == s.Name {
				b.WriteString(of + k.Name)
				of = ", "
			}
		}
		fmt.Fprintf(&b, ".\ntype %s struct {\n", s.Name)
		for i, f := range s.Fields {
			name, kind := goName(f.Name), goTypes[f.Type]
			if i+1 < len(s.Fields) && s.Fields[i+1].Line == f.Line && s.Fields[i+1].Len == f.Len {
				b.WriteString(name + ", ")
				continue
			}
			if f.Name == "unused" {
				name = "_"
			}
			if kind == "" {
				kind = f.Type
			}
			if f.Len > 0 {
				kind = fmt.Sprintf("[%d]%s", f.Len, kind)
			}
			fmt.Fprintf(&b, "%s %s", name, kind)
			if f.Comment != "" {
				b.WriteString(" // " + f.Comment)
			}
			b.WriteByte('\n')
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// layout writes the test of the Go side: where the fields lie. The C side is the table's static_asserts.
func layout(structs []Struct) []byte {
	var b bytes.Buffer
	b.WriteString(generated + "package kernels\n\nimport (\n\"reflect\"\n\n\"particles/interop/driver\"\n)\n\nvar layouts = []struct {\ntwin reflect.Type\nsize uintptr\nfields []field\n}{\n")
	for _, s := range structs {
		name := s.Name
		if twins[name] != "" {
			name = twins[name]
		}
		fmt.Fprintf(&b, "{reflect.TypeFor[%s](), %d, []field{", name, s.Size)
		for _, f := range s.Fields {
			if f.Name != "unused" {
				fmt.Fprintf(&b, "{%q, %d, %d}, ", goName(f.Name), f.Offset, f.Size)
			}
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// table writes what each instruction set's package compiles: all modules, the C side of the layout test, and the bodies by number.
func table(structs []Struct, kernels []Kernel) []byte {
	var b bytes.Buffer
	b.WriteString(generated + "#pragma once\n")
	module := ""
	for _, k := range kernels {
		if k.Module != module {
			module = k.Module
			fmt.Fprintf(&b, "#include \"%s.h\"\n", module)
		}
	}
	b.WriteByte('\n')
	for _, s := range structs {
		fmt.Fprintf(&b, "static_assert(sizeof(%s) == %d", s.Name, s.Size)
		for _, f := range s.Fields {
			fmt.Fprintf(&b, " && __builtin_offsetof(%s, %s) == %d", s.Name, f.Name, f.Offset)
		}
		b.WriteString(", \"its Go twin\");\n")
	}
	b.WriteString("\nstatic const struct {\n    const char* name;\n    void (*body)(const void* p, const pk_work* work);\n} pk_table[] = {\n")
	for _, k := range kernels {
		fmt.Fprintf(&b, "    {\"%s/%s\", %[2]s_host},\n", k.Module, k.Name)
	}
	b.WriteString("};\n")
	return b.Bytes()
}
