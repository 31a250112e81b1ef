// SPDX-License-Identifier: Apache-2.0

// Package sim holds the models: what they simulate, their parameters with units, and the clock of fixed steps. It queues kernels
// through interop and knows nothing of drawing: Publish writes records of 16 bytes into whatever buffer it is given.
//
// A model and a clock belong to one goroutine. A model owns its device memory until Close, and must be closed before its
// kernels.Set and its context. Step and Publish only queue work and allocate nothing.
//
// A model is a ModelInfo (parameters, arrays, kernels) and a solver (its physics). Memory, changes of the count, saving, restoring,
// the state's hash, Reset and Close are written once, in Model; reductions on the device once, in reduce.go.
//
// The state depends on seed, parameters, count and the lengths of the steps alone: not on how the steps are spread over frames,
// nor on the number of processors.
//
//	m, err := sim.New("flow", ctx, set, sim.Options{Count: 1 << 20, Seed: 7})
//	err = m.Reset(stream, 7)
//	for range clock.Advance(elapsed) {
//		err = m.Step(stream, clock.Dt())
//	}
//	err = m.Publish(stream, buffer)
package sim
