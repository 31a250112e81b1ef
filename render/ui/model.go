// SPDX-License-Identifier: Apache-2.0

package ui

// Model is everything the panel shows. The application owns it, reuses it and fills it before each Frame; the panel
// never writes to it. Slices may be empty; unknown numbers are left at zero unless a field says otherwise.
type Model struct {
	Frame uint64 // number of the frame being built, written to the state file

	Title   string   // title of the current scene, for the head of the panel
	Scenes  []Scene  // built-in and recently opened scenes
	Scene   int      // index in Scenes of the current one, -1 when it is in no list
	Doc     string   // what the current scene or model shows; the scene picker's tooltip
	Params  []Param  // the current model's parameters, in the order to show
	Count   Count    // particles
	Seed    uint64   // seed of the last reset
	Clock   Clock    // simulated time
	Pacing  Pacing   // vsync, frame cap, frames in flight, stream priority
	Device  Device   // what computes and draws, and why
	Look    Look     // how the particles are drawn
	Stats   Stats    // frame-time statistics, newest window
	Samples *Ring    // recent frames for the plot; nil shows none
	Record  Record   // trace recording
	Toasts  []Toast  // messages to show now; the application drops them when old
	Notes   []string // standing notes, such as "drawn in software: llvmpipe"

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

// Kind says which control edits a parameter.
type Kind uint8

// The kinds of parameter.
const (
	Float Kind = iota
	Int
	Bool // 0 or 1
	Enum // index in Choices
)

// Param is a parameter of the model with its live value. All numbers are in Unit.
type Param struct {
	Key        string // unique within the model
	Label      string // Key when empty
	Unit       string // SI symbol or empty for a pure number
	Doc        string // tooltip
	Kind       Kind
	Value      float64
	Min, Max   float64 // inclusive; equal limits show a disabled control
	Default    float64 // what a right click gives back
	Step       float64 // values are multiples of it above Min; 0: continuous
	Log        bool    // logarithmic slider
	Expert     bool    // shown under "Expert" only
	NeedsReset bool    // a change takes effect at the next reset
	Choices    []string
}

// Count is the number of particles and its limits.
type Count struct {
	Value, Min, Max int
	Alive           int // newest known; -1: as many as Value
	Default         int // 0: no default known
}

// Clock is the state of simulated time.
type Clock struct {
	Paused        bool
	Dt            float64 // simulated seconds a step
	DtMin, DtMax  float64 // limits of Dt; both 0: 1e-5 to 0.1
	DtDefault     float64 // 0: no default known
	Scale         float64 // simulated seconds a second
	StepsPerFrame int     // 0: real time, as many as are due
	MaxSteps      int     // most steps a frame in real time
	Time          float64 // simulated seconds since the reset
	Steps         uint64  // steps since the reset
	Behind        bool    // the machine cannot keep up; simulated time is slowed
	Speed         float64 // simulated seconds a second as achieved; 0: unknown
}

// Pacing is how frames are paced and queued.
type Pacing struct {
	Vsync          bool
	VsyncKnown     bool    // VsyncInForce and Refresh hold something
	VsyncInForce   bool    // what the window system does, which may differ from what was asked
	Refresh        float64 // Hz of the monitor, 0 unknown
	FrameCap       float64 // frames a second, 0: no cap
	FramesInFlight int     // 1 to 3
	SlotWaits      uint64  // frames drawn again from an old slot since none was free
	HasPriority    bool    // the device has stream priorities
	PriorityLeast  int     // numerically largest
	PriorityMost   int     // numerically smallest
	Priority       int
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

// Look is how the particles are drawn.
type Look struct {
	Exposure                 float64 // stops (powers of two)
	PointSize                float64 // world units or pixels as the application likes; see PointUnit
	PointMin, PointMax       float64
	PointUnit                string
	PointDefault             float64 // 0: none
	OnePixel                 bool    // points of one pixel instead of sprites
	ColorMaps                []ColorMap
	ColorMap                 int
	ScalarName, ScalarUnit   string  // what the colour shows ("speed", "m/s")
	ScalarLo, ScalarHi       float64 // range mapped to the ends of the map
	ScalarLoDef, ScalarHiDef float64 // the model's own range; both 0: none
}

// ColorMap is a colour map and its 256 colours, for the preview. Colors may be nil (no preview) and must not change
// while the pointer stays the same.
type ColorMap struct {
	Name   string
	Colors *[256][3]uint8
}

// Stats are frame times over the application's window of recent frames, in milliseconds.
type Stats struct {
	Frames                      int // frames in the window; 0 shows dashes
	Median, P95, P99, P999, Max float64
	FPS                         float64
	AllocsPerFrame              float64 // heap allocations of the program a frame, UI included; negative: unknown
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
