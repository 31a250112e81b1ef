// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"strconv"
)

// number is a row that edits a number by a slider. All sliders run over 0 to 1 in ImGui and are mapped here, so that
// logarithmic ranges, steps and 64-bit values behave the same everywhere.
type number struct {
	space      uint8 // name space of key, see rowName
	key, label string
	unit, doc  string
	v          float64
	min, max   float64
	typedMax   float64 // limit of typed values, if positive and larger than max
	step       float64 // 0: continuous
	def        float64
	hasDef     bool
	log        bool
	integer    bool
	count      bool    // show 1.25 M
	mul        float64 // shown value is v*mul; 0: 1
	zero       string  // shown instead of 0
	reset      bool    // takes effect at the next reset
}

func (n *number) shown() float64 {
	if n.mul == 0 {
		return 1
	}
	return n.mul
}

// fixed reports that there is nothing to choose: equal, reversed or non-finite limits.
func (n *number) fixed() bool {
	return !(n.max > n.min) || math.IsInf(n.max-n.min, 0)
}

// changed reports a value other than the default. The tolerance forgives a trip through float32.
func (n *number) changed() bool {
	return n.hasDef && math.Abs(n.v-n.def) > 1e-6*max(math.Abs(n.def), (n.max-n.min)*1e-6)
}

// logMin is the value at which a logarithmic scale starts. With a minimum of 0 or below the scale covers the step, or
// five decades, and its left end is the minimum itself.
func (n *number) logMin() float64 {
	if n.min > 0 {
		return n.min
	}
	if n.step > 0 && n.step < n.max {
		return n.step
	}
	return n.max * 1e-5
}

// logEnd is the share of the scale that stands for the minimum when that is not positive.
const logEnd = 0.02

// toT maps a value to the slider's 0 to 1.
func (n *number) toT(v float64) float64 {
	if n.fixed() || math.IsNaN(v) {
		return 0
	}
	v = min(max(v, n.min), n.max)
	if !n.log || n.max <= 0 {
		return (v - n.min) / (n.max - n.min)
	}
	lo := n.logMin()
	if v < lo {
		return 0
	}
	t := math.Log(v/lo) / math.Log(n.max/lo)
	if n.min <= 0 {
		t = logEnd + (1-logEnd)*t
	}
	return t
}

// fromT maps a slider position to a value within the limits, on a step, with the few digits that a slider can mean.
func (n *number) fromT(t float64) float64 {
	t = min(max(t, 0), 1)
	var v float64
	switch {
	case t == 0:
		return n.min
	case t == 1:
		return n.max
	case !n.log || n.max <= 0:
		v = n.min + t*(n.max-n.min)
	default:
		lo := n.logMin()
		if n.min <= 0 {
			if t < logEnd {
				return n.min
			}
			t = (t - logEnd) / (1 - logEnd)
		}
		v = lo * math.Pow(n.max/lo, t)
		if n.integer && n.count {
			v = roundDigits(v, 3)
		}
	}
	if !n.log && n.step == 0 && !n.integer {
		v = roundTo(v, (n.max-n.min)/2000)
	} else if n.log && n.step == 0 {
		v = roundDigits(v, 3)
	}
	return n.clamp(v, n.max)
}

// clamp brings a finite value into the limits and onto a step.
func (n *number) clamp(v, hi float64) float64 {
	if n.step > 0 && !n.log {
		v = n.min + math.Round((v-n.min)/n.step)*n.step
		v = roundDigits(v, 12)
	}
	if n.integer {
		v = math.Round(v)
	}
	return min(max(v, n.min), hi)
}

// limit is the largest value that can be typed.
func (n *number) limit() float64 {
	if n.typedMax > n.max && n.typedMax > 0 {
		return n.typedMax
	}
	return n.max
}

// typed brings a typed value, in shown units, into the limits; changed tells whether it had to be moved.
func (n *number) typed(shown float64) (v float64, moved bool) {
	hi := n.limit()
	raw := roundDigits(shown/n.shown(), 15)
	v = n.clamp(raw, hi)
	return v, raw < n.min || raw > hi
}

// roundTo rounds v to the decimal power at or below unit.
func roundTo(v, unit float64) float64 {
	if !(unit > 0) {
		return v
	}
	p := math.Pow(10, math.Floor(math.Log10(unit)))
	return roundDigits(math.Round(v/p)*p, 12)
}

// roundDigits rounds to significant decimal digits.
func roundDigits(v float64, digits int) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	var tmp [32]byte
	r, err := strconv.ParseFloat(string(strconv.AppendFloat(tmp[:0], v, 'e', digits-1, 64)), 64)
	if err != nil {
		return v
	}
	return r
}

// appendText appends the value with its unit, for the slider.
func (n *number) appendText(b []byte) []byte {
	v := n.v * n.shown()
	switch {
	case n.zero != "" && n.v == 0:
		return append(b, n.zero...)
	case n.count && v < 1e4:
		b = appendGrouped(b, int64(v))
	case n.count:
		b = appendShort(b, v)
	case n.integer && math.Abs(v) < 1e15:
		b = appendGrouped(b, int64(v))
	default:
		b = appendNumber(b, v)
	}
	return appendUnit(b, n.unit)
}

// appendUnit appends a unit behind a number.
func appendUnit(b []byte, unit string) []byte {
	if unit == "" {
		return b
	}
	if unit != "°" && unit != "%" {
		b = append(b, ' ')
	}
	return append(b, unit...)
}
