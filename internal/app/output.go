// SPDX-License-Identifier: Apache-2.0

package app

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"particles/internal/keepfile"
	"particles/render"
	"particles/sim/param"
	"particles/trace"
)

// outPath names a file in the output folder after a scene, such as particles-ribbons.png.
func (r *run) outPath(sceneName, ending string) string {
	name := strings.TrimSuffix(filepath.Base(sceneName), ".toml")
	return filepath.Join(r.o.OutDir, "particles-"+name+"."+ending)
}

// create makes an output file; an earlier one is kept under a numbered name, and that is told.
func (r *run) create(path string) (*savedFile, error) {
	f, kept, err := keepfile.Create(path)
	if err != nil {
		return nil, err
	}
	if kept != "" {
		r.tell("the earlier %s is now %s", path, kept)
	}
	return &savedFile{f, path}, nil
}

// saver writes pictures on goroutines of its own, so that no frame waits for a disk.
type saver struct {
	group sync.WaitGroup
	mu    sync.Mutex
	said  []string // results not yet told
	errs  []error
}

// wait waits until all pictures are written.
func (s *saver) wait() { s.group.Wait() }

// news gives what has been written or has failed since the last call.
func (s *saver) news() (said []string, errs []error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	said, errs = s.said, s.errs
	s.said, s.errs = nil, nil
	return said, errs
}

// screenshot saves the picture without the panel, in the background.
func (r *run) screenshot() {
	img, err := r.renderer.ReadImage()
	if err != nil {
		r.warn(fmt.Errorf("screenshot: %w", err))
		return
	}
	f, err := r.create(r.outPath(r.scene.Name+"-"+time.Now().Format("20060102-150405"), "png"))
	if err != nil {
		r.warn(fmt.Errorf("screenshot: %w", err))
		return
	}
	r.saving.group.Go(func() {
		err := f.writePNG(img)
		r.saving.mu.Lock()
		defer r.saving.mu.Unlock()
		if err != nil {
			r.saving.errs = append(r.saving.errs, fmt.Errorf("screenshot %s: %w", f.path, err))
			return
		}
		r.saving.said = append(r.saving.said, "saved "+f.path)
	})
}

// keepPicture writes the last frame where --image asks for it.
func (r *run) keepPicture() error {
	if r.o.Image == "" {
		return nil
	}
	img, err := r.renderer.ReadImage()
	if err != nil {
		return fmt.Errorf("picture %s: %w", r.o.Image, err)
	}
	f, err := r.create(r.o.Image)
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	if err := f.writePNG(img); err != nil {
		return fmt.Errorf("picture %s: %w", f.path, err)
	}
	r.image = f.path
	return nil
}

// startRecording begins a trace at path.
func (r *run) startRecording(path string) error {
	f, err := r.create(path)
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	recording, err := trace.Start(r.rec, f, r.traceHeader(), trace.StartOptions{})
	if err != nil {
		return fmt.Errorf("trace %s: %w", path, err)
	}
	r.recording, r.trace, r.recErr = recording, path, ""
	return nil
}

// stopRecording ends the recording and waits until its file is complete.
func (r *run) stopRecording() {
	if r.recording == nil {
		return
	}
	active := r.recording.Active()
	if err := r.recording.Stop(); err != nil {
		r.recErr = err.Error()
		r.warn(fmt.Errorf("trace %s: %w", r.trace, err))
	} else if active {
		r.tell("recorded %s: %d frames", r.trace, r.recording.Frames())
	}
}

// toggleRecording is the panel's record button.
func (r *run) toggleRecording() {
	if r.recording != nil && r.recording.Active() {
		r.stopRecording()
		return
	}
	if r.recording != nil {
		r.stopRecording() // it ended by itself: let go of the file
	}
	if err := r.startRecording(r.outPath(r.scene.Name+"-"+time.Now().Format("20060102-150405"), "json")); err != nil {
		r.warn(err)
	}
}

// traceHeader says what is recorded, on which machine.
func (r *run) traceHeader() trace.Header {
	e := r.engine
	size := r.screen.size()
	h := trace.Header{
		Program: "particles", Version: r.o.Version, Commit: r.o.Commit, DriverVersion: e.driverVersion(),
		Driver: e.choice.Driver, Device: e.choice.Device, Interop: e.choice.GL.Tier().String(), Reason: e.choice.Reason,
		GLVendor: r.glInfo.Vendor, GLRenderer: r.glInfo.Renderer, GLVersion: r.glInfo.Version, GLSoftware: r.software,
		StreamName: e.choice.Driver + " stream",
		Scene:      r.scene.Name, Model: e.model.Name(), Seed: e.model.Seed(), Count: e.model.Count(),
		Params: map[string]any{}, Width: size.FramebufferW, Height: size.FramebufferH,
		ClockErr: max(r.gpu.clock.Err, e.times.clock.Err),
		Extra:    map[string]string{"host_isa": e.hostISA()},
	}
	for _, set := range []*param.Set{e.model.Params(), r.clock.Settings(), r.renderer.Look(), r.pacing} {
		set.Describe(h.Params)
	}
	return h
}

// driverVersion names CUDA's version and, where the system tells it, the release of NVIDIA's driver; "" where the CPU computes.
func (e *engine) driverVersion() string {
	if e.choice.Last() {
		return ""
	}
	v := e.choice.Context.Device().Version
	text := fmt.Sprintf("CUDA %d.%d", v/1000, v%1000/10)
	if release, err := os.ReadFile("/sys/module/nvidia/version"); err == nil {
		text += ", NVIDIA " + strings.TrimSpace(string(release))
	}
	return text
}

// writePNG writes a picture and closes the file.
func (f *savedFile) writePNG(img *image.NRGBA) error {
	if err := render.WritePNG(f, img); err != nil {
		return joinClose(err, f)
	}
	return f.Close()
}

// savedFile is an output file that remembers the path it was asked for by.
type savedFile struct {
	*os.File
	path string
}
