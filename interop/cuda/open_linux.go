// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package cuda

// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "cu.h"
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"particles/interop/driver"
)

// Paths are the places where the library is looked for, in this order. The
// second is where Windows puts it for Linux programs (WSL), should the loader's
// own path not hold it.
var Paths = []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}

// Driver is the CUDA driver. Make it with Open.
type Driver struct {
	lib      *C.cu_lib // C memory, never freed: the library stays loaded
	noGL     error
	noImages error
}

// Open loads the NVIDIA driver's library and initialises it. The error is an
// *OpenError that says what is missing and what to do.
func Open() (*Driver, error) {
	var first error
	for _, p := range Paths {
		d, err := OpenPath(p)
		if err == nil {
			return d, nil
		}
		if first == nil {
			first = err
		}
		if e := err.(*OpenError); e.Kind != ErrNoLibrary {
			return nil, err // it is there, but does not work: another one will not either
		}
	}
	return nil, first
}

// OpenPath is Open with one library.
func OpenPath(path string) (*Driver, error) {
	const room = 4096
	text := (*C.char)(C.calloc(3, room))
	defer C.free(unsafe.Pointer(text))
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))

	handle := C.cu_open(cpath, text, room)
	if handle == nil {
		detail := C.GoString(text)
		if path == "libcuda.so.1" && strings.Contains(detail, "No such file") {
			detail = "" // the kind says it
		}
		return nil, &OpenError{
			Kind: ErrNoLibrary, Path: path, Detail: detail,
			Cure: "install the NVIDIA driver to use a GPU",
		}
	}
	lib := (*C.cu_lib)(C.calloc(1, C.sizeof_cu_lib))
	gl := (*C.char)(unsafe.Add(unsafe.Pointer(text), room))
	images := (*C.char)(unsafe.Add(unsafe.Pointer(text), 2*room))
	if C.cu_load(lib, handle, text, gl, images, room) > 0 {
		err := &OpenError{
			Kind: ErrTooOld, Path: path, Missing: strings.Fields(C.GoString(text)),
			Cure: "update the NVIDIA driver (525 or newer, for CUDA 12)",
		}
		C.free(unsafe.Pointer(lib))
		C.cu_close(handle)
		return nil, err
	}
	d := &Driver{lib: lib}
	if missing := C.GoString(gl); missing != "" {
		d.noGL = fmt.Errorf("%s lacks %s; update the NVIDIA driver to share OpenGL buffers", path, strings.ReplaceAll(missing, " ", ", "))
	}
	if missing := C.GoString(images); missing != "" {
		d.noImages = fmt.Errorf("%s lacks %s; update the NVIDIA driver to share OpenGL textures", path, strings.ReplaceAll(missing, " ", ", "))
	}
	if code := driver.Code(C.cu_init(lib)); code != driver.Success {
		err := &OpenError{Kind: ErrInit, Path: path, Code: code, Name: d.ErrorName(code), Cure: driver.Cure("cuInit", code)}
		C.free(unsafe.Pointer(lib))
		C.cu_close(handle)
		return nil, err
	}
	return d, nil
}
