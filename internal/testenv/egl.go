// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"runtime"
	"testing"
	"unsafe"

	"particles/interop/driver"
	"particles/render/egl"
	"particles/render/gl"
)

// GL is a headless OpenGL context that is current on the test's thread.
type GL struct {
	*gl.Sharing // a driver.GL
	Context     *egl.Context
	Info        gl.Info
}

// EGL makes a headless OpenGL context, on the GPU if there is one, current on
// the test's goroutine, which stays on its thread until the test ends. It skips,
// saying what was tried, where none can be made.
func EGL(t testing.TB) *GL {
	t.Helper()
	ctx, err := egl.New(egl.Options{})
	if err != nil {
		t.Skipf("needs headless OpenGL: %v", err)
	}
	runtime.LockOSThread()
	t.Cleanup(func() {
		if err := ctx.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	if err := gl.Init(ctx.ProcAddr); err != nil {
		t.Fatal(err)
	}
	return &GL{Sharing: gl.NewSharing(ctx.Current), Context: ctx, Info: gl.Describe()}
}

// SecondGL makes one more headless context and makes it current; the caller
// closes it and makes the first one current again.
func SecondGL(t testing.TB) *egl.Context {
	t.Helper()
	ctx, err := egl.New(egl.Options{})
	if err != nil {
		t.Skipf("needs a second headless OpenGL context: %v", err)
	}
	t.Cleanup(func() {
		if err := ctx.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// NewBuffer makes a buffer with immutable storage, which the test's end deletes.
func (g *GL) NewBuffer(t testing.TB, size int) uint32 {
	name := gl.CreateBuffer()
	gl.NamedBufferStorage(name, size, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
	t.Cleanup(func() { gl.DeleteBuffer(name) })
	return name
}

// NewTexture makes a texture with immutable storage, which the test's end deletes.
// depth is the number of slices or layers of the targets that have them, else 1.
func (g *GL) NewTexture(t testing.TB, target, format uint32, w, h, depth, levels int) uint32 {
	name := gl.CreateTexture(target)
	switch target {
	case driver.Texture3D, driver.Texture2DArray:
		gl.TextureStorage3D(name, levels, format, w, h, depth)
	default:
		gl.TextureStorage2D(name, levels, format, w, h)
	}
	t.Cleanup(func() { gl.DeleteTexture(name) })
	return name
}

// Texels reads one layer of a level back, waiting for OpenGL.
func (g *GL) Texels(t testing.TB, name, target uint32, layer, level, size int) []byte {
	t.Helper()
	b := make([]byte, size)
	if !g.ReadTexture(name, target, level, layer, unsafe.Pointer(&b[0]), size) {
		t.Fatalf("texture %d: layer %d, level %d has no %d bytes", name, layer, level, size)
	}
	return b
}

// SetTexels writes one layer of a level.
func (g *GL) SetTexels(t testing.TB, name, target uint32, layer, level int, b []byte) {
	t.Helper()
	if !g.WriteTexture(name, target, level, layer, unsafe.Pointer(&b[0]), len(b)) {
		t.Fatalf("texture %d: layer %d, level %d does not take %d bytes", name, layer, level, len(b))
	}
}

// Bytes reads a buffer back, waiting for OpenGL.
func (g *GL) Bytes(name uint32, size int) []byte {
	b := make([]byte, size)
	g.ReadBuffer(name, unsafe.Pointer(&b[0]), size)
	return b
}

// NoErrors fails the test if OpenGL has an error pending.
func (g *GL) NoErrors(t testing.TB) {
	t.Helper()
	if e := gl.GetError(); e != gl.NoError {
		t.Errorf("OpenGL error %#x", e)
	}
}
