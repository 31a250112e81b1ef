// SPDX-License-Identifier: Apache-2.0

package ui

// The CPU phases of a frame, in the order they are stacked in the plot. They have the meaning of the trace's phases.
const (
	PhasePoll = iota
	PhaseUI
	PhaseMap
	PhaseLaunch
	PhaseUnmap
	PhaseDraw
	PhaseImGui
	PhaseSwap
	NumPhases
)

// The GPU spans of a frame.
const (
	GPUKernel  = iota // the model's kernels, CUDA events
	GPUPublish        // the kernel that writes the render record and the hand-over
	GPUDraw           // particle passes, OpenGL timestamps
	GPUUI             // the UI pass
	NumGPU
)

// phaseNames and gpuNames are the names in legend and tooltip.
var (
	phaseNames = [NumPhases]string{"poll", "ui", "map", "launch", "unmap", "draw", "imgui", "swap"}
	gpuNames   = [NumGPU]string{"kernel", "publish", "draw", "ui"}
)

// Sample is one frame's times in milliseconds. The phases sum to the frame. HasGPU is set when the GPU times have come
// in; a span that is absent is negative.
type Sample struct {
	Seq    uint64
	Phase  [NumPhases]float32
	GPU    [NumGPU]float32
	HasGPU bool
}

// Total is the frame time in milliseconds: the sum of the phases.
func (s *Sample) Total() float32 {
	var t float32
	for _, p := range s.Phase {
		t += p
	}
	return t
}

// RingSize is how many frames a Ring keeps and the plot shows.
const RingSize = 240

// Ring holds the newest RingSize frames by sequence number. The zero value is empty. It allocates nothing.
type Ring struct {
	// NoGPU says why there are no GPU times ("software renderer"); empty when they come.
	NoGPU string

	samples [RingSize]Sample
	n       uint64 // frames pushed
}

// Push adds a frame, whose Seq should be the one that SetGPU is given later.
func (r *Ring) Push(s Sample) {
	r.samples[r.n%RingSize] = s
	r.n++
}

// SetGPU fills in GPU times (ms, negative for absent) of an earlier frame; a frame that has left the ring is ignored.
func (r *Ring) SetGPU(seq uint64, gpu [NumGPU]float32) bool {
	for k := uint64(0); k < uint64(r.Len()); k++ { // newest first: they come a few frames late
		s := &r.samples[(r.n-1-k)%RingSize]
		if s.Seq == seq {
			s.GPU, s.HasGPU = gpu, true
			return true
		}
	}
	return false
}

// Len is the number of frames held.
func (r *Ring) Len() int { return int(min(r.n, RingSize)) }

// At is the frame at index i, 0 the oldest. The pointer is good until the next Push.
func (r *Ring) At(i int) *Sample {
	first := r.n - uint64(r.Len())
	return &r.samples[(first+uint64(i))%RingSize]
}

// Clear empties the ring.
func (r *Ring) Clear() { r.n = 0 }
