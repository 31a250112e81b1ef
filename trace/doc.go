// SPDX-License-Identifier: Apache-2.0

// Package trace measures frames and writes them down.
//
// A [Recorder] is fed by the render loop: one Begin, one Mark at each boundary between two phases, one End. It keeps the
// newest frames for a plot ([Recorder.Recent]), live percentiles over the last seconds ([Recorder.Stats]) and exact
// figures over the whole run ([Recorder.Summary]). None of these allocates, and a boundary costs one clock reading.
// Times of the GPU arrive some frames later and are joined by the frame's number ([Recorder.SetGPU]).
//
// A [Recording] writes a file from a goroutine of its own, fed through a ring without locks: a slow or full disk never
// delays a frame. The file is a Chrome trace (JSON array form), which ui.perfetto.dev and chrome://tracing open, also
// when the program was killed while writing. [ReadChrome] reads one back and checks it.
//
// # Time
//
// All stamps are nanoseconds on the recorder's clock, which is monotonic and starts at 0 when the recorder is made. A
// frame lasts from the end of the frame before it to its own end, so that no time is lost between frames, and its
// segments sum to it exactly. A pause that is not the program's doing (minimised, suspended) is a gap: it is in the file,
// and in no statistic. [ClockSync] and [EventClock] bring stamps of a GPU onto the recorder's clock with an error bound.
//
// # Threads
//
// Methods of a Recorder belong to one thread, the render thread, except Now. Methods of a Recording may be called from
// any.
//
//	rec := trace.New(trace.Options{})
//	recording, err := trace.Start(rec, "run.json", trace.Header{Scene: "ribbons"})
//	for running {
//		seq := rec.Begin()
//		poll();   rec.Mark(trace.Poll)
//		launch(); rec.Mark(trace.Launch)
//		draw();   rec.Mark(trace.Draw)
//		swap();   rec.Mark(trace.Swap)
//		rec.End(trace.FrameInfo{Steps: 1, Count: n})
//	}
//	err = recording.Stop()
package trace
