// SPDX-License-Identifier: Apache-2.0

package window

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrNoDisplay is matched when there is no display to open a window on.
var ErrNoDisplay = errors.New("no display")

const runHeadless = "or run with --headless"

// checkDisplay looks whether there can be a display, before GLFW is started: GLFW's own failure is a panic later on.
func checkDisplay(system string, env func(string) string) error {
	x, wayland := env("DISPLAY"), env("WAYLAND_DISPLAY")
	switch {
	case system != "X11" && system != "Wayland":
		return nil
	case x == "" && wayland == "":
		return fmt.Errorf("%w: neither DISPLAY nor WAYLAND_DISPLAY is set; start the program from a desktop session, %s", ErrNoDisplay, runHeadless)
	case system == "X11" && x == "":
		return fmt.Errorf("%w: this build opens windows through X11, and DISPLAY is not set; in this Wayland session (WAYLAND_DISPLAY=%s) "+
			"install and start XWayland, use a build for Wayland (-tags wayland), %s", ErrNoDisplay, wayland, runHeadless)
	case system == "Wayland" && wayland == "":
		return fmt.Errorf("%w: this build opens windows through Wayland, and WAYLAND_DISPLAY is not set; in this X11 session (DISPLAY=%s) "+
			"use the ordinary build for X11, %s", ErrNoDisplay, x, runHeadless)
	case system == "X11":
		return checkX11(x)
	}
	return checkWayland(wayland, env("XDG_RUNTIME_DIR"))
}

// checkX11 tries whether anything answers at a display name (X(7), "Display names").
func checkX11(display string) error {
	tries := x11Addresses(display)
	var errs []error
	for _, a := range tries {
		c, err := net.DialTimeout(a[0], a[1], 3*time.Second)
		if err == nil {
			c.Close()
			return nil
		}
		errs = append(errs, err)
	}
	if len(tries) == 0 {
		return fmt.Errorf("%w: DISPLAY=%q is not a display's name, like :0 or host:10.0; correct it, %s", ErrNoDisplay, display, runHeadless)
	}
	return fmt.Errorf("%w: no X server answers at DISPLAY=%s (%w); start one or correct DISPLAY, %s", ErrNoDisplay, display, errors.Join(errs...), runHeadless)
}

// x11Addresses returns network and address of the sockets that a display name may mean.
func x11Addresses(display string) [][2]string {
	colon := strings.LastIndexByte(display, ':')
	if colon < 0 {
		return nil
	}
	host, number, _ := strings.Cut(display[:colon], "/")
	if filepath.IsAbs(display) {
		return [][2]string{{"unix", display[:colon]}, {"unix", display}}
	}
	if number != "" { // protocol/host:number
		host = number
	}
	number, _, _ = strings.Cut(display[colon+1:], ".")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return nil
	}
	if host == "" || host == "unix" {
		path := fmt.Sprintf("/tmp/.X11-unix/X%d", n)
		return [][2]string{{"unix", path}, {"unix", "@" + path}}
	}
	return [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+int(n)))}}
}

func checkWayland(name, dir string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, name)
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%w: WAYLAND_DISPLAY=%s: %w; correct it or XDG_RUNTIME_DIR, %s", ErrNoDisplay, name, err, runHeadless)
	}
	return nil
}
