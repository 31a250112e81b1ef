// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// Exit codes of the doctor.
const (
	ExitBest    = 0 // the best tier works: kernels on the GPU write OpenGL's own buffers
	ExitNothing = 1 // no tier works
	ExitLower   = 3 // a lower tier is used, or a flag is needed
)

// Verdict is what a run of the program without flags will do.
type Verdict struct {
	Exit    int    `json:"exit"`
	Tier    string `json:"tier"`              // "shared", "copied", "host", "none"
	Driver  string `json:"driver,omitempty"`  // "cuda", "host"
	Device  string `json:"device,omitempty"`  // that computes
	Surface string `json:"surface,omitempty"` // "window", "headless"
	Flags   string `json:"flags,omitempty"`   // that are needed for it to work
	Summary string `json:"summary"`           // one sentence
}

// Judge says what will be used and why. It looks at nothing but its arguments.
func Judge(f *Facts, findings []Finding) Verdict {
	type place struct {
		name string
		s    *Surface
		flag string
	}
	window, headless := place{probeWindow, &f.Window, ""}, place{probeHeadless, &f.Headless, ""}
	order := []place{window, headless}
	if f.Window.Kind != NoDisplay {
		order[1].flag = "--headless" // a run falls back by itself only where there is no display
	}
	for _, p := range order {
		for _, asked := range []string{"auto", "copied", "host"} {
			t := p.s.trip(asked)
			if t == nil || !t.OK || t.Probe.State != Done {
				continue
			}
			v := Verdict{Exit: ExitLower, Tier: t.Tier, Driver: t.Driver, Device: t.Device, Surface: p.name}
			flags := map[string]string{"copied": "--driver cuda --interop copied", "host": "--driver host"}[asked]
			v.Flags = strings.TrimSpace(p.flag + " " + flags)
			if t.Tier == "shared" && v.Flags == "" {
				v.Exit = ExitBest
			}
			v.Summary = summary(&v, p.s, t, findings)
			return v
		}
	}
	v := Verdict{Exit: ExitNothing, Tier: "none"}
	v.Summary = "Nothing works: no OpenGL in which a kernel's results can be drawn"
	if reason := first(findings, "", slices.Concat(noWindow, reasons)); reason != "" {
		v.Summary += "; " + lowerFirst(reason)
	}
	v.Summary += "."
	return v
}

func summary(v *Verdict, s *Surface, t *Trip, findings []Finding) string {
	var b strings.Builder
	if v.Flags != "" {
		fmt.Fprintf(&b, "A plain start does not work; with %s the %s tier works: ", v.Flags, v.Tier)
	} else {
		fmt.Fprintf(&b, "The %s tier will be used: ", v.Tier)
	}
	switch v.Tier {
	case "shared":
		fmt.Fprintf(&b, "kernels on %s write straight into OpenGL's buffers", v.Device)
	case "copied":
		fmt.Fprintf(&b, "kernels run on %s, and their results are copied to OpenGL, which draws on %s", v.Device, s.GL.Renderer)
	default:
		fmt.Fprintf(&b, "kernels run on the CPU (%s)", v.Device)
	}
	if v.Exit == ExitBest {
		b.WriteString(", the best there is")
	}
	if v.Surface == probeHeadless {
		b.WriteString("; drawing is without a window")
	}
	if v.Exit == ExitBest {
		return b.String() + "."
	}
	reason := first(findings, v.Surface, reasons)
	if strings.HasPrefix(v.Flags, "--headless") {
		reason = first(findings, probeWindow, noWindow)
	}
	if reason != "" {
		b.WriteString(". Reason: " + lowerFirst(reason))
	} else if t.Reason != "" {
		short, _, _ := strings.Cut(t.Reason, "; ")
		b.WriteString(". Reason: " + short)
	}
	return b.String() + "."
}

// reasons are the findings that may be why a lower tier is used, the likeliest first.
var reasons = []string{
	"hang", "crash", "driver-missing", "driver-unloadable", "driver-mismatch", "driver-compat", "driver-unknown-error", "driver-stub",
	"driver-too-old", "driver-not-ready", "device-busy", "devices-hidden", "no-device", "driver-refused", "driver-failed", "build-without-cuda", "no-kernel-image",
	"jit-missing", "jit-disabled", "memory-out", "kernels-refused", "kernel-failed", "wrong-result", "wrong-picture", "tier-failed",
	"window-failed", "opengl-too-old", "virtualgl", "remote-session", "wsl", "mig", "compute-only", "egl-permission",
	"gl-device-not-cuda", "gl-other-vendor", "gl-software", "sharing-refused", "egl-vendor-missing", "egl-missing", "egl-failed",
}

// noWindow are the findings that may be why no window can be used.
var noWindow = []string{"window-failed", "opengl-too-old", "crash", "hang", "wrong-picture", "tier-failed"}

// first is the likeliest reason among the findings that concern a surface.
func first(findings []Finding, where string, ids []string) string {
	for _, id := range ids {
		for _, f := range findings {
			if f.ID == id && (where == "" || len(f.Where) == 0 || slices.Contains(f.Where, where)) {
				return f.What
			}
		}
	}
	return ""
}

// lowerFirst makes a sentence a clause; names stay as they are.
func lowerFirst(s string) string {
	for _, word := range []string{"The ", "No ", "There ", "This ", "A ", "What "} {
		if strings.HasPrefix(s, word) {
			return strings.ToLower(s[:1]) + s[1:]
		}
	}
	return s
}
