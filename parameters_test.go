// SPDX-License-Identifier: Apache-2.0

package particles_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"particles/internal/scene"
	"particles/sim/param"
)

var update = flag.Bool("update", false, "write docs/parameters.md anew")

// TestParameterPageIsTheRegistry: the documentation of the parameters is made from
// the registry that panel, scene files and command line read.
func TestParameterPageIsTheRegistry(t *testing.T) {
	const page = "docs/parameters.md"
	want := parameterPage()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the registry says (%v); write it anew: go test . -update", page, err)
	}
}

func parameterPage() string {
	var b strings.Builder
	b.WriteString("# Parameters\n\nMade from the registry by `go test . -update`. In a scene file a parameter stands in its section, `[flow]` or `[clock]`; on the\n" +
		"command line it is `--set SECTION.KEY=VALUE`. Values outside the range are refused there and clamped in the panel.\n" +
		"Expert ones are folded away in the panel.\n")
	for _, g := range scene.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | what | unit | default | range |\n|---|---|---|---|---|\n", g.Name, g.Doc)
		set := param.Must(g)
		for i := range g.Specs {
			s := &g.Specs[i]
			least, most := s.Range()
			rng := fmt.Sprintf("%s to %s", param.Plain(least), param.Plain(most))
			switch s.Kind {
			case param.Bool:
				rng = "off, on"
			case param.Enum:
				rng = strings.Join(s.Choices, ", ")
			case param.Matrix:
				rng = fmt.Sprintf("up to %d x %d of %s", s.Rows, s.Cols, rng)
			case param.Array:
				rng = fmt.Sprintf("up to %d of %s", s.Cols, rng)
			}
			doc := strings.ReplaceAll(s.Doc, "|", "\\|")
			if s.Expert {
				doc += " (expert)"
			}
			if s.NeedsReset {
				doc += " Takes effect at a reset."
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Name, doc, s.Unit, set.Format(i), rng)
		}
	}
	return b.String()
}
