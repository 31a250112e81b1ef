// SPDX-License-Identifier: Apache-2.0

// Code generated from the headers of kernels/src by `make kernels`; DO NOT EDIT.

package kernels

import (
	"reflect"

	"particles/interop/driver"
)

var layouts = []struct {
	twin   reflect.Type
	size   uintptr
	fields []field
}{
	{reflect.TypeFor[EmitterForces](), 24, []field{{"Gravity", 0, 4}, {"Drag", 4, 4}, {"Quadratic", 8, 4}, {"Ground", 12, 4}, {"Restitution", 16, 4}, {"Friction", 20, 4}}},
	{reflect.TypeFor[EmitterPublish](), 40, []field{{"State", 0, 8}, {"Stride", 8, 8}, {"Records", 16, 8}, {"N", 24, 4}, {"Colour", 28, 4}, {"Hidden", 32, 4}}},
	{reflect.TypeFor[EmitterRepack](), 56, []field{{"From", 0, 8}, {"To", 8, 8}, {"FromStride", 16, 8}, {"ToStride", 24, 8}, {"N", 32, 4}, {"Kept", 36, 4}, {"FromLast", 40, 4}, {"ToLast", 44, 4}, {"FromCapacity", 48, 4}, {"ToCapacity", 52, 4}}},
	{reflect.TypeFor[EmitterSpawn](), 96, []field{{"State", 0, 8}, {"Stride", 8, 8}, {"N", 16, 4}, {"Serial0", 20, 4}, {"Serial1", 24, 4}, {"Key0", 28, 4}, {"Key1", 32, 4}, {"Rest", 36, 4}, {"Interval", 40, 4}, {"Speed", 44, 4}, {"SpeedSpread", 48, 4}, {"Cone", 52, 4}, {"Life", 56, 4}, {"LifeSpread", 60, 4}, {"Radius", 64, 4}, {"Height", 68, 4}, {"Forces", 72, 24}}},
	{reflect.TypeFor[EmitterStep](), 64, []field{{"State", 0, 8}, {"Stride", 8, 8}, {"N", 16, 4}, {"Dt", 20, 4}, {"E", 24, 4}, {"P", 28, 4}, {"R", 32, 4}, {"Forces", 36, 24}}},
	{reflect.TypeFor[FlowPublish](), 32, []field{{"State", 0, 8}, {"Stride", 8, 8}, {"Records", 16, 8}, {"N", 24, 4}, {"Hidden", 28, 4}}},
	{reflect.TypeFor[FlowField](), 216, []field{{"Octave", 0, 192}, {"Octaves", 192, 4}, {"C0", 196, 4}, {"C1", 200, 4}, {"Wind", 204, 12}}},
	{reflect.TypeFor[FlowStep](), 304, []field{{"State", 0, 8}, {"Stride", 8, 8}, {"N", 16, 4}, {"Key0", 20, 4}, {"Key1", 24, 4}, {"Death", 28, 4}, {"Field", 32, 216}, {"A", 248, 4}, {"B", 252, 4}, {"E", 256, 4}, {"Half", 260, 12}, {"Margin", 272, 4}, {"Pick", 276, 8}, {"Source", 284, 4}, {"SourceCentre", 288, 12}, {"SourceRadius", 300, 4}}},
	{reflect.TypeFor[ImageFill](), 24, []field{{"Surface", 0, 8}, {"Width", 8, 4}, {"Height", 12, 4}, {"N", 16, 4}, {"Phase", 20, 4}}},
	{reflect.TypeFor[NoiseOctave](), 32, []field{{"Frequency", 0, 4}, {"Weight", 4, 4}, {"Key", 8, 12}, {"Slice", 20, 8}}},
	{reflect.TypeFor[ReduceAll](), 24, []field{{"Groups", 0, 8}, {"Result", 8, 8}, {"N", 16, 4}, {"Length", 20, 4}}},
	{reflect.TypeFor[ReduceGroups](), 40, []field{{"Values", 0, 8}, {"Below", 8, 8}, {"Results", 16, 8}, {"N", 24, 4}, {"Length", 28, 4}, {"Stride", 32, 4}, {"Chunk", 36, 4}}},
	{reflect.TypeFor[ReduceResult](), 32, []field{{"Sum", 0, 8}, {"Least", 8, 4}, {"Most", 12, 4}, {"Count", 16, 4}, {"Bad", 20, 4}, {"FirstBad", 24, 4}}},
	{reflect.TypeFor[driver.HostSurface](), 40, []field{{"Texels", 0, 8}, {"Width", 8, 4}, {"Height", 12, 4}, {"Depth", 16, 4}, {"Texel", 20, 4}, {"RowBytes", 24, 8}, {"SliceSize", 32, 8}}},
}
