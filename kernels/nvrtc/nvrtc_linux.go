// SPDX-License-Identifier: Apache-2.0

package nvrtc

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

// nvrtc.h of CUDA 12, the part that is used. Results are nvrtcResult numbers, 0 is success.
typedef struct {
	int (*version)(int *major, int *minor);
	const char *(*error)(int);
	int (*create)(void **prog, const char *src, const char *name, int n, const char *const *headers, const char *const *names);
	int (*destroy)(void **prog);
	int (*compile)(void *prog, int n, const char *const *options);
	int (*ptx_size)(void *prog, size_t *n);
	int (*ptx)(void *prog, char *text);
	int (*log_size)(void *prog, size_t *n);
	int (*log)(void *prog, char *text);
} nvrtc_lib;

static void *sym(void *lib, const char *name, int *missing)
{
	void *p = dlsym(lib, name);
	if (!p)
		*missing = 1;
	return p;
}

// nvrtc_open fills l and returns NULL, or the reason in words.
static const char *nvrtc_open(const char *path, nvrtc_lib *l)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int missing = 0;
	if (!h)
		return dlerror();
	l->version = sym(h, "nvrtcVersion", &missing);
	l->error = sym(h, "nvrtcGetErrorString", &missing);
	l->create = sym(h, "nvrtcCreateProgram", &missing);
	l->destroy = sym(h, "nvrtcDestroyProgram", &missing);
	l->compile = sym(h, "nvrtcCompileProgram", &missing);
	l->ptx_size = sym(h, "nvrtcGetPTXSize", &missing);
	l->ptx = sym(h, "nvrtcGetPTX", &missing);
	l->log_size = sym(h, "nvrtcGetProgramLogSize", &missing);
	l->log = sym(h, "nvrtcGetProgramLog", &missing);
	return missing ? "it lacks functions of NVRTC" : NULL;
}

static int nvrtc_version(nvrtc_lib *l, int *a, int *b) { return l->version(a, b); }
static const char *nvrtc_error(nvrtc_lib *l, int r) { return l->error(r); }
static int nvrtc_create(nvrtc_lib *l, void **p, const char *src, const char *name, int n, char **h, char **names)
{
	return l->create(p, src, name, n, (const char *const *)h, (const char *const *)names);
}
static int nvrtc_compile(nvrtc_lib *l, void *p, int n, char **options) { return l->compile(p, n, (const char *const *)options); }
static int nvrtc_destroy(nvrtc_lib *l, void *p) { return l->destroy(&p); }

// nvrtc_text gives the PTX or the log in malloc'd memory.
static char *nvrtc_text(nvrtc_lib *l, void *p, int log, int *result)
{
	size_t n = 0;
	char *text;
	*result = log ? l->log_size(p, &n) : l->ptx_size(p, &n);
	if (*result)
		return NULL;
	text = calloc(n + 1, 1);
	if (text)
		*result = log ? l->log(p, text) : l->ptx(p, text);
	return text;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"
)

// ErrNotFound is in the error of Open when there is no library.
var ErrNotFound = errors.New("no NVRTC library found")

// Env names the environment variable that holds the library's path.
const Env = "PARTICLES_NVRTC"

// Compiler is an opened library.
type Compiler struct {
	lib          *C.nvrtc_lib
	Major, Minor int
}

// Open opens the library at path; "" looks at the environment variable Env, then in the loader's own places.
func Open(path string) (*Compiler, error) {
	paths := []string{path}
	if path == "" {
		if paths = []string{"libnvrtc.so.12"}; os.Getenv(Env) != "" { // CUDA 13 lacks the targets that old GPUs need
			paths = []string{os.Getenv(Env)}
		}
	}
	c := &Compiler{lib: (*C.nvrtc_lib)(C.calloc(1, C.size_t(unsafe.Sizeof(C.nvrtc_lib{}))))}
	var why []string
	for _, p := range paths {
		name := C.CString(p)
		reason := C.nvrtc_open(name, c.lib)
		C.free(unsafe.Pointer(name))
		if reason != nil {
			why = append(why, C.GoString(reason))
			continue
		}
		var major, minor C.int
		if r := C.nvrtc_version(c.lib, &major, &minor); r != 0 {
			return nil, c.fail("nvrtcVersion", r)
		}
		c.Major, c.Minor = int(major), int(minor)
		return c, nil
	}
	return nil, fmt.Errorf("nvrtc: %w: %s; set %s to the library's path, or run make kernels", ErrNotFound, strings.Join(why, "; "), Env)
}

// Compile gives the PTX of the source that headers holds under name; it may include the others. The error of a source
// that does not compile holds the compiler's log.
func (c *Compiler) Compile(name string, headers map[string]string, options ...string) (string, error) {
	source, ok := headers[name]
	if !ok {
		return "", fmt.Errorf("nvrtc: no source %s", name)
	}
	var names, texts []string
	for n := range headers {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		texts = append(texts, headers[n])
	}
	cSource, cName := C.CString(source), C.CString(name)
	defer C.free(unsafe.Pointer(cSource))
	defer C.free(unsafe.Pointer(cName))
	cNames, freeNames := stringArray(names)
	defer freeNames()
	cTexts, freeTexts := stringArray(texts)
	defer freeTexts()
	cOptions, freeOptions := stringArray(options)
	defer freeOptions()

	var prog unsafe.Pointer
	if r := C.nvrtc_create(c.lib, &prog, cSource, cName, C.int(len(names)), cTexts, cNames); r != 0 {
		return "", c.fail("nvrtcCreateProgram", r)
	}
	defer C.nvrtc_destroy(c.lib, prog)
	if r := C.nvrtc_compile(c.lib, prog, C.int(len(options)), cOptions); r != 0 {
		log, _ := c.text(prog, 1)
		return "", fmt.Errorf("%w:\n%s", c.fail(name, r), strings.TrimSpace(log))
	}
	return c.text(prog, 0)
}

func (c *Compiler) text(prog unsafe.Pointer, log C.int) (string, error) {
	var r C.int
	text := C.nvrtc_text(c.lib, prog, log, &r)
	defer C.free(unsafe.Pointer(text))
	if r != 0 || text == nil {
		return "", c.fail("nvrtcGetPTX", r)
	}
	return C.GoString(text), nil
}

func (c *Compiler) fail(what string, r C.int) error {
	return fmt.Errorf("nvrtc: %s: %s", what, C.GoString(C.nvrtc_error(c.lib, r)))
}

// stringArray copies texts to C memory; the function frees it.
func stringArray(texts []string) (array **C.char, free func()) {
	if len(texts) == 0 {
		return nil, func() {}
	}
	size := C.size_t(len(texts)) * C.size_t(unsafe.Sizeof(uintptr(0)))
	array = (**C.char)(C.malloc(size))
	items := unsafe.Slice(array, len(texts))
	for i, t := range texts {
		items[i] = C.CString(t)
	}
	return array, func() {
		for _, p := range items {
			C.free(unsafe.Pointer(p))
		}
		C.free(unsafe.Pointer(array))
	}
}
