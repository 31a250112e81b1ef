// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// appendNumber appends v with about four significant digits, as a person reads it: 0.0125, 3.142, 1.6e-05.
func appendNumber(b []byte, v float64) []byte {
	a := math.Abs(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "not finite"...)
	case a == 0:
		return append(b, '0')
	case a < 1e-4 || a >= 1e7:
		return strconv.AppendFloat(b, v, 'e', 2, 64)
	}
	digits := 3 - int(math.Floor(math.Log10(a)))
	n := len(b)
	b = strconv.AppendFloat(b, v, 'f', min(max(digits, 0), 8), 64)
	return trimZeros(b, n)
}

// trimZeros cuts zeros after the point of the number that starts at n.
func trimZeros(b []byte, n int) []byte {
	for i := n; i < len(b); i++ {
		if b[i] == '.' {
			for b[len(b)-1] == '0' {
				b = b[:len(b)-1]
			}
			if b[len(b)-1] == '.' {
				b = b[:len(b)-1]
			}
			break
		}
	}
	return b
}

// appendGrouped appends an integer in groups of three, parted by narrow spaces (U+202F).
func appendGrouped(b []byte, v int64) []byte {
	var tmp [24]byte
	d := strconv.AppendInt(tmp[:0], v, 10)
	for i, c := range d {
		if left := len(d) - i; i > 0 && left%3 == 0 && d[i-1] != '-' {
			b = append(b, "\u202f"...)
		}
		b = append(b, c)
	}
	return b
}

// appendShort appends a count with a unit prefix: 950, 12.5 k, 1.25 M.
func appendShort(b []byte, v float64) []byte {
	for _, s := range [...]struct {
		size   float64
		prefix string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= s.size*0.9995 {
			return append(appendSig3(b, v/s.size), s.prefix...)
		}
	}
	return strconv.AppendFloat(b, v, 'f', 0, 64)
}

// appendSig3 appends a number of 1 to 999 with three significant digits.
func appendSig3(b []byte, v float64) []byte {
	digits := 2
	if v >= 99.95 {
		digits = 0
	} else if v >= 9.995 {
		digits = 1
	}
	return strconv.AppendFloat(b, v, 'f', digits, 64)
}

// appendBytes appends a size in decimal units: 512 B, 1.25 MB.
func appendBytes(b []byte, n float64) []byte {
	for _, s := range [...]struct {
		size float64
		unit string
	}{{1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}} {
		if n >= s.size*0.9995 {
			return append(appendSig3(b, n/s.size), s.unit...)
		}
	}
	return append(strconv.AppendFloat(b, n, 'f', 0, 64), " B"...)
}

// appendMs appends milliseconds without the unit: two digits after the point below 100.
func appendMs(b []byte, ms float64) []byte {
	switch {
	case math.IsNaN(ms) || math.IsInf(ms, 0) || ms < 0:
		return append(b, "–"...)
	case ms < 10:
		return strconv.AppendFloat(b, ms, 'f', 2, 64)
	case ms < 100:
		return strconv.AppendFloat(b, ms, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, ms, 'f', 0, 64)
}

// appendClock appends seconds as m:ss or h:mm:ss.
func appendClock(b []byte, seconds float64) []byte {
	if math.IsNaN(seconds) {
		seconds = 0
	}
	s := int64(min(max(seconds, 0), 1e9))
	m := s / 60
	if m >= 60 {
		b = append(strconv.AppendInt(b, m/60, 10), ':', byte('0'+m%60/10), byte('0'+m%10))
	} else {
		b = strconv.AppendInt(b, m, 10)
	}
	return append(b, ':', byte('0'+s%60/10), byte('0'+s%10))
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// parseNumber reads what a person types: a point or a decimal comma, the prefixes k, M and G, and the row's own unit
// behind it. It refuses what could be read in two ways, such as 1,000.
func parseNumber(text, unit string) (float64, error) {
	t := strings.TrimSpace(text)
	if unit != "" {
		t = strings.TrimSpace(strings.TrimSuffix(t, unit))
	}
	t = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "−", "-").Replace(t)
	mul := 1.0
	for _, p := range [...]struct {
		suffix string
		size   float64
	}{{"k", 1e3}, {"M", 1e6}, {"G", 1e9}} {
		if s, ok := strings.CutSuffix(t, p.suffix); ok {
			t, mul = s, p.size
			break
		}
	}
	switch commas := strings.Count(t, ","); {
	case commas == 1 && !strings.Contains(t, "."):
		whole, part, _ := strings.Cut(t, ",")
		if len(part) == 3 && strings.Trim(whole, "-+0") != "" {
			return 0, fmt.Errorf("%q could mean %s or %s.%s: use a point for decimals", text, whole+part, whole, part)
		}
		t = whole + "." + part
	case commas > 0:
		return 0, fmt.Errorf("%q: use a point for decimals and no commas", text)
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(t, "xX_pP") {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v * mul, nil
}
