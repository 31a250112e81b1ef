// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"particles/internal/app"
)

// print writes the summary of a run: text, or one JSON object.
func (c *runCmd) print(p *program, s *app.Summary) error {
	if c.JSON {
		b, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("writing the summary as JSON: %w", err)
		}
		return printed(fmt.Fprintf(p.stdout, "%s\n", b))
	}
	return printed(io.WriteString(p.stdout, summaryText(s)))
}

// printed looks at the error of writing to standard output.
func printed(_ int, err error) error {
	if err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}

// summaryText is the summary for people: one line a fact, names first.
func summaryText(s *app.Summary) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("scene", "%s (%s, seed %d)", s.Scene, s.Model, s.Seed)
	device := s.Driver + ", " + s.Device
	if s.HostISA != "" {
		device += ", " + s.HostISA
	}
	line("computed by", "%s", device)
	if s.Renderer != "" {
		line("drawn by", "%s", s.Renderer)
	}
	if s.Reason != "" {
		line("interop", "%s: %s", s.Interop, s.Reason)
	} else {
		line("interop", "%s", s.Interop)
	}
	if s.Alive != s.Count && s.Alive > 0 {
		line("particles", "%s, %s alive", thousands(s.Count), thousands(s.Alive))
	} else {
		line("particles", "%s", thousands(s.Count))
	}
	line("steps", "%d (%.3f s simulated)", s.Steps, s.SimTime)
	line("frames", "%d in %.2f s, of which %d at the start are not in the figures below", s.Frames, s.Wall, s.WarmUp)
	f := &s.FrameMS
	line("frame time", "median %.3f, p95 %.3f, p99 %.3f, p99.9 %.3f, max %.3f ms", f.Median, f.P95, f.P99, f.P999, f.Max)
	line("by phase", "%s", phases(s.Phases))
	if len(s.GPU) > 0 {
		line("on the GPU", "%s", phases(s.GPU))
	}
	if s.Allocs != nil {
		line("allocations", "%.2f a frame", *s.Allocs)
	} else {
		line("allocations", "not measured: the run ended within its warm-up")
	}
	if s.Image != "" {
		line("picture", "%s", s.Image)
	}
	if s.Trace != "" {
		line("trace", "%s (open it at ui.perfetto.dev)", s.Trace)
	}
	if s.TraceNote != "" {
		line("", "%s", s.TraceNote)
	}
	if s.Lost > 0 {
		line("lost", "%d times the state of the device, and the run went on from a checkpoint", s.Lost)
	}
	if s.Leaks != "" {
		line("leaked", "%s", s.Leaks)
	}
	return b.String()
}

func phases(list []app.PhaseMS) string {
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = fmt.Sprintf("%s %.3f", p.Name, p.Median)
	}
	return strings.Join(parts, ", ") + " ms (medians)"
}

// thousands writes 1234567 as 1 234 567.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
