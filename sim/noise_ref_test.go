// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/kernels"
)

// The float64 reference of kernels/src/noise.h. It is written from the definition: potentials by interpolation of gradients, and
// the curl by differences of the potentials; only the hash is the same.

// refWhole is 1.5 * 2^23 as float32 bits, to which the kernels add a lattice coordinate.
const refWhole = 0x4b400000

func refAxisHash(h uint32) uint32 {
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	return h
}

// refGradients gives the gradients of the three potentials at a lattice point.
func refGradients(h uint32) (g [3][3]float64) {
	h *= 0x9e3779b1
	zero := 1
	switch {
	case int32(h) < -715827883:
		zero = 0
	case int32(h) > 715827882:
		zero = 2
	}
	for k := range 3 {
		for j := range 3 {
			if j == (zero+k)%3 {
				continue
			}
			g[k][j] = 1
			if h>>(22-3*k-j)&1 != 0 {
				g[k][j] = -1
			}
		}
	}
	return g
}

// refPotentials gives the octave's three potentials at a point in its own coordinates.
func refPotentials(f *kernels.FlowField, o *kernels.NoiseOctave, q [3]float64) (psi [3]float64) {
	primes := [3]uint32{0x8da6b343, 0xd8163841, 0xcb1ab31f}
	keys := o.Key
	for corner := range 8 {
		var hash uint32
		var d [3]float64
		weight := 1.0
		for j := range 3 {
			low := math.Floor(q[j])
			t := q[j] - low
			fade := t * t * t * (t*(t*6-15) + 10)
			bit := corner >> j & 1
			if bit == 1 {
				weight *= fade
			} else {
				weight *= 1 - fade
			}
			d[j] = t - float64(bit)
			hash ^= refAxisHash((uint32(int32(low)+int32(bit))+refWhole)*primes[j] + keys[j])
		}
		g0, g1 := refGradients(hash^o.Slice[0]), refGradients(hash^o.Slice[1])
		for k := range 3 {
			for j := range 3 {
				psi[k] += weight * d[j] * (float64(f.C0)*g0[k][j] + float64(f.C1)*g1[k][j])
			}
		}
	}
	return psi
}

// refFlow gives the velocity at a point in metres.
func refFlow(f *kernels.FlowField, x [3]float64) [3]float64 {
	const h = 1e-4
	u := [3]float64{float64(f.Wind[0]), float64(f.Wind[1]), float64(f.Wind[2])}
	for i := range int(f.Octaves) {
		o := &f.Octave[i]
		var slope [3][3]float64 // [j][k]: of potential k along j
		for j := range 3 {
			a, b := x, x
			for l := range 3 {
				a[l] *= float64(o.Frequency)
				b[l] *= float64(o.Frequency)
			}
			a[j] -= h
			b[j] += h
			pa, pb := refPotentials(f, o, a), refPotentials(f, o, b)
			for k := range 3 {
				slope[j][k] = (pb[k] - pa[k]) / (2 * h)
			}
		}
		w := float64(o.Weight)
		u[0] += w * (slope[1][2] - slope[2][1])
		u[1] += w * (slope[2][0] - slope[0][2])
		u[2] += w * (slope[0][1] - slope[1][0])
	}
	return u
}
