// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(writerChild) != "" {
		runWriterChild()
		return
	}
	goleak.VerifyTestMain(m)
}

// feed runs n frames through rec; each phase lasts what step says.
func feed(rec *Recorder, n int, at *atomic.Int64, step func(frame int, p Phase) int64) {
	for i := range n {
		rec.Begin()
		for p := range Phase(NumPhases) {
			at.Add(step(i, p))
			rec.Mark(p)
		}
		rec.End(FrameInfo{Steps: 1, Count: 1000, Drawn: 1000, Alive: 1000, SimTime: float64(i) / 60})
	}
}

// start begins a recording into a new file.
func start(t *testing.T, rec *Recorder, h Header, o StartOptions) (*Recording, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(rec, f, h, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, path
}

// readTrace reads and checks a file.
func readTrace(t *testing.T, path string) *ChromeTrace {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ct, err := ReadChrome(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := ct.Check(); err != nil {
		t.Error(err)
	}
	return ct
}

func TestStoppedRecordingIsValidJSON(t *testing.T) {
	rec, now := clockRecorder(Options{})
	r, path := start(t, rec, Header{Scene: "a \"scene\",\nwith 粒子"}, StartOptions{})
	feed(rec, 10, now, func(int, Phase) int64 { return 1234 })
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b, []byte(`[{"`)) {
		t.Errorf("starts with %q; readers look for [{\"", b[:10])
	}
	var events []map[string]any
	if err := json.Unmarshal(b, &events); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if int64(len(b)) != r.Bytes() || r.Frames() != 10 || r.Active() {
		t.Errorf("%d bytes and %d frames said, the file has %d and 10; active %v", r.Bytes(), r.Frames(), len(b), r.Active())
	}
	if err := r.Stop(); err != nil {
		t.Errorf("a second Stop: %v", err)
	}
}

func TestPhasesSumToTheFrameToTheNanosecond(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rec, now := clockRecorder(Options{})
	now.Store(9_007_199_254_740_993) // beyond what a float64 holds exactly
	r, path := start(t, rec, Header{}, StartOptions{})
	begun := now.Load()
	feed(rec, 500, now, func(int, Phase) int64 { return rng.Int64N(3_000_000) })
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct := readTrace(t, path)
	if len(ct.Frames) != 500 || ct.Truncated {
		t.Fatalf("%d frames, truncated %v", len(ct.Frames), ct.Truncated)
	}
	last := ct.Frames[len(ct.Frames)-1]
	if ct.Frames[0].Start != 0 || last.End() != now.Load()-begun {
		t.Errorf("the frames span %d to %d ns, want 0 to %d", ct.Frames[0].Start, last.End(), now.Load()-begun)
	}
	if ct.Counters["frame_ms"] != 500 || ct.Counters["particles"] != 1 {
		t.Errorf("counters %v", ct.Counters)
	}
}

func TestHeaderIsReadBack(t *testing.T) {
	rec := New(Options{})
	r, path := start(t, rec, Header{
		Program: "particles", Version: "0.1", Driver: "host", Device: "CPU", Interop: "host", Reason: "no libcuda.so.1", GLRenderer: "llvmpipe",
		Scene: "ribbons", Model: "flow", Seed: 1<<64 - 1, Count: 5, DriverVersion: "580.95", Commit: "abc123",
		Params: map[string]any{"flow.speed": 1.5, "clock.dt": math.Inf(1), "look.color_map": "ember"},
		Width:  1280, Height: 720, Start: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
	}, StartOptions{})
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct := readTrace(t, path)
	for k, want := range map[string]any{
		"driver": "host", "interop": "host", "reason": "no libcuda.so.1", "scene": "ribbons", "seed": "18446744073709551615",
		"count": 5.0, "size": "1280x720", "start": "2026-01-02T03:04:05.000000006Z", "driver_version": "580.95", "commit": "abc123",
	} {
		if ct.Session[k] != want {
			t.Errorf("%s is %v, want %v", k, ct.Session[k], want)
		}
	}
	if p, _ := ct.Session["params"].(map[string]any); p["flow.speed"] != 1.5 || p["clock.dt"] != "+Inf" || p["look.color_map"] != "ember" {
		t.Errorf("params are %v", ct.Session["params"])
	}
	if ct.Session["go"] == nil || ct.Session["os"] == nil || ct.Session["cores"] == nil {
		t.Errorf("the machine is missing: %v", ct.Session)
	}
	if ct.Processes[1] != "particles 0.1" || ct.Processes[2] != "GPU 0 CPU" {
		t.Errorf("processes %v", ct.Processes)
	}
}

func TestRecordingInMidFrameStartsWithAWholeFrame(t *testing.T) {
	rec, now := clockRecorder(Options{})
	rec.Begin()
	now.Add(500)
	rec.Mark(Poll)
	r, path := start(t, rec, Header{}, StartOptions{})
	rec.Annotate(Note{Kind: NoteParam, Text: "flow.speed", Value: 2})
	rec.Annotate(Note{Kind: NoteReset, Exact: "18446744073709551615"})
	now.Add(500)
	rec.Mark(Draw)
	rec.End(FrameInfo{})
	feed(rec, 3, now, func(int, Phase) int64 { return 10 })
	var g GPUTimes
	g.Add(Span{Start: 0, End: 900, Name: SpanStep}) // of the frame that is not in the file
	rec.SetGPU(0, &g)
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct := readTrace(t, path)
	if len(ct.Frames) != 3 || ct.Frames[0].Seq != 1 || ct.Frames[0].Start != 0 || len(ct.GPU) != 0 {
		t.Errorf("%d frames from %d at %d ns, %d GPU spans", len(ct.Frames), ct.Frames[0].Seq, ct.Frames[0].Start, len(ct.GPU))
	}
	ct.Notes = ours(ct.Notes)
	if len(ct.Notes) != 2 || ct.Notes[0].Start != 0 || ct.Notes[0].Args["text"] != "flow.speed" || ct.Notes[0].Args["value"] != 2.0 ||
		ct.Notes[1].Args["value"] != "18446744073709551615" {
		t.Errorf("notes %+v", ct.Notes)
	}
}

func TestOnlyOneRecordingAtATime(t *testing.T) {
	rec := New(Options{})
	r, _ := start(t, rec, Header{}, StartOptions{})
	if _, err := Start(rec, nil, Header{}, StartOptions{}); err == nil {
		t.Error("a second recording was started")
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	again, path := start(t, rec, Header{}, StartOptions{})
	if err := again.Stop(); err != nil {
		t.Fatal(err)
	}
	readTrace(t, path)
}

func TestGPUSpansNeverOverlapOnATrack(t *testing.T) {
	rec, now := clockRecorder(Options{})
	r, path := start(t, rec, Header{}, StartOptions{})
	rng := rand.New(rand.NewPCG(3, 4))
	own := rec.Name("my pass")
	for i := range 200 {
		feed(rec, 1, now, func(int, Phase) int64 { return 1000 })
		var g GPUTimes
		for range 4 {
			s := now.Load() - rng.Int64N(12_000)
			g.Add(Span{Start: s, End: s + rng.Int64N(4000), Name: []Name{SpanStep, SpanDraw, own}[rng.IntN(3)], Track: Track(rng.IntN(2)), Err: 1500})
		}
		rec.SetGPU(uint64(i), &g)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct := readTrace(t, path) // Check looks for overlaps
	names, bounds := map[string]bool{}, 0
	for _, s := range ct.GPU {
		if s.Args["err_us"] != nil {
			bounds++
		}
		names[s.Name] = true
		if e, ok := s.Args["err_us"]; ok && e != 1.5 {
			t.Fatalf("error bound %v, want 1.5 us", s.Args["err_us"])
		}
	}
	if len(ct.GPU) < 300 || bounds < 200 || !names["step"] || !names["points"] || !names["my pass"] {
		t.Errorf("%d spans with names %v", len(ct.GPU), names)
	}
}

func TestGapsAreOutsideOfFrames(t *testing.T) {
	rec, now := clockRecorder(Options{})
	r, path := start(t, rec, Header{}, StartOptions{})
	feed(rec, 2, now, func(int, Phase) int64 { return 1_000_000 })
	rec.Gap("minimised")
	now.Add(int64(50 * time.Second))
	rec.Gap("again") // changes nothing
	feed(rec, 2, now, func(int, Phase) int64 { return 1_000_000 })
	if s := rec.Summary(); s.Max != 8 || s.Frames != 4 {
		t.Errorf("longest of %d frames: %g ms, want 8", s.Frames, s.Max)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct := readTrace(t, path)
	if !ct.Frames[2].Flag("after_gap") || ct.Frames[1].Flag("after_gap") {
		t.Error("the frame after the gap is not marked, or another is")
	}
	ct.Notes = ours(ct.Notes)
	if len(ct.Notes) != 1 || ct.Notes[0].Name != "gap" || ct.Notes[0].Dur != int64(50*time.Second) || ct.Notes[0].Args["text"] != "minimised" {
		t.Errorf("notes %+v", ct.Notes)
	}
}

func TestLostFramesAreCountedAndNoted(t *testing.T) {
	rec, now := clockRecorder(Options{})
	block := &blockedFile{open: make(chan struct{})}
	r, err := Start(rec, block, Header{}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	feed(rec, 3*sinkFrames, now, func(int, Phase) int64 { return 100 }) // the writer waits in its first write, or soon after
	close(block.open)
	for deadline := time.Now().Add(10 * time.Second); r.Frames() < sinkFrames && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	feed(rec, 10, now, func(int, Phase) int64 { return 100 })
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	ct, err := ReadChrome(&block.buf)
	if err != nil {
		t.Fatal(err)
	}
	if err := ct.Check(); err != nil {
		t.Error(err)
	}
	noted := 0.0
	for _, n := range ct.Notes {
		if n.Name == "dropped" {
			noted += n.Args["value"].(float64)
		}
	}
	if r.Dropped() == 0 || noted != float64(r.Dropped()) || int64(len(ct.Frames))+r.Dropped() != 3*sinkFrames+10 {
		t.Errorf("%d dropped, %g noted, %d in the file", r.Dropped(), noted, len(ct.Frames))
	}
}

type blockedFile struct {
	buf  bytes.Buffer
	open chan struct{}
}

func (b *blockedFile) Write(p []byte) (int, error) { <-b.open; return b.buf.Write(p) }
func (b *blockedFile) Close() error                { return nil }

func TestRecordingStopsAtItsLimit(t *testing.T) {
	rec, now := clockRecorder(Options{})
	const limit = 1 << 16
	r, path := start(t, rec, Header{}, StartOptions{Limit: limit})
	feed(rec, 500, now, func(int, Phase) int64 { return 1000 })
	<-r.Done()
	feed(rec, 500, now, func(int, Phase) int64 { return 1000 }) // goes on without
	if r.Err() != nil || !strings.Contains(r.Message(), "limit") || r.Active() {
		t.Errorf("%v, %q, active %v", r.Err(), r.Message(), r.Active())
	}
	st, err := os.Stat(path)
	if err != nil || st.Size() > limit || st.Size() != r.Bytes() || st.Size() < limit/2 {
		t.Errorf("%v, %v bytes with a limit of %d, %d said", err, st.Size(), limit, r.Bytes())
	}
	ct := readTrace(t, path)
	if notes := ours(ct.Notes); ct.Truncated || len(notes) == 0 || notes[len(notes)-1].Name != "limit" {
		t.Errorf("truncated %v, notes %v", ct.Truncated, notes)
	}
	if again, _ := start(t, rec, Header{}, StartOptions{}); again.Stop() != nil {
		t.Error("no second recording after the limit")
	}
}

// ours leaves out the notes that the machine makes by itself.
func ours(notes []ChromeSlice) []ChromeSlice {
	return slices.DeleteFunc(slices.Clone(notes), func(n ChromeSlice) bool { return n.Name == "gc" || n.Name == "suspend" })
}
