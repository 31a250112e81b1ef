// SPDX-License-Identifier: Apache-2.0

package trace

// Track says which queue of the GPU a span ran on.
type Track uint8

// The two queues. Each is a track of its own in the file.
const (
	Stream Track = iota // the simulation's compute stream
	GL                  // the OpenGL queue

	NumTracks = 2
)

// Name is a name of a GPU span. [Recorder.Name] makes more than the ones here.
type Name uint16

// Span names that every program of ours uses. The waits count neither as kernel nor as draw time.
const (
	SpanStep    Name = iota // kernels of the simulation step
	SpanPublish             // the kernel that writes the render records
	SpanMap                 // wait: the stream for OpenGL, at map
	SpanUnmap               // wait: the hand-over at unmap
	SpanGLWait              // wait: OpenGL for the stream
	SpanDraw                // the scene's draw calls
	SpanResolve             // tone mapping
	SpanImGui               // the panel
	numSpanNames
)

var spanNames = [numSpanNames]string{"step", "publish", "map wait", "unmap wait", "gl wait", "points", "resolve", "imgui"}

func (n Name) wait() bool { return n == SpanMap || n == SpanUnmap || n == SpanGLWait }

// MaxSpans is how many spans a frame can have.
const MaxSpans = 8

// Span is a piece of work on the GPU. Times are ns on the recorder's clock, see [ClockSync].
type Span struct {
	Start, End int64
	Err        int64 // bound of the error of both, ns
	Name       Name
	Track      Track
}

// GPUTimes are the spans of one frame. What is not known is not in it: there are no zeros for "unknown".
type GPUTimes struct {
	Spans [MaxSpans]Span
	N     int
}

// Add appends a span. A span that ends before it starts, or has no room, is refused.
func (g *GPUTimes) Add(s Span) bool {
	if g.N >= MaxSpans || s.End < s.Start || s.Track >= NumTracks {
		return false
	}
	g.Spans[g.N] = s
	g.N++
	return true
}

// Busy is the length of the union of a track's working spans (waits left out), ns; ok is false when there is none.
func (g *GPUTimes) Busy(t Track) (ns int64, ok bool) {
	// Insertion sort of at most MaxSpans indices by start, then one sweep.
	var order [MaxSpans]int
	n := 0
	for i := range g.N {
		if g.Spans[i].Track != t || g.Spans[i].Name.wait() {
			continue
		}
		j := n
		for ; j > 0 && g.Spans[order[j-1]].Start > g.Spans[i].Start; j-- {
			order[j] = order[j-1]
		}
		order[j] = i
		n++
	}
	if n == 0 {
		return 0, false
	}
	end := g.Spans[order[0]].Start
	for _, i := range order[:n] {
		s := g.Spans[i]
		if s.End <= end {
			continue
		}
		ns += s.End - max(s.Start, end)
		end = s.End
	}
	return ns, true
}
