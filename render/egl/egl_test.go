// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package egl_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"particles/render/egl"
	"particles/render/gl"
)

// newContext gives a current context on a locked thread, or skips with what EGL said.
func newContext(t *testing.T, o egl.Options) *egl.Context {
	t.Helper()
	ctx, err := egl.New(o)
	if err != nil {
		t.Skip(err)
	}
	runtime.LockOSThread()
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ctx.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	if err := gl.Init(ctx.ProcAddr); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func TestClearIsReadBackWithoutADisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	os.Unsetenv("DISPLAY")
	ctx := newContext(t, egl.Options{Debug: true})
	t.Log(ctx.Describe())
	gl.Debug(func(m gl.Message) { t.Error(m) })
	defer gl.Debug(nil)
	tex, fbo := gl.CreateTexture(gl.Texture2D), gl.CreateFramebuffer()
	defer gl.DeleteTexture(tex)
	defer gl.DeleteFramebuffer(fbo)
	gl.TextureStorage2D(tex, 1, gl.RGBA8, 4, 4)
	gl.NamedFramebufferTexture(fbo, gl.ColorAttachment0, tex)
	if err := gl.CheckFramebuffer(fbo); err != nil {
		t.Fatal(err)
	}
	gl.BindFramebuffer(fbo)
	gl.Viewport(0, 0, 4, 4)
	gl.ClearColor(1, 0.5, 0, 1)
	gl.Clear(gl.ColorBufferBit)
	var px [16][4]uint8
	gl.ReadPixels(0, 0, 4, 4, gl.RGBA, gl.UnsignedByte, unsafe.Pointer(&px[0]))
	for i, p := range px {
		if p[0] != 255 || p[1] < 127 || p[1] > 128 || p[2] != 0 || p[3] != 255 {
			t.Fatalf("pixel %d is %v, want 255, 127 or 128, 0, 255", i, p)
		}
	}
	if e := gl.GetError(); e != gl.NoError {
		t.Fatalf("OpenGL error %#x", e)
	}
}

func TestCurrentFollowsMakeCurrentAndRelease(t *testing.T) {
	ctx := newContext(t, egl.Options{})
	if ctx.Current() != ctx.Handle() || ctx.Handle() == 0 {
		t.Errorf("after MakeCurrent: current %#x, handle %#x", ctx.Current(), ctx.Handle())
	}
	if err := ctx.Release(); err != nil {
		t.Fatal(err)
	}
	if got := ctx.Current(); got != 0 {
		t.Errorf("after Release: current %#x, want 0", got)
	}
}

func TestClosingOneContextLeavesTheOtherUsable(t *testing.T) {
	a := newContext(t, egl.Options{})
	b, err := egl.New(egl.Options{}) // while a is current here
	if err != nil {
		t.Fatal(err)
	}
	if a.Current() != a.Handle() {
		t.Error("making a second context changed the current one")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if err := b.MakeCurrent(); err == nil {
		t.Error("a closed context was made current")
	}
	if v := gl.Describe().Version; v == "" {
		t.Error("the first context lost its display")
	}
}

func TestSoftwareIsChosenWhenAskedFor(t *testing.T) {
	ctx := newContext(t, egl.Options{Software: true})
	if i := ctx.Describe().GL; !i.Software {
		t.Skipf("no software OpenGL on this machine; got %s", i.Renderer)
	}
}

func TestSharingTellsSizesAndCopiesBytes(t *testing.T) {
	ctx := newContext(t, egl.Options{})
	s := gl.NewSharing(ctx.Current)
	buf := gl.CreateBuffer()
	defer gl.DeleteBuffer(buf)
	gl.NamedBufferStorage(buf, 64, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
	if size, immutable, ok := s.BufferInfo(buf); size != 64 || !immutable || !ok {
		t.Errorf("immutable buffer: size %d, immutable %v, ok %v", size, immutable, ok)
	}
	mutable := gl.CreateBuffer()
	defer gl.DeleteBuffer(mutable)
	gl.NamedBufferData(mutable, 32, nil, gl.StreamDraw)
	if size, immutable, ok := s.BufferInfo(mutable); size != 32 || immutable || !ok {
		t.Errorf("mutable buffer: size %d, immutable %v, ok %v", size, immutable, ok)
	}
	if _, _, ok := s.BufferInfo(987654); ok {
		t.Error("a name that is no buffer was taken for one")
	}
	in, out := [64]byte{0: 1, 33: 7, 63: 9}, [64]byte{}
	s.WriteBuffer(buf, unsafe.Pointer(&in), 64)
	s.ReadBuffer(buf, unsafe.Pointer(&out), 64)
	if in != out {
		t.Errorf("read back %v, want %v", out, in)
	}
	p := s.MapBuffer(buf, 64, true, true, false)
	if p == nil {
		t.Fatal("mapping failed")
	}
	b := unsafe.Slice((*byte)(p), 64)
	if b[33] != 7 {
		t.Errorf("mapped byte 33 is %d, want 7", b[33])
	}
	b[33] = 8
	if !s.UnmapBuffer(buf) {
		t.Error("contents lost at unmap")
	}
	s.ReadBuffer(buf, unsafe.Pointer(&out), 64)
	if out[33] != 8 {
		t.Errorf("byte written through the mapping is %d, want 8", out[33])
	}
	if s.CurrentContext() != ctx.Handle() {
		t.Error("Sharing does not tell the current context")
	}
	if n := testing.AllocsPerRun(100, func() { s.BufferInfo(buf); s.CurrentContext() }); n != 0 && !raceEnabled {
		t.Errorf("%v allocations a call, want 0", n)
	}
}

// The environment is read when libEGL is opened, so each case is a process of its own: this test binary again.
// mesaVendor is where GLVND finds Mesa.
const mesaVendor = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"

func TestFailuresSayWhatWasTriedAndWhatToDo(t *testing.T) {
	if os.Getenv("EGL_TEST_CHILD") != "" {
		_, err := egl.New(egl.Options{})
		if err == nil {
			t.Fatal("NO FAILURE")
		}
		if !errors.Is(err, egl.ErrUnavailable) {
			t.Error("does not match ErrUnavailable")
		}
		t.Fatal(err)
	}
	newContext(t, egl.Options{Software: true}) // where EGL does not work at all there is nothing to compare with
	for name, c := range map[string]struct {
		env  []string
		want []string
	}{
		"vendor file missing": {
			[]string{"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json"},
			[]string{"tried", "/nonexistent.json", "unset it"},
		},
		"OpenGL too old": {
			[]string{"LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=softpipe", "__EGL_VENDOR_LIBRARY_FILENAMES=" + mesaVendor},
			[]string{"OpenGL 4.5", "softpipe", "3.3", "update the graphics driver"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(mesaVendor); name == "OpenGL too old" && err != nil {
				t.Skipf("Mesa's EGL is missing on this machine: %v", err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestFailuresSayWhatWasTriedAndWhatToDo$")
			cmd.Env = append(append(os.Environ(), "EGL_TEST_CHILD=1"), c.env...)
			out, err := cmd.CombinedOutput()
			if err == nil || strings.Contains(string(out), "NO FAILURE") {
				t.Fatalf("no failure: %s", out)
			}
			for _, w := range c.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("message lacks %q:\n%s", w, out)
				}
			}
		})
	}
}
