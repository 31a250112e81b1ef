// SPDX-License-Identifier: Apache-2.0

package param

import "strings"

// Nearest gives the candidate that a mistyped name is closest to, counting letters inserted, left out, changed or swapped
// with their neighbour (optimal string alignment), or "" when even the closest shares too little with it. Case is ignored.
func Nearest(name string, candidates []string) string {
	best, bestAt := 1<<30, ""
	low := strings.ToLower(name)
	for _, c := range candidates {
		if d := distance(low, strings.ToLower(c)); d < best {
			best, bestAt = d, c
		}
	}
	if best > max(2, len(name)/2) {
		return ""
	}
	return bestAt
}

func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	older, last, now := rows[0], rows[1], rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], older[j-2]+1)
			}
		}
		older, last, now = last, now, older
	}
	return last[len(b)]
}
