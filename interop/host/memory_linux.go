// SPDX-License-Identifier: Apache-2.0

package host

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// adviseHuge asks for large pages, which large arrays need to be fast.
func adviseHuge(b []byte) {
	if len(b) >= 4<<20 {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE)
	}
}

// memInfo gives the bytes that can be allocated without swapping, and all there
// are; the control group's limit counts.
func memInfo() (free, total uint64) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		w := strings.Fields(sc.Text())
		if len(w) < 2 {
			continue
		}
		n, err := strconv.ParseUint(w[1], 10, 64)
		if err != nil {
			continue
		}
		switch w[0] {
		case "MemTotal:":
			total = n << 10
		case "MemAvailable:":
			free = n << 10
		}
	}
	if limit, ok := number("/sys/fs/cgroup/memory.max"); ok && limit < total {
		total = limit
		if used, ok := number("/sys/fs/cgroup/memory.current"); ok {
			free = min(free, limit-min(used, limit))
		}
	}
	return free, total
}

func number(file string) (uint64, bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

// cpuName is the processor's own name for itself, or "".
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if k, v, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.Join(strings.Fields(v), " ")
		}
	}
	return ""
}
