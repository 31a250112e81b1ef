// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"io"
	"log/slog"
	"runtime"
	"testing"

	"particles/internal/scene"
	"particles/render/egl"
)

// openRun opens a headless run of a scene on this goroutine's thread and closes it with the test.
func openRun(t *testing.T, name string, change func(*Options)) *run {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s, err := scene.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Count = 4000
	o := Options{Scene: s, Headless: true, Width: 320, Height: 180, Driver: "host", GLDebug: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&o)
	}
	o.setDefaults()
	r := &run{o: &o, log: o.Log, scene: o.Scene}
	err = r.open()
	t.Cleanup(func() {
		if err := r.close(); err != nil {
			t.Errorf("not all was given back: %v", err)
		}
	})
	if errors.Is(err, egl.ErrUnavailable) {
		t.Skipf("headless OpenGL is missing on this machine: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.allocs.start(0)
	return r
}

// drawFrames draws so many frames.
func (r *run) drawFrames(t *testing.T, n int) {
	t.Helper()
	for range n {
		if _, err := r.frame(); err != nil {
			t.Fatal(err)
		}
		if r.glErr != nil {
			t.Fatal(r.glErr)
		}
	}
}

func TestFramesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; an ordinary build shows it")
	}
	for _, name := range scene.Builtin() {
		t.Run(name, func(t *testing.T) {
			r := openRun(t, name, nil)
			r.drawFrames(t, 40)
			if n := testing.AllocsPerRun(50, func() { r.drawFrames(t, 1) }); n != 0 {
				t.Errorf("a frame makes %g heap objects, want none", n)
			}
		})
	}
}
