// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"os"
	"strings"
)

// UnderWSL tells Windows' Linux by what it sets and what its kernel is called. CUDA works there and never shares buffers
// with OpenGL, whatever variables are set.
func UnderWSL() bool {
	if os.Getenv("WSL_DISTRO_NAME") != "" {
		return true
	}
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	return err == nil && strings.Contains(strings.ToLower(string(b)), "microsoft")
}
