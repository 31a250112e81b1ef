// SPDX-License-Identifier: Apache-2.0

package ui

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"particles/render/gl"
)

// inView fails when the panel is not wholly inside the window.
func inView(t *testing.T, r *rig) {
	t.Helper()
	p := r.u.State().Panel
	if p[0] < 0 || p[1] < 0 || p[0]+p[2] > float32(r.size.W)+0.5 || p[1]+p[3] > float32(r.size.H)+0.5 || p[2] < 100 || p[3] < 100 {
		t.Errorf("panel %v in a window of %d x %d", p, r.size.W, r.size.H)
	}
}

func TestLayoutComesBackInTheNextRun(t *testing.T) {
	r := newRig(t, Options{})
	p := r.u.State().Panel
	r.move(p[0]+p[2]/2, p[1]+4) // the panel is moved by its ground
	r.button(0, true, 0)
	r.step()
	r.move(p[0]+p[2]/2+300, p[1]+4)
	r.step()
	r.button(0, false, 0)
	r.step()
	r.click("section/Look", 0, 0)
	moved := r.u.State().Panel
	if math.Abs(float64(moved[0]-p[0]-300)) > 1 {
		t.Fatalf("dragged by 300 from %v to %v", p, moved)
	}
	if !r.u.LayoutChanged() {
		t.Error("a change by hand is not told")
	}
	saved := r.u.Layout()
	if r.u.LayoutChanged() {
		t.Error("still changed after it was taken")
	}
	next := newRig(t, Options{Layout: saved})
	if got := next.u.State().Panel; got != moved || !next.u.layout.open[secLook] {
		t.Errorf("panel %v, Look open %v; want %v, true", got, next.u.layout.open[secLook], moved)
	}
	next.u.layout.open[secDevice] = true
	next.step()
	next.click("window/layout", 0, 0)
	if got := next.u.State().Panel; got != p || !next.cmds.ResetLayout || next.u.layout.open[secLook] {
		t.Errorf("after reset: panel %v, command %v; want %v", got, next.cmds.ResetLayout, p)
	}
}

func TestPanelOffScreenIsBroughtBack(t *testing.T) {
	for _, pos := range []string{"9000,9000", "-5000,-100", "600,20", "0,1000000"} {
		ini := "[Window][###panel]\nPos=" + pos + "\nSize=900,5000\nCollapsed=0\n\n"
		r := newRig(t, Options{Layout: []byte(ini)})
		if len(r.logs) != 0 {
			t.Errorf("logged %q", r.logs)
		}
		r.resize(800, 600)
		inView(t, r)
		for _, s := range [][2]int{{400, 300}, {1920, 1080}, {1, 1}, {0, 0}, {800, 600}} {
			r.resize(s[0], s[1])
		}
		inView(t, r)
	}
}

func TestPanelKeepsToTheWindowsHeight(t *testing.T) {
	r := newRig(t, Options{})
	for _, h := range []int{900, 500, 720} {
		r.resize(1280, h)
		if p := r.u.State().Panel; p[1] != margin || p[1]+p[3] != float32(h-margin) {
			t.Errorf("window %d high: panel %v", h, p)
		}
	}
}

func TestLowWindowKeepsSectionsAndPlace(t *testing.T) {
	r := newRig(t, Options{})
	r.resize(1000, 700)
	p := r.u.State().Panel // now to the right and wider, by hand
	r.move(p[0]+p[2]/2, p[1]+4)
	r.button(0, true, 0)
	r.step()
	r.move(p[0]+p[2]/2+400, p[1]+4)
	r.step()
	r.button(0, false, 0)
	r.steps(2)
	r.move(5, 5)
	r.steps(2)
	stored := func() string { // without ImGui's own window, which it moves as it likes
		s := string(r.u.Layout())
		i, j := strings.Index(s, "[Window][Debug"), strings.Index(s, "[Window]["+panelName)
		return s[:max(i, 0)] + s[j:]
	}
	open, want, saved := r.u.layout.open, r.u.State().Panel, stored()
	if want[0] != p[0]+400 {
		t.Fatalf("dragged by 400 from %v to %v", p, want)
	}
	for _, s := range [][2]int{{300, 200}, {300, 60}, {20, 20}, {1000, 700}} {
		r.resize(s[0], s[1])
		r.steps(2)
		if r.u.LayoutChanged() || r.u.layout.open != open || stored() != saved {
			t.Errorf("%v: changed %v, open %v, layout %s; want %v, %s", s, r.u.LayoutChanged(), r.u.layout.open, stored(), open, saved)
		}
	}
	if got := r.u.State().Panel; got != want {
		t.Errorf("panel %v, want %v", got, want)
	}
	if w := r.find("section/Scene"); w.Value != 1 || !w.Visible {
		t.Errorf("Scene %+v", w)
	}
	// A run that begins in a low window has the same wish.
	next := newRig(t, Options{Layout: []byte(saved)})
	next.resize(300, 200)
	next.u.SetScale(1.5)
	next.steps(2)
	next.u.SetScale(1)
	next.resize(1000, 700)
	if got := next.u.State().Panel; math.Abs(float64(got[0]-want[0])) > 1 || got[2] != want[2] || got[3] != want[3] {
		t.Errorf("next run: panel %v, want %v", got, want)
	}
}

func TestPanelTooHighForTheWindowKeepsItsMargins(t *testing.T) {
	r := newRig(t, Options{})
	r.u.SetScale(1.5)
	r.resize(800, 600)
	m := float32(18)
	if p := r.u.State().Panel; p[1] != m || p[3] != 600-2*m {
		t.Errorf("panel %v in a window 600 high at scale 1.5", p)
	}
}

func TestDamagedLayoutIsIgnoredWithOneLine(t *testing.T) {
	good := string(func() []byte { r := newRig(t, Options{}); return r.u.Layout() }())
	if l, err := parseLayout([]byte(good)); err != nil || l.ini == "" {
		t.Fatalf("a good layout: %v", err)
	}
	for name, text := range map[string]string{
		"binary":     "\x00\x01\xff\xfe",
		"other":      "hello",
		"utf-16":     "\xff\xfe#\x00",
		"huge":       good + strings.Repeat("x", layoutMax),
		"cut":        good[:len(good)-len("=1,1")-4] + "\nPos=12",
		"nan":        strings.Replace(good, "scale=1", "scale=NaN", 1),
		"bad scale":  strings.Replace(good, "scale=1", "scale=0", 1),
		"bad pos":    strings.Replace(good, "Pos=", "Pos=NaN", 1),
		"far pos":    strings.Replace(good, "Pos=", "Pos=99999999", 1),
		"no value":   strings.Replace(good, "expert=0", "expert", 1),
		"bad switch": strings.Replace(good, "section Scene=1", "section Scene=7", 1),
	} {
		r := newRig(t, Options{Layout: []byte(text)})
		if len(r.logs) != 1 {
			t.Errorf("%s: %d lines logged, want 1: %q", name, len(r.logs), r.logs)
		}
		if p := r.u.State().Panel; p != [4]float32{margin, margin, panelWidth, 720 - 2*margin} {
			t.Errorf("%s: panel at %v", name, p)
		}
		r.u.Close()
	}
}

func TestScaleChangeKeepsTheLayoutInProportion(t *testing.T) {
	r := newRig(t, Options{})
	r.u.layout.open[secLook] = true
	r.step()
	before := r.u.State().Panel
	r.u.SetScale(2)
	r.resize(2560, 1440)
	after := r.u.State().Panel
	for i := range after {
		if math.Abs(float64(after[i]-2*before[i])) > 2 {
			t.Errorf("scale 1: %v, scale 2: %v", before, after)
			break
		}
	}
	if !r.u.layout.open[secLook] {
		t.Error("open sections are lost")
	}
	w1 := r.u.State().Find("section/Scene").H
	r.u.SetScale(1)
	r.steps(2)
	if w := r.u.State().Find("section/Scene").H; math.Abs(float64(w1-2*w)) > 2 {
		t.Errorf("a heading is %v high at scale 1 and %v at 2: the style is not scaled once", w, w1)
	}
	for _, s := range []float32{0, -1, float32(math.NaN()), float32(math.Inf(1))} {
		r.u.SetScale(s)
		r.step()
		if got := r.u.Scale(); got < 0.5 || got > 8 {
			t.Errorf("scale %v gives %v", s, got)
		}
	}
}

func TestFontsFitTheLargestTexture(t *testing.T) {
	r := newRig(t, Options{Scale: 300})
	if len(r.logs) > 1 {
		t.Errorf("logged %q", r.logs)
	}
	r.resize(3840, 2160)
	limit := gl.GetInteger(gl.MaxTextureSize)
	if w, h := r.u.atlasW, r.u.atlasH; w > limit || h > limit || r.u.Scale() > 8 {
		t.Errorf("scale %v: atlas of %d x %d, the driver takes %d", r.u.Scale(), w, h, limit)
	}
	inView(t, r)

	r.u.atlasLimit = 512 // as a driver with small textures
	r.u.SetScale(3)
	r.step()
	if w, h := r.u.atlasW, r.u.atlasH; w > 512 || h > 512 {
		t.Errorf("limit 512: atlas of %d x %d", w, h)
	}
	if len(r.logs) == 0 || r.u.Scale() >= 3 {
		t.Errorf("scale %v, logged %q: want less than 3 and a message", r.u.Scale(), r.logs)
	}
}

func TestStateFileIsWholeJSON(t *testing.T) {
	r := newRig(t, Options{})
	path := t.TempDir() + "/ui.json"
	for range 3 {
		r.step()
		if err := r.u.WriteState(path); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf(`"frame":%d`, r.m.Frame), `"key":"param/speed","kind":"slider"`, `"hidden":false`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
	if left, err := filepath.Glob(filepath.Dir(path) + "/.ui-state-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := r.u.WriteState(path + "/no/such/folder"); err == nil {
		t.Error("no error for a folder that is not there")
	}
}
