// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Quantile is the p-quantile of sorted values by definition R7 of Hyndman and Fan (1996), "Sample quantiles in
// statistical packages": linear between the order statistics around h = p(n-1). It is NaN for no values.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || math.IsNaN(p) {
		return math.NaN()
	}
	lo, frac := r7(len(sorted), p)
	if frac == 0 {
		return sorted[lo]
	}
	return sorted[lo] + frac*(sorted[lo+1]-sorted[lo])
}

// r7 gives the index below h = p(n-1) and the fraction above it; with a fraction of 0 the next value is not needed.
func r7(n int, p float64) (lo int, frac float64) {
	h := min(max(p, 0), 1) * float64(n-1)
	lo = int(h)
	return lo, h - float64(lo)
}

// quantiles writes the R7 quantiles of v for the ascending ps into out. It reorders v, takes linear time on average and
// does not allocate.
func quantiles[T int64 | uint32](v []T, ps, out []float64) {
	done := 0 // v[:done] holds the smallest values
	for i, p := range ps {
		if len(v) == 0 {
			out[i] = math.NaN()
			continue
		}
		lo, frac := r7(len(v), p)
		nth(v[done:], lo-done)
		done = lo
		out[i] = float64(v[lo])
		if frac > 0 {
			out[i] += frac * (float64(slices.Min(v[lo+1:])) - float64(v[lo]))
		}
	}
}

// nth puts the k-th smallest value at v[k], smaller or equal ones before it, larger or equal ones after it: Hoare's
// selection with the median of three, and a sort when the pivots are bad for too long.
func nth[T cmp.Ordered](v []T, k int) {
	for limit := 2 * bits.Len(uint(len(v))); len(v) > 1; limit-- {
		if limit == 0 || len(v) <= 12 {
			slices.Sort(v)
			return
		}
		a, b, c := v[0], v[len(v)/2], v[len(v)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := 0, len(v)-1
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			v = v[:j+1]
		case k >= i:
			v, k = v[i:], k-i
		default:
			return
		}
	}
}
