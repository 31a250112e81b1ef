// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"strconv"

	"particles/sim/param"
)

// number is a row that edits a number by a slider. All sliders run over 0 to 1 in ImGui and are mapped here, so that
// logarithmic ranges, steps and 64-bit values behave the same everywhere.
type number struct {
	name     rowName
	label    string
	spec     *param.Spec
	unit     string // as shown
	v        float64
	min, max float64 // of the slider
	lo, hi   float64 // of what is typed
	changed  bool    // not the default
	auto     bool    // v is the program's choice
}

// shown is the shown value over the value.
func (n *number) shown() float64 {
	if n.spec.ShowMul == 0 {
		return 1
	}
	return n.spec.ShowMul
}

func (n *number) integer() bool { return n.spec.Kind == param.Int }

// short tells that the number is shown as 1.25 M.
func (n *number) short() bool { return n.integer() && n.spec.Log }

// fixed reports that there is nothing to choose: equal, reversed or non-finite limits.
func (n *number) fixed() bool {
	return !(n.hi > n.lo) || math.IsInf(n.hi-n.lo, 0)
}

// logMin is the value at which a logarithmic scale starts. With a minimum of 0 or below the scale covers the step, or
// five decades, and its left end is the minimum itself.
func (n *number) logMin() float64 {
	if n.min > 0 {
		return n.min
	}
	if n.spec.Step > 0 && n.spec.Step < n.max {
		return n.spec.Step
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
	if !n.spec.Log || n.max <= 0 {
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
	case !n.spec.Log || n.max <= 0:
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
		if n.short() {
			v = roundDigits(v, 3)
		}
	}
	if !n.spec.Log && n.spec.Step == 0 && !n.integer() {
		v = roundTo(v, (n.max-n.min)/2000)
	} else if n.spec.Log && n.spec.Step == 0 {
		v = roundDigits(v, 3)
	}
	if n.spec.Step > 0 && !n.spec.Log {
		v = roundDigits(n.min+math.Round((v-n.min)/n.spec.Step)*n.spec.Step, 12)
	}
	if n.integer() {
		v = math.Round(v)
	}
	return min(max(v, n.min), n.max)
}

// typed brings a typed value, in shown units, into the limits, and leaves it exactly as it is within them; moved tells whether it
// had to be changed.
func (n *number) typed(shown float64) (v float64, moved bool) {
	raw := roundDigits(shown/n.shown(), 15)
	v = min(max(raw, n.lo), n.hi)
	if n.integer() {
		v = min(max(math.Round(v), n.lo), n.hi)
	}
	return v, v != raw
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
	switch {
	case n.auto:
		b = append(b, "auto "...)
	case n.spec.Zero != "" && n.v == 0:
		return append(b, n.spec.Zero...)
	}
	return n.appendValue(b, n.v, n.unit)
}

// appendValue appends any value of the number.
func (n *number) appendValue(b []byte, v float64, unit string) []byte {
	v *= n.shown()
	switch {
	case n.short() && v >= 1e4:
		b = appendShort(b, v)
	case n.integer() && math.Abs(v) < 1e15:
		b = appendGrouped(b, int64(v))
	default:
		b = appendNumber(b, v)
	}
	return appendUnit(b, unit)
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
