// SPDX-License-Identifier: Apache-2.0

package particles_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestTheDoctorsPageListsItsFindings: the manual has every finding of the source, and no other.
func TestTheDoctorsPageListsItsFindings(t *testing.T) {
	files, err := filepath.Glob("internal/doctor/find_*.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("the doctor's sources: %v, %v", files, err)
	}
	inSource := map[string]bool{}
	added := regexp.MustCompile(`(?:l\.add\(|l\.addAt\([^,]+, |ID: )"([a-z0-9-]+)"`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range added.FindAllStringSubmatch(string(text), -1) {
			inSource[m[1]] = true
		}
	}
	page, err := os.ReadFile("docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	onPage := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		onPage[m[1]] = true
	}
	for id := range inSource {
		if !onPage[id] {
			t.Errorf("docs/doctor.md does not explain %s", id)
		}
	}
	for id := range onPage {
		if !inSource[id] {
			t.Errorf("docs/doctor.md explains %s, which the doctor does not find", id)
		}
	}
	if len(inSource) < 30 {
		t.Errorf("only %d findings were seen: does the test still read the source rightly?", len(inSource))
	}
}
