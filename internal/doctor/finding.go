// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"cmp"
	"slices"
)

// Finding is one thing that is worth knowing.
type Finding struct {
	ID       string   `json:"id"` // stable: "driver-missing"
	Severity Severity `json:"severity"`
	What     string   `json:"what"`
	Why      string   `json:"why"`
	Do       string   `json:"do"`
	Where    []string `json:"where,omitempty"` // "window", "headless": the surfaces that it concerns; empty: all
}

// Severity is how much a Finding matters.
type Severity string

// The severities: an error keeps something from working, a warning has the
// program do with less than the machine has, a note only explains.
const (
	Bad  Severity = "error"
	Warn Severity = "warning"
	Note Severity = "note"
)

func (s Severity) rank() int { return slices.Index([]Severity{Bad, Warn, Note}, s) }

// Classify names what the facts mean, the worst first. It looks at nothing but f.
func Classify(f *Facts) []Finding {
	var l list
	l.f = f
	l.driver()
	l.devices()
	l.memory()
	l.opengl("window", &f.Window)
	l.opengl("headless", &f.Headless)
	l.session()
	l.machine()
	slices.SortStableFunc(l.all, func(a, b Finding) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	return l.all
}

// list collects findings about f.
type list struct {
	f   *Facts
	all []Finding
}

func (l *list) add(id string, s Severity, what, why, do string) {
	l.all = append(l.all, Finding{ID: id, Severity: s, What: what, Why: why, Do: do})
}

// addAt adds a finding about one surface; the same one about both is one.
func (l *list) addAt(where, id string, s Severity, what, why, do string) {
	for i := range l.all {
		if o := &l.all[i]; o.ID == id && o.What == what && len(o.Where) > 0 {
			o.Where = append(o.Where, where)
			return
		}
	}
	l.all = append(l.all, Finding{ID: id, Severity: s, What: what, Why: why, Do: do, Where: []string{where}})
}

// has tells whether a finding is there already.
func (l *list) has(ids ...string) bool {
	return slices.ContainsFunc(l.all, func(f Finding) bool { return slices.Contains(ids, f.ID) })
}
