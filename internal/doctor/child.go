// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// child starts probes.
type child struct {
	exe   string
	args  []string
	env   []string
	limit time.Duration
}

// killTime is how long a killed process may take to go away. One that waits in
// the kernel for a broken device does not go; it is left alone.
const killTime = 5 * time.Second

// run runs one probe and puts what it found into facts, also when it did not
// come to its end.
func (c *child) run(ctx context.Context, probe string, facts any, env ...string) Ending {
	if env == nil {
		env = c.env
	}
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.exe, append(append([]string(nil), c.args...), probe)...)
	cmd.Env = append(append([]string(nil), env...), "GOTRACEBACK=none")
	cmd.WaitDelay = killTime
	keep, err := cmd.StdinPipe() // closed at the end, or by the system when this process dies
	if err != nil {
		return Ending{State: Crashed, Reason: err.Error()}
	}
	defer keep.Close()
	var said listener
	var errs head
	cmd.Stdout, cmd.Stderr = &said, &errs
	if err := cmd.Start(); err != nil {
		return Ending{State: Crashed, Reason: fmt.Sprintf("the probe did not start: %v", err)}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-afterEnd(ctx, 2*killTime):
		// Not even killing helped. Its buffers are still being written to: leave them.
		return Ending{State: Hung, Stage: "a call that cannot be interrupted", Limit: c.limit.String()}
	}
	if len(said.facts) > 0 {
		if e := json.Unmarshal(said.facts, facts); e != nil {
			err = errors.Join(err, fmt.Errorf("the probe's answer cannot be read: %w", e))
		}
	}
	switch {
	case said.done && err == nil:
		return Ending{State: Done}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Ending{State: Hung, Stage: said.stage, Limit: c.limit.String()}
	}
	return Ending{State: Crashed, Stage: said.stage, Reason: crashReason(errs.buf.String(), err), Output: errs.firstLines()}
}

// afterEnd gives a channel that is closed some time after ctx is done.
func afterEnd(ctx context.Context, extra time.Duration) <-chan struct{} {
	c := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(extra, func() { close(c) }) })
	return c
}

// listener reads a probe's lines as they come.
type listener struct {
	rest  []byte
	stage string
	facts json.RawMessage
	done  bool
}

func (l *listener) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			break
		}
		if m, ok := parseLine(string(l.rest[:i])); ok {
			switch {
			case m.Stage != "":
				l.stage = m.Stage
			case m.Facts != nil:
				l.facts = m.Facts
			case m.Done:
				l.done = true
			}
		}
		l.rest = l.rest[i+1:]
	}
	return len(b), nil
}

// head keeps the first bytes written to it.
type head struct{ buf bytes.Buffer }

const headSize = 16 << 10

func (h *head) Write(b []byte) (int, error) {
	if room := headSize - h.buf.Len(); room > 0 {
		h.buf.Write(b[:min(len(b), room)])
	}
	return len(b), nil
}

// firstLines are what matters of a crash's output.
func (h *head) firstLines() string {
	const most = 12
	var lines []string
	for s := bufio.NewScanner(strings.NewReader(h.buf.String())); s.Scan() && len(lines) < most; {
		if text := strings.TrimSpace(s.Text()); text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

var signalPattern = regexp.MustCompile(`\bSIG[A-Z]{2,6}\b`)

// crashReason is what a process died of, as its own output and the system tell.
func crashReason(output string, err error) string {
	if s := signalPattern.FindString(output); s != "" {
		return s
	}
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "X Error of failed request") || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	if err != nil {
		return err.Error()
	}
	return "it ended early"
}
