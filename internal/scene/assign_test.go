// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"particles/assets"
	"particles/sim/param"
)

func TestAssignments(t *testing.T) {
	withTestModels(t)
	s := Default()
	s.Model = "flow"
	for _, a := range []string{
		"flow.speed=2.5", "flow.octaves = 4", "flow.wrap=off", "flow.colour=age", "clock.dt=0.01", "clock.steps_per_frame=2",
		"camera.target=[1, 2, 3]", "look.background=#ff0000", "look.color_map=magma", "look.one_pixel=true", "look.color_range=[0,2]", "pacing.vsync=off",
	} {
		if err := s.Assign(a); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	want := param.Values{
		"flow.speed": {2.5}, "flow.octaves": {4}, "flow.wrap": {0}, "flow.colour": {1}, "clock.dt": {0.01}, "clock.steps_per_frame": {2},
		"camera.target": {1, 2, 3}, "look.background": {1, 0, 0}, "look.color_map": {float64(slices.Index(assets.ColorMaps(), "magma"))},
		"look.one_pixel": {1}, "look.color_range": {0, 2}, "pacing.vsync": {0},
	}
	if d := cmp.Diff(want, s.Values); d != "" {
		t.Error(d)
	}
	if err := s.Assign("flow.speed=3 m/s"); err != nil || s.Values["flow.speed"][0] != 3 {
		t.Errorf("with its unit: %v, %v", s.Values["flow.speed"], err)
	}
}

func TestBadAssignmentsSayWhatToDoAndChangeNothing(t *testing.T) {
	withTestModels(t)
	s := Default()
	s.Model = "flow"
	before := s.Clone()
	for a, want := range map[string]string{
		"flow.sped=2":            `did you mean "speed"`,
		"flow.speed=1000":        "between 0 and 100 m/s",
		"flow.speed=-1":          "between 0 and 100 m/s",
		"flow.speed=nan":         "not a number",
		"flow.speed=inf":         "between 0 and 100 m/s",
		"flow.speed=1e999":       "between 0 and 100 m/s",
		"flow.speed=fast":        "must be a number between 0 and 100 m/s",
		"flow.speed=":            "write model.key=value",
		"flow.speed":             "write model.key=value",
		"speed=2":                "write model.key=value",
		"":                       "such as flow.speed=1",
		"flow.octaves=2.5":       "must be a whole number between 1 and 6",
		"flow.octaves=7":         "between 1 and 6",
		"flow.colour=agee":       `none of "speed", "age"`,
		"emitter.rate=5":         `model is "flow"`,
		"flwo.speed=2":           `did you mean "flow"`,
		"clock.dtt=2":            `did you mean "dt"`,
		"clock.dt=0":             "between 0.000001 and 1 s",
		"clock.dt=soon":          "clock.dt: must be a number",
		"camera.target=[1,2]":    "must be 3 numbers",
		"look.background=#12":    "six hexadecimal digits",
		"flow.speed=1\nseed = 2": "must be a number between 0 and 100 m/s",
	} {
		if err := s.Assign(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", a, err, want)
		}
	}
	if !reflect.DeepEqual(s, before) {
		t.Errorf("changed to %+v", s)
	}
}
