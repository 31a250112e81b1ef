// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"

	"particles/sim"
	"particles/sim/param"
)

func ExampleClock() {
	set := param.Must(sim.ClockGroup)
	for name, v := range map[string]float64{"dt": 1.0 / 100, "max_steps": 4} {
		if _, err := set.Set(name, v); err != nil {
			fmt.Println(err)
		}
	}
	clock := sim.NewClock(set)
	for _, elapsed := range []float64{0.016, 0.016, 0.016, 3} {
		fmt.Println(clock.Advance(elapsed), clock.Behind())
	}
	// Output:
	// 1 false
	// 2 false
	// 1 false
	// 4 true
}
