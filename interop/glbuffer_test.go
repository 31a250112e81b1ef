// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"strings"
	"testing"

	"particles/interop"
	"particles/interop/driver"
)

// The numbers are those of the list of interop behaviours that the tests are of.

func TestCase01And02FlagsThatReachTheDriver(t *testing.T) {
	r := newRig(t)
	for i, c := range []struct {
		a    interop.Access
		want string
	}{
		{interop.ReadWrite, "register 1 flags 0"},
		{interop.ReadOnly, "register 2 flags 1"},
		{interop.WriteDiscard, "register 3 flags 2"},
		{interop.WriteDiscard | interop.Mutable, "register 4 flags 2"},
	} {
		b := r.register(64, c.a)
		if int(b.Name()) != i+1 {
			t.Fatal("names are not what the test thinks")
		}
		r.calls(c.want)
	}
}

func TestCase04UnknownFlagIsNamedAndTheValidOnesListed(t *testing.T) {
	r := newRig(t)
	_, err := r.in.RegisterBuffer(r.gl.NewBuffer(64), 64, 7)
	wantErr(t, err, interop.ErrArgument, "0x7", "ReadWrite", "ReadOnly", "WriteDiscard")
	r.calls()
}

func TestCase05ZeroValuesRefuseWithoutADriverCall(t *testing.T) {
	var (
		b    interop.Buffer
		gb   *interop.GLBuffer
		in   *interop.GLInterop
		c    *interop.Context
		s    *interop.Stream
		e    *interop.Event
		h    *interop.HostBuffer
		m    *interop.Module
		k    *interop.Kernel
		i    *interop.GLImage
		a    interop.Array
		nopA = func(interop.Array) error { t.Error("body ran"); return nil }
		nop  = func(interop.Buffer) error { t.Error("body ran"); return nil }
	)
	one := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Buffer.Close":          b.Close(),
		"Buffer.Fill":           b.Fill(s, 0, 1),
		"Buffer.Slice":          one(b.Slice(0, 1)),
		"GLBuffer.Map":          one(gb.Map(s)),
		"GLBuffer.WithMapped":   gb.WithMapped(s, nop),
		"GLBuffer.Close":        gb.Close(),
		"GLBuffer{}.Map":        one((&interop.GLBuffer{}).Map(s)),
		"GLInterop.Close":       in.Close(),
		"GLInterop.Register":    one(in.RegisterBuffer(1, 1, 0)),
		"Context.Close":         c.Close(),
		"Context.Alloc":         one(c.Alloc(1)),
		"Stream.Close":          s.Close(),
		"Stream{}.Synchronize":  (&interop.Stream{}).Synchronize(),
		"Event.Close":           e.Close(),
		"Event{}.Record":        (&interop.Event{}).Record(s),
		"HostBuffer.Close":      h.Close(),
		"Module.Close":          m.Close(),
		"Module.Kernel":         one(m.Kernel("k")),
		"Kernel.Launch":         k.Launch(s, 1, nil, 0),
		"Kernel{}.Launch":       (&interop.Kernel{}).Launch(s, 1, nil, 0),
		"Context{}.NewStream":   one((&interop.Context{}).NewStream(interop.StreamOptions{})),
		"Context{}.LoadModule":  one((&interop.Context{}).LoadModule(driver.Image{})),
		"GLInterop{}.Register":  one((&interop.GLInterop{}).RegisterBuffer(1, 1, 0)),
		"HostBuffer{}.Close":    (&interop.HostBuffer{}).Close(),
		"GLImage.Map":           one(i.Map(s, 0, 0)),
		"GLImage.Close":         i.Close(),
		"GLImage{}.WithMapped":  (&interop.GLImage{}).WithMapped(s, 0, 0, nopA),
		"GLImage{}.Close":       (&interop.GLImage{}).Close(),
		"Array.Close":           a.Close(),
		"Array.CopyFrom":        a.CopyFrom(s, b),
		"Array.CopyTo":          a.CopyTo(s, b),
		"GLInterop.MapBuffer":   one(in.MapBuffer(s, 1, 1, 0)),
		"GLInterop.Image":       one(in.RegisterImage(1, driver.Texture2D, 0)),
		"GLInterop{}.Abandon":   (&interop.GLInterop{}).Abandon(),
		"Context{}.Close":       (&interop.Context{}).Close(),
		"GLBuffer{}.WithMapped": (&interop.GLBuffer{}).WithMapped(s, nop),
	} {
		if !errors.Is(err, interop.ErrZeroValue) {
			t.Errorf("%s: %v, want the zero value refused", name, err)
		}
	}
	if b.DevicePtr() != 0 || b.Size() != 0 || h.Bytes() != nil || gb.IsMapped() || gb.Handle() != 0 {
		t.Error("a zero value claims to hold something")
	}
	if w, h, d := a.Size(); w+h+d != 0 || a.Surface() != 0 || a.Handle() != 0 || a.Bytes() != 0 || a.TexelBytes() != 0 {
		t.Error("a zero Array claims to hold something")
	}
	if w, h, d := i.Size(); w+h+d+i.Levels() != 0 || i.Name() != 0 || i.Tier() != interop.TierNone || i.IsMapped() || i.Handle() != 0 {
		t.Error("a nil GLImage claims to hold something")
	}
	if gb.Name() != 0 || gb.Size() != 0 || gb.Tier() != interop.TierNone || s.Handle() != 0 || c.Handle() != 0 || c.Device().Name != "" || !c.Stats().Zero() || k.Name() != "" || c.Driver() != nil {
		t.Error("a nil object claims to hold something")
	}
	if l, g := (&interop.Context{}).PriorityRange(); l != 0 || g != 0 {
		t.Error("a zero Context has priorities")
	}
	_ = b.String() + gb.String() + i.String() + a.String()
}

func TestCase07To13RegistrationIsNotAMapping(t *testing.T) {
	r := newRig(t)
	b := r.register(256, interop.ReadWrite)
	if b.Handle() == 0 || b.IsMapped() || b.Tier() != interop.TierHost {
		t.Errorf("registered: handle %#x, mapped %v, tier %v", b.Handle(), b.IsMapped(), b.Tier())
	}
	if s := b.String(); !strings.Contains(s, "GLBuffer") || !strings.Contains(s, "0x") {
		t.Errorf("text %q", s)
	}
	r.must(b.Close())
	if s := b.String(); !strings.Contains(s, "closed") || b.Handle() != 0 {
		t.Errorf("after close: %q, handle %#x", s, b.Handle())
	}
}

func TestCase15To17MappingGivesABufferAndTakesItBack(t *testing.T) {
	r := newRig(t)
	b := r.register(256, interop.WriteDiscard)
	m := r.mapped(b)
	if m.DevicePtr() == 0 || m.Size() != 256 || uintptr(m.DevicePtr()) == uintptr(b.Handle()) || !b.IsMapped() {
		t.Errorf("mapped: %v of %v", m, b)
	}
	copyOf := m
	r.must(m.Close())
	if m.DevicePtr() != 0 || m.Size() != 0 || copyOf.DevicePtr() != 0 || b.IsMapped() {
		t.Errorf("given back: %v, copy %v, %v", m, copyOf, b)
	}
	var inside interop.Buffer
	r.must(b.WithMapped(r.s, func(m interop.Buffer) error {
		inside = m
		if !b.IsMapped() || m.Size() != 256 {
			t.Errorf("in the body: %v of %v", m, b)
		}
		return nil
	}))
	if b.IsMapped() || inside.DevicePtr() != 0 || copyOf.DevicePtr() != 0 {
		t.Error("still mapped after the body, or an old copy came to life")
	}
	if r.gl.Broken != 0 {
		t.Errorf("%d of OpenGL's rules broken", r.gl.Broken)
	}
}

func TestCase18BodyErrorIsWhatTheCallerSees(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.WriteDiscard)
	mine := errors.New("mine")
	if err := b.WithMapped(r.s, func(interop.Buffer) error { return mine }); err != mine {
		t.Errorf("got %v, want the body's error itself", err)
	}
	r.calls("register 1 flags 2", "map r1 s1", "unmap r1 s1")
	func() {
		defer func() {
			if v := recover(); v != "panicked" {
				t.Errorf("recovered %v, want the body's panic", v)
			}
		}()
		_ = b.WithMapped(r.s, func(interop.Buffer) error { panic("panicked") })
	}()
	if b.IsMapped() {
		t.Error("still mapped after a panic")
	}
	r.calls("map r1 s1", "unmap r1 s1")
	r.d.fail["unmap"] = driver.Unknown
	err := b.WithMapped(r.s, func(interop.Buffer) error { return mine })
	if !errors.Is(err, mine) || !errors.Is(err, driver.Unknown) {
		t.Errorf("got %v, want both the body's error and the unmap's", err)
	}
}

func TestCase27And28StreamIsNeverGuessed(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.WriteDiscard)
	r.d.take()
	_, err := b.Map(nil)
	wantErr(t, err, interop.ErrNilStream)
	wantErr(t, b.WithMapped(nil, func(interop.Buffer) error { return nil }), interop.ErrNilStream)
	wantErr(t, r.in.WithMappedAll(nil, []*interop.GLBuffer{b}, func([]interop.Buffer) error { return nil }), interop.ErrNilStream)
	closed := r.stream()
	r.must(closed.Close())
	r.d.take()
	_, err = b.Map(closed)
	wantErr(t, err, interop.ErrClosed)
	r.calls()
}

func TestCase30And32StreamsThatTheDriverSees(t *testing.T) {
	r := newRig(t)
	s2 := r.stream()
	b := r.register(64, interop.WriteDiscard)
	r.d.take()
	m := r.mapped(b)
	r.calls("map r1 s1")
	r.must(m.SetReleaseStream(s2))
	r.calls("record s1", "wait s2") // s2 first waits for the work on s1
	r.must(m.Close())
	r.calls("unmap r1 s2")
	r.must(s2.Close())
}

func TestCase33ResourceClosedAfterOverrideUnmapsThere(t *testing.T) {
	r := newRig(t)
	s2 := r.stream()
	b := r.register(64, interop.WriteDiscard)
	m := r.mapped(b)
	r.must(m.SetReleaseStream(s2))
	r.d.take()
	r.must(b.Close())
	r.calls("unmap r1 s2", "unregister r1")
	r.must(s2.Close())
}

func TestCase41BatchIsOneCallEachWay(t *testing.T) {
	r := newRig(t)
	bs := []*interop.GLBuffer{r.register(64, interop.ReadWrite), r.register(128, interop.WriteDiscard), r.register(32, interop.ReadOnly)}
	r.d.take()
	r.must(r.in.WithMappedAll(r.s, bs, func(ms []interop.Buffer) error {
		if len(ms) != 3 || ms[0].Size() != 64 || ms[1].Size() != 128 || ms[2].Size() != 32 {
			t.Errorf("buffers %v", ms)
		}
		if ms[0].DevicePtr() == ms[1].DevicePtr() {
			t.Error("two buffers at one address")
		}
		return nil
	}))
	r.calls("map r1 r2 r3 s1", "unmap r1 r2 r3 s1")
	r.must(r.in.WithMappedAll(r.s, nil, func(ms []interop.Buffer) error {
		if len(ms) != 0 {
			t.Errorf("buffers of nothing: %v", ms)
		}
		return nil
	}))
	r.calls()
}

func TestCase41BatchIsAllOrNone(t *testing.T) {
	r := newRig(t)
	a, b := r.register(64, interop.ReadWrite), r.register(64, interop.ReadWrite)
	no := func([]interop.Buffer) error { t.Error("body ran"); return nil }
	r.d.take()
	wantErr(t, r.in.WithMappedAll(r.s, []*interop.GLBuffer{a, b, a}, no), interop.ErrDuplicate, "GL buffer 1")
	m := r.mapped(b)
	r.d.take()
	wantErr(t, r.in.WithMappedAll(r.s, []*interop.GLBuffer{a, b}, no), interop.ErrAlreadyMapped, "GL buffer 2")
	r.calls()
	if a.IsMapped() || m.Size() == 0 {
		t.Error("a refused batch changed something")
	}
	r.must(m.Close())
	r.d.take()
	// The address of the second cannot be had: both are unmapped again.
	first := true
	r.d.mapped = func(res driver.Resource) (driver.DevicePtr, int, driver.Code) {
		if first {
			first = false
			return r.d.Driver.GraphicsResourceGetMappedPointer(1, res)
		}
		return 0, 0, driver.Unknown
	}
	wantErr(t, r.in.WithMappedAll(r.s, []*interop.GLBuffer{a, b}, no), driver.Unknown, "cuGraphicsResourceGetMappedPointer")
	r.calls("map r1 r2 s1", "unmap r1 r2 s1")
	r.d.mapped = nil
	r.must(r.in.WithMappedAll(r.s, []*interop.GLBuffer{a, b}, func([]interop.Buffer) error { return nil }))
}

func TestCase44To48StateErrors(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	m := r.mapped(b)
	r.d.take()
	_, err := b.Map(r.s)
	wantErr(t, err, interop.ErrAlreadyMapped)
	r.calls()
	if m.Size() != 64 {
		t.Error("the first mapping did not survive")
	}
	r.must(m.Close())
	r.calls("unmap r1 s1")
	r.must(m.Close()) // case 51
	r.calls()
	r.must(b.Close())
	r.calls("unregister r1")
	r.must(b.Close())
	r.calls()
	_, err = b.Map(r.s)
	wantErr(t, err, interop.ErrClosed)
	r.calls()
}

func TestCase49And50ClosingEitherSideUnmapsOnce(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	m := r.mapped(b)
	r.must(m.Close())
	if b.IsMapped() {
		t.Error("mapped after its buffer was closed")
	}
	m = r.mapped(b)
	r.d.take()
	r.must(b.Close())
	r.calls("unmap r1 s1", "unregister r1")
	if m.DevicePtr() != 0 || b.IsMapped() {
		t.Error("the buffer outlived its resource")
	}
	r.must(m.Close())
	r.calls()
}

func TestCase53FailedUnregisterIsReportedAndCanBeRepeated(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	r.d.fail["unregister"] = driver.Unknown
	err := b.Close()
	wantErr(t, err, driver.Unknown, "cuGraphicsUnregisterResource", "handle 0x", "CUDA_ERROR_UNKNOWN")
	if r.c.Stats().Registrations != 1 {
		t.Error("a buffer that is still registered is not counted")
	}
	delete(r.d.fail, "unregister")
	r.must(b.Close())
	// A driver that is shutting down has nothing left to free.
	b = r.register(64, interop.ReadWrite)
	r.d.fail["unregister"] = driver.Deinitialized
	r.must(b.Close())
}

func TestCase59RegisteringNeedsAGLContext(t *testing.T) {
	r := newRig(t)
	name := r.gl.NewBuffer(64)
	r.gl.Current = 0
	_, err := r.in.RegisterBuffer(name, 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrNoGLContext)
	_, err = r.c.OpenGL(r.gl)
	wantErr(t, err, interop.ErrNoGLContext)
	r.gl.Current = 2
	_, err = r.in.RegisterBuffer(name, 64, interop.ReadWrite)
	wantErr(t, err, interop.ErrWrongGLContext)
	r.calls()
}

func TestCallsOnTheWrongThreadChangeNothingAndCanBeRepeated(t *testing.T) {
	r := newRig(t)
	b := r.register(64, interop.ReadWrite)
	m := r.mapped(b)
	r.d.take()
	for _, where := range []struct {
		gl   uintptr
		want error
	}{{0, interop.ErrNoGLContext}, {2, interop.ErrWrongGLContext}} {
		r.gl.Current = where.gl
		wantErr(t, m.Close(), where.want)
		wantErr(t, b.Close(), where.want)
		wantErr(t, r.in.Close(), where.want)
		wantErr(t, r.c.Close(), where.want)
	}
	r.calls()
	if m.Size() != 64 || !b.IsMapped() || r.c.Stats().Mappings != 1 {
		t.Error("a refused close changed something")
	}
	r.gl.Current = 1
	r.must(m.Close())
	r.must(b.Close())
	r.calls("unmap r1 s1", "unregister r1")
}
