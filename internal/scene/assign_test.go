// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"reflect"
	"strings"
	"testing"
)

func TestAssignments(t *testing.T) {
	withTestModels(t)
	s := Default()
	s.Model = "flow"
	for _, a := range []string{
		"flow.speed=2.5", "flow.octaves = 4", "flow.wrap=off", "flow.colour=age", "clock.dt=0.01", "clock.steps_per_frame=2",
		"camera.target=[1, 2, 3]", "look.background=#ff0000", "look.color_map=magma", "look.one_pixel=true", "look.color_range=[0,2]",
	} {
		if err := s.Assign(a); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	if want := map[string]float64{"speed": 2.5, "octaves": 4, "wrap": 0, "colour": 1}; !reflect.DeepEqual(s.Params, want) {
		t.Errorf("parameters %v, want %v", s.Params, want)
	}
	if s.Clock.Dt != 0.01 || s.Clock.StepsPerFrame != 2 || s.Camera.Target != [3]float64{1, 2, 3} || s.Look.Background != [3]float64{1, 0, 0} ||
		s.Look.ColorMap != "magma" || !s.Look.OnePixel || s.Look.ColorRange != [2]float64{0, 2} {
		t.Errorf("%+v", s)
	}
	if err := s.Assign("flow.speed=3 m/s"); err != nil || s.Params["speed"] != 3 {
		t.Errorf("with its unit: %v, %v", s.Params["speed"], err)
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
		"flow.speed=fast":        "range 0 to 100 m/s",
		"flow.speed=":            "write model.key=value",
		"flow.speed":             "write model.key=value",
		"speed=2":                "write model.key=value",
		"":                       "such as flow.speed=1",
		"flow.octaves=2.5":       "not a whole number",
		"flow.octaves=7":         "between 1 and 6",
		"flow.colour=agee":       "none of speed, age",
		"emitter.rate=5":         `model is "flow"`,
		"flwo.speed=2":           `did you mean "flow"`,
		"clock.dtt=2":            `did you mean "dt"`,
		"clock.dt=0":             "between 0.000001 and 1 s",
		"clock.dt=soon":          "clock.dt must be a number",
		"camera.target=[1,2]":    "three numbers",
		"look.background=#12":    "six hexadecimal digits",
		"flow.speed=1\nseed = 2": "range 0 to 100",
	} {
		if err := s.Assign(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", a, err, want)
		}
	}
	if !reflect.DeepEqual(s, before) {
		t.Errorf("changed to %+v", s)
	}
}
