// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// full is a machine with something in every field of a report.
func full() *Facts {
	f := best()
	copying(f, &Failure{Op: "cuGLGetDevices", Code: 999, Name: "CUDA_ERROR_UNKNOWN", Detail: "OpenGL draws on llvmpipe"})
	software(&f.Window)
	f.Program = Program{
		Version: "v1.2.3", Commit: "0123456789ab", Go: "go1.26", OS: "linux", Arch: "amd64", Windows: "X11",
		PTX: []Module{{Name: "flow", Version: "8.0", Target: "sm_50", Compiler: "NVRTC 12.0.140"}},
	}
	f.System.Container = "Docker"
	f.System.Nodes = append(f.System.Nodes, Node{Path: "/dev/dri/card0", Access: "denied", Group: "video"})
	f.System.Environment["NVIDIA_DRIVER_CAPABILITIES"] = "compute,utility"
	f.System.GLXNVIDIA = ""
	f.CUDA.Unhidden = []string{"RTX A", "RTX B"}
	f.System.Environment["CUDA_VISIBLE_DEVICES"] = "0"
	f.CUDA.Devices[0].Watchdog = true
	f.Headless = Surface{Probe: Ending{State: Crashed, Stage: "opening OpenGL", Reason: "SIGSEGV", Output: "SIGSEGV: segmentation violation\nPC=0x0"}}
	return f
}

func TestReportsLookAsTheyDid(t *testing.T) {
	r := NewReport(*full())
	var text, object strings.Builder
	if err := errors.Join(r.Write(&text), r.WriteJSON(&object)); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", text.String())
	golden(t, "report.json", object.String())
	if first, _, _ := strings.Cut(text.String(), "\n"); !strings.Contains(first, "copied tier will be used") {
		t.Errorf("first line %q", first)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if n := len([]rune(line)); n > textWidth && !strings.Contains(line, "  auto  ") {
			t.Logf("%d wide: %s", n, line)
		}
		if line != strings.TrimRight(line, " ") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

func TestAReportCanBeReadBack(t *testing.T) {
	var b strings.Builder
	if err := NewReport(*full()).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Report
	d := json.NewDecoder(strings.NewReader(b.String()))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		t.Fatal(err)
	}
	// Who gets the file can judge the facts anew, perhaps with a newer program.
	again := NewReport(back.Facts)
	if again.Verdict != back.Verdict || len(again.Findings) != len(back.Findings) {
		t.Errorf("%+v, want %+v", again.Verdict, back.Verdict)
	}
}

func TestNoFindingsAreAnEmptyList(t *testing.T) {
	var b strings.Builder
	if err := NewReport(*best()).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"findings": [],`) {
		t.Error("null, or no list")
	}
}

// shape is what a JSON value is made of: keys and kinds, not values, which are the machine's.
func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if k == "environment" {
				out[k] = "names and values"
				continue
			}
			out[k] = shape(x)
		}
		return out
	case []any:
		if len(v) == 0 {
			return []any{}
		}
		return []any{shape(v[0])}
	case string:
		return "text"
	case float64:
		return "number"
	case bool:
		return "true or false"
	}
	return v
}

// TestARealReportHasTheGoldenFields: what a real examination writes has no field that the golden file lacks.
func TestARealReportHasTheGoldenFields(t *testing.T) {
	keys := regexp.MustCompile(`"([a-zA-Z_]+)":`)
	var b, all strings.Builder
	if err := examine(t, testLimit).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := NewReport(*full()).WriteJSON(&all); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(b.String()), &v); err != nil {
		t.Fatal(err)
	}
	real, err := json.MarshalIndent(shape(v), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	known := keys.FindAllString(all.String(), -1)
	known = append(known, `"run":`, `"context":`, `"kernels":`, `"flags":`, `"platform":`, `"device":`, `"kind":`, `"error":`, `"init":`, `"text":`, `"wrong":`, `"limit":`, `"wsl":`, `"egl_nvidia":`, `"glx_nvidia":`, `"failure":`)
	for _, k := range keys.FindAllString(string(real), -1) {
		if !slices.Contains(known, k) {
			t.Errorf("the field %s is new: put it into the golden report", k)
		}
	}
	for _, k := range []string{`"schema"`, `"verdict"`, `"findings"`, `"program"`, `"system"`, `"cuda"`, `"host"`, `"window"`, `"headless"`, `"environment"`, `"exit"`, `"summary"`} {
		if !strings.Contains(string(real), k) {
			t.Errorf("no %s", k)
		}
	}
}
