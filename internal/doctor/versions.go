// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// ptxCUDA gives the CUDA version that first knew a version of PTX (PTX ISA
// manual, "Release History").
var ptxCUDA = map[string]int{
	"6.0": 9000, "6.1": 9010, "6.2": 9020, "6.3": 10000, "6.4": 10010, "6.5": 10020,
	"7.0": 11000, "7.1": 11010, "7.2": 11020, "7.3": 11030, "7.4": 11040, "7.5": 11050, "7.6": 11060, "7.7": 11070, "7.8": 11080,
	"8.0": 12000, "8.1": 12010, "8.2": 12020, "8.3": 12030, "8.4": 12040, "8.5": 12050, "8.6": 12070, "8.7": 12080, "8.8": 12090, "9.0": 13000,
}

// driverFor gives the first branch of Linux drivers that knows a CUDA version
// (CUDA Toolkit release notes, "CUDA Toolkit and Corresponding Driver Versions").
func driverFor(cuda int) string {
	return map[int]string{
		11000: "450", 11010: "455", 11020: "460", 11030: "465", 11040: "470", 11050: "495", 11060: "510", 11070: "515", 11080: "520",
		12000: "525", 12010: "530", 12020: "535", 12030: "545", 12040: "550", 12050: "555", 12060: "560", 12070: "565", 12080: "570", 12090: "575", 13000: "580",
	}[cuda]
}

// needs is what the kernels want.
type needs struct {
	ptx        string // version of the PTX language
	cuda       int    // first CUDA that knows it; 0: not known
	capability string // oldest compute capability: "5.0"
}

// needs takes the most that any module wants.
func (p *Program) needs() needs {
	var n needs
	for _, m := range p.PTX {
		if n.ptx == "" || older(n.ptx, m.Version) {
			n.ptx, n.cuda = m.Version, ptxCUDA[m.Version]
		}
		digits := strings.TrimRight(strings.TrimPrefix(m.Target, "sm_"), "af")
		if len(digits) < 2 {
			continue
		}
		c := digits[:len(digits)-1] + "." + digits[len(digits)-1:]
		if n.capability == "" || older(n.capability, c) {
			n.capability = c
		}
	}
	return n
}

// older compares versions of two parts: 9.0 is older than 12.0.
func older(a, b string) bool {
	a1, a2 := parts(a)
	b1, b2 := parts(b)
	return a1 < b1 || a1 == b1 && a2 < b2
}

func parts(v string) (major, minor int) {
	m, n, _ := strings.Cut(v, ".")
	major, _ = strconv.Atoi(m) // 0 for what is no number
	minor, _ = strconv.Atoi(n)
	return major, minor
}

// cudaVersion writes 12080 as 12.8.
func cudaVersion(v int) string {
	if v == 0 {
		return "of unknown version"
	}
	return fmt.Sprintf("%d.%d", v/1000, v%1000/10)
}
