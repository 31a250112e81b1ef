// SPDX-License-Identifier: Apache-2.0

package trace

// GPUPart is what the GPU did in a piece of a frame: the parts of a [Sample] sum to the time from the frame's first work on it to
// its last.
type GPUPart uint8

// The parts, in the order of a frame. GPUWait is the time in which none of the others ran: the hand-over between the compute stream
// and OpenGL, and work that had not been queued yet.
const (
	GPUStep    GPUPart = iota // kernels of the simulation step
	GPUPublish                // the kernel that writes the render records
	GPUWait
	GPUDraw    // the scene's draw calls
	GPUResolve // tone mapping
	GPUPanel   // the panel

	NumGPUParts = 6
)

var gpuPartNames = [NumGPUParts]string{"step", "publish", "wait", "points", "tone map", "panel"}

// String gives the name that legends show.
func (p GPUPart) String() string {
	if int(p) < len(gpuPartNames) {
		return gpuPartNames[p]
	}
	return "unknown"
}

// part is the part that a span belongs to; names of a program's own count to the step or the draw, by their track.
func (s *Span) part() GPUPart {
	switch s.Name {
	case SpanStep:
		return GPUStep
	case SpanPublish:
		return GPUPublish
	case SpanMap, SpanUnmap, SpanGLWait:
		return GPUWait
	case SpanDraw:
		return GPUDraw
	case SpanResolve:
		return GPUResolve
	case SpanImGui:
		return GPUPanel
	}
	if s.Track == GL {
		return GPUDraw
	}
	return GPUStep
}

// Split gives the time of each part, ns. Where two tracks work at once the time belongs to the span that started last; no time is
// counted twice and none left out, so that the parts sum to the frame's time on the GPU. ok is false when no span is known.
func (g *GPUTimes) Split() (parts [NumGPUParts]int64, ok bool) {
	if g.N == 0 {
		return parts, false
	}
	var edges [2 * MaxSpans]int64
	n := 0
	for _, s := range g.Spans[:g.N] { // insertion sort: at most 16
		for _, at := range [2]int64{s.Start, s.End} {
			j := n
			for ; j > 0 && edges[j-1] > at; j-- {
				edges[j] = edges[j-1]
			}
			edges[j] = at
			n++
		}
	}
	for i := 1; i < n; i++ {
		from, to := edges[i-1], edges[i]
		owner, since := GPUWait, int64(0)
		for k := range g.N {
			s := &g.Spans[k]
			if part := s.part(); part != GPUWait && s.Start <= from && s.End >= to && (owner == GPUWait || s.Start >= since) {
				owner, since = part, s.Start
			}
		}
		parts[owner] += to - from
	}
	return parts, true
}
