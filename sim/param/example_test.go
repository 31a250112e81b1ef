// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"fmt"

	"particles/sim/param"
)

func ExampleSpec_Read() {
	spec := param.Spec{Name: "gravity", Unit: "m/s^2", Default: 9.81, Min: 0, Max: 100}
	for _, text := range []string{"1.62 m/s^2", "1e9", "heavy"} {
		fmt.Println(spec.Read(text))
	}
	// Output:
	// [1.62] <nil>
	// [1e+09] 1000000000 is out of range: give a value between 0 and 100 m/s^2
	// [] must be a number between 0 and 100 m/s^2, not the text "heavy"
}
