// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"fmt"

	"particles/sim"
)

func ExampleClock() {
	clock, err := sim.NewClock(sim.ClockOptions{Dt: 1.0 / 100, MaxSteps: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, elapsed := range []float64{0.016, 0.016, 0.016, 3} {
		fmt.Println(clock.Advance(elapsed), clock.Behind())
	}
	// Output:
	// 1 false
	// 2 false
	// 1 false
	// 4 true
}
