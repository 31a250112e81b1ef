// SPDX-License-Identifier: Apache-2.0

package window

// Kind tells events apart and says which fields of Event count.
type Kind uint8

// The kinds of events.
const (
	KeyDown      Kind = iota + 1 // Key, Scancode, Mods; Repeat
	KeyUp                        // Key, Scancode, Mods
	Char                         // Char
	ButtonDown                   // Button, Mods, X, Y
	ButtonUp                     // Button, Mods, X, Y
	Move                         // X, Y
	Scroll                       // X, Y in notches; fractions from touch pads
	Focus                        // On
	Enter                        // On: the pointer is over the window
	Iconify                      // On
	Resize                       // W, H of the framebuffer in pixels, 0 x 0 while minimised
	ScaleChanged                 // X: the content scale
	Drop                         // Paths
	CloseRequest                 // ShouldClose is true from now on
)

// Event is something that happened to the window. Its fields hold plain values; Kind says which count.
type Event struct {
	Kind     Kind
	Repeat   bool // KeyDown: by holding
	On       bool
	Mods     Mod
	Key      int // one of the Key constants, KeyUnknown for others
	Scancode int
	Button   int // one of the Button constants, or a higher number
	Char     rune
	X, Y     float64
	W, H     int
	Paths    []string // files dropped, in order
}

// Mod is a set of modifier keys.
type Mod uint8

// The modifier keys.
const (
	ModShift Mod = 1 << iota
	ModControl
	ModAlt
	ModSuper
)

// Mouse buttons.
const (
	ButtonLeft   = 0
	ButtonRight  = 1
	ButtonMiddle = 2
)

// Keys, by their place on a US keyboard. The numbers are those of GLFW (glfw3.h, "Keyboard key tokens"): printable ones are
// ASCII. All others that GLFW knows come through with its number.
const (
	KeyUnknown      = -1
	KeySpace        = 32
	KeyApostrophe   = 39
	KeyComma        = 44
	KeyMinus        = 45
	KeyPeriod       = 46
	KeySlash        = 47
	Key0            = 48
	Key1            = 49
	Key2            = 50
	Key3            = 51
	Key4            = 52
	Key5            = 53
	Key6            = 54
	Key7            = 55
	Key8            = 56
	Key9            = 57
	KeySemicolon    = 59
	KeyEqual        = 61
	KeyA            = 65
	KeyB            = 66
	KeyC            = 67
	KeyD            = 68
	KeyE            = 69
	KeyF            = 70
	KeyG            = 71
	KeyH            = 72
	KeyI            = 73
	KeyJ            = 74
	KeyK            = 75
	KeyL            = 76
	KeyM            = 77
	KeyN            = 78
	KeyO            = 79
	KeyP            = 80
	KeyQ            = 81
	KeyR            = 82
	KeyS            = 83
	KeyT            = 84
	KeyU            = 85
	KeyV            = 86
	KeyW            = 87
	KeyX            = 88
	KeyY            = 89
	KeyZ            = 90
	KeyLeftBracket  = 91
	KeyBackslash    = 92
	KeyRightBracket = 93
	KeyGrave        = 96
	KeyEscape       = 256
	KeyEnter        = 257
	KeyTab          = 258
	KeyBackspace    = 259
	KeyInsert       = 260
	KeyDelete       = 261
	KeyRight        = 262
	KeyLeft         = 263
	KeyDownArrow    = 264
	KeyUpArrow      = 265
	KeyPageUp       = 266
	KeyPageDown     = 267
	KeyHome         = 268
	KeyEnd          = 269
	KeyCapsLock     = 280
	KeyF1           = 290
	KeyF2           = 291
	KeyF3           = 292
	KeyF4           = 293
	KeyF5           = 294
	KeyF6           = 295
	KeyF7           = 296
	KeyF8           = 297
	KeyF9           = 298
	KeyF10          = 299
	KeyF11          = 300
	KeyF12          = 301
	KeyKPEnter      = 335
	KeyLeftShift    = 340
	KeyLeftControl  = 341
	KeyLeftAlt      = 342
	KeyLeftSuper    = 343
	KeyRightShift   = 344
	KeyRightControl = 345
	KeyRightAlt     = 346
	KeyRightSuper   = 347
	KeyMenu         = 348

	keyLast    = 348
	buttonLast = 7
)
