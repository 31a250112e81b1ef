// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"fmt"
	"reflect"
	"testing"

	"particles/interop/driver"
	"particles/kernels/layout"
)

// leaf gives offset and size by path of each field; arrays of numbers by element too.
func leaves(t reflect.Type) map[string][2]uintptr {
	m := map[string][2]uintptr{"": {0, t.Size()}}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		m[f.Name] = [2]uintptr{f.Offset, f.Type.Size()}
		if f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Float32 {
			delete(m, f.Name)
			for j := range f.Type.Len() {
				m[fmt.Sprintf("%s[%d]", f.Name, j)] = [2]uintptr{f.Offset + uintptr(j)*4, 4}
			}
		}
	}
	return m
}

func TestParameterStructsHaveTheLayoutOfTheirCTwins(t *testing.T) {
	twins := map[string]reflect.Type{
		"NoiseOctave": reflect.TypeFor[NoiseOctave](), "FlowField": reflect.TypeFor[FlowField](),
		"FlowStep": reflect.TypeFor[FlowStep](), "FlowPublish": reflect.TypeFor[FlowPublish](),
		"EmitterForces": reflect.TypeFor[EmitterForces](), "EmitterStep": reflect.TypeFor[EmitterStep](),
		"EmitterSpawn": reflect.TypeFor[EmitterSpawn](), "EmitterPublish": reflect.TypeFor[EmitterPublish](),
		"EmitterCount": reflect.TypeFor[EmitterCount](), "EmitterRepack": reflect.TypeFor[EmitterRepack](),
		"ImageFill": reflect.TypeFor[ImageFill](), "HostSurface": reflect.TypeFor[driver.HostSurface](),
	}
	missing := make(map[string]map[string][2]uintptr)
	for name, twin := range twins {
		missing[name] = leaves(twin)
	}
	for _, f := range layout.Fields() {
		want, ok := missing[f.Struct][f.Go]
		if !ok {
			t.Errorf("%s has no Go field %q", f.Struct, f.Go)
			continue
		}
		if got := [2]uintptr{f.Offset, f.Size}; got != want {
			t.Errorf("%s.%s: offset and size %v in C++, %v in Go", f.Struct, f.Go, got, want)
		}
		delete(missing[f.Struct], f.Go)
	}
	for name, fields := range missing {
		for field := range fields {
			t.Errorf("%s.%s of Go is not in the C++ table", name, field)
		}
	}
}
