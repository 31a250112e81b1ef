// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"particles/kernels"
	"particles/kernels/ptx"
	"particles/render/window"
)

// Options says how to examine.
type Options struct {
	Exe     string   // this program
	Args    []string // what makes it run Probe; the probe's name is added
	Version string
	Commit  string
	Limit   time.Duration     // for each probe; 0: half a minute
	Tell    func(what string) // is told what is being tried; may be nil
}

// Examine gathers the facts and judges them. It takes seconds; with drivers that
// hang, as many limits as there are probes. It is ended early by ctx.
func Examine(ctx context.Context, o Options) *Report {
	f := Facts{Program: program(&o), System: machine{root: "/", lookup: os.LookupEnv}.system()}
	gather(ctx, &o, &f)
	return NewReport(f)
}

func program(o *Options) Program {
	p := Program{
		Version: o.Version, Commit: o.Commit, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Windows: window.System,
	}
	for _, name := range kernels.Modules {
		m := Module{Name: name}
		if text, err := ptx.Text(name); err == nil {
			m.Version, m.Target = ptxDirectives(string(text))
			if h, err := ptx.ReadHead(text); err == nil {
				m.Compiler = h.Compiler
			}
		}
		p.PTX = append(p.PTX, m)
	}
	return p
}

// ptxDirectives reads the .version and .target lines, which the PTX manual wants before all else.
func ptxDirectives(text string) (version, target string) {
	for line := range strings.Lines(text) {
		switch f := strings.Fields(line); {
		case len(f) < 2:
		case f[0] == ".version":
			version = f[1]
		case f[0] == ".target":
			return version, strings.TrimSuffix(f[1], ",")
		}
	}
	return version, target
}

// gather runs the probes.
func gather(ctx context.Context, o *Options, f *Facts) {
	limit := o.Limit
	if limit <= 0 {
		limit = probeLimit
	}
	c := &child{exe: o.Exe, args: o.Args, env: os.Environ(), limit: limit}
	tell := o.Tell
	if tell == nil {
		tell = func(string) {}
	}
	tell("the CPU's kernels")
	f.Host.Probe = c.run(ctx, probeHost, &f.Host)
	tell("the NVIDIA driver")
	f.CUDA.Probe = c.run(ctx, probeCUDA, &f.CUDA)
	if _, set := f.System.Environment["CUDA_VISIBLE_DEVICES"]; set && f.CUDA.Probe.State == Done && f.CUDA.Kind != CUDANoLibrary {
		names := []string{}
		without := slices.DeleteFunc(slices.Clone(c.env), func(v string) bool { return strings.HasPrefix(v, "CUDA_VISIBLE_DEVICES=") })
		if c.run(ctx, probeUnhidden, &names, without...).State == Done {
			f.CUDA.Unhidden = names
		}
	}
	tell("OpenGL without a window")
	c.surface(ctx, probeHeadless, f, &f.Headless)
	tell("OpenGL in a window")
	c.surface(ctx, probeWindow, f, &f.Window)
}

// surface tries the tier that a run would choose, and then those below it, so
// that it is known what is left where the chosen one turns out not to work.
func (c *child) surface(ctx context.Context, kind string, f *Facts, s *Surface) {
	if f.CUDA.Probe.State == Hung {
		// A run would hang likewise. Waiting for that again and again helps nobody.
		c.lower(ctx, kind, "host", s)
		if s.GL != nil {
			s.Trips = append([]Trip{{Asked: "auto", Probe: f.CUDA.Probe}}, s.Trips...)
		}
		return
	}
	end := c.run(ctx, kind+":auto", s)
	first := s.trip("auto")
	if first == nil {
		s.Probe = end
		return
	}
	s.Probe, first.Probe = Ending{State: Done}, end
	tier := first.Tier
	if end.State != Done {
		tier = "" // not known: try all
	}
	for _, asked := range []string{"copied", "host"} {
		if tier == "host" || tier == asked || asked == "copied" && f.CUDA.Kind != CUDAOpen {
			continue
		}
		c.lower(ctx, kind, asked, s)
	}
}

// lower adds the trip of a tier that is asked for by name.
func (c *child) lower(ctx context.Context, kind, asked string, s *Surface) {
	var more Surface
	end := c.run(ctx, kind+":"+asked, &more)
	if s.GL == nil {
		s.GL, s.Kind, s.Error = more.GL, more.Kind, more.Error
	}
	t := more.trip(asked)
	switch {
	case t != nil:
		s.Probe, t.Probe = Ending{State: Done}, end
		s.Trips = append(s.Trips, *t)
	case s.Probe.State == "":
		s.Probe = end
	}
}
