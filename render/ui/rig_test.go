// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"particles/assets"
	"particles/render/egl"
	"particles/render/gl"
	"particles/render/look"
	"particles/sim"
	"particles/sim/param"
	"particles/trace"
)

// rig is a UI in a headless context with a model, driven by injected input as a person would drive it.
type rig struct {
	t    testing.TB
	gl   *egl.Context
	u    *UI
	m    *Model
	size Size
	fbo  uint32
	tex  uint32
	cmds Commands // all commands since the last forget
	logs []string
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	ctx, err := egl.New(egl.Options{Software: true, Debug: true})
	if err != nil {
		t.Skipf("no headless OpenGL: %v", err)
	}
	runtime.LockOSThread()
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	if err := gl.Init(ctx.ProcAddr); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, gl: ctx, m: testModel(), size: Size{1280, 720, 1280, 720}}
	o.Track = true
	o.Logf = func(format string, args ...any) { r.logs = append(r.logs, format) }
	if r.u, err = New(o); err != nil {
		t.Fatal(err)
	}
	r.target()
	t.Cleanup(func() {
		r.current()
		r.u.Close()
		if e := gl.GetError(); e != gl.NoError {
			t.Errorf("OpenGL error %#x", e)
		}
		if err := ctx.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	r.steps(3)
	r.forget()
	return r
}

// current makes the rig's OpenGL context current, as a test may have several.
func (r *rig) current() {
	if err := r.gl.MakeCurrent(); err != nil {
		r.t.Fatal(err)
	}
}

// target makes the framebuffer for the size.
func (r *rig) target() {
	gl.DeleteFramebuffer(r.fbo)
	gl.DeleteTexture(r.tex)
	r.tex, r.fbo = gl.CreateTexture(gl.Texture2D), gl.CreateFramebuffer()
	gl.TextureStorage2D(r.tex, 1, gl.RGBA8, r.size.FramebufferW, r.size.FramebufferH)
	gl.NamedFramebufferTexture(r.fbo, gl.ColorAttachment0, r.tex)
}

// resize changes the window and framebuffer to w by h.
func (r *rig) resize(w, h int) {
	r.size = Size{w, h, w, h}
	if w > 0 && h > 0 {
		r.target()
	}
	r.steps(2)
}

// step builds one frame, and draws every eighth: software OpenGL is slow.
func (r *rig) step() *Commands {
	r.current()
	r.m.Frame++
	c := r.u.Frame(1./60, r.size, r.m)
	r.merge(c)
	if r.m.Frame%8 == 0 && r.size.W > 0 {
		r.draw()
	}
	return c
}

// draw draws the frame over a dark picture.
func (r *rig) draw() {
	gl.BindFramebuffer(r.fbo)
	gl.Disable(gl.ScissorTest)
	gl.ClearColor(0.02, 0.03, 0.05, 1)
	gl.Clear(gl.ColorBufferBit)
	r.u.DrawTo(r.fbo)
}

func (r *rig) steps(n int) {
	for range n {
		r.step()
	}
}

func (r *rig) forget() { r.cmds = Commands{} }

// merge keeps what tests look at over several frames.
func (r *rig) merge(c *Commands) {
	r.cmds.SetParams = append(r.cmds.SetParams, c.SetParams...)
	keep(&r.cmds.SelectScene, c.SelectScene)
	keep(&r.cmds.SetCount, c.SetCount)
	keep(&r.cmds.SetSeed, c.SetSeed)
	keep(&r.cmds.SetDriver, c.SetDriver)
	r.cmds.TogglePause = r.cmds.TogglePause || c.TogglePause
	r.cmds.SingleStep = r.cmds.SingleStep || c.SingleStep
	r.cmds.Reset = r.cmds.Reset || c.Reset
	r.cmds.ResetParams = r.cmds.ResetParams || c.ResetParams
	r.cmds.ToggleRecord = r.cmds.ToggleRecord || c.ToggleRecord
	r.cmds.Hide = r.cmds.Hide || c.Hide
	r.cmds.ResetLayout = r.cmds.ResetLayout || c.ResetLayout
	r.cmds.FullScreen = r.cmds.FullScreen || c.FullScreen
	r.cmds.Screenshot = r.cmds.Screenshot || c.Screenshot
	r.cmds.FrameScene = r.cmds.FrameScene || c.FrameScene
	r.cmds.Quit = r.cmds.Quit || c.Quit
}

func keep[T any](to *Change[T], c Change[T]) {
	if c.Set {
		*to = c
	}
}

// apply does what the application does with parameters and count.
func (r *rig) apply(c *Commands) {
	for _, p := range c.SetParams {
		if p.Reset {
			p.Set.Reset(p.Index)
		} else if _, err := p.Set.SetPart(p.Index, p.Part, p.Value); err != nil {
			r.t.Error(err)
		}
	}
	if c.SetCount.Set {
		r.m.Count.Value = c.SetCount.Value
	}
}

// find scrolls to a widget and returns it.
func (r *rig) find(key string) *Widget {
	r.t.Helper()
	for range 60 {
		w := r.u.State().Find(key)
		if w == nil {
			r.t.Fatalf("no widget %q is built", key)
		}
		p := r.u.State().Panel
		switch {
		case w.Y+w.H > p[1]+p[3]-8:
			r.wheel(-1)
		case w.Y < p[1]+p[3]*0.3 && r.u.State().Scroll > 0 && (!w.Visible || w.Y < p[1]+190*r.u.scale):
			r.wheel(1)
		default:
			return w
		}
	}
	r.t.Fatalf("widget %q cannot be scrolled into view: %+v, panel %v, scroll %v of %v, mouse %v, wants it %v, %d pending, help %v", key, r.u.State().Find(key),
		r.u.State().Panel, r.u.State().Scroll, r.u.State().ScrollMax, r.u.State().Mouse, r.u.State().WantMouse, r.u.State().Pending, r.u.help)
	return nil
}

func (r *rig) wheel(dy float32) {
	p := r.u.State().Panel
	r.move(p[0]+p[2]*0.2, p[1]+p[3]-30*r.u.scale)
	r.u.platform.push(input{kind: inWheel, y: dy})
	r.steps(2)
}

func (r *rig) move(x, y float32) {
	r.u.platform.push(input{kind: inMove, x: x, y: y})
	r.step()
}

func (r *rig) button(b int, down bool, m mods) {
	r.u.platform.push(input{kind: inButton, code: b, down: down, mods: m})
}

// over puts the mouse on a widget, at a share of its width.
func (r *rig) over(key string, share float32) {
	r.t.Helper()
	w := r.find(key)
	r.move(w.X+w.W*share, w.Y+w.H/2)
	r.step()
}

// click clicks a widget with a button, press and release in one batch as a fast click comes.
func (r *rig) click(key string, b int, m mods) {
	r.t.Helper()
	share := float32(0.5)
	r.over(key, share)
	r.button(b, true, m)
	r.button(b, false, 0)
	r.steps(4)
}

func (r *rig) key(code int, m mods) {
	r.u.platform.push(input{kind: inKey, code: code, down: true, mods: m})
	r.u.platform.push(input{kind: inKey, code: code, mods: m})
	r.steps(3)
}

func (r *rig) typeText(s string) {
	for _, c := range s {
		r.u.platform.push(input{kind: inChar, code: int(c)})
		r.step()
	}
}

// typeInto Ctrl+clicks a slider, types and confirms.
func (r *rig) typeInto(key, text string) {
	r.t.Helper()
	r.click(key, 0, modCtrl)
	if r.u.edit.key != key {
		r.t.Fatalf("Ctrl+click on %s opened the field of %q", key, r.u.edit.key)
	}
	r.typeText(text)
	r.key(keyEnter, 0)
}

// picture draws the frame and reads it back.
func (r *rig) picture() *image.NRGBA {
	r.draw()
	w, h := r.size.FramebufferW, r.size.FramebufferH
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	rows := make([]uint8, 4*w*h)
	gl.BindFramebuffer(r.fbo)
	gl.ReadPixels(0, 0, w, h, gl.RGBA, gl.UnsignedByte, unsafe.Pointer(&rows[0]))
	for y := range h {
		copy(img.Pix[y*img.Stride:], rows[(h-1-y)*4*w:(h-y)*4*w])
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}

// save writes the picture to the folder that UI_PICTURES names, for a person to look at.
func (r *rig) save(name string) {
	dir := os.Getenv("UI_PICTURES")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	if err := png.Encode(f, r.picture()); err != nil {
		r.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// testModel is a model with one of everything.
func testModel() *Model {
	m := &Model{
		Title: "Curl noise", Doc: "Particles drift in divergence-free noise.",
		Scenes: []Scene{
			{Name: "flow", Title: "Curl noise", Model: "flow", Doc: "A box of smoke"},
			{Name: "flow-fine", Title: "Fine threads", Model: "flow"},
			{Name: "fountain", Title: "Fountain", Model: "emitter"},
		},
		Params: param.Must(param.Group{Name: "flow", Specs: []param.Spec{
			{Name: "speed", Label: "Speed", Unit: "m/s", Doc: "Root mean square speed of the flow.", Max: 5, Default: 1, Step: 0.01},
			{Name: "scale", Label: "Feature size", Unit: "m", Min: 0.01, Max: 10, Default: 0.5, Log: true},
			{Name: "octaves", Label: "Octaves", Kind: param.Int, Min: 1, Max: 8, Default: 3, NeedsReset: true},
			{Name: "wrap", Label: "Respawn", Kind: param.Bool, Default: 1, Doc: "Particles that leave come back."},
			{Name: "shape", Label: "Emitter shape", Kind: param.Enum, Choices: []string{"Point", "Disc", "Sphere"}},
			{Name: "only", Label: "Solver limit", Min: 2, Max: 2, Default: 2},
			{Name: "angle", Label: "Opening angle of the cone", Unit: "°", Max: 90, Default: 20},
			{Name: "eps", Label: "Cut-off", Unit: "m", Max: 1, Default: 0.001, Log: true, Expert: true},
			{Name: "tint", Label: "Tint", Kind: param.Color, Defaults: []float64{0.2, 0.4, 0.6}, Expert: true},
			{Name: "wind", Label: "Wind", Unit: "m/s", Kind: param.Vector, Parts: []string{"x", "y", "z"}, Min: -5, Max: 5, Expert: true},
			{Name: "pull", Label: "Attraction", Kind: param.Matrix, Rows: 4, Cols: 4, Min: -1, Max: 1, Expert: true},
		}}),
		Time: param.Must(sim.ClockGroup), Pace: param.Must(pace), Look: param.Must(look.Group),
		Scalar: param.Quantity{Name: "speed", Unit: "m/s", Max: 2.5},
		Count:  Count{Value: 1_000_000, Min: 1000, Max: 50_000_000, Default: 1_000_000, Alive: -1},
		Seed:   42,
		Clock:  Clock{Time: 12.35, Steps: 741, Speed: 0.98},
		Pacing: Pacing{VsyncKnown: true, VsyncInForce: true, Refresh: 59.94},
		Device: Device{
			Driver: "host", Name: "8 threads, AVX2", Tier: "host",
			Reason: "No NVIDIA driver library (libcuda.so.1) was found; install the NVIDIA driver to use a GPU.",
			GL:     "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5", Memory: 64 << 20, Total: 16e9,
			Drivers: []string{"auto", "cuda", "host"}, Tiers: []string{"auto", "shared", "copied"},
		},
		Stats:          trace.Stats{Frames: 240, Median: 16.62, P95: 17.4, P99: 19.8, P999: 31.2, Max: 33.4, FPS: 59.9},
		AllocsPerFrame: 312,
		Record:         Record{Path: "trace-2026-12-01-182700.json"},
		Notes:          []string{"Drawn in software: llvmpipe"},
	}
	for i, v := range []float64{1.2, 0.5, 3, 1, 1} {
		if _, err := m.Params.SetPart(i, 0, v); err != nil {
			panic(err)
		}
	}
	m.Pace.Narrow(3, 5)
	m.Look.SetAuto(look.PointSize, "", 0.02)
	m.Look.SetAuto(look.ColorRange, "m/s", 0, 2.5)
	for _, name := range assets.ColorMaps() {
		c, err := assets.ColorMap(name)
		if err != nil {
			panic(err)
		}
		m.ColorMaps = append(m.ColorMaps, ColorMap{Name: name, Colors: &c})
	}
	m.Samples = samples(PlotFrames)
	return m
}

// pace stands in for the application's group, which this package does not know.
var pace = param.Group{Name: "pacing", Specs: []param.Spec{
	{Name: "vsync", Label: "Vsync", Kind: param.Bool, Default: 1},
	{Name: "frame_cap", Label: "Frame cap", Unit: "fps", Max: 1000, High: 240, Step: 5, Zero: "none"},
	{Name: "frames_in_flight", Label: "In flight", Kind: param.Int, Default: 2, Min: 1, Max: 3},
	{Name: "stream_priority", Label: "Priority", Kind: param.Int, Max: 8, Zero: "lowest"},
}}

// samples are n frames that look like a real run: steady, with a hitch now and then.
func samples(n int) []trace.Sample {
	list := make([]trace.Sample, n)
	for i := range list {
		f := float64(i)
		wave := 0.5 + 0.5*math.Sin(f/17)
		phase := [trace.NumPhases]float64{0.2, 0.9, 0.3, 0.8 + wave, 0.4, 3 + 2*wave, 1.1, 9 - 3*wave}
		if i%97 == 60 {
			phase[trace.Draw] += 15
		}
		list[i] = sample(uint64(i), phase, [trace.NumGPUParts]float64{2 + wave, 0.4, 0.3, 3 + 1.5*wave, 0.2, 0.2})
	}
	return list
}

// sample makes a frame of times in milliseconds.
func sample(seq uint64, phase [trace.NumPhases]float64, gpu [trace.NumGPUParts]float64) trace.Sample {
	s := trace.Sample{Seq: seq}
	for k, ms := range phase {
		s.Phase[k] = uint32(ms * 1e6)
		s.End += int64(s.Phase[k])
	}
	for k, ms := range gpu {
		s.GPU[k] = int32(ms * 1e6)
	}
	return s
}
