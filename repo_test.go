// SPDX-License-Identifier: Apache-2.0

// Package particles_test holds the rules that concern the whole repository:
// which package may import which, and what every file must have.
package particles_test

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	Deps       []string // imports of imports too
	GoFiles    []string
	CgoFiles   []string
}

// packages lists this module's packages as `go list` sees them.
func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,Deps,GoFiles,CgoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("reading what go list says: %v", err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("go list found %d packages only: is this the project's root?", len(all))
	}
	return all
}

// within tells whether an import path lies in one of the trees given.
func within(imported string, trees ...string) bool {
	for _, tree := range trees {
		if imported == tree || strings.HasPrefix(imported, tree+"/") {
			return true
		}
	}
	return false
}

// known fails for names of ours that are no package and hold none: a rule about what does not exist holds nothing.
func known(t *testing.T, all []goPackage, names ...string) {
	t.Helper()
	for _, name := range names {
		found := !within(name, "particles")
		for _, p := range all {
			found = found || within(p.ImportPath, name)
		}
		if !found {
			t.Errorf("a rule names %s, which is no package", name)
		}
	}
}

// TestOnlyOnePackageNamesEachLibrary keeps each foreign library behind one door.
func TestOnlyOnePackageNamesEachLibrary(t *testing.T) {
	doors := map[string]string{
		"github.com/go-gl/gl":          "particles/render/gl",
		"github.com/go-gl/glfw":        "particles/render/window",
		"github.com/inkyblackness":     "particles/render/ui",
		"github.com/alecthomas/kong":   "particles/cmd/particles",
		"github.com/pelletier/go-toml": "particles/internal/scene",
		"particles/interop/cuda":       "particles/interop/choose particles/internal/doctor", // which names what keeps it from opening
		"particles/interop/host":       "particles/interop/choose",
		"particles/kernels/host":       "particles/kernels",
	}
	tests := map[string]bool{"particles/internal/testenv": true, "particles/interop/interoptest": true} // serve tests only
	all := packages(t)
	for library, door := range doors {
		known(t, all, append(strings.Fields(door), library)...)
	}
	for _, p := range all {
		for _, imported := range p.Imports {
			for library, door := range doors {
				if within(imported, library) && !within(p.ImportPath, append(strings.Fields(door), library)...) && !tests[p.ImportPath] {
					t.Errorf("%s imports %s, which only %s may (design: one door for each library)", p.ImportPath, imported, door)
				}
			}
		}
	}
}

// TestDataGoesOneWay checks the layers: who must not know whom, and why. It follows imports of imports.
func TestDataGoesOneWay(t *testing.T) {
	rules := []struct {
		who    string
		not    []string
		but    []string // allowed all the same
		reason string
	}{
		{
			"particles/render",
			[]string{"particles/sim", "particles/interop", "particles/kernels", "particles/trace", "particles/internal/app"},
			[]string{"particles/sim/param"},
			"render draws GL names and plain values; it does not know where they come from",
		},
		{
			"particles/render/ui",
			[]string{"particles/sim", "particles/interop", "particles/kernels", "particles/internal"},
			[]string{"particles/sim/param"},
			"the panel shows plain values and gives wishes back",
		},
		{
			"particles/sim",
			[]string{"particles/render", "particles/trace", "particles/internal", "particles/shaders"},
			nil,
			"the simulation knows no camera, no window and no file format",
		},
		{
			"particles/interop",
			[]string{"particles/render", "particles/sim", "particles/kernels", "particles/internal", "particles/trace", "github.com/go-gl"},
			nil,
			"interop is usable by other programs and is handed OpenGL as a small interface",
		},
		{"particles/interop/driver", []string{"particles"}, nil, "the driver interface imports nothing of ours"},
		{
			"particles/kernels",
			[]string{"particles/sim", "particles/render", "particles/trace", "particles/internal"},
			nil,
			"kernels are below the models",
		},
		{
			"particles/trace",
			[]string{"particles/render", "particles/sim", "particles/interop", "particles/kernels", "particles/internal/app", "particles/internal/scene"},
			nil,
			"trace is importable by other programs",
		},
		{"particles/sim/param", []string{"particles"}, nil, "the registry imports nothing of ours"},
	}
	all := packages(t)
	for _, rule := range rules {
		known(t, all, append(append([]string{rule.who}, rule.not...), rule.but...)...)
		for _, p := range all {
			if !within(p.ImportPath, rule.who) || rule.who == "particles/render" && p.ImportPath == "particles/render/ui" {
				continue // the panel has its own rule
			}
			for _, dep := range p.Deps {
				if within(dep, rule.not...) && !within(dep, append(rule.but, rule.who)...) {
					t.Errorf("%s depends on %s: %s", p.ImportPath, dep, rule.reason)
				}
			}
		}
	}
	for _, p := range all {
		for _, imported := range p.Imports {
			if imported == "particles/internal/app" && p.ImportPath != "particles/cmd/particles" {
				t.Errorf("%s imports internal/app, which wires everything and is for cmd/particles only", p.ImportPath)
			}
		}
	}
}

// TestCgoOnlyWhereCIs keeps cgo to the packages that talk to a C library or hold C bodies.
func TestCgoOnlyWhereCIs(t *testing.T) {
	allowed := []string{"particles/interop/cuda", "particles/kernels", "particles/render/egl", "particles/render/gl"}
	all := packages(t)
	known(t, all, allowed...)
	for _, p := range all {
		if len(p.CgoFiles) > 0 && !within(p.ImportPath, allowed...) {
			t.Errorf("%s uses cgo (%s); only %s may", p.ImportPath, strings.Join(p.CgoFiles, ", "), strings.Join(allowed, ", "))
		}
	}
}

// TestEveryPackageHasOneDocComment: a reader opens a package and is told what it is for.
func TestEveryPackageHasOneDocComment(t *testing.T) {
	for _, p := range packages(t) {
		var found []string
		for _, file := range append(append([]string{}, p.GoFiles...), p.CgoFiles...) {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if parsed.Doc != nil && strings.TrimSpace(parsed.Doc.Text()) != "" {
				found = append(found, file)
			}
		}
		if len(found) != 1 && len(p.GoFiles)+len(p.CgoFiles) > 0 {
			t.Errorf("%s has %d package comments (%s), want one", p.ImportPath, len(found), strings.Join(found, ", "))
		}
	}
}

// tracked lists the files that git knows.
func tracked(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("git is missing here, or this is not a checkout")
	}
	return strings.Fields(string(out))
}

// TestSourcesCarryTheirLicence looks for the SPDX line in the first lines of every source file.
func TestSourcesCarryTheirLicence(t *testing.T) {
	kinds := map[string]bool{".go": true, ".h": true, ".cu": true, ".cpp": true, ".c": true, ".glsl": true, ".vert": true, ".frag": true, ".sh": true, ".toml": true, ".mk": true}
	for _, file := range tracked(t) {
		if !kinds[path.Ext(file)] || strings.Contains(file, "testdata/") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue // removed in the working tree
		}
		if head := text[:min(len(text), 400)]; !bytes.Contains(head, []byte("SPDX-License-Identifier:")) {
			t.Errorf("%s has no SPDX-License-Identifier in its first lines", file)
		}
	}
}

// TestFilesStayReadable fails on hand-written sources far over 500 lines.
func TestFilesStayReadable(t *testing.T) {
	for _, file := range tracked(t) {
		switch path.Ext(file) {
		case ".go", ".h", ".cu", ".cpp", ".c", ".vert", ".frag":
		default:
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 600 {
			t.Errorf("%s has %d lines: is it one thing?", file, lines)
		}
	}
}

// TestNoReplaceDirectives: what go.mod names is what is built.
func TestNoReplaceDirectives(t *testing.T) {
	for _, file := range []string{"go.mod", "tools/go.mod"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nreplace ")) {
			t.Errorf("%s has a replace directive", file)
		}
	}
}

// TestOneGLVersion: two generated bindings would double the build and could disagree.
func TestOneGLVersion(t *testing.T) {
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "github.com/go-gl/gl/") && imported != "github.com/go-gl/gl/v4.5-core/gl" {
				t.Errorf("%s imports %s; the only version used is v4.5-core", p.ImportPath, imported)
			}
		}
	}
}
