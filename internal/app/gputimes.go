// SPDX-License-Identifier: Apache-2.0

package app

import (
	"particles/render"
	"particles/trace"
)

// The boundaries of a frame's OpenGL work, in order.
const (
	glStart    = iota // before the frame's first OpenGL command
	glShared          // after the slot was given back: the wait for the stream lies before
	glPoints          // after the point pass
	glResolved        // after tone mapping
	glPanel           // after the panel
	numGLStamps
)

// joinDepth is how many frames may wait for one of their two clocks.
const joinDepth = 16

// gpuTimes joins what the compute stream and OpenGL say of a frame, each some
// frames late, and hands it to the recorder by the frame's number. Nothing is
// waited for; what does not come is left out.
type gpuTimes struct {
	rec    *trace.Recorder
	timers *render.Timers
	clock  trace.ClockSync // OpenGL's clock

	frames [joinDepth]joinedFrame
	stamps render.GPUStamps // scratch
	times  trace.GPUTimes   // scratch
}

type joinedFrame struct {
	seq        uint64
	issued     int64 // when its OpenGL work began to be issued
	open       bool
	stream, gl bool // have come in
	times      trace.GPUTimes
}

// newGPUTimes makes the timers for the current OpenGL context and relates its clock to the recorder's.
func newGPUTimes(rec *trace.Recorder) *gpuTimes {
	g := &gpuTimes{rec: rec, timers: render.NewTimers()}
	g.calibrate()
	return g
}

// calibrate waits for the driver: at the start and after a pause only.
func (g *gpuTimes) calibrate() {
	if c, ok := g.timers.Calibrate(g.rec.Now); ok {
		g.clock.Reset()
		g.clock.Bracket(c.Offset-c.Err, 0, c.Offset+c.Err) // the counter at 0
	}
}

// begin notes a frame whose times will come.
func (g *gpuTimes) begin(seq uint64) {
	f := &g.frames[seq%joinDepth]
	if f.open { // its times never came in full
		g.deliver(f)
	}
	*f = joinedFrame{seq: seq, issued: g.rec.Now(), open: true, gl: !g.timers.Supported()}
	g.timers.Begin(seq)
}

// collect takes in what has become known since the last call.
func (g *gpuTimes) collect(stream *streamTimes) {
	for {
		g.times = trace.GPUTimes{}
		seq, ok := stream.next(&g.times)
		if !ok {
			break
		}
		if f := g.frame(seq); f != nil {
			g.add(f, &g.times)
			f.stream = true
			g.settle(f)
		}
	}
	for g.timers.Collect(&g.stamps) {
		if f := g.frame(g.stamps.Seq); f != nil {
			g.addStamps(f)
			f.gl = true
			g.settle(f)
		}
	}
}

func (g *gpuTimes) frame(seq uint64) *joinedFrame {
	if f := &g.frames[seq%joinDepth]; f.open && f.seq == seq {
		return f
	}
	return nil
}

func (g *gpuTimes) add(f *joinedFrame, times *trace.GPUTimes) {
	for _, span := range times.Spans[:times.N] {
		f.times.Add(span)
	}
}

func (g *gpuTimes) addStamps(f *joinedFrame) {
	s := &g.stamps
	if s.N < numGLStamps {
		return
	}
	g.clock.Observe(f.issued, s.Stamps[glStart], g.rec.Now())
	names := [numGLStamps - 1]trace.Name{trace.SpanGLWait, trace.SpanDraw, trace.SpanResolve, trace.SpanImGui}
	for i, name := range names {
		f.times.Add(trace.Span{
			Track: trace.GL, Name: name, Err: g.clock.Err,
			Start: g.clock.ToRecorder(s.Stamps[i]), End: g.clock.ToRecorder(s.Stamps[i+1]),
		})
	}
}

func (g *gpuTimes) settle(f *joinedFrame) {
	if f.stream && f.gl {
		g.deliver(f)
	}
}

func (g *gpuTimes) deliver(f *joinedFrame) {
	f.open = false
	if f.times.N > 0 {
		g.rec.SetGPU(f.seq, &f.times)
	}
}
