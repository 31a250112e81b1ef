// SPDX-License-Identifier: Apache-2.0

package choose

import (
	"errors"
	"fmt"
	"strings"

	"particles/interop"
	"particles/interop/driver"
)

// sentence makes one line of an error.
func sentence(err error) string {
	text := err.Error()
	var refused *interop.Error
	if errors.As(err, &refused) && errors.Is(err, interop.ErrImageRefused) {
		short := *refused // without the compiler's log, but with what the caller said around it
		short.Detail, _, _ = strings.Cut(short.Detail, ": ")
		text = strings.Replace(text, refused.Error(), short.Error(), 1)
	}
	return strings.Join(strings.Fields(text), " ")
}

// shareReason says in one sentence why OpenGL's buffers are copied, and what
// would help.
func shareReason(gl driver.GL, device string, why error) string {
	_, renderer, _ := gl.Describe()
	code := ""
	var e *interop.Error
	if errors.As(why, &e) {
		code = fmt.Sprintf(" (%s answers %s, %d)", e.Op, e.Name, int(e.Code))
	}
	switch {
	case driver.UnderWSL():
		return "CUDA cannot share OpenGL buffers under WSL2, so they are copied" + code
	case software(renderer):
		return fmt.Sprintf("OpenGL is drawn in software (%s), so buffers are copied from %s%s; to draw on the NVIDIA GPU "+
			"start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia (needs NVIDIA's OpenGL), or use --headless in a remote session", renderer, device, code)
	case errors.Is(why, interop.ErrDeviceMismatch):
		return fmt.Sprintf("OpenGL draws on %s and kernels run on %s, so buffers are copied%s; use the same GPU for both", renderer, device, code)
	case errors.Is(why, interop.ErrUnavailable) && e == nil:
		return fmt.Sprintf("buffers are copied: %s", strings.TrimPrefix(sentence(why), "interop: "))
	}
	return fmt.Sprintf("OpenGL draws on %s, which cannot share buffers with %s, so they are copied%s; "+
		"to draw on the NVIDIA GPU start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia", renderer, device, code)
}

// software tells the renderers that draw on the CPU by their names.
func software(renderer string) bool {
	r := strings.ToLower(renderer)
	for _, name := range []string{"llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "gdi generic"} {
		if strings.Contains(r, name) {
			return true
		}
	}
	return false
}
