// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/cuda"
	"particles/interop/driver"
)

// program is a run through everything a program does, on any driver. It stops
// at the first error and leaves everything as it is.
type program struct {
	c  *interop.Context
	in *interop.GLInterop
}

func (p *program) run(d driver.Driver, gl *testenv.FakeGL, copied bool) (err error) {
	if p.c, err = interop.NewContext(d, 0); err != nil {
		return err
	}
	s, err := p.c.NewStream(interop.StreamOptions{})
	if err != nil {
		return err
	}
	s2, err := p.c.NewStream(interop.StreamOptions{})
	if err != nil {
		return err
	}
	from, err := p.c.NewEvent(interop.EventOptions{Timing: true})
	if err != nil {
		return err
	}
	a, err := p.c.Alloc(4096)
	if err != nil {
		return err
	}
	h, err := p.c.AllocHost(4096)
	if err != nil {
		return err
	}
	m, err := p.c.LoadModule(driver.Image{Name: "m", PTX: []byte(nopPTX), Host: map[string]driver.HostKernel{"nop": func(unsafe.Pointer, driver.Work) {}}})
	if err != nil {
		return err
	}
	k, err := m.Kernel("nop")
	if err != nil {
		return err
	}
	if copied {
		p.in, err = p.c.OpenGLCopied(gl)
	} else {
		p.in, err = p.c.OpenGL(gl)
	}
	if err != nil {
		return err
	}
	var bs []*interop.GLBuffer
	for _, access := range []interop.Access{interop.WriteDiscard, interop.ReadWrite} {
		b, err := p.in.RegisterBuffer(gl.NewBuffer(4096), 4096, access)
		if err != nil {
			return err
		}
		bs = append(bs, b)
	}
	img, err := p.in.RegisterImage(gl.NewTexture(driver.Texture2D, glRGBA8, 64, 32, 1, 1), driver.Texture2D, interop.ImageSurface)
	if err != nil {
		return err
	}
	texels, err := p.c.Alloc(64 * 32 * 4)
	if err != nil {
		return err
	}
	for range 2 {
		if err := img.WithMapped(s, 0, 0, func(a interop.Array) error {
			return errors.Join(a.CopyTo(s, texels), a.CopyFrom(s, texels))
		}); err != nil {
			return err
		}
		if err := from.Record(s); err != nil {
			return err
		}
		if err := p.in.WithMappedAll(s, bs, func(ms []interop.Buffer) error {
			var params [2]uint64
			if err := k.Launch(s, 100, unsafe.Pointer(&params), 16); err != nil {
				return err
			}
			return ms[0].CopyFrom(s, a)
		}); err != nil {
			return err
		}
		b, err := bs[0].Map(s)
		if err != nil {
			return err
		}
		if err := errors.Join(b.SetReleaseStream(s2), b.Close()); err != nil {
			return err
		}
		if err := errors.Join(a.Fill(s, 1, 4), a.Fill(s, 1, 2), a.Fill(s, 1, 1), a.CopyFromHost(s, h, 0, 64), a.CopyToHost(s, h, 0, 64)); err != nil {
			return err
		}
		if err := s.WaitEvent(from); err != nil {
			return err
		}
		if err := errors.Join(s.Synchronize(), from.Synchronize(), p.c.Synchronize()); err != nil {
			return err
		}
		if _, err := from.Elapsed(from); err != nil {
			return err
		}
		if _, err := from.Done(); err != nil {
			return err
		}
		if _, err := s.Query(); err != nil {
			return err
		}
		if _, _, err := p.c.MemInfo(); err != nil {
			return err
		}
	}
	for _, c := range []interface{ Close() error }{bs[1], img, texels, bs[0], p.in, m, h, a, from, s2, s} {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

// end closes what is left, and gives the errors of freeing; leaks are expected.
func (p *program) end() error {
	if p.c == nil {
		return nil
	}
	var errs []error
	if p.in != nil {
		errs = append(errs, p.in.Close())
	}
	err := p.c.Close()
	var leak *interop.LeakError
	if errors.As(err, &leak) {
		errs = append(errs, leak.Errors...)
	} else {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

var calledName = regexp.MustCompile(`(cu\w+) #`)

// TestAnyCallMayFailAnywhere makes each driver call of the program fail, the
// first time, the second and so on: the error must name call and code, and
// afterwards everything is given back that the driver let go.
func TestAnyCallMayFailAnywhere(t *testing.T) {
	t.Setenv("FAKE_CU_LOG", "")
	for _, copied := range []bool{false, true} {
		log := filepath.Join(t.TempDir(), "log")
		t.Setenv("FAKE_CU", "")
		t.Setenv("FAKE_CU_LOG", log)
		var p program
		if err := errors.Join(p.run(testenv.FakeCUDA(t), testenv.NewFakeGL(), copied), p.end()); err != nil {
			t.Fatalf("without failures: %v", err)
		}
		text := readFile(t, log)
		if !strings.Contains(text, "STATE contexts=0 bytes=0 pinned=0 registered=0 mapped=0 streams=0 events=0 modules=0\n") {
			t.Fatalf("without failures something was left:\n%s", text)
		}
		counts := map[string]int{}
		var names []string
		for _, m := range calledName.FindAllStringSubmatch(text, -1) {
			// A pop that fails leaves a stack that no later call can use.
			if counts[m[1]]++; counts[m[1]] == 1 && m[1] != "cuCtxPopCurrent_v2" {
				names = append(names, m[1])
			}
		}
		if len(names) < 40 {
			t.Fatalf("only %d different calls: %v", len(names), names)
		}
		for _, name := range names {
			for k := 1; k <= min(counts[name], 6); k++ {
				failOnce(t, name, k, copied)
			}
		}
	}
}

func failOnce(t *testing.T, name string, k int, copied bool) {
	t.Helper()
	what := fmt.Sprintf("%s failing at call %d (copied %v)", name, k, copied)
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("FAKE_CU", fmt.Sprintf("%s=999@%d", name, k))
	t.Setenv("FAKE_CU_LOG", log)
	gl := testenv.NewFakeGL()
	var p program
	d, err := cuda.OpenPath(testenv.FakeCUDALibrary(t))
	if err == nil {
		err = p.run(d, gl, copied)
	}
	if err == nil {
		err = p.end()
	}
	optional := []string{"cuDevicePrimaryCtxSetFlags_v2", "cuFuncGetParamInfo"}
	push := name == "cuCtxPushCurrent_v2"
	call := strings.TrimSuffix(name, "_v2")
	switch {
	case err == nil && !slices.Contains(optional, name):
		t.Errorf("%s: no error", what)
	case err != nil && !errors.Is(err, driver.Unknown):
		t.Errorf("%s: %v lacks the code", what, err)
	case err != nil && !push && !strings.Contains(err.Error(), call):
		t.Errorf("%s: %v lacks the call", what, err)
	}
	if push { // also the cleaning up fails: only that nothing breaks can be asked
		_ = p.end()
	}
	t.Setenv("FAKE_CU", "")
	if err := p.end(); err != nil && !push {
		t.Errorf("%s: cleaning up: %v", what, err)
	}
	if p.c != nil && !p.c.Stats().Zero() {
		t.Errorf("%s: left %+v", what, p.c.Stats())
	}
	frees := []string{"cuDevicePrimaryCtxRelease_v2", "cuMemFree_v2", "cuMemFreeHost", "cuStreamDestroy_v2", "cuEventDestroy_v2", "cuModuleUnload", "cuArrayDestroy", "cuSurfObjectDestroy", "cuCtxPushCurrent_v2"}
	text := ""
	if b, err := os.ReadFile(log); err == nil {
		text = string(b)
	}
	if p.c != nil && !slices.Contains(frees, name) && !slices.Contains(optional, name) &&
		!strings.Contains(text, "STATE contexts=0 bytes=0 pinned=0 registered=0 mapped=0 streams=0 events=0 modules=0\n") {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		t.Errorf("%s: the driver still holds: %s", what, lines[len(lines)-1])
	}
	if strings.Contains(text, "-> 208") || strings.Contains(text, "-> 211") {
		t.Errorf("%s: mapped or unmapped twice", what)
	}
}
