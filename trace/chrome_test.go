// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"strings"
	"testing"
)

// whole gives a small recording as bytes.
func whole(t testing.TB) []byte {
	t.Helper()
	rec, now := clockRecorder(Options{})
	var out closeFailsNot
	r, err := Start(rec, &out, Header{Scene: "x"}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	feed(rec, 3, now, func(_ int, p Phase) int64 { return int64(p) * 1001 })
	var g GPUTimes
	g.Add(Span{Start: 5, End: 9000, Name: SpanStep, Err: 1})
	rec.SetGPU(1, &g)
	rec.Annotate(Note{Kind: NoteResize, Value: 640, Value2: 480})
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type closeFailsNot struct{ bytes.Buffer }

func (*closeFailsNot) Close() error { return nil }

func TestEveryCutOfAFileIsReadUpToItsLastWholeEvent(t *testing.T) {
	b := bytes.TrimRight(whole(t), "\n")
	frames := 0
	for n := range len(b) {
		ct, err := ReadChrome(bytes.NewReader(b[:n]))
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", n, len(b), err)
		}
		if !ct.Truncated {
			t.Fatalf("cut at %d of %d: not seen", n, len(b))
		}
		if len(ct.Frames) < frames {
			t.Fatalf("cut at %d: %d frames, shorter cuts have %d", n, len(ct.Frames), frames)
		}
		frames = len(ct.Frames)
	}
	if frames != 3 {
		t.Errorf("%d frames", frames)
	}
}

func TestCheckFindsFaults(t *testing.T) {
	good := string(whole(t))
	for _, c := range []struct{ name, old, new, want string }{
		{"no header", `"session"`, `"other"`, "no session"},
		{"a phase with another name", `"name":"draw"`, `"name":"drew"`, "unknown phase"},
		{"a phase that is too short", `"ts":6.006,"dur":4.004`, `"ts":6.006,"dur":4.003`, "the one before it ended"},
		{"a frame that is too long", `"ts":0.000,"dur":28.028`, `"ts":0.000,"dur":28.029`, "frame 0: its phases end"},
		{"a hole between frames", `"ts":28.028,"dur":28.028`, `"ts":28.030,"dur":28.026`, "no gap is noted"},
		{"frames that overlap", `"ts":28.028,"dur":28.028`, `"ts":28.020,"dur":28.036`, "before frame 0 ends"},
		{"a number twice", `"seq":2,`, `"seq":1,`, "comes after frame 1"},
		{"a missing frame", `"seq":2,`, `"seq":5,`, "are missing"},
		{"an unnamed track", `"pid":2,"tid":1,"ts"`, `"pid":2,"tid":7,"ts"`, "unnamed track"},
		{"a time below 0", `"pid":2,"tid":1,"ts":0.005`, `"pid":2,"tid":1,"ts":-3`, "lasts"},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Fatalf("%s: %s is not in the file:\n%s", c.name, c.old, good)
		}
		ct, err := ReadChrome(strings.NewReader(bad))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := ct.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestWhatIsNoTraceIsRefused(t *testing.T) {
	for _, text := range []string{
		`{"traceEvents":[]}`, `"x"`, `[1]`, `[{"ph":"X","name":"draw","pid":1,"tid":1}]`, `[{"ph":"?"}]`, `[{"ph":"X","name":"frame","pid":1,"tid":1}]`,
		`[{"ph":"C","ts":"soon"}]`, `[] []`, `[{"ph":"C"} {"ph":"C"}]`,
	} {
		if _, err := ReadChrome(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func TestTimesAreReadExactly(t *testing.T) {
	for text, want := range map[string]int64{
		"0.001": 1, "1": 1000, "16666.667": 16666667, `"2.5"`: 2500, "9007199254740.993": 9007199254740993, "-0.5": -500, "1e3": 1_000_000,
		"0.0005": 1, "123456789012345.678": 123456789012345678,
	} {
		var got chromeTime
		if err := got.UnmarshalJSON([]byte(text)); err != nil || int64(got) != want {
			t.Errorf("%s: %d ns, %v; want %d", text, got, err, want)
		}
	}
}

func FuzzReadChrome(f *testing.F) {
	f.Add(whole(f))
	f.Add([]byte(`[{"name":"frame","ph":"X","pid":1,"tid":1,"ts":1.5,"dur":2,"args":{"seq":0}},{"name":"swap","ph":"X","pid":1,"tid":1,"ts":1e3,"dur":-1}`))
	f.Add([]byte("["))
	f.Fuzz(func(t *testing.T, b []byte) {
		ct, err := ReadChrome(bytes.NewReader(b))
		if err == nil && ct == nil {
			t.Fatal("neither a trace nor an error")
		}
		if err == nil {
			_ = ct.Check()
		}
	})
}
