// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package host

func adviseHuge([]byte) {}

// memInfo: not known here; allocations fail when the system refuses them.
func memInfo() (free, total uint64) { return 0, 0 }

func cpuName() string { return "" }
