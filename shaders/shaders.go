// SPDX-License-Identifier: Apache-2.0

// Package shaders holds the GLSL of the drawing passes, embedded into the binary.
//
// Every file is GLSL 4.50 core and compiles on Mesa's software renderer as on a GPU. With PARTICLES_DEV set (see
// package assets) the files of a checkout are read instead. Source may be called from any goroutine.
package shaders

import (
	"embed"
	"fmt"
	"io/fs"

	"particles/assets"
)

//go:embed *.vert *.frag
var embedded embed.FS

// Source returns the text of a shader, such as "sprite.frag".
func Source(name string) (string, error) {
	text, err := fs.ReadFile(assets.DevFS("shaders", embedded), name)
	if err != nil {
		return "", fmt.Errorf("shaders: %w", err)
	}
	return string(text), nil
}
