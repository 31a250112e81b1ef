// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"image"
	"math"
	"runtime"
	"testing"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/gl"
	"particles/render/window"
	"particles/trace"
)

// luminance is the relative luminance of WCAG 2.1.
func luminance(c color) float64 {
	lin := func(v float32) float64 {
		if x := float64(v); x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 12.92
	}
	return 0.2126*lin(c.X) + 0.7152*lin(c.Y) + 0.0722*lin(c.Z)
}

func contrast(a, b color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextIsLegible(t *testing.T) {
	for name, c := range map[string]color{"text": colText, "dim": colDim, "changed": colChanged, "good": colGood, "amber": colAmber, "red": colRed, "accent": colAccent} {
		for ground, g := range map[string]color{"panel": colPanel, "popup": colPopup, "header": colHeader} {
			if r := contrast(c, g); r < 4.5 {
				t.Errorf("%s on %s: contrast %.2f, want 4.5 (WCAG 2.1, 1.4.3)", name, ground, r)
			}
		}
	}
	if r := contrast(colText, colFill); r < 4.5 {
		t.Errorf("text on a slider's fill: contrast %.2f", r)
	}
}

func TestFontsHaveWhatThePanelShowsAndDigitsOfOneWidth(t *testing.T) {
	r := newRig(t, Options{Scale: 1.25})
	for _, c := range "Az09éßŁµ×°·–…●■△σαЖя→−√≈≤\u202f" {
		for name, f := range map[string]imgui.Font{"body": r.u.fonts.body, "small": r.u.fonts.small} {
			if g := f.FindGlyph(c); g.Codepoint() != int(c) {
				t.Errorf("%s has no %q", name, c)
			}
		}
	}
	for name, f := range map[string]imgui.Font{"body": r.u.fonts.body, "small": r.u.fonts.small, "bold": r.u.fonts.bold, "big": r.u.fonts.big} {
		if f.FindGlyph('W').Codepoint() != 'W' {
			t.Errorf("%s has no letters", name)
		}
		want := f.FindGlyph('0').AdvanceX()
		for c := '1'; c <= '9'; c++ {
			if got := f.FindGlyph(c).AdvanceX(); got != want {
				t.Errorf("%s: %c is %v wide, 0 is %v: changing numbers jitter", name, c, got, want)
			}
		}
	}
}

func TestThePanelIsDrawnWhereItIs(t *testing.T) {
	r := newRig(t, Options{})
	r.steps(3)
	img := r.picture()
	p := r.u.State().Panel
	ground := img.NRGBAAt(1200, 300)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			inside := float32(x) >= p[0] && float32(x) < p[0]+p[2] && float32(y) >= p[1] && float32(y) < p[1]+p[3]
			if !inside && img.NRGBAAt(x, y) != ground {
				t.Fatalf("something is drawn at %d,%d outside the panel %v", x, y, p)
			}
		}
	}
	for _, key := range []string{"param/speed", "clock/pause", "section/Scene", "count"} {
		w := r.u.State().Find(key)
		if n := bright(img, w); n < 12 {
			t.Errorf("%s: %d bright pixels; its text is missing", key, n)
		}
	}
}

// bright counts the pixels of text within a widget.
func bright(img *image.NRGBA, w *Widget) (n int) {
	for y := int(w.Y); y < int(w.Y+w.H); y++ {
		for x := int(w.X); x < int(w.X+w.W); x++ {
			if c := img.NRGBAAt(x, y); c.R > 150 && c.G > 150 && c.B > 150 {
				n++
			}
		}
	}
	return n
}

func TestThePlotShowsTheFrames(t *testing.T) {
	r := newRig(t, Options{})
	r.m.Samples = r.m.Samples[:0]
	for i := range PlotFrames {
		r.m.Samples = append(r.m.Samples, sample(uint64(i), [trace.NumPhases]float64{trace.Draw: 5, trace.Swap: 10}, [trace.NumGPUParts]float64{}))
	}
	r.m.Stats.P99 = 0
	r.steps(120) // let the scale settle
	r.find("plot/cpu")
	r.steps(2)
	w := *r.u.State().Find("plot/cpu")
	r.move(1000, 300)
	r.steps(2)
	img := r.picture()
	top := r.u.plot.scales[stripCPU].top
	if top != 25 {
		t.Fatalf("top %v ms, want 25 for frames of 15", top)
	}
	at := func(ms float32) color {
		c := img.NRGBAAt(int(w.X+w.W*0.7), int(w.Y+w.H*(1-ms/top)))
		return color{X: float32(c.R) / 255, Y: float32(c.G) / 255, Z: float32(c.B) / 255, W: 1}
	}
	for _, c := range []struct {
		ms   float32
		want color
	}{{2.5, phaseColors[trace.Draw]}, {10, phaseColors[trace.Swap]}, {20, rgb(0x111419)}} {
		got := at(c.ms)
		if math.Abs(float64(got.X-c.want.X))+math.Abs(float64(got.Y-c.want.Y))+math.Abs(float64(got.Z-c.want.Z)) > 0.03 {
			t.Errorf("at %v ms: %v, want %v", c.ms, got, c.want)
		}
	}
}

func TestScissorStaysInTheFramebuffer(t *testing.T) {
	for _, c := range []struct {
		clip       imgui.Vec4
		x, y, w, h int
	}{
		{imgui.Vec4{X: 10, Y: 20, Z: 110, W: 220}, 10, 380, 100, 200},
		{imgui.Vec4{X: -50, Y: -20, Z: 9000, W: 9000}, 0, 0, 800, 600},
	} {
		if x, y, w, h := scissor(c.clip, 1, 1, 800, 600); x != c.x || y != c.y || w != c.w || h != c.h {
			t.Errorf("%v: %d %d %d %d, want %+v", c.clip, x, y, w, h, c)
		}
	}
	if _, _, w, _ := scissor(imgui.Vec4{X: 900, Y: 0, Z: 950, W: 10}, 1, 1, 800, 600); w > 0 {
		t.Errorf("outside to the right: width %d", w)
	}
	if x, y, w, h := scissor(imgui.Vec4{X: 10, Y: 20, Z: 110, W: 220}, 2, 2, 1600, 1200); x != 20 || y != 760 || w != 200 || h != 400 {
		t.Errorf("framebuffer of twice the window: %d %d %d %d", x, y, w, h)
	}
}

func TestDrawingLeavesNoGLError(t *testing.T) {
	r := newRig(t, Options{})
	var messages []gl.Message
	gl.Debug(func(m gl.Message) { messages = append(messages, m) })
	defer gl.Debug(nil)
	for _, s := range [][2]int{{640, 480}, {0, 0}, {1, 1}, {1920, 1080}, {1280, 720}} {
		r.resize(s[0], s[1])
		if s[0] > 0 {
			r.draw()
		}
	}
	r.u.SetScale(1.25)
	r.steps(2)
	r.draw()
	if e := gl.GetError(); e != gl.NoError {
		t.Errorf("error %#x", e)
	}
	for _, m := range messages {
		t.Errorf("debug message: %+v", m)
	}
}

func TestTheFramesGarbageIsBounded(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector changes what is allocated")
	}
	r := newRig(t, Options{})
	r.u.state.on = false
	frame := func() { r.u.Frame(1./60, r.size, r.m); r.u.DrawTo(r.fbo) }
	for range 30 {
		frame()
	}
	for name, open := range map[string][numSections]bool{
		"as a first run shows it": defaultLayout().open, "all sections open": {true, true, true, true, true, true, true},
	} {
		r.u.layout.open = open
		frame()
		allocs, bytes := testing.AllocsPerRun(50, frame), bytesPerRun(50, frame)
		t.Logf("%s: %.0f allocations, %.0f bytes a frame", name, allocs, bytes)
		if allocs > 600 || bytes > 10<<10 {
			t.Errorf("%s: %.0f allocations and %.0f bytes a frame, want at most 600 and 10240", name, allocs, bytes)
		}
	}
	r.m.Hidden = true
	frame()
	if allocs := testing.AllocsPerRun(50, frame); allocs != 0 {
		t.Errorf("%.0f allocations a frame while hidden, want 0", allocs)
	}
}

// bytesPerRun is the heap allocated by one run of f, in bytes.
func bytesPerRun(n int, f func()) float64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	for range n {
		f()
	}
	runtime.ReadMemStats(&b)
	return float64(b.TotalAlloc-a.TotalAlloc) / float64(n)
}

// BenchmarkFrame builds the panel as a first run shows it, without drawing.
func BenchmarkFrame(b *testing.B) {
	r := newRig(b, Options{})
	r.u.state.on = false
	for b.Loop() {
		r.u.Frame(1./60, r.size, r.m)
	}
}

func TestWindowEventsReachTheWidgets(t *testing.T) {
	r := newRig(t, Options{})
	w := *r.find("param/speed")
	x, y := float64(w.X+w.W*0.8), float64(w.Y+w.H/2)
	r.u.Feed([]window.Event{
		{Kind: window.Move, X: x - 3, Y: y},
		{Kind: window.ButtonDown, Button: window.ButtonLeft, X: x, Y: y},
		{Kind: window.ButtonUp, Button: window.ButtonLeft, X: x, Y: y},
		{Kind: window.Move, X: 1000, Y: 600}, // a fast hand: all of it within one frame
		{Kind: window.KeyDown, Key: window.KeySpace},
		{Kind: window.KeyUp, Key: window.KeySpace},
		{Kind: window.KeyDown, Key: window.KeyUnknown},
		{Kind: window.Drop, Paths: []string{"x"}},
	})
	r.steps(6)
	if got := lastParam(t, &r.cmds, "speed"); math.Abs(got-4) > 0.1 {
		t.Errorf("click at 0.8 of 0..5: %v, want about 4", got)
	}
	if !r.cmds.TogglePause {
		t.Error("a tap of Space within one frame is lost")
	}
	if p := r.u.State(); p.Pending != 0 || p.Mouse != [2]float32{1000, 600} {
		t.Errorf("%d events left, mouse at %v", p.Pending, p.Mouse)
	}
	if r.u.WantMouse() {
		t.Error("the mouse is off the panel and still wanted")
	}
	r.move(w.X, w.Y)
	r.step()
	if !r.u.WantMouse() {
		t.Error("the mouse is on the panel and not wanted")
	}
	r.click("param/speed", 0, modCtrl)
	r.move(w.X+w.W/2, w.Y+w.H/2)
	r.steps(2)
	if c := r.u.Cursor(); c != window.CursorText {
		t.Errorf("cursor %v over a text field, want %v", c, window.CursorText)
	}
	r.u.Feed([]window.Event{{Kind: window.ScaleChanged, X: 1.5}})
	r.step()
	if r.u.Scale() != 1.5 {
		t.Errorf("scale %v, want 1.5", r.u.Scale())
	}
}

type fakeClipboard struct{ text string }

func (f *fakeClipboard) Text() string     { return f.text }
func (f *fakeClipboard) SetText(s string) { f.text = s }

func TestCopyAndPaste(t *testing.T) {
	board := &fakeClipboard{text: "2.75"}
	r := newRig(t, Options{Clipboard: board})
	r.click("param/speed", 0, modCtrl)
	chord := func(key int) {
		r.u.platform.push(input{kind: inKey, code: keyLeftControl, down: true, mods: modCtrl})
		r.step()
		r.key(key, modCtrl)
		r.u.platform.push(input{kind: inKey, code: keyLeftControl})
		r.step()
	}
	chord(keyV)
	r.key(keyEnter, 0)
	if got := lastParam(t, &r.cmds, "speed"); got != 2.75 {
		t.Errorf("pasted %v, want 2.75", got)
	}
	r.click("param/scale", 0, modCtrl)
	chord(keyC)
	if board.text != "0.5" {
		t.Errorf("copied %q, want 0.5", board.text)
	}
	board.text = ""
	chord(keyV)
	r.key(keyEscape, 0)
}
