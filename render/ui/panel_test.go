// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/look"
	"particles/sim/param"
	"particles/trace"
)

func lastParam(t *testing.T, c *Commands, key string) float64 {
	t.Helper()
	for i := len(c.SetParams) - 1; i >= 0; i-- {
		p := c.SetParams[i]
		if spec := &p.Set.Specs()[p.Index]; spec.Name == key {
			if p.Reset {
				return spec.DefaultAt(p.Part)
			}
			return p.Value
		}
	}
	t.Fatalf("no command for %q in %+v", key, c.SetParams)
	return 0
}

func TestDraggingASliderSetsTheParameter(t *testing.T) {
	r := newRig(t, Options{})
	w := *r.find("param/speed")
	y := w.Y + w.H/2
	r.move(w.X+w.W*0.24, y)
	r.button(0, true, 0)
	r.apply(r.step())
	for k := range 5 {
		r.u.platform.push(input{kind: inMove, x: w.X + w.W*(0.24+0.1*float32(k+1)), y: y})
		r.apply(r.step())
		if !r.u.State().Find("param/speed").Active {
			t.Fatal("slider is not active while it is dragged")
		}
	}
	r.button(0, false, 0)
	r.apply(r.step())
	// 0.74 of a range of 5 in steps of 0.01; ImGui leaves a grab's half width and 2 pixels at the ends.
	if got := r.m.Params.At(0); math.Abs(got-3.7) > 0.1 {
		t.Errorf("dragged to 0.74 of 0..5: got %v, want about 3.7", got)
	}
	if got := r.m.Params.At(0); math.Abs(got*100-math.Round(got*100)) > 1e-9 {
		t.Errorf("%v is not on a step of 0.01", got)
	}
	n := len(r.cmds.SetParams)
	r.apply(r.step())
	r.step()
	if len(r.cmds.SetParams) != n {
		t.Error("commands go on after the button is up")
	}
	if got := r.u.State().Find("param/speed").Value; got != r.m.Params.At(0) {
		t.Errorf("state file says %v, model %v", got, r.m.Params.At(0))
	}
}

func TestLogSliderReachesBothEndsAndTheMiddle(t *testing.T) {
	r := newRig(t, Options{})
	w := *r.find("param/scale") // 0.01 to 10
	for _, c := range []struct{ share, want, tol float64 }{{-0.5, 0.01, 0}, {1.5, 10, 0}, {0.5, math.Sqrt(0.1), 0.01}} {
		r.move(w.X+w.W*0.4, w.Y+w.H/2)
		r.button(0, true, 0)
		r.apply(r.step())
		r.move(w.X+w.W*float32(c.share), w.Y+w.H/2)
		r.apply(r.step())
		r.button(0, false, 0)
		r.apply(r.step())
		if got := lastParam(t, &r.cmds, "scale"); math.Abs(got-c.want) > c.tol {
			t.Errorf("at %v of the slider: %v, want %v", c.share, got, c.want)
		}
	}
}

func TestRightClickGivesTheDefaultBack(t *testing.T) {
	r := newRig(t, Options{})
	r.click("param/speed", 1, 0)
	if got := lastParam(t, &r.cmds, "speed"); got != 1 {
		t.Errorf("right click on a slider gives %v, want the default 1", got)
	}
	r.click("param/shape", 1, 0)
	if got := lastParam(t, &r.cmds, "shape"); got != 0 {
		t.Errorf("right click on a choice gives %v, want the default 0", got)
	}
	r.forget()
	r.click("param/scale", 1, 0) // is the default already
	if len(r.cmds.SetParams) != 0 {
		t.Errorf("right click on an unchanged value asks for %+v", r.cmds.SetParams)
	}
}

func TestTypedValuesAreClamped(t *testing.T) {
	r := newRig(t, Options{})
	for _, c := range []struct {
		text string
		want float64
		said bool
	}{{"-1", 0, true}, {"6", 5, true}, {"1e9", 5, true}, {"99999999999", 5, true}, {"2.5", 2.5, false}, {"0,5", 0.5, false}, {"3 m/s", 3, false}} {
		r.forget()
		r.u.own = nil
		r.typeInto("param/speed", c.text)
		if got := lastParam(t, &r.cmds, "speed"); got != c.want {
			t.Errorf("typed %q: got %v, want %v", c.text, got, c.want)
		}
		if said := len(r.u.own) > 0; said != c.said {
			t.Errorf("typed %q: message %v, want %v", c.text, said, c.said)
		}
	}
	for _, text := range []string{"-1", "0", "1000000000"} {
		r.forget()
		r.typeInto("count", text)
		if got := r.cmds.SetCount.Value; !r.cmds.SetCount.Set || got < 1000 || got > 50_000_000 {
			t.Errorf("typed count %q: %v, outside 1000..50000000", text, got)
		}
	}
}

func TestRefusedTextChangesNothingAndSaysSo(t *testing.T) {
	r := newRig(t, Options{})
	for _, text := range []string{"abc", "nan", "inf", "1,000", "1.2.3", "0x10", ""} {
		r.forget()
		r.u.own = nil
		if text == "" {
			r.click("param/speed", 0, modCtrl)
			r.key(keyBackspace, 0)
			r.key(keyEnter, 0)
		} else {
			r.typeInto("param/speed", text)
		}
		if len(r.cmds.SetParams) != 0 {
			t.Errorf("typed %q: asks for %+v", text, r.cmds.SetParams)
		}
		if len(r.u.own) != 1 {
			t.Errorf("typed %q: %d messages, want 1", text, len(r.u.own))
		}
	}
}

func TestHalfTypedNumbersTakeNoEffect(t *testing.T) {
	r := newRig(t, Options{})
	r.click("count", 0, modCtrl)
	r.typeText("50000")
	if r.cmds.SetCount.Set {
		t.Fatalf("while typing 50000: count %d", r.cmds.SetCount.Value)
	}
	if !r.u.WantKeyboard() {
		t.Error("a text field is open and does not want the keyboard")
	}
	r.key(keySpace, 0)
	r.key(keyH, 0)
	if r.cmds.TogglePause || r.cmds.Hide {
		t.Error("keys typed into a field are taken as shortcuts")
	}
	r.key(keyEnter, 0)
	if r.cmds.SetCount.Value != 50000 {
		t.Errorf("count %d, want 50000", r.cmds.SetCount.Value)
	}
	r.forget()
	r.click("count", 0, modCtrl)
	r.typeText("7")
	r.key(keyEscape, 0)
	if r.cmds.SetCount.Set || r.u.edit.key != "" {
		t.Errorf("Escape: command %v, field %q", r.cmds.SetCount, r.u.edit.key)
	}
}

func TestEqualLimitsShowADisabledControl(t *testing.T) {
	r := newRig(t, Options{})
	r.m.Count.Min, r.m.Count.Max = 1000000, 1000000
	r.m.Params.Specs()[4].Choices = []string{"Point", "Disc"}[:1]
	r.m.Params.Reset(4)
	for _, key := range []string{"param/only", "count", "param/shape"} {
		r.click(key, 0, 0)
		r.click(key, 0, modCtrl)
		r.click(key, 1, 0)
		if w := r.u.State().Find(key); !w.Disabled || w.Active {
			t.Errorf("%s: disabled %v, active %v", key, w.Disabled, w.Active)
		}
	}
	if r.cmds.SetCount.Set || len(r.cmds.SetParams) > 0 {
		t.Errorf("a control with one value gives commands: %+v %+v", r.cmds.SetCount, r.cmds.SetParams)
	}
}

func TestNonFiniteModelValuesAreShownNotSpread(t *testing.T) {
	r := newRig(t, Options{})
	nan := math.NaN()
	r.m.Clock.Time, r.m.Clock.Speed = nan, nan
	r.m.Stats = trace.Stats{Frames: 5, Median: nan, P99: math.Inf(1), FPS: nan}
	r.m.Scalar.Min, r.m.Scalar.Max = nan, math.Inf(1)
	r.m.Look.SetAuto(look.ColorRange, "", nan, nan)
	r.m.Look.SetAuto(look.PointSize, "", math.Inf(1))
	r.u.layout.open = [numSections]bool{true, true, true, true, true, true, true}
	r.steps(5)
	if len(r.logs) != 0 {
		t.Errorf("logged %q", r.logs)
	}
	if len(r.cmds.SetParams) != 0 {
		t.Errorf("commands from NaN: %+v", r.cmds.SetParams)
	}
}

func TestSectionsOpenAndClose(t *testing.T) {
	r := newRig(t, Options{})
	r.click("section/Parameters", 0, 0)
	if r.u.State().Find("param/speed") != nil {
		t.Error("parameters are built in a closed section")
	}
	r.click("section/Parameters", 0, 0)
	if r.u.State().Find("param/speed") == nil {
		t.Error("parameters are missing in an open section")
	}
	if r.u.State().Find("param/eps") != nil {
		t.Error("expert parameter shown at first")
	}
	r.click("section/Expert", 0, 0)
	if r.u.State().Find("param/eps") == nil {
		t.Error("expert parameter missing after a click on Expert")
	}
}

func TestPickingChoices(t *testing.T) {
	r := newRig(t, Options{})
	r.click("scene", 0, 0)
	r.clickOpen("scene/2")
	if c := r.cmds.SelectScene; !c.Set || c.Value != 2 {
		t.Errorf("scene: %+v, want 2", c)
	}
	r.click("param/shape", 0, 0)
	r.clickOpen("param/shape/2")
	if got := lastParam(t, &r.cmds, "shape"); got != 2 {
		t.Errorf("shape: %v, want 2", got)
	}
	r.click("param/wrap", 0, 0)
	if got := lastParam(t, &r.cmds, "wrap"); got != 0 {
		t.Errorf("check box: %v, want 0", got)
	}
	r.find("pacing/frames_in_flight/2")
	r.clickOpen("pacing/frames_in_flight/2")
	if got := lastParam(t, &r.cmds, "frames_in_flight"); got != 3 {
		t.Errorf("frames in flight: %v, want 3", got)
	}
}

// clickOpen clicks a widget that is in view already, without scrolling.
func (r *rig) clickOpen(key string) {
	r.t.Helper()
	w := r.u.State().Find(key)
	if w == nil {
		r.t.Fatalf("no %q to click", key)
	}
	r.move(w.X+w.W/2, w.Y+w.H/2)
	r.step()
	r.button(0, true, 0)
	r.button(0, false, 0)
	r.steps(4)
}

func TestTypedValuesAreExactAndStayWithinWhatTheMachineCan(t *testing.T) {
	r := newRig(t, Options{})
	r.typeInto("pacing/stream_priority", "7")
	if got := lastParam(t, &r.cmds, "stream_priority"); got != 5 {
		t.Errorf("7 of at most 5: %v", got)
	}
	r.typeInto("param/speed", "1.2345") // the step is for dragging
	if got := lastParam(t, &r.cmds, "speed"); got != 1.2345 {
		t.Errorf("typed 1.2345: %v", got)
	}
	r.typeInto("clock/dt", "0.5") // shown in ms, beyond both ends of the slider
	if got := lastParam(t, &r.cmds, "dt"); got != 0.0005 {
		t.Errorf("typed 0.5 ms: %v s", got)
	}
	r.typeInto("clock/dt", "500")
	if got := lastParam(t, &r.cmds, "dt"); got != 0.5 {
		t.Errorf("typed 500 ms: %v s", got)
	}
}

func TestTheLegendFollowsWhatIsDrawn(t *testing.T) {
	r := newRig(t, Options{})
	r.u.layout.open = [numSections]bool{secLook: true}
	r.steps(2)
	if w := r.u.State().Find("look/legend"); w == nil || w.Text != "speed, m/s" || w.Value != 2.5 {
		t.Fatalf("%+v", w)
	}
	r.m.Scalar = param.Quantity{Name: "age", Unit: "s", Max: 4}
	r.m.Look.SetAuto(look.ColorRange, "s", 0, 4)
	r.step()
	if w := r.u.State().Find("look/legend"); w.Text != "age, s" || w.Value != 4 {
		t.Errorf("%+v", w)
	}
	if w := r.u.State().Find("look/color_range/1"); w == nil || w.Text != "auto 4 s" {
		t.Errorf("%+v", w)
	}
}

func TestEveryKindHasItsControl(t *testing.T) {
	r := newRig(t, Options{})
	r.u.layout.open, r.u.layout.expert = [numSections]bool{secParams: true}, true
	r.steps(2)
	r.typeInto("param/wind/2", "-2.5")
	if p := r.cmds.SetParams[len(r.cmds.SetParams)-1]; p.Part != 2 || p.Value != -2.5 {
		t.Errorf("%+v", p)
	}
	w := *r.find("param/pull/6") // row 2, column 3
	r.move(w.X+w.W/2, w.Y+w.H/2)
	r.button(0, true, 0)
	r.apply(r.step())
	for k := range 5 {
		r.u.platform.push(input{kind: inMove, x: w.X + w.W/2, y: w.Y + w.H/2 - 10*float32(k+1)})
		r.apply(r.step())
	}
	r.button(0, false, 0)
	r.apply(r.step())
	if i, _ := r.m.Params.Index("pull"); math.Abs(r.m.Params.Parts(i)[6]-0.5) > 0.02 {
		t.Errorf("dragged 50 of 200 pixels up: %v, want 0.5", r.m.Params.Parts(i))
	}
	if r.find("param/tint").Kind != "color" {
		t.Error("no colour control")
	}
	r.save("kinds.png")
}

func TestKeysGiveCommands(t *testing.T) {
	r := newRig(t, Options{})
	for _, c := range []struct {
		key  int
		mods mods
		hit  func() bool
	}{
		{keySpace, 0, func() bool { return r.cmds.TogglePause }},
		{keyN, 0, func() bool { return r.cmds.SingleStep }},
		{keyPeriod, 0, func() bool { return r.cmds.SingleStep }},
		{keyR, 0, func() bool { return r.cmds.Reset }},
		{keyT, 0, func() bool { return r.cmds.ToggleRecord }},
		{keyF, 0, func() bool { return r.cmds.FrameScene }},
		{keyH, 0, func() bool { return r.cmds.Hide }},
		{keyF11, 0, func() bool { return r.cmds.FullScreen }},
		{keyF12, 0, func() bool { return r.cmds.Screenshot }},
		{keyQ, modCtrl, func() bool { return r.cmds.Quit }},
	} {
		r.forget()
		r.key(c.key, c.mods)
		if !c.hit() {
			t.Errorf("key %d gives no command", c.key)
		}
	}
	r.forget()
	r.key(keyH, modCtrl)
	r.key(keyQ, 0)
	if r.cmds.Hide || r.cmds.Quit {
		t.Error("modifiers are not looked at")
	}
	r.u.platform.push(input{kind: inKey, code: keySpace, down: true, repeat: true})
	r.steps(2)
	if r.cmds.TogglePause {
		t.Error("holding Space pauses again and again")
	}
	r.key(keyF1, 0)
	if r.u.State().Find("help") == nil {
		t.Error("F1 shows no help")
	}
	r.key(keyEscape, 0)
	if r.u.State().Find("help") != nil {
		t.Error("Escape does not close the help")
	}
	r.clickOpen("head/help")
	if r.u.State().Find("help") == nil {
		t.Error("a click on the hint shows no help")
	}
	r.clickOpen("clock/pause")
	if r.u.State().Find("help") != nil {
		t.Error("a click elsewhere does not close the help")
	}
}

func TestHiddenDrawsNothingAndKeysStillWork(t *testing.T) {
	r := newRig(t, Options{})
	r.m.Hidden = true
	r.steps(2)
	img := r.picture()
	for i, v := range img.Pix {
		if v != img.Pix[i%4] {
			t.Fatal("something is drawn while hidden")
		}
	}
	if r.u.WantMouse() || len(r.u.State().Widgets) != 0 || !r.u.State().Hidden {
		t.Errorf("hidden: wants mouse %v, %d widgets", r.u.WantMouse(), len(r.u.State().Widgets))
	}
	r.key(keyH, 0)
	if !r.cmds.Hide {
		t.Error("H does not bring the panel back")
	}
	r.m.Toasts = []Toast{{Text: "an aside"}}
	r.step()
	if r.u.State().Find("toast") != nil {
		t.Error("a message of no weight is shown while hidden")
	}
	r.m.Toasts[0].Level = Failure
	r.step()
	if r.u.State().Find("toast") == nil || r.u.State().Find("count") != nil {
		t.Error("a failure is not shown while hidden, or the panel is")
	}
	r.m.Hidden = false
	r.step()
	if r.u.State().Find("count") == nil {
		t.Error("the panel does not come back")
	}
}

func TestThePlotTakesAnyNumberOfSamples(t *testing.T) {
	r := newRig(t, Options{})
	r.find("plot/cpu")
	for _, n := range []int{0, 1, PlotFrames + 60} {
		r.m.Samples = samples(n)
		r.steps(2)
		if len(r.u.plot.samples) != min(n, PlotFrames) {
			t.Errorf("%d of %d samples are shown", len(r.u.plot.samples), n)
		}
	}
	late := samples(3)
	late[2].GPU[0] = trace.Unknown
	r.m.Samples = late
	r.steps(2)
	r.m.NoGPU = "software renderer"
	r.steps(2)
	if r.u.State().Find("plot/gpu") != nil {
		t.Error("GPU strip shown without GPU times")
	}
	if len(r.logs) != 0 {
		t.Errorf("logged %q", r.logs)
	}
}

func TestAnAssertionCostsOneFrame(t *testing.T) {
	r := newRig(t, Options{})
	before := r.u.layout.open
	r.u.inject = func(*UI) {
		imgui.PopStyleColor()
		imgui.EndChild()
		imgui.EndChild()
		imgui.EndChild()
		imgui.PopFont()
	}
	r.step()
	if !r.u.rebuild {
		t.Fatal("no assertion came")
	}
	r.u.inject = nil
	r.steps(3)
	if r.u.State().Find("count") == nil || r.u.layout.open != before {
		t.Error("the panel did not come back as it was")
	}
	for range 5 {
		r.u.inject = func(*UI) { panic("a fault of ours") }
		r.step()
		r.u.inject = nil
		r.steps(2)
	}
	if len(r.logs) != 1 {
		t.Errorf("%d lines logged, want 1: %q", len(r.logs), r.logs)
	}
	if r.u.State().Find("count") == nil {
		t.Error("the panel did not come back")
	}
}

func TestNothingIsWrittenToTheWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	r := newRig(t, Options{})
	r.u.SetScale(1.5)
	r.steps(400) // ImGui saves settings every five seconds
	r.u.Close()
	files, err := os.ReadDir(".")
	if err != nil || len(files) != 0 {
		t.Errorf("files %v, error %v", files, err)
	}
}

func TestKeysAreReleasedWhenFocusGoes(t *testing.T) {
	r := newRig(t, Options{})
	w := *r.find("param/speed")
	r.move(w.X+w.W/2, w.Y+w.H/2)
	r.button(0, true, 0)
	r.u.platform.push(input{kind: inKey, code: 87, down: true})
	r.u.platform.push(input{kind: inKey, code: keyLeftControl, down: true})
	r.steps(4)
	r.u.platform.push(input{kind: inFocus})
	r.steps(3)
	if r.u.io.KeyCtrlPressed() || r.u.platform.keys[87] || r.u.platform.buttons[0] {
		t.Error("still held after the focus has gone")
	}
	if r.u.State().Find("param/speed").Active {
		t.Error("slider still follows the mouse")
	}
	for _, code := range []int{-1, 512, 1 << 30} {
		r.u.platform.push(input{kind: inKey, code: code, down: true})
		r.u.platform.push(input{kind: inButton, code: code, down: true})
	}
	r.steps(2)
}

func TestMessagesAreShownAndGo(t *testing.T) {
	r := newRig(t, Options{})
	r.m.Toasts = []Toast{{Text: strings.Repeat("a long message ", 40), Level: Failure}}
	r.u.say(Info, "own")
	r.steps(3)
	n := 0
	for _, w := range r.u.State().Widgets {
		if w.Kind == "text" && w.Key == "toast" {
			n++
			if w.X < r.u.layout.pos.X+r.u.layout.dim.X || w.X+w.W > 1280 {
				t.Errorf("message from %v to %v lies over the panel or outside", w.X, w.X+w.W)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
	r.m.Toasts = nil
	r.steps(60 * (noticeLife + 1))
	if r.u.State().Find("toast") != nil {
		t.Error("a message stays for ever")
	}
}

func TestBehindLineMovesNothing(t *testing.T) {
	r := newRig(t, Options{})
	for _, w := range []int{1280, 300} {
		r.resize(w, 720)
		r.m.Clock.Behind = false
		r.steps(2)
		before := *r.find("clock/dt")
		r.m.Clock.Behind = true
		r.steps(2)
		line := r.u.State().Find("clock/behind")
		if got := *r.find("clock/dt"); got.Y != before.Y || line == nil || line.Y+line.H > got.Y {
			t.Errorf("time step at %v, before %v; line %+v", got.Y, before.Y, line)
		}
	}
}
