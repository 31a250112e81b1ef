// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"regexp"
	"strconv"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/kernels"
)

// TestCountsAreRefusedWithWhatTheCallerReserves: a count that leaves no room for the buffers that are drawn from is refused
// before anything is allocated, and the count that the message offers is accepted.
func TestCountsAreRefusedWithWhatTheCallerReserves(t *testing.T) {
	for _, name := range []string{"flow", "emitter"} {
		t.Run(name, func(t *testing.T) {
			testenv.Drivers(t, func(t *testing.T, d driver.Driver) {
				ctx := testenv.Context(t, d)
				code, err := kernels.Load(ctx, kernels.Auto)
				if err != nil {
					t.Fatal(err)
				}
				defer code.Close()
				free, _, err := ctx.MemInfo()
				if err != nil {
					t.Fatal(err)
				}
				const count = 100_000
				reserve := int(free/count) + 1 // what is left is too little for any state
				if m, err := New(name, ctx, code, Options{Count: count, Reserve: reserve}); !errors.Is(err, interop.ErrOutOfMemory) {
					t.Fatalf("model %v, error %v", m, err)
				} else if fits := regexp.MustCompile(`enough for (\d+) particles`).FindStringSubmatch(err.Error()); fits == nil {
					t.Fatalf("no count that fits in %q", err)
				} else if n, _ := strconv.Atoi(fits[1]); n <= 0 || n >= count {
					t.Errorf("offers %d particles", n)
				} else if m, err := New(name, ctx, code, Options{Count: n * 9 / 10, Reserve: reserve}); err != nil { // other programs take memory meanwhile
					t.Errorf("%d particles, somewhat less than was offered: %v", n*9/10, err)
				} else if err := m.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
