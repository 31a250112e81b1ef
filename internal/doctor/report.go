// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/json"
	"fmt"
	"io"
)

// Schema is the version of the JSON form. Fields may be added without a new one.
const Schema = 1

// Report is the outcome of an examination.
type Report struct {
	Schema   int       `json:"schema"`
	Verdict  Verdict   `json:"verdict"`
	Findings []Finding `json:"findings"`
	Facts
}

// NewReport judges facts.
func NewReport(f Facts) *Report {
	r := &Report{Schema: Schema, Facts: f, Findings: []Finding{}}
	r.Findings = append(r.Findings, Classify(&f)...)
	r.Verdict = Judge(&f, r.Findings)
	return r
}

// WriteJSON writes the report for a bug report, indented.
func (r *Report) WriteJSON(w io.Writer) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}
