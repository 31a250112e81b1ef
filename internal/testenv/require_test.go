// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What is required and missing fails, also in a subtest; what is only missing is left out.
func TestARequiredThingThatIsMissingFails(t *testing.T) {
	if os.Getenv("TESTENV_CHILD") != "" {
		t.Run("sub", func(t *testing.T) { Missing(t, "gpu", "no GPU here") })
		return
	}
	for require, want := range map[string]string{"": "SKIP: ", "display": "SKIP: ", "gpu": "FAIL: ", "display,gpu": "FAIL: "} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestARequiredThingThatIsMissingFails$", "-test.v")
		cmd.Env = append(os.Environ(), "TESTENV_CHILD=1", Require+"="+require)
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), "--- "+want) || (err != nil) != (want == "FAIL: ") {
			t.Errorf("%q: %v\n%s", require, err, out)
		}
	}
}
