// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/inkyblackness/imgui-go/v4"
)

// layout is where the panel is and what of it is open: all that is kept from one run to the next.
type layout struct {
	open   [numSections]bool
	expert bool
	ini    string  // ImGui's settings, positions at scale
	scale  float32 // that ini's positions are for
	dirty  bool    // differs from what Layout last returned

	labelX   float32    // where controls begin in a row of the sections
	controlW float32    // and how wide they are
	pos, dim imgui.Vec2 // of the panel, as last seen
	wish     wish       // where it is wanted, in a window that has room
	placed   wish       // the wish as the window of this frame allows it
	fresh    bool       // the context is new: the panel's place is not known yet
	reset    bool       // put the panel back to its default place
}

// wish is a place of the panel that a person chose. A small window clamps the panel but not the wish.
type wish struct {
	pos, dim imgui.Vec2
	known    bool
	bottom   bool // the panel reaches down to the window's lower margin, whatever the window's height
	judged   bool // bottom is known too
}

func defaultLayout() layout {
	l := layout{scale: 1}
	for _, s := range [...]int{secScene, secParams, secTime, secFrames} {
		l.open[s] = true
	}
	return l
}

const (
	layoutMagic = "# particles panel 1"
	layoutMax   = 64 << 10 // bytes
)

// Layout returns the panel's place and open sections as text, for New of a later run. It is small and may be stored as
// it is.
func (u *UI) Layout() []byte {
	u.keepLayout()
	u.layout.dirty = false
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nscale=%g\n", layoutMagic, u.layout.scale)
	for i, name := range sectionNames {
		fmt.Fprintf(&b, "section %s=%d\n", name, boolInt(u.layout.open[i]))
	}
	if u.layout.wish.judged {
		fmt.Fprintf(&b, "bottom=%d\n", boolInt(u.layout.wish.bottom))
	}
	fmt.Fprintf(&b, "expert=%d\n\n%s", boolInt(u.layout.expert), u.layout.ini)
	return []byte(b.String())
}

// LayoutChanged reports a change by hand since the last Layout.
func (u *UI) LayoutChanged() bool { return u.layout.dirty }

// ResetLayout puts the panel back to where a first run shows it.
func (u *UI) ResetLayout() {
	l := defaultLayout()
	l.reset, l.dirty, l.labelX, l.controlW = true, true, u.layout.labelX, u.layout.controlW
	l.scale = u.scale
	u.layout = l
}

// keepLayout takes ImGui's settings over, unless the context is in an unknown state.
func (u *UI) keepLayout() {
	if u.torn {
		u.torn = false
		return
	}
	u.enter()
	u.layout.ini, u.layout.scale = imgui.SaveIniSettingsToMemory(), u.scale
	if w := &u.layout.wish; w.known {
		u.layout.panelLines(func(line string) string {
			switch key, _, _ := strings.Cut(line, "="); key {
			case "Pos":
				return fmt.Sprintf("Pos=%.0f,%.0f", w.pos.X, w.pos.Y)
			case "Size":
				return fmt.Sprintf("Size=%.0f,%.0f", w.dim.X, w.dim.Y)
			}
			return line
		})
	}
}

// panelLines puts the panel's lines of ImGui's settings through f.
func (l *layout) panelLines(f func(line string) string) {
	lines := strings.Split(l.ini, "\n")
	in := false
	for i, line := range lines {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "[") {
			in = t == "[Window]["+panelName+"]"
		} else if in {
			lines[i] = f(t)
		}
	}
	l.ini = strings.Join(lines, "\n")
}

// stored takes the wished place from ImGui's settings, for a scale.
func (l *layout) stored(scale float32) {
	var pos, dim bool
	l.panelLines(func(line string) string {
		scaled, err := scaleLine(line, scale/l.scale)
		if err != nil {
			return line
		}
		var x, y float32
		if n, _ := fmt.Sscanf(scaled, "Pos=%f,%f", &x, &y); n == 2 {
			l.wish.pos, pos = imgui.Vec2{X: x, Y: y}, true
		} else if n, _ := fmt.Sscanf(scaled, "Size=%f,%f", &x, &y); n == 2 {
			l.wish.dim, dim = imgui.Vec2{X: x, Y: y}, true
		}
		return line
	})
	l.wish.known = pos && dim
	l.wish.judged = l.wish.judged && l.wish.known
}

// parseLayout reads what Layout wrote. ImGui's part is checked line by line, as ImGui believes what it reads.
func parseLayout(data []byte) (layout, error) {
	l := defaultLayout()
	text := string(data)
	switch {
	case len(data) > layoutMax:
		return l, fmt.Errorf("it has %d bytes, more than %d", len(data), layoutMax)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return l, errors.New("it is not text")
	case strings.HasPrefix(text, "["):
		text = layoutMagic + "\n\n\n" + text // ImGui's settings alone
	case !strings.HasPrefix(text, layoutMagic+"\n"):
		return l, fmt.Errorf("its first line is not %q", layoutMagic)
	}
	head, ini, _ := strings.Cut(text[len(layoutMagic)+1:], "\n\n")
	for _, line := range strings.Split(head, "\n") {
		if err := l.line(strings.TrimSpace(line)); err != nil {
			return defaultLayout(), err
		}
	}
	for _, line := range strings.Split(ini, "\n") {
		if _, err := scaleLine(strings.TrimSpace(line), 1); err != nil {
			return defaultLayout(), err
		}
	}
	l.ini = ini
	return l, nil
}

// line reads one line of our own part. Sections of other versions are ignored.
func (l *layout) line(line string) error {
	if line == "" {
		return nil
	}
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return fmt.Errorf("%q is no key and value", line)
	}
	if key == "scale" {
		s, err := strconv.ParseFloat(value, 32)
		if err != nil || !(s >= 0.1 && s <= 16) {
			return fmt.Errorf("scale %q is not a number from 0.1 to 16", value)
		}
		l.scale = float32(s)
		return nil
	}
	if value != "0" && value != "1" {
		return fmt.Errorf("%q is neither 0 nor 1", line)
	}
	for i, name := range sectionNames {
		if key == "section "+name {
			l.open[i] = value == "1"
		}
	}
	switch key {
	case "expert":
		l.expert = value == "1"
	case "bottom":
		l.wish.bottom, l.wish.judged = value == "1", true
	}
	return nil
}

// scaleLine multiplies the numbers of a Pos or Size line, and refuses what ImGui does not write.
func scaleLine(line string, f float32) (string, error) {
	key, value, ok := strings.Cut(line, "=")
	switch {
	case line == "", strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		return line, nil
	case !ok:
		return "", fmt.Errorf("%q is not a line of ImGui's settings", line)
	case key != "Pos" && key != "Size":
		return line, nil
	}
	xs, ys, _ := strings.Cut(value, ",")
	x, err1 := strconv.Atoi(xs)
	y, err2 := strconv.Atoi(ys)
	if err := errors.Join(err1, err2); err != nil || max(x, -x, y, -y) > 1<<20 {
		return "", fmt.Errorf("%q is not two whole numbers of pixels", line)
	}
	return fmt.Sprintf("%s=%.0f,%.0f", key, float32(x)*f, float32(y)*f), nil
}

// imgui returns ImGui's settings with the positions for a scale.
func (l *layout) imgui(scale float32) string {
	lines := strings.Split(l.ini, "\n")
	for i, line := range lines {
		if s, err := scaleLine(strings.TrimSpace(line), scale/l.scale); err == nil {
			lines[i] = s
		}
	}
	return strings.Join(lines, "\n")
}

// place sets the panel's place before it is built: at the left at first; later where it is wished, but inside the
// window.
func (u *UI) place() {
	l := &u.layout
	h, m := float32(u.size.H), u.px(margin)
	cond := imgui.ConditionFirstUseEver
	if l.reset {
		cond, l.reset, l.fresh = imgui.ConditionAlways, false, true
	}
	least, most := u.limits()
	imgui.SetNextWindowSizeConstraints(least, most)
	if l.fresh {
		imgui.SetNextWindowPosV(imgui.Vec2{X: m, Y: m}, cond, imgui.Vec2{})
		imgui.SetNextWindowSizeV(imgui.Vec2{X: u.px(panelWidth), Y: h - 2*m}, cond)
		return
	}
	l.placed = u.inside(l.wish)
	if l.placed.pos != l.pos {
		imgui.SetNextWindowPos(l.placed.pos)
	}
	if l.placed.dim != l.dim {
		imgui.SetNextWindowSize(l.placed.dim)
	}
}

// limits are the panel's least and greatest size in the window.
func (u *UI) limits() (least, most imgui.Vec2) {
	w, h := float32(u.size.W), float32(u.size.H)
	least = imgui.Vec2{X: min(u.px(panelMinWidth), w), Y: min(u.px(160), h)}
	return least, imgui.Vec2{X: min(u.px(panelMaxWidth), w), Y: max(h-2*u.px(margin), least.Y)}
}

// inside fits a wish into the window.
func (u *UI) inside(w wish) wish {
	least, most := u.limits()
	if w.bottom {
		w.dim.Y = float32(u.size.H) - u.px(margin) - w.pos.Y
	}
	w.dim.X, w.dim.Y = min(max(w.dim.X, least.X), most.X), min(max(w.dim.Y, least.Y), most.Y)
	w.pos.X = max(min(w.pos.X, float32(u.size.W)-w.dim.X), 0)
	w.pos.Y = max(min(w.pos.Y, float32(u.size.H)-w.dim.Y), 0)
	return w
}

func near(a, b float32) bool { return a-b < 1.5 && b-a < 1.5 }

// see takes note of where the panel is. Only what the mouse moved is a new wish.
func (l *layout) see(u *UI, pos, dim imgui.Vec2) {
	w := &l.wish
	atBottom := near(pos.Y+dim.Y, float32(u.size.H)-u.px(margin))
	switch {
	case l.fresh:
		if !w.known {
			w.pos, w.dim, w.known = pos, dim, true
		}
		if !w.judged {
			w.bottom, w.judged = atBottom, true
		}
	case imgui.IsMouseDown(0):
		was := *w
		if pos.X != l.placed.pos.X || dim.X != l.placed.dim.X {
			w.pos.X, w.dim.X = pos.X, dim.X
		}
		if pos.Y != l.placed.pos.Y || dim.Y != l.placed.dim.Y {
			w.pos.Y, w.dim.Y, w.bottom = pos.Y, dim.Y, atBottom
		}
		if *w != was {
			l.dirty = true
			in := u.inside(*w)
			if w.pos.X != was.pos.X || w.dim.X != was.dim.X {
				w.pos.X, w.dim.X = in.pos.X, in.dim.X
			}
			if w.pos.Y != was.pos.Y || w.dim.Y != was.dim.Y {
				w.pos.Y, w.dim.Y = in.pos.Y, in.dim.Y
			}
		}
	}
	l.pos, l.dim, l.fresh = pos, dim, false
}

// free is the part of the window's width that the panel leaves, on its wider side.
func (l *layout) free(w float32) (left, right float32) {
	if before, after := l.pos.X, w-(l.pos.X+l.dim.X); before > after {
		return 0, before
	}
	return l.pos.X + l.dim.X, w
}
