// SPDX-License-Identifier: Apache-2.0

package v3

import "golang.org/x/sys/cpu"

// Supported reports whether the processor has all of x86-64-v3 and the operating system keeps its registers (HasAVX and
// HasAVX2 are only set when it does).
func Supported() bool {
	x := &cpu.X86
	return x.HasAVX && x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasF16C && x.HasLZCNT && x.HasMOVBE &&
		x.HasPOPCNT && x.HasSSE42 && x.HasOSXSAVE
}
