// SPDX-License-Identifier: Apache-2.0

package kernels

import "particles/interop/driver"

// EmitterForces is EmitterForces of src/emitter.h.
type EmitterForces struct {
	Gravity     float32 // m/s^2, downwards
	Drag        float32 // 1/s
	Quadratic   float32 // 1/m
	Ground      int32
	Restitution float32
	Friction    float32
}

// EmitterStep is EmitterStep of src/emitter.h.
type EmitterStep struct {
	State   driver.DevicePtr
	Stride  uint64
	N       uint32
	Dt      float32 // s
	E, P, R float32 // exp(-kt) and its integrals
	Forces  EmitterForces
	_       uint32
}

// EmitterSpawn is EmitterSpawn of src/emitter.h.
type EmitterSpawn struct {
	State              driver.DevicePtr
	Stride             uint64
	N                  uint32
	Serial0, Serial1   uint32
	Key0, Key1         uint32
	Rest, Interval     float32 // s
	Speed, SpeedSpread float32 // m/s, share
	Cone               float32 // 1 - cos of the half angle
	Life, LifeSpread   float32 // s, share
	Radius, Height     float32 // m
	Forces             EmitterForces
}

// EmitterPublish is EmitterPublish of src/emitter.h.
type EmitterPublish struct {
	State   driver.DevicePtr
	Stride  uint64
	Records driver.DevicePtr
	N       uint32
	Colour  int32
	Hidden  float32
	_       uint32
}

// EmitterCount is EmitterCount of src/emitter.h.
type EmitterCount struct {
	State  driver.DevicePtr
	Stride uint64
	Total  driver.DevicePtr
	N      uint32
	_      uint32
}

// EmitterRepack is EmitterRepack of src/emitter.h.
type EmitterRepack struct {
	From, To                 driver.DevicePtr
	FromStride, ToStride     uint64
	N, Kept                  uint32
	FromLast, ToLast         uint32
	FromCapacity, ToCapacity uint32
}
