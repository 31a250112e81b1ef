// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"fmt"
	"math"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/gl"
	"particles/render/window"
)

// Clipboard is the window system's; a *window.Window is one. An empty or unreadable clipboard gives "".
type Clipboard interface {
	Text() string
	SetText(text string)
}

// Options is what a UI starts with.
type Options struct {
	Scale     float32                          // content scale of the window; 0: 1
	Layout    []byte                           // from an earlier Layout; damaged or empty: the default layout
	Clipboard Clipboard                        // nil: copy and paste within the program only
	Logf      func(format string, args ...any) // nil: silent
	Track     bool                             // keep what WriteState needs from the first frame on
}

// Size is the window's size in window units (which mouse positions use) and its framebuffer's in pixels. They differ
// where the system scales windows itself.
type Size struct{ W, H, FramebufferW, FramebufferH int }

// UI is the panel with its ImGui context. See the package comment for its thread.
type UI struct {
	opt      Options
	context  *imgui.Context
	io       imgui.IO
	fonts    faces
	renderer *renderer
	plot     *plot
	ramps    ramps

	scale                      float32 // in use
	asked                      float32 // asked for
	atlasLimit, atlasW, atlasH int     // pixels
	rebuild                    bool    // make a new context before the next frame
	ready                      bool    // there is draw data of this frame
	size                       Size
	platform                   platform
	cmds                       Commands
	m                          *Model // only within Frame
	dt                         float32

	layout  layout
	edit    edit
	hover   hover
	own     []notice // the UI's own messages
	help    bool
	helped  bool // the help was there in the frame before
	rows    map[rowName]*row
	num     number            // scratch of the row being built
	text    []byte            // scratch for formatted text
	swatch  [3]float32        // scratch of the colour being built
	fill    imgui.PackedColor // colFill
	dim     imgui.PackedColor // colDim
	ground  imgui.PackedColor // under text on the plot
	hud     hud
	state   state
	logged  int         // assertions reported
	torn    bool        // the context is in an unknown state: its layout is not read
	inject  func(u *UI) // test hook, called while the panel is built
	presses func(input) // u.shortcut, bound once
	cursor  imgui.MouseCursorID
}

// New makes a UI for the current OpenGL context.
func New(o Options) (*UI, error) {
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	u := &UI{opt: o, rows: map[rowName]*row{}, state: state{on: o.Track}}
	u.presses = u.shortcut
	u.layout = defaultLayout()
	var err error
	if u.renderer, err = newRenderer(); err != nil {
		return nil, err
	}
	if u.plot, err = newPlot(); err != nil {
		u.renderer.close()
		return nil, err
	}
	u.atlasLimit = gl.GetInteger(gl.MaxTextureSize)
	u.setScale(o.Scale)
	if len(o.Layout) > 0 {
		if l, err := parseLayout(o.Layout); err != nil {
			o.Logf("the panel's stored layout is damaged and was ignored: %v", err)
		} else {
			u.layout = l
		}
	}
	u.makeContext()
	return u, nil
}

// SetScale changes the content scale, as when the window moves to another monitor. Fonts are rasterised anew.
func (u *UI) SetScale(scale float32) {
	before := u.asked
	if u.setScale(scale); u.asked != before {
		u.rebuild = true
	}
}

// Scale is the content scale in use, which may be less than was asked for when the fonts would not fit a texture.
func (u *UI) Scale() float32 { return u.scale }

func (u *UI) setScale(s float32) {
	if f := float64(s); math.IsNaN(f) || math.IsInf(f, 0) || s <= 0 {
		s = 1
	}
	u.asked = min(max(s, 0.5), 8)
}

// makeContext makes the ImGui context for the scale and layout at hand. The fonts' size is limited so that their atlas
// fits the driver's largest texture.
func (u *UI) makeContext() {
	limit := u.atlasLimit
	u.scale = u.asked
	for {
		//lint:ignore SA1019 imgui-go is fixed for this project; this package is the only one to know it
		u.context = imgui.CreateContext(nil)
		u.enter() // CreateContext makes only the first one current
		u.io = imgui.CurrentIO()
		u.io.SetIniFilename("") // no imgui.ini in the working directory
		f, pixels, w, h := buildFonts(u.scale)
		if (w > limit || h > limit) && u.scale > 0.5 {
			u.context.Destroy()
			u.scale = max(u.scale*0.8, 0.5)
			continue
		}
		u.fonts, u.atlasW, u.atlasH = f, w, h
		u.io.Fonts().SetTextureID(u.renderer.setAtlas(pixels, w, h))
		break
	}
	if u.scale != u.asked {
		u.opt.Logf("user interface scale %.2f limited to %.2f: the fonts must fit a texture of %d pixels", u.asked, u.scale, limit)
	}
	setStyle(u.scale)
	u.fill, u.dim, u.ground = packed(colFill), packed(colDim), packed(rgba(0x11141a, 0.8))
	mapKeys(u.io)
	u.io.SetBackendFlags(imgui.BackendFlagsRendererHasVtxOffset | imgui.BackendFlagsHasMouseCursors)
	if u.opt.Clipboard != nil {
		u.io.SetClipboard(clipboard{u.opt.Clipboard})
	}
	u.platform.held(u.io)
	imgui.LoadIniSettingsFromMemory(u.layout.imgui(u.scale))
	u.layout.stored(u.scale)
	u.layout.fresh = true
	u.rebuild = false
	for _, r := range u.rows {
		r.width = 0 // labels are cut to the new font
	}
}

// enter makes this UI's context ImGui's current one, so that several may live at once.
func (u *UI) enter() {
	if err := u.context.SetCurrent(); err != nil {
		u.opt.Logf("user interface: %v", err)
	}
}

// dropContext destroys the context. One that an assertion left in an unknown state may assert again; then it is leaked.
func (u *UI) dropContext() {
	defer func() {
		if e := recover(); e != nil {
			u.opt.Logf("user interface: the broken context could not be freed: %v", e)
		}
	}()
	u.io.SetClipboard(nil)
	u.context.Destroy()
}

// clipboard adapts Clipboard to ImGui.
type clipboard struct{ c Clipboard }

func (c clipboard) Text() (string, error) { return c.c.Text(), nil }
func (c clipboard) SetText(text string)   { c.c.SetText(text) }

// Frame builds the UI for a window of a size. dt is the time since the last frame in seconds. The commands are the
// person's wishes since the last call.
func (u *UI) Frame(dt float64, size Size, m *Model) *Commands {
	u.cmds.clear()
	u.ready, u.size, u.m = false, size, m
	u.dt = 1. / 60
	if dt >= 1e-4 { // false for NaN too
		u.dt = float32(min(dt, 0.25))
	}
	u.enter()
	if u.rebuild {
		u.keepLayout()
		u.dropContext()
		u.makeContext()
	}
	u.build()
	u.m = nil
	return &u.cmds
}

// build runs one ImGui frame. An assertion within ends the frame, not the program.
func (u *UI) build() {
	defer func() {
		if e := recover(); e != nil {
			u.broken(e)
		}
	}()
	if u.size.W <= 0 || u.size.H <= 0 || (u.m.Hidden && !u.help && !u.failing()) {
		u.platform.take(u.io, u.presses, true)
		u.edit, u.hover = edit{}, hover{}
		u.state.begin(u)
		return
	}
	u.io.SetDisplaySize(imgui.Vec2{X: float32(u.size.W), Y: float32(u.size.H)})
	u.io.SetDeltaTime(u.dt)
	u.platform.take(u.io, u.presses, false)
	imgui.NewFrame()
	u.state.begin(u)
	if !u.m.Hidden {
		u.panel()
	}
	u.overlays()
	imgui.Render()
	u.cursor = imgui.MouseCursor()
	u.edit.end()
	u.hover.end(u.dt)
	u.ready = true
}

// failing reports a message that must be seen even while the panel is hidden.
func (u *UI) failing() bool {
	for i := range u.m.Toasts {
		if u.m.Toasts[i].Level == Failure {
			return true
		}
	}
	return false
}

// broken reports an assertion or a panic and arranges for a new context.
func (u *UI) broken(e any) {
	if a, ok := e.(imgui.AssertionError); ok {
		e = fmt.Sprintf("assertion %q failed at %s:%d", a.Expression, a.File, a.Line)
	} else if _, ok := e.(error); !ok {
		e = fmt.Sprint(e)
	}
	if u.logged++; u.logged == 1 {
		u.opt.Logf("user interface: %v; it starts again with the next frame (this is a fault of the program, please report it)", e)
	}
	u.rebuild, u.torn, u.ready = true, true, false
	u.edit, u.hover = edit{}, hover{}
	for i := range u.plot.strips {
		u.plot.strips[i].wanted = false
	}
}

// Draw draws what Frame built into the window's framebuffer, as the last pass of a frame: it does not give back the
// state it sets (see renderer).
func (u *UI) Draw() { u.DrawTo(0) }

// DrawTo is Draw into another framebuffer of the same size.
func (u *UI) DrawTo(fbo uint32) {
	if !u.ready || u.size.FramebufferW <= 0 || u.size.FramebufferH <= 0 {
		return
	}
	u.enter()
	u.plot.pixel = u.scale
	u.plot.draw()
	u.renderer.draw(imgui.RenderedDrawData(), fbo, u.size)
}

// WantMouse reports whether the mouse is over or held by the UI, so that the camera should leave it alone.
func (u *UI) WantMouse() bool { return u.ready && u.io.WantCaptureMouse() }

// WantKeyboard reports whether keys go into a text field.
func (u *UI) WantKeyboard() bool { return u.ready && (u.io.WantTextInput() || u.edit.key != "") }

// Cursor is the pointer's shape that the UI asks for, for window.SetCursor. It is an arrow when the UI asks for none.
func (u *UI) Cursor() window.Cursor {
	if !u.ready {
		return window.CursorArrow
	}
	switch u.cursor {
	case imgui.MouseCursorTextInput:
		return window.CursorText
	case imgui.MouseCursorResizeNS:
		return window.CursorUpDown
	case imgui.MouseCursorResizeEW, imgui.MouseCursorResizeNWSE, imgui.MouseCursorResizeNESW:
		return window.CursorLeftRight // GLFW 3.3 has no diagonal shapes
	case imgui.MouseCursorResizeAll, imgui.MouseCursorHand:
		return window.CursorHand
	}
	return window.CursorArrow
}

// Close frees the context and the OpenGL objects. The UI is not used any more.
func (u *UI) Close() {
	if u.context == nil {
		return
	}
	u.enter()
	u.dropContext()
	u.context = nil
	u.plot.close()
	u.ramps.close()
	u.renderer.close()
}
