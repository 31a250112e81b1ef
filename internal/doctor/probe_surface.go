// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"particles/interop"
	"particles/interop/choose"
	"particles/interop/driver"
	"particles/kernels"
	"particles/render/egl"
	"particles/render/gl"
	"particles/render/window"
)

// surface is an OpenGL context that is current on this thread.
type surface struct {
	current func() uintptr
	close   func() error
	info    GL
}

// surfaceProbe opens the window or the headless context and makes one round
// trip in the tier asked for.
func surfaceProbe(r reporter, kind, asked string) {
	var s Surface
	r.stage("opening OpenGL")
	sf, err := openSurface(kind)
	if err != nil {
		s.Error = err.Error()
		switch {
		case errors.Is(err, window.ErrNoDisplay):
			s.Kind = NoDisplay
		case errors.Is(err, gl.ErrVersion), strings.Contains(s.Error, gl.ErrVersion.Error()): // egl tells it of each device, in text
			s.Kind = OldOpenGL
		default:
			s.Kind = Unavailable
		}
		r.facts(&s)
		return
	}
	s.GL = &sf.info
	s.Trips = []Trip{{Asked: asked}}
	r.facts(&s) // from here on it is the trip that hangs or crashes
	sharing := gl.NewSharing(sf.current)
	if asked == "auto" {
		s.Drawing, s.Refused = drawing(r, sharing)
		r.facts(&s)
	}
	roundTrip(r, sharing, &s.Trips[0])
	r.stage("closing OpenGL")
	if err := sf.close(); err != nil && s.Trips[0].OK {
		s.Trips[0].OK, s.Trips[0].Failure = false, failure(err)
	}
	r.facts(&s)
}

func openSurface(kind string) (*surface, error) {
	if kind == probeWindow {
		w, err := window.New(window.Options{W: 320, H: 200, Title: "particles doctor"})
		if err != nil {
			return nil, err
		}
		return &surface{current: w.Current, close: w.Close, info: describeGL(gl.Describe())}, nil
	}
	c, err := egl.New(egl.Options{})
	if err != nil {
		return nil, err
	}
	if err := c.MakeCurrent(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if err := gl.Init(c.ProcAddr); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	info := describeGL(gl.Describe())
	info.Platform, info.Device = c.Describe().Platform, c.Describe().Device
	return &surface{current: c.Current, close: c.Close, info: info}, nil
}

func describeGL(i gl.Info) GL {
	return GL{Vendor: i.Vendor, Renderer: i.Renderer, Version: i.Version, Software: i.Software}
}

// drawing asks CUDA which devices draw the current context.
func drawing(r reporter, sharing driver.GL) ([]int, *Failure) {
	d, err := openCUDA(r.stage)
	if err != nil {
		return nil, nil // told by the CUDA probe
	}
	devs, err := interop.GLDevices(d, sharing)
	var ordinals []int
	for _, dev := range devs {
		ordinals = append(ordinals, dev.Ordinal)
	}
	return ordinals, failure(err)
}

// roundTrip lets choose pick as a run of the program does, has a kernel write
// into a mapped OpenGL buffer and reads that back through OpenGL.
func roundTrip(r reporter, sharing driver.GL, t *Trip) {
	err := func() (err error) {
		o := choose.Options{GL: sharing, OpenCUDA: func() (driver.Driver, error) { return openCUDA(r.stage) }}
		switch t.Asked {
		case "copied":
			o.Driver, o.Tier = "cuda", "copied"
		case "host":
			o.Driver = "host"
		}
		c, err := choose.Open(o)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		set, err := kernels.Load(c.Context, kernels.Auto)
		if err != nil && errors.Is(err, interop.ErrImageRefused) {
			host, refused := c.ToHost(err)
			if refused != nil {
				return refused
			}
			c = host
			set, err = kernels.Load(c.Context, kernels.Auto)
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		err = t.exercise(r, c, set)
		t.Driver, t.Device, t.Ordinal, t.Reason = c.Driver, c.Device, c.Context.Device().Ordinal, c.Reason
		t.Tier = c.Tier.String() // may have changed when the buffer was registered
		return err
	}()
	t.Failure = failure(err)
	t.OK = err == nil && t.Wrong == ""
}

// exercise is the trip itself.
func (t *Trip) exercise(r reporter, c *choose.Choice, set *kernels.Set) (err error) {
	trip, err := newTripper(c.Context, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, trip.close()) }()
	size := trip.size()
	before := make([]float32, size/4)
	for i := range before {
		before[i] = poison
	}
	r.stage("glNamedBufferStorage")
	name := gl.CreateBuffer()
	defer gl.DeleteBuffer(name)
	gl.NamedBufferStorage(name, size, unsafe.Pointer(&before[0]), gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
	if e := gl.GetError(); e != gl.NoError {
		return fmt.Errorf("glNamedBufferStorage of %d bytes: OpenGL error %#x", size, e)
	}
	reg, err := c.GL.RegisterBuffer(name, size, interop.WriteDiscard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reg.Close()) }()
	if err := reg.WithMapped(trip.stream, trip.launch); err != nil {
		return err
	}
	r.stage("glGetNamedBufferSubData")
	after := make([]byte, size)
	gl.GetNamedBufferSubData(name, 0, size, unsafe.Pointer(&after[0]))
	if e := gl.GetError(); e != gl.NoError {
		return fmt.Errorf("glGetNamedBufferSubData of %d bytes: OpenGL error %#x", size, e)
	}
	t.Wrong = compare(after)
	return nil
}
