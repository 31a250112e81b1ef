// SPDX-License-Identifier: Apache-2.0

package param_test

import (
	"fmt"

	"particles/sim/param"
)

func ExampleSet_Parse() {
	set, err := param.NewSet([]param.Spec{{Name: "gravity", Unit: "m/s^2", Default: 9.81, Min: 0, Max: 100}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"1.62 m/s^2", "1e9", "heavy"} {
		applied, err := set.Parse("gravity", text)
		fmt.Println(applied, err)
	}
	_, err = set.Parse("gravty", "1")
	fmt.Println(err)
	// Output:
	// 1.62 <nil>
	// 100 <nil>
	// 100 gravity: "heavy" is not a number in m/s^2
	// unknown parameter "gravty": did you mean "gravity"?
}
