// SPDX-License-Identifier: Apache-2.0

package ui

import "testing"

// apart fails when two controls overlap or one sticks out of the panel.
func apart(t *testing.T, r *rig) {
	t.Helper()
	s := r.u.State()
	for i, a := range s.Widgets {
		if a.Kind == "text" || a.Kind == "choice" {
			continue
		}
		if a.X < s.Panel[0] || a.X+a.W > s.Panel[0]+s.Panel[2] || a.W < 8 || a.H < 8 {
			t.Errorf("scale %v: %s at %v..%v, %v x %v, panel %v", s.Scale, a.Key, a.X, a.X+a.W, a.W, a.H, s.Panel)
		}
		for _, b := range s.Widgets[:i] {
			if b.Kind == "text" || b.Kind == "choice" || b.Key == "head/help" {
				continue
			}
			if a.X+0.5 < b.X+b.W && b.X+0.5 < a.X+a.W && a.Y+0.5 < b.Y+b.H && b.Y+0.5 < a.Y+a.H && a.Visible && b.Visible &&
				head(a.Key) == head(b.Key) {
				t.Errorf("scale %v: %s %v and %s %v overlap", s.Scale, a.Key, a, b.Key, b)
			}
		}
	}
}

// head tells the fixed part from the part that scrolls below it.
func head(key string) bool {
	switch key {
	case "head/help", "clock/pause", "clock/step", "clock/reset", "record/toggle":
		return true
	}
	return false
}

func TestControlsDoNotOverlapAtAnyScale(t *testing.T) {
	r := newRig(t, Options{})
	r.u.layout.open = [numSections]bool{true, true, true, true, true, true, true}
	r.u.layout.expert = true
	for _, s := range []float32{0.75, 1, 1.25, 1.5, 2, 3} {
		r.u.SetScale(s)
		r.resize(int(1280*s), int(720*s))
		for _, key := range []string{"scene", "param/eps", "pacing/stream_priority", "plot/gpu", "look/shot", "window/hide"} {
			r.find(key)
			apart(t, r)
		}
	}
}

// TestPictures goes through what there is to see; with UI_PICTURES=folder it leaves pictures to look at.
func TestPictures(t *testing.T) {
	r := newRig(t, Options{})
	r.steps(20)
	r.save("scale1.png")
	r.over("param/angle", 0.6)
	r.steps(40)
	r.save("tip.png")
	r.find("plot/gpu")
	r.over("plot/cpu", 0.8)
	r.steps(3)
	r.save("plot.png")
	r.u.layout.open = [numSections]bool{secLook: true, secRecord: true, secDevice: true}
	r.m.Record = Record{On: true, Elapsed: 75, Bytes: 1_250_000, Path: "trace-2026-12-01-182700.json"}
	r.steps(5)
	r.m.Toasts = []Toast{{Text: "Picture saved as particles-0001.png"}}
	r.u.say(Warning, "Speed: 99 is out of range, 5 m/s taken")
	r.over("look/color_map", 0.5)
	r.click("look/color_map", 0, 0)
	r.steps(5)
	r.save("look.png")
	r.key(keyEscape, 0)
	r.key(keyF1, 0)
	r.save("help.png")
	r.key(keyF1, 0)
	r.u.SetScale(1.5)
	r.resize(800, 600)
	r.steps(30)
	r.save("small.png")
	r.u.layout.open = [numSections]bool{true, true, true, true}
	r.u.SetScale(2)
	r.m.Device.Reason, r.m.Device.Driver, r.m.Device.Name, r.m.Device.Tier = "", "cuda", "NVIDIA H200", "shared"
	r.m.Notes = nil
	r.m.Record.On = false
	r.resize(2560, 1440)
	r.steps(60)
	r.find("plot/gpu")
	r.save("scale2.png")
	apart(t, r)
	if len(r.logs) != 0 {
		t.Errorf("logged %q", r.logs)
	}
}
