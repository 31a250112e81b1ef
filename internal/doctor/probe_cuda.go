// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"particles/internal/scene"
	"particles/interop"
	"particles/interop/choose"
	"particles/interop/cuda"
	"particles/interop/driver"
	"particles/kernels"
	"particles/sim"
)

// cudaProbe looks at the driver and at every device, without OpenGL.
func cudaProbe(r reporter) {
	var c CUDA
	d, err := openCUDA(r.stage)
	c.setOpened(err)
	c.Library = mappedLibrary("libcuda.so")
	c.Release = libraryRelease(c.Library)
	r.facts(&c)
	if err != nil {
		return
	}
	r.stage("cuDriverGetVersion")
	if v, code := d.DriverGetVersion(); code == driver.Success {
		c.Version = v
	}
	if why := d.Properties().NoGL; why != nil {
		c.NoGL = why.Error()
	}
	devs, err := interop.Devices(d)
	if err != nil {
		c.Init = failure(err)
		r.facts(&c)
		return
	}
	for i := range devs {
		c.Devices = append(c.Devices, describeDevice(d, &devs[i]))
	}
	r.facts(&c)
	for i := range c.Devices {
		tryDevice(r, d, &c.Devices[i], func() { r.facts(&c) })
		r.facts(&c)
	}
}

// setOpened notes the outcome of opening the driver.
func (c *CUDA) setOpened(err error) {
	c.Kind = CUDAOpen
	var e *cuda.OpenError
	if !errors.As(err, &e) {
		return
	}
	c.Detail, c.Missing = e.Detail, e.Missing
	switch e.Kind {
	case cuda.ErrNoLibrary:
		c.Kind = CUDANoLibrary
	case cuda.ErrTooOld:
		c.Kind = CUDATooOld
	case cuda.ErrUnsupported:
		c.Kind = CUDAUnsupported
	default:
		c.Kind = CUDAInit
		c.Init = &Failure{Op: "cuInit", Code: int(e.Code), Name: e.Name}
		if e.Name == "" {
			c.Init.Name = e.Code.String()
		}
	}
}

// mappedLibrary finds the file of a library that this process has loaded.
func mappedLibrary(name string) string {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if i := strings.IndexByte(line, '/'); i >= 0 && strings.HasPrefix(filepath.Base(line[i:]), name) {
			return strings.TrimSpace(line[i:])
		}
	}
	return ""
}

func describeDevice(d driver.Driver, dev *interop.Device) Device {
	u := dev.UUID
	out := Device{
		Ordinal: dev.Ordinal, Name: dev.Name, Memory: dev.TotalMem,
		UUID:       fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]),
		Capability: fmt.Sprintf("%d.%d", dev.CCMajor, dev.CCMinor),
	}
	handle, code := d.DeviceGet(dev.Ordinal)
	if code != driver.Success {
		return out
	}
	attribute := func(number int) bool {
		v, code := d.DeviceGetAttribute(number, handle)
		return code == driver.Success && v != 0
	}
	out.Watchdog = attribute(driver.AttrKernelExecTimeout)
	out.Integrated = attribute(driver.AttrIntegrated)
	return out
}

// tryDevice makes a context, loads the kernels and runs one on plain memory.
func tryDevice(r reporter, d driver.Driver, dev *Device, tell func()) {
	ctx, err := interop.NewContext(d, dev.Ordinal)
	if err != nil {
		dev.Context = failure(err)
		return
	}
	if dev.Free, _, err = ctx.MemInfo(); err != nil {
		dev.Context = failure(err)
	}
	tell()
	set, err := kernels.Load(ctx, kernels.Auto, kernels.Modules...)
	if err != nil {
		dev.Kernels = failure(err)
	} else {
		err = plainTrip(ctx, set)
		dev.Run = failure(err)
		dev.OK = err == nil
		err = set.Close()
	}
	if e := ctx.Close(); dev.OK && (err != nil || e != nil) {
		dev.OK, dev.Run = false, failure(errors.Join(err, e))
	}
	r.stage("leaving the device")
}

// unhiddenProbe lists the devices only; its parent has taken CUDA_VISIBLE_DEVICES away.
func unhiddenProbe(r reporter) {
	names := []string{}
	d, err := openCUDA(r.stage)
	if err == nil {
		devs, _ := interop.Devices(d) // none where it fails
		for _, dev := range devs {
			names = append(names, dev.Name)
		}
	}
	r.facts(names)
}

// hostProbe runs a kernel on the CPU and finds out what memory the default scene takes.
func hostProbe(r reporter) {
	var h Host
	err := func() error {
		r.stage("the CPU's kernels")
		c, err := choose.Open(choose.Options{Driver: "host"})
		if err != nil {
			return err
		}
		h.Device = c.Device
		set, err := kernels.Load(c.Context, kernels.Auto)
		if err != nil {
			return errors.Join(err, c.Close())
		}
		h.ISA = set.ISA().String()
		return errors.Join(plainTrip(c.Context, set), h.measureScene(c.Context, set), set.Close(), c.Close())
	}()
	h.Run, h.OK = failure(err), err == nil
	r.facts(&h)
}

// automaticMost is the greatest count of a scene without one.
const automaticMost = 1_000_000

// measureScene makes the default scene's model and looks at what it took. On a
// GPU the frames' buffers, two of records, come on top.
func (h *Host) measureScene(ctx *interop.Context, set *kernels.Set) error {
	s, err := scene.Load(scene.DefaultName)
	if err != nil {
		return err
	}
	count := s.Count
	if count == 0 {
		count = automaticMost
	}
	before := ctx.Stats().BufferBytes
	model, err := sim.New(s.Model, ctx, set, sim.Options{Count: count, Params: s.Values})
	if err != nil {
		return err
	}
	took := ctx.Stats().BufferBytes - before
	h.Scene, h.Count = s.Name, count
	h.Need = uint64(took) + 2*sim.RecordSize*uint64(count)
	return model.Close()
}

// plainTrip runs the test kernel from device memory to device memory and looks at the result.
func plainTrip(ctx *interop.Context, set *kernels.Set) (err error) {
	t, err := newTripper(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	out, err := ctx.Alloc(t.size())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	back, err := ctx.AllocHost(t.size())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, back.Close()) }()
	if err := out.Fill(t.stream, math.Float32bits(poison), 4); err != nil {
		return err
	}
	if err := t.launch(out); err != nil {
		return err
	}
	if err := out.CopyToHost(t.stream, back, 0, t.size()); err != nil {
		return err
	}
	if err := t.stream.Synchronize(); err != nil {
		return err
	}
	if wrong := compare(back.Bytes()); wrong != "" {
		return errors.New("the kernel ran without an error, but its result is wrong: " + wrong)
	}
	return nil
}
