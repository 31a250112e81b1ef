// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"particles/internal/app"
)

func init() {
	// The window system, OpenGL and CUDA want one thread, and the window system wants the program's first.
	runtime.LockOSThread()
}

func main() {
	p := &program{stdout: os.Stdout, stderr: os.Stderr, app: app.Run}
	os.Exit(p.main(os.Args[1:]))
}

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// program is what the verbs work with; tests put their own in.
type program struct {
	stdout, stderr io.Writer
	app            func(context.Context, app.Options) (app.Summary, error)
}

// commands is the command line.
type commands struct {
	Run     runCmd     `cmd:"" default:"withargs" help:"Show a scene in a window, or render it without one. This is the default."`
	Scenes  scenesCmd  `cmd:"" help:"List the built-in scenes, or print one."`
	Doctor  doctorCmd  `cmd:"" help:"Find out what works on this machine, and what to do about the rest."`
	Version versionCmd `cmd:"" help:"Say which build this is."`
}

// usageError is an error in what the person asked for.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// helpShown leaves the parser after it printed the help.
type helpShown struct{}

// main runs one command line and gives the exit code.
func (p *program) main(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helpShown); !ok {
				panic(r)
			}
			code = exitOK
		}
	}()
	var c commands
	parser, err := kong.New(&c,
		kong.Name("particles"),
		kong.Description("A real-time particle simulation, on NVIDIA GPUs and on any CPU."),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { panic(helpShown{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Help(help),
		kong.Vars{"default_scene": defaultScene},
	)
	if err != nil {
		return p.fail(err) // the struct above is wrong: a test would see it
	}
	k, err := parser.Parse(joinNegatives(args))
	if err != nil {
		return p.fail(usageError{parseError(err)})
	}
	if err := k.Run(p); err != nil {
		return p.fail(err)
	}
	return exitOK
}

// fail prints an error and gives its exit code.
func (p *program) fail(err error) int {
	var code exitCode
	if errors.As(err, &code) {
		return int(code)
	}
	fmt.Fprintf(p.stderr, "particles: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailure
}

// interruptible gives a context that ends at the first SIGINT, SIGTERM or SIGHUP, so that the run ends in good order.
// From then on signals do what they always do: a second one kills. SIGHUP stays ignored where it was, as under nohup.
func interruptible() (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
