// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"unicode/utf8"

	"github.com/inkyblackness/imgui-go/v4"

	"particles/render/window"
)

// inputKind tells the input events apart.
type inputKind uint8

const (
	inMove inputKind = iota
	inButton
	inWheel
	inKey
	inChar
	inFocus
)

// input is one event for ImGui. Positions are window units, keys are GLFW's numbers.
type input struct {
	kind   inputKind
	code   int // button, key or character
	down   bool
	repeat bool
	mods   mods
	x, y   float32 // position or wheel
}

// mods are the modifier keys held during an event, numbered as window.Mod.
type mods uint8

const (
	modShift mods = 1 << iota
	modCtrl
	modAlt
	modSuper
)

const (
	numKeys    = 512 // ImGui 1.85's KeysDown; the wrapper does not check the index
	numButtons = 5
	maxQueue   = 256 // events that may wait for later frames
)

// Feed passes on the window's events. It may be called any number of times before a Frame; the events are copied.
func (u *UI) Feed(events []window.Event) {
	for i := range events {
		e := &events[i]
		in := input{mods: mods(e.Mods), x: float32(e.X), y: float32(e.Y), repeat: e.Repeat}
		switch e.Kind {
		case window.KeyDown, window.KeyUp:
			in.kind, in.code, in.down = inKey, e.Key, e.Kind == window.KeyDown
		case window.Char:
			in.kind, in.code = inChar, int(e.Char)
		case window.ButtonDown, window.ButtonUp:
			u.platform.push(input{kind: inMove, x: in.x, y: in.y}) // buttons carry the place they were pressed at
			in.kind, in.code, in.down = inButton, e.Button, e.Kind == window.ButtonDown
		case window.Move:
			in.kind = inMove
		case window.Scroll:
			in.kind = inWheel
		case window.Focus:
			in.kind, in.down = inFocus, e.On
		case window.ScaleChanged:
			u.SetScale(in.x)
			continue
		default:
			continue
		}
		u.platform.push(in)
	}
}

// platform holds what ImGui must be told each frame. Events that would hide each other within one frame, such as the
// press and the release of a click, are spread over several frames, so that a slow frame rate loses none.
type platform struct {
	queue   []input
	x, y    float32
	buttons [numButtons]bool
	keys    [numKeys]bool
	ctrl    bool
	clicked [numButtons]bool
	pressed uint64 // keys that went down, ever
}

// push queues an event. Keys and buttons that ImGui has no room for are dropped here.
func (p *platform) push(e input) {
	switch {
	case e.kind == inKey && (e.code < 0 || e.code >= numKeys), e.kind == inButton && (e.code < 0 || e.code >= numButtons):
		return
	case e.kind == inMove && len(p.queue) > 0 && p.queue[len(p.queue)-1].kind == inMove:
		p.queue[len(p.queue)-1] = e // only the newest of a row of moves matters
	default:
		p.queue = append(p.queue, e)
	}
}

// take passes on the events that belong into one frame, calling key for each press, and leaves the rest. quiet is for
// frames that ImGui does not build: only keys and what is held are followed, and nothing is allocated.
func (p *platform) take(io imgui.IO, key func(input), quiet bool) {
	p.clicked = [numButtons]bool{}
	var touched [numKeys]bool
	var pressed, moved, typed bool
	n := 0
	for ; n < len(p.queue); n++ {
		e := p.queue[n]
		late := len(p.queue)-n > maxQueue // far behind: give up the spreading, keep the order
		stop := false
		switch e.kind {
		case inMove:
			stop = pressed
			moved = true
		case inButton:
			stop = pressed
			pressed = true
		case inWheel:
			stop = pressed
		case inKey:
			stop = touched[e.code] || typed || pressed
			touched[e.code] = !e.repeat
		case inChar:
			typed = true
		case inFocus:
			stop = pressed || typed || moved
		}
		if stop && !late {
			break
		}
		if quiet && (e.kind == inWheel || e.kind == inChar) {
			continue
		}
		p.apply(io, e, key)
	}
	p.queue = append(p.queue[:0], p.queue[n:]...)
	if quiet {
		return
	}
	io.SetMousePosition(imgui.Vec2{X: p.x, Y: p.y})
	for b, down := range p.buttons {
		io.SetMouseButtonDown(b, down)
	}
}

func (p *platform) apply(io imgui.IO, e input, key func(input)) {
	switch e.kind {
	case inMove:
		p.x, p.y = e.x, e.y
	case inButton:
		p.buttons[e.code] = e.down
		p.clicked[e.code] = p.clicked[e.code] || e.down
		p.ctrl = e.mods&modCtrl != 0
	case inWheel:
		io.AddMouseWheelDelta(e.x, e.y)
	case inKey:
		p.key(io, e.code, e.down)
		if e.down {
			p.pressed++
			key(e)
		}
	case inChar:
		if e.code > 0 && utf8.ValidRune(rune(e.code)) {
			io.AddInputCharacters(string(rune(e.code)))
		}
	case inFocus:
		if !e.down {
			p.release(io)
		}
	}
}

// key passes on one key and the modifiers.
func (p *platform) key(io imgui.IO, code int, down bool) {
	p.keys[code] = down
	if down {
		io.KeyPress(code)
	} else {
		io.KeyRelease(code)
	}
	if code >= keyLeftShift && code <= keyRightSuper {
		io.KeyShift(keyLeftShift, keyRightShift)
		io.KeyCtrl(keyLeftControl, keyRightControl)
		io.KeyAlt(keyLeftAlt, keyRightAlt)
		io.KeySuper(keyLeftSuper, keyRightSuper)
	}
}

// release lets go of everything: what is held when the focus leaves is released where we do not see it.
func (p *platform) release(io imgui.IO) {
	for k, down := range p.keys {
		if down {
			p.key(io, k, false)
		}
	}
	p.buttons, p.ctrl = [numButtons]bool{}, false
}

// held passes the keys that are down on to a new context.
func (p *platform) held(io imgui.IO) {
	for k, down := range p.keys {
		if down {
			p.key(io, k, true)
		}
	}
}
