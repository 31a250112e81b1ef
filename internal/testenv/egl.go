// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"runtime"
	"testing"
	"unsafe"

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

// NewBuffer makes a buffer with immutable storage, which the test's end deletes.
func (g *GL) NewBuffer(t testing.TB, size int) uint32 {
	name := gl.CreateBuffer()
	gl.NamedBufferStorage(name, size, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
	t.Cleanup(func() { gl.DeleteBuffer(name) })
	return name
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
