// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"slices"
	"strings"
	"testing"
)

// classifyCase: what a machine is like, and what must be said of it. words are looked for in the finding's text.
type classifyCase struct {
	name   string
	change func(*Facts)
	id     string
	words  []string
	never  []string // words that the whole report must not hold
	exit   int
	tier   string
	reason string // within the summary
}

var classifyCases = slices.Concat(driverCases, surfaceCases)

func TestEveryCaseIsToldWithItsCure(t *testing.T) {
	for _, c := range classifyCases {
		t.Run(c.name, func(t *testing.T) {
			f := best()
			c.change(f)
			r := NewReport(*f)
			var text strings.Builder
			if err := r.Write(&text); err != nil {
				t.Fatal(err)
			}
			t.Log(text.String())
			if c.id != "" {
				i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.ID == c.id })
				if i < 0 {
					t.Fatalf("no finding %s", c.id)
				}
				found := r.Findings[i]
				said := strings.Join([]string{string(found.Severity), found.What, found.Why, found.Do}, "\n")
				for _, w := range c.words {
					if !strings.Contains(said, w) {
						t.Errorf("the finding lacks %q", w)
					}
				}
			}
			for _, w := range c.never {
				if strings.Contains(text.String(), w) {
					t.Errorf("the report says %q", w)
				}
			}
			if v := r.Verdict; v.Exit != c.exit || v.Tier != c.tier || !strings.Contains(v.Summary, c.reason) {
				t.Errorf("verdict %+v, want exit %d, tier %s, %q", v, c.exit, c.tier, c.reason)
			}
		})
	}
}

func TestEveryFindingHasAllItsParts(t *testing.T) {
	for _, c := range classifyCases {
		f := best()
		c.change(f)
		rank := 0
		for _, found := range Classify(f) {
			if found.ID == "" || found.What == "" || found.Why == "" || found.Do == "" {
				t.Errorf("%s: %+v", c.name, found)
			}
			for _, s := range []string{found.What, found.Why, found.Do} {
				if strings.HasSuffix(s, ".") || strings.Contains(s, "\n") || strings.Contains(s, "  ") || strings.Contains(s, "()") {
					t.Errorf("%s: %q", c.name, s)
				}
			}
			if r := found.Severity.rank(); r < rank {
				t.Errorf("%s: %s comes after less important ones", c.name, found.ID)
			} else {
				rank = r
			}
		}
	}
}

// The findings of cases.md and issue 3 each have a case.
func TestEveryReasonHasACase(t *testing.T) {
	seen := map[string]bool{"build-without-cuda": true, "driver-refused": true} // not on Linux; not seen in the wild
	for _, c := range classifyCases {
		f := best()
		c.change(f)
		for _, found := range Classify(f) {
			seen[found.ID] = true
		}
	}
	for _, id := range reasons {
		if !seen[id] {
			t.Errorf("no case for %s", id)
		}
	}
}
