// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"particles/sim/param"
	"particles/trace"
)

// Model is everything the panel shows. The application owns it, reuses it and fills it before each Frame; the panel
// never writes to it. Slices may be empty; unknown numbers are left at zero unless a field says otherwise.
type Model struct {
	Frame uint64 // number of the frame being built, written to the state file

	Title  string  // title of the current scene, for the head of the panel
	Scenes []Scene // built-in and recently opened scenes
	Scene  int     // index in Scenes of the current one, -1 when it is in no list
	Doc    string  // what the current scene or model shows; the scene picker's tooltip
	Count  Count   // particles
	Seed   uint64  // seed of the last reset
	Clock  Clock   // simulated time
	Pacing Pacing  // how frames come out
	Device Device  // what computes and draws, and why
	Record Record  // trace recording

	// The live values of what can be set. Each is a section of the panel or a part of one.
	Params, Time, Pace, Look *param.Set

	Scalar    param.Quantity // what the colours show; no name: nothing
	ColorMaps []ColorMap     // in the order of the look's choices

	Stats          trace.Stats    // frame-time statistics, newest window
	AllocsPerFrame float64        // heap allocations of the program a frame, UI included; negative: unknown
	Samples        []trace.Sample // recent frames for the plot, oldest first; the newest PlotFrames are shown
	NoGPU          string         // why there are no GPU times ("software renderer"); empty when they come

	Toasts []Toast  // messages to show now; the application drops them when old
	Notes  []string // standing notes, such as "drawn in software: llvmpipe"

	FullScreen bool // the window covers its monitor
	Hidden     bool // nothing of the UI is drawn but failures and the help
}

// Scene is one entry of the scene picker.
type Scene struct {
	Name  string // the name a command line takes
	Title string // shown; Name when empty
	Model string // the model it runs, shown grey beside the title
	Doc   string // tooltip
}

// Count is the number of particles and its limits.
type Count struct {
	Value, Min, Max int
	Alive           int // newest known; -1: as many as Value
	Default         int // 0: no default known
}

// Clock is the state of simulated time.
type Clock struct {
	Paused bool
	Time   float64 // simulated seconds since the reset
	Steps  uint64  // steps since the reset
	Behind bool    // the machine cannot keep up; simulated time is slowed
	Speed  float64 // simulated seconds a second as achieved; 0: unknown
}

// Pacing is what became of the wishes for pacing.
type Pacing struct {
	VsyncKnown   bool    // VsyncInForce and Refresh hold something
	VsyncInForce bool    // what the window system does, which may differ from what was asked
	Refresh      float64 // Hz of the monitor, 0 unknown
	SlotWaits    uint64  // frames drawn again from an old slot since none was free
}

// Device says what computes and draws.
type Device struct {
	Driver  string   // "cuda", "host"
	Name    string   // "NVIDIA H200", "CPU, 8 threads, AVX2"
	Tier    string   // "shared", "copied", "host"
	Reason  string   // why it is not the first choice; empty when it is
	GL      string   // OpenGL's renderer and version
	Memory  uint64   // bytes of device memory in use by the program; 0 unknown
	Total   uint64   // bytes of device memory; 0 unknown
	Drivers []string // choices of the driver combo ("auto", "cuda", "host"); one or none: shown as text
	DriverI int      // current choice
	Tiers   []string // choices of the tier combo
	TierI   int
}

// ColorMap is a colour map and its 256 colours, for the preview. Colors may be nil (no preview) and must not change
// while the pointer stays the same.
type ColorMap struct {
	Name   string
	Colors *[256][3]uint8
}

// Record is the state of the trace recording.
type Record struct {
	On      bool
	Elapsed float64 // seconds
	Bytes   int64   // written so far
	Dropped uint64  // frames that did not get in
	Path    string  // file being written, or the last one
	Err     string  // why the last recording stopped by itself
	Show    bool    // Path names a finished recording worth showing
}

// Level is the weight of a message.
type Level uint8

// The weights of a message.
const (
	Info Level = iota
	Warning
	Failure
)

// Toast is a message over the picture.
type Toast struct {
	Text  string
	Level Level
	Age   float64 // seconds since it came, counted up by the application: a new message fades in
}
