// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Require is the environment variable that names what this machine is known to have: "gpu", "display", or both with a comma
// between. A test that misses it fails then, where it would be left out elsewhere: on a GPU machine a test that fell back to the host
// must not pass for one that ran.
const Require = "PARTICLES_REQUIRE"

// Missing leaves the test out, since the machine has no such thing ("gpu", "display"); or it fails the test where Require names the thing.
func Missing(t testing.TB, thing, format string, args ...any) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv(Require), ","), thing) {
		t.Fatalf(Require+" names "+thing+", but: "+format, args...)
	}
	t.Skipf(format, args...)
}
