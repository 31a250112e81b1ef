// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"fmt"
	"strings"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// ShaderSource is one stage of a program: its file's name, for messages, and its text.
type ShaderSource struct{ Name, Text string }

// NewProgram compiles and links a vertex and a fragment shader. The error names the file, repeats the driver's log and
// says which GLSL was needed and offered.
func NewProgram(vert, frag ShaderSource) (uint32, error) {
	vs, err := compile(gl.VERTEX_SHADER, vert)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(vs)
	fs, err := compile(gl.FRAGMENT_SHADER, frag)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(fs)
	p := gl.CreateProgram()
	gl.AttachShader(p, vs)
	gl.AttachShader(p, fs)
	gl.LinkProgram(p)
	gl.DetachShader(p, vs)
	gl.DetachShader(p, fs)
	var ok, n int32
	if gl.GetProgramiv(p, gl.LINK_STATUS, &ok); ok == gl.TRUE {
		return p, nil
	}
	gl.GetProgramiv(p, gl.INFO_LOG_LENGTH, &n)
	log := make([]byte, n+1)
	gl.GetProgramInfoLog(p, n, nil, &log[0])
	gl.DeleteProgram(p)
	return 0, shaderError("linking", vert.Name+" with "+frag.Name, vert.Text, log)
}

func compile(stage uint32, src ShaderSource) (uint32, error) {
	s := gl.CreateShader(stage)
	text, free := gl.Strs(src.Text + "\x00")
	gl.ShaderSource(s, 1, text, nil)
	free()
	gl.CompileShader(s)
	var ok, n int32
	if gl.GetShaderiv(s, gl.COMPILE_STATUS, &ok); ok == gl.TRUE {
		return s, nil
	}
	gl.GetShaderiv(s, gl.INFO_LOG_LENGTH, &n)
	log := make([]byte, n+1)
	gl.GetShaderInfoLog(s, n, nil, &log[0])
	gl.DeleteShader(s)
	return 0, shaderError("compiling", src.Name, src.Text, log)
}

func shaderError(doing, name, text string, log []byte) error {
	need, _, _ := strings.Cut(text, "\n")
	msg := strings.TrimSpace(strings.TrimRight(string(log), "\x00"))
	if msg == "" {
		msg = "the driver gave no message"
	}
	info := Describe()
	return fmt.Errorf("gl: %s shader %s on %s (GLSL offered %s, needed %q): %s", doing, name, info.Renderer, info.GLSL, need, msg)
}

// DeleteProgram deletes a program; 0 is ignored.
func DeleteProgram(p uint32) { gl.DeleteProgram(p) }

// UseProgram makes p the program that draws.
func UseProgram(p uint32) { gl.UseProgram(p) }

// UniformLocation finds a uniform, -1 when the linked program does not use it. Look up once, not each frame.
func UniformLocation(p uint32, name string) int32 {
	return gl.GetUniformLocation(p, gl.Str(name+"\x00"))
}

// Uniform1i sets an int or sampler of the program in use.
func Uniform1i(loc int32, v int) { gl.Uniform1i(loc, int32(v)) }

// Uniform1f sets a float of the program in use.
func Uniform1f(loc int32, v float32) { gl.Uniform1f(loc, v) }

// Uniform2f sets a vec2 of the program in use.
func Uniform2f(loc int32, x, y float32) { gl.Uniform2f(loc, x, y) }

// Uniform3f sets a vec3 of the program in use.
func Uniform3f(loc int32, x, y, z float32) { gl.Uniform3f(loc, x, y, z) }

// Uniform4f sets a vec4 of the program in use.
func Uniform4f(loc int32, x, y, z, w float32) { gl.Uniform4f(loc, x, y, z, w) }

// UniformMatrix4 sets a mat4 of the program in use from 16 floats by columns. m must point into the heap, see the
// package comment.
func UniformMatrix4(loc int32, m *float32) { gl.UniformMatrix4fv(loc, 1, false, m) }
