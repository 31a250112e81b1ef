// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"text/tabwriter"

	"particles/internal/scene"
)

// scenesCmd is "particles scenes".
type scenesCmd struct {
	List scenesListCmd `cmd:"" default:"1" help:"List the built-in scenes. This is the default."`
	Show scenesShowCmd `cmd:"" help:"Print a scene's file, as a start for one of your own."`
}

type scenesListCmd struct{}

// Run prints a table.
func (c *scenesListCmd) Run(p *program) error {
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tMODEL\tCOUNT\tTITLE")
	for _, name := range scene.Builtin() {
		s, err := scene.Load(name)
		if err != nil {
			return err
		}
		count := "auto"
		if s.Count > 0 {
			count = strconv.Itoa(s.Count)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, s.Model, count, s.Title)
	}
	return printed(0, w.Flush())
}

type scenesShowCmd struct {
	Name string `arg:"" help:"A built-in scene."`
}

// Run prints the file as it is.
func (c *scenesShowCmd) Run(p *program) error {
	text, err := scene.Text(c.Name)
	if err != nil {
		return usageError{err}
	}
	return printed(p.stdout.Write(text))
}
