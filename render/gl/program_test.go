// SPDX-License-Identifier: Apache-2.0

package gl_test

import (
	"runtime"
	"strings"
	"testing"

	"particles/render/egl"
	"particles/render/gl"
)

func TestAShaderThatDoesNotCompileIsExplained(t *testing.T) {
	ctx, err := egl.New(egl.Options{})
	if err != nil {
		t.Skip(err)
	}
	defer ctx.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	if err := gl.Init(ctx.ProcAddr); err != nil {
		t.Fatal(err)
	}
	good := gl.ShaderSource{Name: "good.vert", Text: "#version 450 core\nout vec2 v;\nvoid main() { v = vec2(0); gl_Position = vec4(0); }"}
	bad := gl.ShaderSource{Name: "bad.frag", Text: "#version 450 core\nvoid main() { nonesuch = 1; }"}
	_, err = gl.NewProgram(good, bad)
	if err == nil {
		t.Fatal("a broken shader compiles")
	}
	for _, want := range []string{"bad.frag", "nonesuch", "#version 450 core", gl.Describe().GLSL} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	unmatched := gl.ShaderSource{Name: "unmatched.frag", Text: "#version 450 core\nin vec3 w;\nout vec4 c;\nvoid main() { c = vec4(w, 1); }"}
	if _, err := gl.NewProgram(good, unmatched); err == nil || !strings.Contains(err.Error(), "unmatched.frag") {
		t.Errorf("linking shaders that do not fit: %v", err)
	}
	if e := gl.GetError(); e != gl.NoError {
		t.Errorf("OpenGL error %#x", e)
	}
}
