// SPDX-License-Identifier: Apache-2.0

package sim

// The host's part of the counter-based generator: keys from (seed, purpose, number) for the kernels' hashes. Every seed is as
// good as any other, 0 included.

// What a key is for: different purposes never share numbers.
const (
	purposeStep uint64 = iota + 1
	purposeSpawn
	purposeLattice
	purposeSlice
	purposeBirth
)

// key mixes its words with the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func key(seed, purpose, n uint64) uint64 {
	h := splitMix(seed + 0x9e3779b97f4a7c15)
	h = splitMix(h ^ purpose*0xd1b54a32d192ed03)
	return splitMix(h ^ n)
}

func splitMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
