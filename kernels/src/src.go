// SPDX-License-Identifier: Apache-2.0

// Package src holds the kernels' sources, one for CUDA and the host (the .h files of this folder). Embedding them has two uses: the
// host packages import this one blankly, so that the go command builds them again after an edit of a header (it does not see
// headers of other folders by itself, golang/go#24355); and their hash tells whether the committed PTX is stale.
//
// Read only, safe from any goroutine.
package src

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.h
var files embed.FS

// Headers gives every header's text by its name.
func Headers() (map[string]string, error) {
	names, err := fs.Glob(files, "*.h")
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(names))
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// Hash is the SHA-256, in hexadecimal, of a module's header and of all headers that it includes, directly or not, except
// those that only the host sees.
func Hash(module string) (string, error) {
	texts, err := Headers()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := hashInto(sum, texts, module+".h", map[string]bool{}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func hashInto(w interface{ Write([]byte) (int, error) }, texts map[string]string, name string, seen map[string]bool) error {
	if seen[name] || name == "lane_host.h" {
		return nil
	}
	seen[name] = true
	text, ok := texts[name]
	if !ok {
		return fmt.Errorf("kernels: no header %s", name)
	}
	fmt.Fprintf(w, "%s %d\n%s", name, len(text), text)
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), `#include "`)
		if !ok {
			continue
		}
		if err := hashInto(w, texts, strings.TrimSuffix(rest, `"`), seen); err != nil {
			return err
		}
	}
	return nil
}
