// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// ErrNoXServer is matched when no X server can be started on this machine.
var ErrNoXServer = errors.New("no display: no X server can be started here")

// StartXServer starts an X server without a screen, of a size like "1280x800", and gives its name for DISPLAY. It ends with
// the test. It is never reset, so that a first client may come and go. Arguments are Xvfb's own.
func StartXServer(t testing.TB, size string, args ...string) (display string, err error) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return "", fmt.Errorf("%w: Xvfb is not installed (apt-get install xvfb)", ErrNoXServer)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	cmd := exec.Command(path, append([]string{"-displayfd", "3", "-screen", "0", size + "x24", "-nolisten", "tcp", "-noreset"}, args...)...)
	cmd.ExtraFiles = []*os.File{w}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoXServer, err)
	}
	w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		return "", fmt.Errorf("%w: Xvfb ended before it named its display: %s", ErrNoXServer, strings.TrimSpace(said.String()))
	}
	return ":" + strings.TrimSpace(line), nil
}

// XServer is StartXServer for tests that can do without: they skip.
func XServer(t testing.TB, size string, args ...string) (display string) {
	t.Helper()
	display, err := StartXServer(t, size, args...)
	if err != nil {
		Missing(t, "display", "%v", err)
	}
	return display
}
