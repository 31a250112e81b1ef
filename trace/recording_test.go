// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// feed runs n frames through rec; each phase lasts what step says.
func feed(rec *Recorder, n int, at *int64, step func(frame int, p Phase) int64) {
	for i := range n {
		rec.Begin()
		for p := range Phase(NumPhases) {
			*at += step(i, p)
			rec.Mark(p)
		}
		rec.End(FrameInfo{Steps: 1, Count: 1000, Drawn: 1000, Alive: 1000, SimTime: float64(i) / 60})
	}
}

func TestStoppedRecordingIsValidJSON(t *testing.T) {
	var now int64
	rec := New(Options{Clock: func() int64 { return now }})
	path := filepath.Join(t.TempDir(), "t.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(rec, f, Header{Scene: "x"}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	feed(rec, 10, &now, func(int, Phase) int64 { return 1234 })
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var events []map[string]any
	if err := json.Unmarshal(b, &events); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if int64(len(b)) != r.Bytes() || r.Frames() != 10 {
		t.Errorf("%d bytes and %d frames said, the file has %d and 10", r.Bytes(), r.Frames(), len(b))
	}
}
