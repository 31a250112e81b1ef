// SPDX-License-Identifier: Apache-2.0

package assets

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lightness is CIELAB L* (CIE 15:2004) of an sRGB colour (IEC 61966-2-1), 0..100.
func lightness(c [3]uint8) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	y := 0.2126*lin(c[0]) + 0.7152*lin(c[1]) + 0.0722*lin(c[2])
	if y <= 216.0/24389 {
		return y * 24389 / 27
	}
	return 116*math.Cbrt(y) - 16
}

func TestLightnessFormulaKnowsBlackWhiteAndGrey(t *testing.T) {
	for c, want := range map[[3]uint8]float64{{0, 0, 0}: 0, {255, 255, 255}: 100, {119, 119, 119}: 50.03} {
		if got := lightness(c); math.Abs(got-want) > 0.02 {
			t.Errorf("L* of %v is %.3f, want %.2f", c, got, want)
		}
	}
}

func TestLightnessRisesAlongEveryMap(t *testing.T) {
	names := ColorMaps()
	if len(names) < 7 {
		t.Fatalf("maps %v, want at least 7", names)
	}
	for _, name := range names {
		m, err := ColorMap(name)
		if err != nil {
			t.Fatal(err)
		}
		// Steps of one part in 255 round to a slight fall here and there, so compare eight steps apart.
		for i := 8; i < 256; i++ {
			if a, b := lightness(m[i-8]), lightness(m[i]); b <= a {
				t.Errorf("%s: L* falls from %.2f to %.2f between %d and %d", name, a, b, i-8, i)
			}
		}
		if lo, hi := lightness(m[0]), lightness(m[255]); hi-lo < 50 {
			t.Errorf("%s spans only %.1f of lightness", name, hi-lo)
		}
	}
}

func TestOwnMapsDoNotStartAtBlack(t *testing.T) {
	for _, name := range []string{"ember", "glacier"} {
		m, err := ColorMap(name)
		if err != nil {
			t.Fatal(err)
		}
		if l := lightness(m[0]); l < 15 {
			t.Errorf("%s starts at L* %.1f: nothing of slow particles would be seen", name, l)
		}
	}
}

// Values published in the authors' table: https://github.com/BIDS/colormap/blob/master/colormaps.py
func TestViridisHasItsPublishedEnds(t *testing.T) {
	m, err := ColorMap("viridis")
	if err != nil {
		t.Fatal(err)
	}
	if m[0] != [3]uint8{68, 1, 84} || m[255] != [3]uint8{253, 231, 37} {
		t.Errorf("ends %v, %v; want 68 1 84 and 253 231 37", m[0], m[255])
	}
}

func TestUnknownMapNamesTheKnownOnes(t *testing.T) {
	_, err := ColorMap("virdis")
	if err == nil || !strings.Contains(err.Error(), `"virdis"`) || !strings.Contains(err.Error(), "viridis") {
		t.Errorf("error %v", err)
	}
	if _, err := ColorMap("../scenes/x"); err == nil {
		t.Error("a path was taken for a name")
	}
}

func TestDamagedMapIsRefusedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"# note\n000000 zzz":                 "x.cmap:2",
		"000000":                             "1 colours, want 256",
		strings.Repeat("000000 ", 257):       "x.cmap:1: more than 256",
		strings.Repeat("0000001 ", 3):        "rrggbb",
		"# only notes\n" + "# and no colour": "0 colours",
	} {
		if _, err := parseColorMap("x.cmap", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q in it", text, err, want)
		}
	}
}

func TestDeveloperFolderReplacesTheEmbeddedFiles(t *testing.T) {
	root := t.TempDir()
	t.Setenv(DevVariable, root)
	if _, err := fs.Stat(FS(), "colormaps/viridis.cmap"); err != nil {
		t.Errorf("a folder without assets must leave the embedded files: %v", err)
	}
	dir := filepath.Join(root, "assets", "colormaps")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.cmap"), []byte(strings.Repeat("102030\n", 256)), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err := ColorMap("mine"); err != nil || m[9] != [3]uint8{0x10, 0x20, 0x30} {
		t.Errorf("map from the developer's folder: %v, %v", m[9], err)
	}
}
