// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

// bed is what a case stands on.
type bed struct {
	*testing.T
	d     *interoptest.Driver
	inner driver.Driver // beneath d
	c     *interop.Context
	g     *testenv.GL
	in    *interop.GLInterop
	s     *interop.Stream
}

// shared tells that the driver maps the buffers themselves.
func (b *bed) shared() bool { return b.in.Tier() != interop.TierCopied }

func everywhere(t *testing.T, f func(b *bed)) {
	for _, tier := range []string{"direct", "copied"} {
		t.Run(tier, func(t *testing.T) {
			testenv.Drivers(t, func(t *testing.T, inner driver.Driver) {
				b := &bed{T: t, inner: inner, g: testenv.EGL(t), d: interoptest.New(interoptest.Options{Inner: inner})}
				b.c = testenv.Context(t, b.d)
				open := b.c.OpenGL
				if tier == "copied" {
					open = b.c.OpenGLCopied
				}
				var err error
				if b.in, err = open(b.g); errors.Is(err, interop.ErrUnavailable) {
					testenv.Missing(t, "gpu", "needs OpenGL on the CUDA device: %v", err)
				}
				b.must(err)
				b.s = b.stream()
				f(b)
				b.must(b.in.Close())
				b.must(b.s.Close())
				b.d.Lawful(t)
				b.g.NoErrors(t)
			})
		})
	}
}

func (b *bed) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bed) stream() *interop.Stream {
	b.Helper()
	s, err := b.c.NewStream(interop.StreamOptions{})
	b.must(err)
	return s
}

const caseSize = 4096

func (b *bed) register(a interop.Access) *interop.GLBuffer {
	b.Helper()
	g, err := b.in.RegisterBuffer(b.g.NewBuffer(b.T, caseSize), caseSize, a)
	b.must(err)
	return g
}

func (b *bed) image(u interop.ImageUse) *interop.GLImage {
	b.Helper()
	i, err := b.in.RegisterImage(b.g.NewTexture(b.T, driver.Texture2D, glRGBA8, 32, 16, 1, 2), driver.Texture2D, u)
	b.must(err)
	return i
}

// graphics gives the names and arguments of the graphics calls since the last time.
func (b *bed) graphics() []string {
	var out []string
	for _, c := range b.d.Take() {
		if strings.HasPrefix(c.Name, "cuGraphics") {
			out = append(out, c.Name+"("+c.Args+")")
		}
	}
	return out
}

// none fails the test if the driver was called since the last Take.
func (b *bed) none() {
	b.Helper()
	if c := b.d.Take(); len(c) > 0 {
		b.Errorf("driver calls %v, want none", c)
	}
}

func on(s *interop.Stream) string { return fmt.Sprintf("stream %#x)", s.Handle()) }
