// SPDX-License-Identifier: Apache-2.0

package app

import (
	"log/slog"
	"time"

	"particles/internal/scene"
	"particles/interop/driver"
)

// Options says what one run of the application is to do. The zero value of a
// field asks for the default that its comment names.
type Options struct {
	// Scene is loaded and complete: --set, --count and --seed are already in it.
	// A Count of 0 asks for the automatic count of the device in use.
	Scene scene.Scene

	Headless bool          // no window and no display: draw offscreen through EGL
	Frames   int           // end after so many frames; 0: no limit
	Duration time.Duration // end after so much wall time; 0: no limit
	Width    int           // pixels of the picture or points of the window; 0: 1280
	Height   int           // 0: 720

	Driver string // auto, cuda, host; empty: auto
	Tier   string // auto, shared, copied; empty: auto
	ISA    string // auto, baseline, v3: instruction set of the host kernels; empty: auto

	Image   string // write the last frame here as PNG; an earlier file is kept under a numbered name
	Trace   string // record the whole run here as Chrome trace JSON; likewise
	OutDir  string // where screenshots and recordings of the window go; empty: the working directory
	UIState string // write the panel's state here each frame as JSON, for tests that drive the window

	FullScreen bool
	HideUI     bool // start with the panel hidden
	GLDebug    bool // debug context: an OpenGL error ends the run with exit code 1

	Version string       // of the program, for the trace header
	Commit  string       // that it was built from, likewise
	Log     *slog.Logger // one line per thing a user should know; nil: slog.Default()

	openCUDA    func() (driver.Driver, error) // tests only; nil: the system's
	waitLimit   time.Duration                 // tests only; 0: waitLimit
	checkpoints time.Duration                 // tests only; 0: checkpointEvery, negative: with every frame
}

// Summary is what a run tells at its end. Its JSON form is the one object that
// --json prints; field names are part of the program's interface.
type Summary struct {
	Driver    string    `json:"driver"`           // cuda or host
	Device    string    `json:"device"`           // the computing device's name
	Interop   string    `json:"interop"`          // shared, copied or host
	Reason    string    `json:"reason"`           // why it is not the first choice; empty when it is
	Renderer  string    `json:"renderer"`         // what draws, as OpenGL names it
	HostISA   string    `json:"host_isa"`         // instruction set of the host kernels; empty on a GPU
	Scene     string    `json:"scene"`            // name or file
	Model     string    `json:"model"`            // solver
	Seed      int64     `json:"seed"`             //
	Count     int       `json:"count"`            // particles asked for
	Alive     int       `json:"alive"`            // particles alive, as last known
	Steps     uint64    `json:"steps"`            // simulation steps
	SimTime   float64   `json:"sim_time"`         // simulated seconds
	Frames    uint64    `json:"frames"`           // frames drawn, warm-up included
	WarmUp    uint64    `json:"warm_up"`          // frames at the start that the statistics leave out
	FrameMS   FrameMS   `json:"frame_ms"`         // start-to-start frame times
	Phases    []PhaseMS `json:"phases"`           // median CPU time a frame, by phase
	GPU       []PhaseMS `json:"gpu"`              // median device time a frame, by span; empty when not measured
	Allocs    *float64  `json:"allocs_per_frame"` // Go heap objects a frame, after warm-up; nil when the run ended within it
	Wall      float64   `json:"wall_s"`           // seconds
	Image     string    `json:"image,omitempty"`  // files left behind
	Trace     string    `json:"trace,omitempty"`
	TraceNote string    `json:"trace_note,omitempty"` // what the recording lost, if anything
	Lost      int       `json:"lost,omitempty"`       // times that a device's state was lost and the run went on from a checkpoint
	Leaks     string    `json:"leaks,omitempty"`      // device objects not given back; always empty unless there is a bug
}

// FrameMS holds percentiles of the frame time in milliseconds (Hyndman and Fan
// type 7), over the frames after the warm-up.
type FrameMS struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	P999   float64 `json:"p999"`
	Max    float64 `json:"max"`
}

// PhaseMS is the median time of one named part of the frame, in milliseconds.
type PhaseMS struct {
	Name   string  `json:"name"`
	Median float64 `json:"median"`
}
