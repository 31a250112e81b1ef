// SPDX-License-Identifier: Apache-2.0

//go:build unix

package doctor

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// fileGroup names the group that owns a file, "" when that cannot be found out.
func fileGroup(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return ""
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	id := strconv.FormatUint(uint64(sys.Gid), 10)
	if g, err := user.LookupGroupId(id); err == nil {
		return g.Name
	}
	return id
}
