// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"particles/cmd/particles/internal/build"
	"particles/internal/doctor"
)

// doctorCmd is "particles doctor".
type doctorCmd struct {
	JSON  bool          `name:"json" help:"Print one JSON object, for a bug report."`
	Limit time.Duration `default:"30s" placeholder:"TIME" help:"How long each probe may take. Default: ${default}."`
	Probe string        `hidden:"" placeholder:"NAME" help:"Run one probe; the program starts itself with this."`
}

// exitCode is the end of a verb that has printed all there is to say.
type exitCode int

func (e exitCode) Error() string { return "exit code " + strconv.Itoa(int(e)) }

// Help tells the exit codes.
func (c *doctorCmd) Help() string {
	return "It tries what a run needs, each in a process of its own: the driver, the kernels on every GPU, and a kernel that writes into an OpenGL buffer which is then read back. " +
		"Exit codes: 0 the best tier works, 3 a lower one is used, 1 nothing works, 2 usage."
}

// Run examines the machine, or is one of the probes.
func (c *doctorCmd) Run(p *program) error {
	if c.Probe != "" {
		if code := doctor.Probe(os.Stdin, os.Stdout, c.Probe); code != 0 {
			return exitCode(code)
		}
		return nil
	}
	if c.Limit <= 0 {
		return usageError{fmt.Errorf("--limit %v: give a time above 0, such as 30s", c.Limit)}
	}
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program, which has to start itself: %w", err)
	}
	ctx, stop := interruptible()
	defer stop()
	r := doctor.Examine(ctx, doctor.Options{
		Exe: exe, Args: []string{"doctor", "--probe"}, Version: build.Version, Commit: build.Commit(), Limit: c.Limit, Tell: c.teller(p),
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted before all was tried")
	}
	write := r.Write
	if c.JSON {
		write = r.WriteJSON
	}
	if err := write(p.stdout); err != nil {
		return printed(0, err)
	}
	if r.Verdict.Exit != exitOK {
		return exitCode(r.Verdict.Exit)
	}
	return nil
}

// teller says what is being tried, where somebody looks.
func (c *doctorCmd) teller(p *program) func(string) {
	f, ok := p.stderr.(*os.File)
	if !ok || c.JSON {
		return nil
	}
	if st, err := f.Stat(); err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return func(what string) { fmt.Fprintf(f, "trying %s ...\n", what) }
}
