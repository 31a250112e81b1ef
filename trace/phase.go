// SPDX-License-Identifier: Apache-2.0

package trace

// Phase names what the render thread did in a segment of a frame.
type Phase uint8

// The phases, in the order in which a frame usually goes through them. A phase may come more than once in a frame.
const (
	Poll   Phase = iota // window events, and what lies between two frames
	UI                  // building the panel and applying its commands
	Map                 // giving the frame's buffer to the compute driver
	Launch              // queueing kernels
	Unmap               // taking the buffer back; on the host driver this waits for the kernels
	Draw                // GL calls of the scene
	ImGui               // GL calls of the panel
	Swap                // presenting; with vsync most of the waiting is here

	NumPhases = 8
)

var phaseNames = [NumPhases]string{"poll", "ui", "map", "launch", "unmap", "draw", "imgui", "swap"}

// String gives the name used in files.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// ParsePhase is the inverse of String.
func ParsePhase(name string) (Phase, bool) {
	for i, n := range phaseNames {
		if n == name {
			return Phase(i), true
		}
	}
	return 0, false
}
