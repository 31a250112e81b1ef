// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"time"

	"golang.org/x/sys/unix"
)

// timeAsleep is for how long the machine was suspended since it started: CLOCK_BOOTTIME counts it and CLOCK_MONOTONIC
// does not.
func timeAsleep() (time.Duration, bool) {
	var boot, mono unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &mono) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return 0, false
	}
	return time.Duration(boot.Nano() - mono.Nano()), true
}
