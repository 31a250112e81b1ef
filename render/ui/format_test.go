// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"particles/sim/param"
)

func TestNumbersReadAsAPersonWritesThem(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -2.5: "-2.5", 0.0125: "0.0125", 1. / 60: "0.01667", 3.14159: "3.142", 12345.6: "12346", 1e7: "1.00e+07",
		0.00001: "1.00e-05", math.Inf(1): "not finite", 999.96: "1000",
	} {
		if got := string(appendNumber(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{950: "950", 999.6: "1.00 k", 12500: "12.5 k", 1e6: "1.00 M", 999.9e3: "1.00 M", 2.5e9: "2.50 G"} {
		if got := string(appendShort(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "-1\u202f234\u202f567", -123: "-123"} {
		if got := string(appendGrouped(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0:00", 75.9: "1:15", 3599: "59:59", 3600: "1:00:00", 36610: "10:10:10", -5: "0:00", math.NaN(): "0:00"} {
		if got := string(appendClock(nil, v)); got != want {
			t.Errorf("%v s: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0 B", 999: "999 B", 1250: "1.25 kB", 1.25e6: "1.25 MB", 2e9: "2.00 GB"} {
		if got := string(appendBytes(nil, v)); got != want {
			t.Errorf("%v bytes: %q, want %q", v, got, want)
		}
	}
}

func TestTypedTextIsReadInOneWayOnly(t *testing.T) {
	for text, want := range map[string]float64{
		"0.5": 0.5, "0,5": 0.5, "0,125": 0.125, "-1,5": -1.5, "12,25": 12.25, "1e6": 1e6, "50k": 50000, "1.5M": 1.5e6, "2 m/s": 2,
		" 7 ": 7, "1 000 000": 1e6, "1\u202f000": 1000, "−3": -3, "00,500": 0.5,
	} {
		if got, err := parseNumber(text, "m/s"); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "1,000", "-12,345", "1,000,000", "1.000,5", "1,000.5", "nan", "inf", "-Inf", "1e999", "0x10", "1_000", "5 kg", "1p3"} {
		if got, err := parseNumber(text, "m/s"); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestSliderMappingStaysInRangeAndComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "min")
		n := number{
			min: lo, max: lo + rapid.Float64Range(1e-6, 1e9).Draw(t, "span"),
			spec: &param.Spec{Log: rapid.Bool().Draw(t, "log"), Step: rapid.SampledFrom([]float64{0, 0, 0.01, 1}).Draw(t, "step"), Kind: rapid.SampledFrom([]param.Kind{param.Float, param.Int}).Draw(t, "kind")},
		}
		n.lo, n.hi = n.min, n.max
		x := rapid.Float64Range(-0.5, 1.5).Draw(t, "t")
		v := n.fromT(x)
		if !(v >= n.min && v <= n.max) {
			t.Fatalf("%v of %v..%v gives %v", x, n.min, n.max, v)
		}
		if p := n.toT(v); !(p >= 0 && p <= 1) {
			t.Fatalf("%v of %v..%v stands at %v", v, n.min, n.max, p)
		}
		if x <= 0 && v != n.min || x >= 1 && v != n.max {
			t.Fatalf("end %v of %v..%v gives %v", x, n.min, n.max, v)
		}
		typed, moved := n.typed(rapid.Float64().Draw(t, "typed"))
		if !(typed >= n.min && typed <= n.max) {
			t.Fatalf("typed gives %v (moved %v) outside %v..%v", typed, moved, n.min, n.max)
		}
	})
}

func TestSliderMappingIsMonotonicAndCloseToTheMouse(t *testing.T) {
	for _, n := range []number{
		{min: 0, max: 5, spec: &param.Spec{}},
		{min: 0.01, max: 10, spec: &param.Spec{Log: true}},
		{min: 1000, max: 5e7, spec: &countSpec},
		{min: 0, max: 1, spec: &param.Spec{Log: true}},
		{min: -8, max: 8, spec: &param.Spec{Step: 0.05}},
		{min: 1, max: 8, spec: &param.Spec{Kind: param.Int}},
		{min: 1e-7, max: 1e-5, spec: &param.Spec{Log: true}},
	} {
		n.lo, n.hi = n.min, n.max
		last := math.Inf(-1)
		for i := 0; i <= 200; i++ {
			x := float64(i) / 200
			v := n.fromT(x)
			if v < last {
				t.Fatalf("%+v: %v after %v at %v", n, v, last, x)
			}
			last = v
			if d := math.Abs(n.toT(v) - x); d > 0.03 && n.spec.Step == 0 && !n.integer() {
				t.Fatalf("%+v: %v stands at %v for a mouse at %v", n, v, n.toT(v), x)
			}
		}
	}
}
