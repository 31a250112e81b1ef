// SPDX-License-Identifier: Apache-2.0

// Code generated from the headers of kernels/src by `make kernels`; DO NOT EDIT.

package kernels

import "particles/interop/driver"

// Modules lists the modules; each is a header of kernels/src.
var Modules = []string{"emitter", "flow", "imagefill", "reduce"}

// EmitterForces is EmitterForces of src/emitter.h.
type EmitterForces struct {
	Gravity               float32 // m/s^2, downwards
	Drag                  float32 // 1/s, linear
	Quadratic             float32 // 1/m
	Ground                int32   // 1: there is one
	Restitution, Friction float32
}

// EmitterPublish is EmitterPublish of src/emitter.h: the parameters of emitter_publish.
type EmitterPublish struct {
	State   driver.DevicePtr
	Stride  uint64
	Records driver.DevicePtr
	N       uint32
	Colour  int32   // 0: speed, 1: age
	Hidden  float32 // NaN
}

// EmitterRepack is EmitterRepack of src/emitter.h: the parameters of emitter_repack.
type EmitterRepack struct {
	From, To                 driver.DevicePtr
	FromStride, ToStride     uint64
	N                        uint32 // slots of the new ring in use
	Kept                     uint32
	FromLast, ToLast         uint32 // slots of the newest particle
	FromCapacity, ToCapacity uint32
}

// EmitterSpawn is EmitterSpawn of src/emitter.h: the parameters of emitter_spawn.
type EmitterSpawn struct {
	State                                                      driver.DevicePtr // of the first new particle's slot
	Stride                                                     uint64
	N                                                          uint32
	Serial0, Serial1                                           uint32 // the first new particle's number, low and high half
	Key0, Key1                                                 uint32
	Rest, Interval                                             float32 // s: from the first birth to the end of the step; between births
	Speed, SpeedSpread, Cone, Life, LifeSpread, Radius, Height float32 // cone: 1 - cos of its half angle
	Forces                                                     EmitterForces
}

// EmitterStep is EmitterStep of src/emitter.h: the parameters of emitter_step.
type EmitterStep struct {
	State   driver.DevicePtr
	Stride  uint64
	N       uint32
	Dt      float32
	E, P, R float32
	Forces  EmitterForces
}

// FlowPublish is FlowPublish of src/flow.h: the parameters of flow_publish.
type FlowPublish struct {
	State   driver.DevicePtr
	Stride  uint64
	Records driver.DevicePtr
	N       uint32
	Hidden  float32 // NaN
}

// FlowField is FlowField of src/flow.h.
type FlowField struct {
	Octave  [6]NoiseOctave
	Octaves int32
	C0, C1  float32    // weights of the two time slices; c1 == 0: the field stands still and the second is not looked at
	Wind    [3]float32 // m/s
}

// FlowStep is FlowStep of src/flow.h: the parameters of flow_step, flow_spawn.
type FlowStep struct {
	State        driver.DevicePtr
	Stride       uint64
	N            uint32
	Key0, Key1   uint32 // of (seed, step)
	Death        uint32 // a particle is replaced in this step when its 31-bit random number is below
	Field        FlowField
	A, B, E      float32
	Half         [3]float32 // m, the box, centred at the origin
	Margin       float32    // m, thickness of the reservoir around the box
	Pick         [2]float32 // shares of the reservoir's volume: x slabs; x and y slabs
	Source       int32      // 0: replaced anywhere in the box; 1: at the source
	SourceCentre [3]float32 // m
	SourceRadius float32    // m
}

// ImageFill is ImageFill of src/imagefill.h: the parameters of image_fill.
type ImageFill struct {
	Surface       driver.Surface
	Width, Height uint32 // of the image, in texels
	N             uint32 // width * height
	Phase         uint32
}

// NoiseOctave is NoiseOctave of src/noise.h.
type NoiseOctave struct {
	Frequency float32   // cells a metre
	Weight    float32   // m/s
	Key       [3]uint32 // of the axes
	Slice     [2]uint32 // keys of the two time slices
	_         uint32    // to 32 bytes
}

// ReduceAll is ReduceAll of src/reduce.h: the parameters of reduce_all.
type ReduceAll struct {
	Groups, Result driver.DevicePtr // ReduceResult
	N              uint32           // 256
	Length         uint32           // groups, at most 256
}

// ReduceGroups is ReduceGroups of src/reduce.h: the parameters of reduce_groups.
type ReduceGroups struct {
	Values         driver.DevicePtr // float
	Below          driver.DevicePtr // float, or 0; with it only values below theirs count
	Results        driver.DevicePtr // ReduceResult, one a group
	N              uint32           // 256 for each group
	Length, Stride uint32           // values, and floats from one to the next
	Chunk          uint32           // values of a group
}

// ReduceResult is ReduceResult of src/reduce.h.
type ReduceResult struct {
	Sum         float64
	Least, Most float32 // the largest float and its negative when none counts
	Count, Bad  uint32
	FirstBad    uint32 // 2^32 - 1: none
	_           uint32
}
