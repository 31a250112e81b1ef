// SPDX-License-Identifier: Apache-2.0

package kernels

import (
	"bytes"
	"os"
	"testing"

	"particles/kernels/gen/glue"
)

type field struct {
	name         string
	offset, size uintptr
}

// The C side of this is in src/table.h: both sides are compared with the layout that was worked out from the headers.
func TestParameterStructsHaveTheLayoutOfTheirCTwins(t *testing.T) {
	if len(layouts) < 10 {
		t.Fatalf("only %d structs", len(layouts))
	}
	for _, l := range layouts {
		if l.twin.Size() != l.size {
			t.Errorf("%s has %d bytes in Go, %d in C", l.twin, l.twin.Size(), l.size)
		}
		for _, want := range l.fields {
			f, ok := l.twin.FieldByName(want.name)
			if !ok || f.Offset != want.offset || f.Type.Size() != want.size {
				t.Errorf("%s.%s: at %d of %d bytes in Go (there: %v), at %d of %d in C", l.twin, want.name, f.Offset, f.Type.Size(), ok, want.offset, want.size)
			}
		}
	}
}

func TestGlueIsOfTheseHeaders(t *testing.T) {
	files, err := glue.Files()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("kernels/%s is stale (%v): run make kernels and commit", path, err)
		}
	}
}
