// SPDX-License-Identifier: Apache-2.0

package kernels

import "particles/interop/driver"

// MaxOctaves is the number of octaves that a FlowField has room for.
const MaxOctaves = 6

// NoiseOctave is NoiseOctave of src/noise.h.
type NoiseOctave struct {
	Frequency        float32 // cells a metre
	Weight           float32 // m/s
	KeyX, KeyY, KeyZ uint32
	Slice0, Slice1   uint32
	_                uint32
}

// FlowField is FlowField of src/flow.h.
type FlowField struct {
	Octave  [MaxOctaves]NoiseOctave
	Octaves int32
	C0, C1  float32    // weights of the two time slices
	Wind    [3]float32 // m/s
}

// FlowStep is FlowStep of src/flow.h: the parameters of flow_step and flow_spawn.
type FlowStep struct {
	State        driver.DevicePtr
	Stride       uint64 // floats between the state's arrays
	N            uint32
	Key0, Key1   uint32
	Death        uint32 // of 2^31
	Field        FlowField
	A, B, E      float32
	Half         [3]float32 // m
	Margin       float32    // m
	PickX, PickY float32
	Source       int32
	SourceCentre [3]float32 // m
	SourceRadius float32    // m
}

// FlowPublish is FlowPublish of src/flow.h.
type FlowPublish struct {
	State   driver.DevicePtr
	Stride  uint64
	Records driver.DevicePtr
	N       uint32
	Hidden  float32
}
