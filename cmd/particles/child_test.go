// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// startChild starts a process; lines waits for a line of its output, wait for its end and gives the rest.
func startChild(t *testing.T, cmd *exec.Cmd) (lines func(want string), wait func() string) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // does nothing to one that has ended
	in := bufio.NewScanner(out)
	lines = func(want string) {
		t.Helper()
		if !in.Scan() || in.Text() != want {
			t.Fatalf("the program says %q (%v), want %q", in.Text(), in.Err(), want)
		}
	}
	wait = func() string {
		var rest strings.Builder
		for in.Scan() {
			rest.WriteString(in.Text() + "\n")
		}
		_ = cmd.Wait() // the caller looks at the state
		return rest.String()
	}
	return lines, wait
}

// dead tells whether a process has ended and only waits to be collected.
func dead(cmd *exec.Cmd) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		return true
	}
	_, after, ok := strings.Cut(string(stat), ") ")
	return ok && strings.HasPrefix(after, "Z")
}
