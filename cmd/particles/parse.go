// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"particles/internal/scene"
	"particles/sim/param"
)

const defaultScene = scene.DefaultName

// joinNegatives turns "--seed -5" into "--seed=-5": to the parser a word with a hyphen is a flag.
func joinNegatives(args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		if strings.HasPrefix(a, "--") && !strings.Contains(a, "=") && i+1 < len(args) && negative(args[i+1]) {
			a += "=" + args[i+1]
			i++
		}
		out = append(out, a)
	}
	return out
}

func negative(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] >= '0' && s[1] <= '9' || s[1] == '.' || strings.EqualFold(s, "-inf"))
}

// parseError words the parser's error: an unknown flag or command gets the nearest one, everything the way to the help.
func parseError(err error) error {
	text := err.Error()
	var parse *kong.ParseError
	if name, ok := strings.CutPrefix(text, "unknown flag "); ok && errors.As(err, &parse) && !strings.Contains(text, "did you mean") {
		name, _, _ = strings.Cut(name, "=")
		if near := param.Nearest(strings.TrimLeft(name, "-"), flagNames(parse.Context)); near != "" {
			text = "unknown flag " + name + ", did you mean --" + near + "?"
		}
	}
	if flag, _, ok := strings.Cut(text, `: expected `); ok && strings.Contains(text, "EOL") {
		text = flag + " needs a value"
	}
	see := "particles --help"
	if parse != nil && parse.Context != nil {
		if cmd := parse.Context.Command(); cmd != "" {
			see = "particles " + strings.Fields(cmd)[0] + " --help"
		}
	}
	return errors.New(text + " (see " + see + ")")
}

// flagNames lists the flags of the commands named so far.
func flagNames(c *kong.Context) []string {
	var names []string
	for _, group := range c.Flags() {
		if !group.Hidden {
			names = append(names, group.Name)
		}
	}
	return names
}

// help prints the parser's help and, for the program as a whole, the examples.
func help(options kong.HelpOptions, c *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, c); err != nil {
		return err
	}
	if c.Selected() == nil {
		if _, err := c.Stdout.Write([]byte(runHelp)); err != nil {
			return err
		}
	}
	if c.Selected() == nil || c.Selected().Name == "run" {
		_, err := c.Stdout.Write([]byte(examples))
		return err
	}
	return nil
}

const runHelp = `
Without a command it is "run": particles [SCENE] [flags]. Its flags: particles run --help
`

const examples = `
Examples:
  particles                                   the default scene in a window
  particles fountain --set emitter.rate=5e4   another one, with a parameter changed
  particles my.toml --count 200000            a scene of your own
  particles --headless --frames 300 --size 1920x1080 --image out.png --trace out.json --json

Exit codes: 0 done, 1 failure, 2 usage; particles doctor has one more, see its --help.
`
