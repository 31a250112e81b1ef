// SPDX-License-Identifier: Apache-2.0

package ui

import "github.com/inkyblackness/imgui-go/v4"

// Key numbers are GLFW's (glfw3.h, "Keyboard key tokens"); printable keys are their US-layout ASCII.
const (
	keySpace        = 32
	keyPeriod       = 46
	keyA            = 65
	keyC            = 67
	keyF            = 70
	keyH            = 72
	keyN            = 78
	keyQ            = 81
	keyR            = 82
	keyT            = 84
	keyV            = 86
	keyX            = 88
	keyY            = 89
	keyZ            = 90
	keyEscape       = 256
	keyEnter        = 257
	keyTab          = 258
	keyBackspace    = 259
	keyInsert       = 260
	keyDelete       = 261
	keyRight        = 262
	keyLeft         = 263
	keyDown         = 264
	keyUp           = 265
	keyPageUp       = 266
	keyPageDown     = 267
	keyHome         = 268
	keyEnd          = 269
	keyF1           = 290
	keyF11          = 300
	keyF12          = 301
	keyPadEnter     = 335
	keyLeftShift    = 340
	keyLeftControl  = 341
	keyLeftAlt      = 342
	keyLeftSuper    = 343
	keyRightShift   = 344
	keyRightControl = 345
	keyRightAlt     = 346
	keyRightSuper   = 347
)

// mapKeys tells ImGui which of our keys edit text.
func mapKeys(io imgui.IO) {
	for _, m := range [...][2]int{
		{imgui.KeyTab, keyTab},
		{imgui.KeyLeftArrow, keyLeft},
		{imgui.KeyRightArrow, keyRight},
		{imgui.KeyUpArrow, keyUp},
		{imgui.KeyDownArrow, keyDown},
		{imgui.KeyPageUp, keyPageUp},
		{imgui.KeyPageDown, keyPageDown},
		{imgui.KeyHome, keyHome},
		{imgui.KeyEnd, keyEnd},
		{imgui.KeyInsert, keyInsert},
		{imgui.KeyDelete, keyDelete},
		{imgui.KeyBackspace, keyBackspace},
		{imgui.KeySpace, keySpace},
		{imgui.KeyEnter, keyEnter},
		{imgui.KeyEscape, keyEscape},
		{imgui.KeyKeyPadEnter, keyPadEnter},
		{imgui.KeyA, keyA},
		{imgui.KeyC, keyC},
		{imgui.KeyV, keyV},
		{imgui.KeyX, keyX},
		{imgui.KeyY, keyY},
		{imgui.KeyZ, keyZ},
	} {
		io.KeyMap(m[0], m[1])
	}
}

// shortcuts are the keys of the program, for the help.
var shortcuts = [...]struct{ keys, what string }{
	{"Space", "pause or go on"},
	{"N  or  .", "single step (hold to repeat)"},
	{"R", "reset to the initial state"},
	{"T", "start or stop recording a trace"},
	{"F", "camera: frame the scene"},
	{"H", "hide or show the panel"},
	{"F11", "full screen"},
	{"F12", "save a picture"},
	{"F1", "this help"},
	{"Ctrl+Q", "quit"},
	{"", ""},
	{"Drag", "turn the camera"},
	{"Right drag", "move the camera"},
	{"Wheel", "nearer, farther"},
	{"", ""},
	{"Ctrl+click", "on a slider: type a value"},
	{"Right click", "on a value: back to its default"},
}

// shortcut turns a key press into a command. Keys belong to a text field while one is edited.
func (u *UI) shortcut(e input) {
	if !u.m.Hidden && (u.edit.key != "" || u.io.WantTextInput()) {
		return
	}
	if e.mods&(modCtrl|modAlt|modSuper) != 0 {
		if e.code == keyQ && e.mods&modCtrl != 0 {
			u.cmds.Quit = true
		}
		return
	}
	if e.repeat && e.code != keyN && e.code != keyPeriod {
		return
	}
	switch c := &u.cmds; e.code {
	case keySpace:
		c.TogglePause = !c.TogglePause
	case keyN, keyPeriod:
		c.SingleStep = true
	case keyR:
		c.Reset = true
	case keyT:
		c.ToggleRecord = !c.ToggleRecord
	case keyF:
		c.FrameScene = true
	case keyH:
		c.Hide = !c.Hide
	case keyF11:
		c.FullScreen = !c.FullScreen
	case keyF12:
		c.Screenshot = true
	case keyF1:
		u.help = !u.help
	case keyEscape:
		u.help = false
	}
}
