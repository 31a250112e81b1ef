// SPDX-License-Identifier: Apache-2.0

package gl

import (
	"fmt"
	"unsafe"

	gl "github.com/go-gl/gl/v4.5-core/gl"
)

// Message is one message of the driver's debug output.
type Message struct {
	Source, Type, ID, Severity uint32
	Text                       string
}

// IsError tells whether the message reports an OpenGL error.
func (m Message) IsError() bool { return m.Type == gl.DEBUG_TYPE_ERROR }

// String gives the kind, the number and the driver's text.
func (m Message) String() string {
	kind := "message"
	switch m.Type {
	case gl.DEBUG_TYPE_ERROR:
		kind = "error"
	case gl.DEBUG_TYPE_UNDEFINED_BEHAVIOR:
		kind = "undefined behaviour"
	case gl.DEBUG_TYPE_DEPRECATED_BEHAVIOR:
		kind = "deprecated"
	case gl.DEBUG_TYPE_PERFORMANCE:
		kind = "performance"
	case gl.DEBUG_TYPE_PORTABILITY:
		kind = "portability"
	}
	return fmt.Sprintf("OpenGL %s %d: %s", kind, m.ID, m.Text)
}

// Debug has fn called for each debug message of the current context but notifications, synchronously, within the
// call that caused it and on its thread. It works best on a context made with a debug option. nil ends it. For tests and
// --gl-debug: it slows every call. The bindings hold one callback for the whole process.
func Debug(fn func(Message)) {
	if fn == nil {
		gl.DebugMessageCallback(nil, nil)
		gl.Disable(gl.DEBUG_OUTPUT)
		gl.Disable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
		return
	}
	gl.Enable(gl.DEBUG_OUTPUT)
	gl.Enable(gl.DEBUG_OUTPUT_SYNCHRONOUS)
	gl.DebugMessageControl(gl.DONT_CARE, gl.DONT_CARE, gl.DEBUG_SEVERITY_NOTIFICATION, 0, nil, false)
	gl.DebugMessageCallback(func(source, typ, id, severity uint32, _ int32, text string, _ unsafe.Pointer) {
		if severity == gl.DEBUG_SEVERITY_NOTIFICATION {
			return
		}
		fn(Message{source, typ, id, severity, text})
	}, nil)
}
