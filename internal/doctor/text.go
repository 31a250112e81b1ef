// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// textWidth is where lines are broken.
const textWidth = 100

// Write writes the report for people: what will be used and why in the first
// line, then what was found with its cures, then what was tried, then the machine.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	b.WriteString(wrap(r.Verdict.Summary, 0) + "\n")
	if len(r.Findings) > 0 {
		b.WriteString("\nFindings\n")
	}
	for i, f := range r.Findings {
		if i > 0 {
			b.WriteString("\n")
		}
		where := ""
		if len(f.Where) == 1 && r.Window.GL != nil { // without a window there is only one
			where = " (" + f.Where[0] + ")"
		}
		fmt.Fprintf(&b, "  %-7s  %s\n", f.Severity, wrap(f.What+where+" ["+f.ID+"]", 11))
		fmt.Fprintf(&b, "           why  %s\n", wrap(f.Why, 16))
		fmt.Fprintf(&b, "           do   %s\n", wrap(f.Do, 16))
	}
	b.WriteString("\nTried\n")
	r.rows(&b, r.tried())
	b.WriteString("\nMachine\n")
	r.rows(&b, r.machine())
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap breaks a text at spaces; further lines are indented.
func wrap(text string, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > textWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// rows writes names and values in two columns.
func (r *Report) rows(b *strings.Builder, rows [][2]string) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(t, "  %s\t%s\n", row[0], row[1])
		}
	}
	_ = t.Flush() // into a string
}

func (r *Report) tried() [][2]string {
	rows := [][2]string{{"CPU driver", r.hostText()}, {"NVIDIA driver", r.cudaText()}}
	for _, d := range r.CUDA.Devices {
		rows = append(rows, [2]string{fmt.Sprintf("  device %d", d.Ordinal), d.text()})
	}
	for _, s := range []struct {
		name string
		s    *Surface
	}{{probeHeadless, &r.Headless}, {probeWindow, &r.Window}} {
		rows = append(rows, [2]string{s.name, s.s.text()})
		for _, t := range s.s.Trips {
			rows = append(rows, [2]string{"  " + t.Asked, t.text()})
		}
	}
	return rows
}

func (r *Report) hostText() string {
	h := &r.Host
	if s := h.Probe.text(); s != "" {
		return s
	}
	if h.Run != nil {
		return "fails: " + h.Run.String()
	}
	return fmt.Sprintf("works on %s, instruction set %s", h.Device, h.ISA)
}

func (r *Report) cudaText() string {
	c := &r.CUDA
	if s := c.Probe.text(); s != "" && c.Kind == "" {
		return s
	}
	library := strings.TrimSpace(orText(c.Library, "libcuda.so.1") + " " + c.Release)
	switch {
	case c.Kind == CUDANoLibrary:
		return "none (libcuda.so.1 not found)"
	case c.Kind == CUDAUnsupported:
		return "not in this build"
	case c.Init != nil:
		return library + ": " + c.Init.String()
	case c.Kind == CUDATooOld:
		return library + ": too old, lacks " + some(c.Missing)
	}
	s := fmt.Sprintf("%s, CUDA %s, %d device(s)", library, cudaVersion(c.Version), len(c.Devices))
	if end := c.Probe.text(); end != "" {
		s += "; " + end
	}
	return s
}

func (d *Device) text() string {
	memory := bytesText(d.Memory)
	if d.Free > 0 {
		memory = bytesText(d.Free) + " free of " + memory
	}
	s := fmt.Sprintf("%s, compute capability %s, %s: ", d.Name, d.Capability, memory)
	switch {
	case d.OK:
		return s + "kernels load and run"
	case d.Context != nil:
		return s + d.Context.String()
	case d.Kernels != nil:
		return s + d.Kernels.String()
	case d.Run != nil:
		return s + d.Run.String()
	}
	return s + "not tried to the end"
}

func (s *Surface) text() string {
	switch {
	case s.GL != nil:
		device := ""
		if s.GL.Device != "" {
			device = ", EGL device " + s.GL.Device
		}
		return fmt.Sprintf("%s, OpenGL %s%s", s.GL.Renderer, s.GL.Version, device)
	case s.Kind == NoDisplay:
		return "no display"
	case s.Probe.text() != "":
		return s.Probe.text()
	case s.Error != "":
		return "cannot be had"
	}
	return ""
}

func (t *Trip) text() string {
	if s := t.Probe.text(); s != "" {
		return s
	}
	tier := orText(t.Tier, "no")
	switch {
	case t.OK:
		return fmt.Sprintf("%s tier on %s: written by a kernel, read back through OpenGL, all values right", tier, t.Device)
	case t.Wrong != "":
		return fmt.Sprintf("%s tier on %s: wrong values, %s", tier, t.Device, t.Wrong)
	}
	return fmt.Sprintf("%s tier: %s", tier, t.Failure)
}

// text is how a probe ended, "" when well.
func (e Ending) text() string {
	switch e.State {
	case Hung:
		return fmt.Sprintf("hangs in %s", orText(e.Stage, "its start"))
	case Crashed:
		return fmt.Sprintf("crashes in %s: %s", orText(e.Stage, "its start"), e.Reason)
	case "":
		return "not tried"
	}
	return ""
}

func (r *Report) machine() [][2]string {
	p, s := &r.Program, &r.System
	n := p.needs()
	rows := [][2]string{
		{"program", strings.TrimSpace(fmt.Sprintf("particles %s %s, %s %s/%s, windows through %s", p.Version, p.Commit, p.Go, p.OS, p.Arch, p.Windows))},
		{"kernels", fmt.Sprintf("PTX %s for CUDA %s and compute capability %s, or newer", n.ptx, cudaVersion(n.cuda), n.capability)},
		{"system", s.Kernel},
		{"kernel module", s.Module},
		{"display devices", strings.Join(s.GPUs, ", ")},
	}
	if s.WSL {
		rows = append(rows, [2]string{"under", "WSL2"})
	}
	if s.Container != "" {
		rows = append(rows, [2]string{"container", s.Container})
	}
	if r.Host.Need > 0 {
		rows = append(rows, [2]string{"default scene", fmt.Sprintf("%s: up to %s of device memory (%d particles)", r.Host.Scene, bytesText(r.Host.Need), r.Host.Count)})
	}
	for _, node := range s.Nodes {
		if node.Access != "ok" {
			rows = append(rows, [2]string{node.Path, node.Access})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Environment)) {
		rows = append(rows, [2]string{name, orText(s.Environment[name], `""`)})
	}
	return rows
}
