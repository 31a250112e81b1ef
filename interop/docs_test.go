// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/interop.md")
	if err != nil {
		t.Skipf("needs the module's sources: %v", err)
	}
	return string(text)
}

// The examples that people copy are the ones that tests run.
func TestDocumentationHoldsTheExamples(t *testing.T) {
	doc := documentation(t)
	source, err := os.ReadFile("example_docs_test.go")
	if err != nil {
		t.Skipf("needs the module's sources: %v", err)
	}
	bodies := regexp.MustCompile(`(?ms)^func Example_(\w+)\(\) \{\n(.*?)\n\t// Output: .*?^\}$`).FindAllStringSubmatch(string(source), -1)
	if len(bodies) != 3 {
		t.Fatalf("%d examples", len(bodies))
	}
	for _, b := range bodies {
		var lines []string
		for line := range strings.Lines(b[2]) {
			lines = append(lines, strings.TrimPrefix(strings.TrimRight(line, "\n"), "\t"))
		}
		if !strings.Contains(doc, strings.Join(lines, "\n")) {
			t.Errorf("docs/interop.md does not hold the example %s as it is in example_docs_test.go", b[1])
		}
	}
}

// Every error that a caller can test for is in the table.
func TestDocumentationHasEveryError(t *testing.T) {
	doc := documentation(t)
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	if err != nil {
		t.Skipf("needs the module's sources: %v", err)
	}
	n := 0
	ast.Inspect(f, func(x ast.Node) bool {
		spec, ok := x.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Err") {
			n++
			if !strings.Contains(doc, "| `"+spec.Names[0].Name+"`") {
				t.Errorf("docs/interop.md lacks %s", spec.Names[0].Name)
			}
		}
		return true
	})
	if n < 15 {
		t.Errorf("only %d errors found in errors.go", n)
	}
}
