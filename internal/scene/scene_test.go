// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"particles/assets"
	"particles/sim/param"
)

var update = flag.Bool("update", false, "rewrite the expected messages")

// withTestModels replaces the models by two with one parameter of each kind, so that messages do not change with them.
func withTestModels(t testing.TB) {
	real := models
	models = func() []param.Group {
		return []param.Group{
			{Name: "flow", Specs: []param.Spec{
				{Name: "speed", Unit: "m/s", Default: 1, Min: 0, Max: 100},
				{Name: "octaves", Kind: param.Int, Default: 3, Min: 1, Max: 6},
				{Name: "wrap", Kind: param.Bool, Default: 1},
				{Name: "colour", Kind: param.Enum, Choices: []string{"speed", "age"}},
			}},
			{Name: "emitter", Specs: []param.Spec{{Name: "rate", Unit: "1/s", Default: 1e4, Min: 0, Max: 1e7}}},
		}
	}
	t.Cleanup(func() { models = real })
}

// The messages of all bad files in testdata, as a person would see them.
func TestMessagesForBadFiles(t *testing.T) {
	withTestModels(t)
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil || len(files) < 15 {
		t.Fatalf("%v, %d files", err, len(files))
	}
	var all bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		if name == "good.toml" || name == "bom-crlf.toml" {
			continue
		}
		_, err = Parse(name, data)
		if err == nil {
			t.Errorf("%s was accepted", name)
			continue
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %T is no *Error", name, err)
		}
		all.WriteString(err.Error() + "\n\n")
	}
	const golden = "testdata/messages.golden"
	if *update {
		if err := os.WriteFile(golden, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), all.String()); d != "" {
		t.Errorf("messages changed (look at them, then -update):\n%s", d)
	}
}

func TestGoodFileIsReadWhole(t *testing.T) {
	withTestModels(t)
	data, err := os.ReadFile("testdata/good.toml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("good.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	want := Scene{
		Name: "good.toml", Title: `All "keys" 粒子`, Description: "Two\nlines.", Model: "flow", Count: 1000, Seed: -1,
		Values: param.Values{
			"clock.dt": {0.005}, "clock.scale": {2}, "clock.steps_per_frame": {3}, "clock.max_steps": {12},
			"flow.speed": {2}, "flow.octaves": {4}, "flow.wrap": {0}, "flow.colour": {1},
			"camera.yaw": {10.5}, "camera.pitch": {-5}, "camera.distance": {4}, "camera.target": {0, 1, 0.5}, "camera.fov": {50},
			"look.color_map": {float64(slices.Index(assets.ColorMaps(), "inferno"))}, "look.exposure": {-1.5}, "look.point_size": {0.01},
			"look.one_pixel": {1}, "look.opacity": {0.5}, "look.background": {10.0 / 255, 20.0 / 255, 30.0 / 255}, "look.color_range": {0, 3},
			"pacing.vsync": {0}, "pacing.frame_cap": {50}, "pacing.frames_in_flight": {3}, "pacing.stream_priority": {1},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Every parameter that there is, of the real groups, is written and read back.
func TestEveryParameterIsWrittenAndReadBack(t *testing.T) {
	for _, model := range modelNames() {
		s := Default()
		s.Name, s.Model = "x", model
		for _, g := range s.sections() {
			set := param.Must(*g)
			for i := range g.Specs {
				spec := &g.Specs[i]
				least, most := spec.Range()
				parts := make([]float64, spec.Size())
				for part := range parts {
					parts[part] = least + (most-least)*float64(part+1)/float64(len(parts)+1)
					if spec.Kind == param.Int || spec.Kind <= param.Enum && spec.Kind != param.Float {
						parts[part] = most
					}
				}
				if err := set.Put(spec.Name, parts); err != nil {
					t.Fatal(err)
				}
				s.put(g.Name, spec.Name, parts)
			}
		}
		back, err := Parse("x", s.Encode())
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Encode())
		}
		if d := cmp.Diff(s, back); d != "" {
			t.Error(d)
		}
	}
}

func TestByteOrderMarkAndCRLFAreAccepted(t *testing.T) {
	withTestModels(t)
	data, err := os.ReadFile("testdata/bom-crlf.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("bom-crlf.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	if s.Title != "saved elsewhere" || s.Count != 120 || s.Seed != 4 || s.Values["clock.dt"][0] != 0.01 || !strings.HasPrefix(s.Description, "first") {
		t.Errorf("%+v", s)
	}
	_, err = Parse("x", bytes.Replace(data, []byte("count"), []byte("coutn"), 1))
	if err == nil || !strings.HasPrefix(err.Error(), "x:4:1: ") {
		t.Errorf("%v, want line 4, column 1", err)
	}
}

func TestSeedsAreKeptBitForBit(t *testing.T) {
	withTestModels(t)
	for text, want := range map[string]int64{
		"0": 0, "-1": -1, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9007199254740993": 1<<53 + 1, "0x7fff": 0x7fff,
	} {
		s, err := Parse("x", []byte("model = \"flow\"\nseed = "+text))
		if err != nil || s.Seed != want {
			t.Errorf("%s: %d, %v", text, s.Seed, err)
		}
		back, err := Parse("x", s.Encode())
		if err != nil || back.Seed != want {
			t.Errorf("%s after a round trip: %d, %v", text, back.Seed, err)
		}
	}
}

func TestAbsentKeysGetDefaults(t *testing.T) {
	withTestModels(t)
	s, err := Parse("x", []byte(`model = "emitter"`))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Name, want.Model = "x", "emitter"
	if !reflect.DeepEqual(s, want) {
		t.Error(cmp.Diff(want, s))
	}
}

func TestHostileFilesAreRefusedByTheirLimits(t *testing.T) {
	withTestModels(t)
	for _, c := range []struct{ name, text, want string }{
		{"nested brackets", "x = " + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000), "nested more than 8 deep"},
		{"nested tables", "x = " + strings.Repeat("{a=", 200_000) + "1" + strings.Repeat("}", 200_000), "nested more than 8 deep"},
		{"a long key", strings.Repeat("k", 50_000_000) + " = 1", "may have 1048576"},
		{"a long key within the limit", "model = \"flow\"\n" + strings.Repeat("k", 1_000_000) + " = 1", `unknown key "kkkk`},
		{"a dotted key", strings.Repeat("a.", 500_000) + "a = 1", "more than 8 parts"},
		{"a dotted table", "[" + strings.Repeat("a.", 500_000) + "a]", "more than 8 parts"},
		{"many tables", strings.Repeat("[[spawn]]\ncount = 1\n", 50_000), "more than 1000 keys"},
		{"many keys in a table", "x = {" + strings.Repeat("a=1,", 100_000) + "b=1}", "more than 1000 keys"},
		{"a bracket in a comment and in text", "model = \"flow\" # " + strings.Repeat("[", 99) + "\ntitle = \"" + strings.Repeat("[", 99) + "\"", ""},
	} {
		begun := time.Now()
		_, err := Parse("x", []byte(c.text))
		t.Logf("%s: %v", c.name, time.Since(begun))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		case err != nil && len(err.Error()) > 2000:
			t.Errorf("%s: the message has %d bytes", c.name, len(err.Error()))
		}
	}
}

func TestManyProblemsAreCutShort(t *testing.T) {
	withTestModels(t)
	var b strings.Builder
	b.WriteString("model = \"flow\"\n")
	for i := range 50 {
		b.WriteString(strings.Repeat("z", i+1) + " = 1\n")
	}
	_, err := Parse("x", []byte(b.String()))
	if err == nil || strings.Count(err.Error(), "\n") != shown || !strings.HasSuffix(err.Error(), "and 30 more") {
		t.Errorf("%v", err)
	}
}

func FuzzParse(f *testing.F) {
	withTestModels(f)
	files, _ := filepath.Glob("testdata/*.toml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("model = \"flow\"\nclock = {dt = 0.1}\ncamera.yaw = 3\n[flow]\n'speed' = 0x10\n\"octaves\" = 1_0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("x", data)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		back, err := Parse("x", s.Encode())
		if err != nil {
			t.Fatalf("not read back: %v\n%s", err, s.Encode())
		}
		if !reflect.DeepEqual(s, back) {
			t.Fatalf("changed by a round trip: %s", cmp.Diff(s, back))
		}
	})
}

func TestWholeNumbersMayBeWrittenAsReals(t *testing.T) {
	s, err := Parse("x", []byte("model = \"flow\"\ncount = 1e5\n[clock]\nsteps_per_frame = 2.0\n[flow]\noctaves = 3.0\n"))
	if err != nil || s.Count != 100_000 || s.Values["clock.steps_per_frame"][0] != 2 || s.Values["flow.octaves"][0] != 3 {
		t.Errorf("%v: %+v", err, s)
	}
	for _, n := range []string{"2.5", "inf", "-inf", "nan", "1e300", "-1.0"} {
		for _, line := range []string{"count = ", "clock.steps_per_frame = ", "flow.octaves = "} {
			if s, err := Parse("x", []byte("model = \"flow\"\n"+line+n+"\n")); err == nil {
				t.Errorf("%s%s was taken: %+v", line, n, s)
			}
		}
	}
}
