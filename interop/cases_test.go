// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"particles/interop"
	"particles/interop/driver"
)

// The numbers in the tests' names are those of the list of interop behaviours.
// The tests here run on real OpenGL, on every driver and in every tier that the
// machine has, with the calls recorded and the rules enforced on the way.

func TestCase01And02And08FlagsReachTheDriver(t *testing.T) {
	everywhere(t, func(b *bed) {
		for _, a := range []interop.Access{interop.ReadWrite, interop.ReadOnly, interop.WriteDiscard} {
			b.d.Take()
			b.register(a)
			if got, want := strings.Join(b.graphics(), " "), fmt.Sprintf("flags %d)", a); b.shared() && !strings.HasSuffix(got, want) {
				b.Errorf("%s: %s, want %s", a, got, want)
			}
		}
	})
}

func TestCase03And09ImageFlagsReachTheDriver(t *testing.T) {
	everywhere(t, func(b *bed) {
		for u, want := range map[interop.ImageUse]string{
			interop.ImageReadWrite: "flags 0)", interop.ImageReadOnly | interop.ImageSurface: "flags 5)",
			interop.ImageWriteDiscard | interop.ImageSurface: "flags 6)", interop.ImageSurface: "flags 4)",
		} {
			b.d.Take()
			i := b.image(u)
			if got := strings.Join(b.graphics(), " "); b.shared() && !strings.HasSuffix(got, want) {
				b.Errorf("%s: %s, want %s", u, got, want)
			}
			if i.IsMapped() || (i.Handle() != 0) != b.shared() {
				b.Errorf("registered: %v", i)
			}
		}
	})
}

func TestCase07And13ResourceIsNoBuffer(t *testing.T) {
	everywhere(t, func(b *bed) {
		g := b.register(interop.ReadWrite)
		if (g.Handle() != 0) != b.shared() || g.IsMapped() || !strings.Contains(g.String(), "0x") {
			b.Errorf("registered: %v", g)
		}
		b.must(g.Close())
		if g.Handle() != 0 || !strings.Contains(g.String(), "closed") {
			b.Errorf("closed: %v", g)
		}
	})
}

func TestCase10UnknownNamesAreErrors(t *testing.T) {
	everywhere(t, func(b *bed) {
		buffer := b.g.NewBuffer(b.T, 64)
		_, err := b.in.RegisterImage(buffer+1000, driver.Texture2D, 0)
		wantErr(b.T, err, driver.InvalidHandle)
		_, err = b.in.RegisterBuffer(buffer+1000, 64, 0)
		wantErr(b.T, err, driver.InvalidHandle)
	})
}

func TestCase11And65UnavailableSharingCanBeTold(t *testing.T) {
	everywhere(t, func(b *bed) {
		if !b.shared() {
			return // the copied tier shares nothing that could be unavailable
		}
		for _, call := range []string{"cuGraphicsGLRegisterBuffer", "cuGraphicsGLRegisterImage"} {
			for code, want := range map[driver.Code]bool{
				driver.OperatingSystem: true, driver.Unknown: true, driver.InvalidDevice: true,
				driver.InvalidGraphicsContext: true, driver.OutOfMemory: false, driver.InvalidValue: false,
			} {
				b.d.FailCall(call, 1, code)
				var err error
				if call == "cuGraphicsGLRegisterBuffer" {
					_, err = b.in.RegisterBuffer(b.g.NewBuffer(b.T, 64), 64, 0)
				} else {
					_, err = b.in.RegisterImage(b.g.NewTexture(b.T, driver.Texture2D, glRGBA8, 4, 4, 1, 1), driver.Texture2D, 0)
				}
				if !errors.Is(err, code) || errors.Is(err, interop.ErrUnavailable) != want {
					b.Errorf("%s answers %v: %v", call, code, err)
				}
			}
		}
		if b.c.Stats().Registrations != 0 {
			b.Errorf("left %+v", b.c.Stats())
		}
	})
}

func TestCase15To18MappingIsABufferForTheBody(t *testing.T) {
	everywhere(t, func(b *bed) {
		g := b.register(interop.WriteDiscard)
		var m interop.Buffer
		mine := errors.New("mine")
		err := g.WithMapped(b.s, func(x interop.Buffer) error {
			m = x
			if x.DevicePtr() == 0 || x.Size() != caseSize || uintptr(x.DevicePtr()) == uintptr(g.Handle()) || !g.IsMapped() {
				b.Errorf("in the body: %v of %v", x, g)
			}
			return mine
		})
		if err != mine || m.DevicePtr() != 0 || m.Size() != 0 || g.IsMapped() {
			b.Errorf("after: error %v, %v of %v", err, m, g)
		}
	})
}

func TestCase22And23And25RegistrationScopes(t *testing.T) {
	everywhere(t, func(b *bed) {
		m, err := b.in.MapBuffer(b.s, b.g.NewBuffer(b.T, caseSize), caseSize, interop.WriteDiscard)
		b.must(err)
		if m.Size() != caseSize || b.c.Stats().Registrations != 1 {
			b.Errorf("one step: %v, %+v", m, b.c.Stats())
		}
		b.must(m.Close())
		if m.Size() != 0 || m.DevicePtr() != 0 || b.c.Stats().Registrations != 0 {
			b.Errorf("after: %v, %+v", m, b.c.Stats())
		}
		g := b.register(interop.ReadWrite)
		func() {
			defer g.Close()
			if g.IsMapped() {
				b.Error("mapped by registering")
			}
		}()
		if g.Handle() != 0 || b.c.Stats().Registrations != 0 {
			b.Errorf("after its scope: %v", g)
		}
	})
}

func TestCase27And28WithoutAStreamNothingIsAsked(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, i := b.register(interop.ReadWrite), b.image(0)
		b.d.Take()
		_, err := g.Map(nil)
		wantErr(b.T, err, interop.ErrNilStream)
		_, err = i.Map(nil, 0, 0)
		wantErr(b.T, err, interop.ErrNilStream)
		_, err = b.in.MapBuffer(nil, g.Name(), caseSize, 0)
		wantErr(b.T, err, interop.ErrNilStream)
		b.none()
	})
}

func TestCase30MapOnTheStreamThatWasNamed(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, s2 := b.register(interop.ReadWrite), b.stream()
		b.d.Take()
		m, err := g.Map(s2)
		b.must(err)
		if got := b.graphics(); b.shared() && !strings.HasSuffix(got[0], on(s2)) {
			b.Errorf("calls %q, want stream %#x", got, s2.Handle())
		}
		b.must(m.Close())
		b.must(s2.Close())
	})
}

func TestCase31UnmapOnCapturedStream(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, i, s2 := b.register(interop.ReadWrite), b.image(interop.ImageSurface), b.stream()
		m, err := g.Map(s2)
		b.must(err)
		a, err := i.Map(s2, 0, 0)
		b.must(err)
		b.d.Take()
		b.must(m.Close()) // no stream is named
		b.must(a.Close())
		if got := b.graphics(); b.shared() && (len(got) != 2 || !strings.HasSuffix(got[0], on(s2)) || !strings.HasSuffix(got[1], on(s2))) {
			b.Errorf("calls %q, want stream %#x", got, s2.Handle())
		}
		b.must(s2.Close())
	})
}

func TestCase32And33UnmapOnTheOverridingStream(t *testing.T) {
	everywhere(t, func(b *bed) {
		for _, closeResource := range []bool{false, true} {
			g, s2 := b.register(interop.ReadWrite), b.stream()
			m, err := g.Map(b.s)
			b.must(err)
			b.must(m.Fill(b.s, 3, 1))
			b.must(m.SetReleaseStream(s2))
			b.d.Take()
			if closeResource {
				b.must(g.Close())
			} else {
				b.must(m.Close())
			}
			if got := b.graphics(); b.shared() && !strings.HasSuffix(got[0], on(s2)) {
				b.Errorf("calls %q, want stream %#x", got, s2.Handle())
			}
			if got := b.g.Bytes(g.Name(), caseSize); !bytes.Equal(got, bytes.Repeat([]byte{3}, caseSize)) {
				b.Error("the other stream did not wait for the fill")
			}
			b.must(s2.Close())
		}
	})
}

func TestCase39ImageGivesNoPointer(t *testing.T) {
	everywhere(t, func(b *bed) {
		if !b.shared() {
			return // there is no resource to ask
		}
		i := b.image(interop.ImageReadWrite)
		b.must(i.WithMapped(b.s, 0, 0, func(interop.Array) error {
			// The API has no way to ask; the driver beneath refuses.
			_, _, code := b.inner.GraphicsResourceGetMappedPointer(b.c.Handle(), i.Handle())
			if code != driver.NotMappedAsPointer {
				b.Errorf("pointer of an image: %v", code)
			}
			return nil
		}))
	})
}

func TestCase41BatchIsOneCall(t *testing.T) {
	everywhere(t, func(b *bed) {
		bs := []*interop.GLBuffer{b.register(0), b.register(1), b.register(2)}
		b.d.Take()
		b.must(b.in.WithMappedAll(b.s, bs, func(ms []interop.Buffer) error {
			if len(ms) != 3 || ms[0].DevicePtr() == ms[1].DevicePtr() {
				b.Errorf("buffers %v", ms)
			}
			return nil
		}))
		n := map[string]int{}
		for _, c := range b.d.Take() {
			n[c.Name]++
		}
		if b.shared() && (n["cuGraphicsMapResources"] != 1 || n["cuGraphicsUnmapResources"] != 1) {
			b.Errorf("calls %v", n)
		}
		wantErr(b.T, b.in.WithMappedAll(b.s, append(bs, bs[0]), func([]interop.Buffer) error { b.Error("body ran"); return nil }), interop.ErrDuplicate)
		for _, g := range bs {
			if g.IsMapped() {
				b.Errorf("left mapped: %v", g)
			}
		}
	})
}

func TestCase44To51StatesOfAMapping(t *testing.T) {
	everywhere(t, func(b *bed) {
		g := b.register(interop.ReadWrite)
		m, err := g.Map(b.s)
		b.must(err)
		b.d.Take()
		_, err = g.Map(b.s)
		wantErr(b.T, err, interop.ErrAlreadyMapped) // 44
		b.none()
		b.must(m.Close())
		b.d.Take()
		b.must(m.Close()) // 51: a second unmap would be 45's
		b.none()
		m, err = g.Map(b.s) // 50
		b.must(err)
		b.d.Take()
		b.must(g.Close()) // 49
		if got := b.graphics(); b.shared() && (len(got) != 2 || !strings.HasPrefix(got[0], "cuGraphicsUnmap") || !strings.HasPrefix(got[1], "cuGraphicsUnregister")) {
			b.Errorf("calls %q", got)
		}
		if m.DevicePtr() != 0 || g.IsMapped() {
			b.Errorf("after close: %v of %v", m, g)
		}
		_, err = g.Map(b.s)
		wantErr(b.T, err, interop.ErrClosed) // 46
		b.must(m.Close())                    // 47
		b.must(g.Close())                    // 48
		b.none()
	})
}

func TestCase53FailedUnregisterNamesCallHandleAndError(t *testing.T) {
	everywhere(t, func(b *bed) {
		if !b.shared() {
			return // the copied tier unregisters nothing
		}
		for _, c := range []interface {
			Close() error
			Handle() interop.GraphicsHandle
		}{b.register(0), b.image(0)} {
			b.d.FailCall("cuGraphicsUnregisterResource", 1, driver.InvalidHandle)
			handle := fmt.Sprintf("%#x", c.Handle())
			wantErr(b.T, c.Close(), driver.InvalidHandle, "cuGraphicsUnregisterResource", handle, "CUDA_ERROR_INVALID_HANDLE")
			b.must(c.Close()) // again, and it works
		}
		b.d.FailCall("cuGraphicsUnregisterResource", 1, driver.Deinitialized)
		g := b.register(0)
		b.must(g.Close()) // not reported
		for _, c := range b.d.Injected() {
			if c.Code == driver.Deinitialized { // the stand-in failed it before CUDA had it
				var r driver.Resource
				fmt.Sscanf(c.Args, "%v", (*uintptr)(&r))
				b.d.GraphicsUnregisterResource(driver.Ctx(b.c.Handle()), r)
			}
		}
	})
}

func TestCase55DroppedResourceCallsNothing(t *testing.T) {
	everywhere(t, func(b *bed) {
		func() {
			g := b.register(interop.WriteDiscard)
			b.must(g.WithMapped(b.s, func(m interop.Buffer) error { return m.Fill(b.s, 1, 1) }))
			b.image(0)
		}()
		b.must(b.s.Synchronize())
		b.d.Take()
		collect()
		b.none()
		if b.c.Stats().Registrations != 2 { // counted, closed by the interop
			b.Errorf("stats %+v", b.c.Stats())
		}
	})
}

func TestCase59RegisteringOnTheWrongThreadIsNamed(t *testing.T) {
	everywhere(t, func(b *bed) {
		name := b.g.NewBuffer(b.T, 64)
		tex := b.g.NewTexture(b.T, driver.Texture2D, glRGBA8, 4, 4, 1, 1)
		b.d.Take()
		done := make(chan [3]error)
		go func() { // a thread without the context
			var errs [3]error
			_, errs[0] = b.in.RegisterBuffer(name, 64, 0)
			_, errs[1] = b.in.RegisterImage(tex, driver.Texture2D, 0)
			_, errs[2] = b.c.OpenGL(b.g)
			done <- errs
		}()
		for _, err := range <-done {
			wantErr(b.T, err, interop.ErrNoGLContext)
		}
		b.none()
	})
}

func TestCase67InteropClosesLastRegisteredFirst(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, i, h := b.register(0), b.image(interop.ImageSurface), b.register(2)
		_, err := g.Map(b.s)
		b.must(err)
		_, err = i.Map(b.s, 0, 1)
		b.must(err)
		handles := []interop.GraphicsHandle{h.Handle(), i.Handle(), g.Handle()}
		b.d.Take()
		b.must(b.in.Close())
		var order []string
		for _, c := range b.graphics() {
			if strings.HasPrefix(c, "cuGraphicsUnregister") {
				order = append(order, c)
			}
		}
		for k, handle := range handles {
			if b.shared() && order[k] != fmt.Sprintf("cuGraphicsUnregisterResource(%#x)", handle) {
				b.Errorf("order %q, handles %#x", order, handles)
			}
		}
	})
}

func TestCase72ClosedMappingRefusesWork(t *testing.T) {
	everywhere(t, func(b *bed) {
		g, i := b.register(0), b.image(0)
		other, err := b.c.Alloc(caseSize)
		b.must(err)
		m, err := g.Map(b.s)
		b.must(err)
		a, err := i.Map(b.s, 0, 0)
		b.must(err)
		b.must(m.Close())
		b.must(a.Close())
		b.d.Take()
		_, slice := m.Slice(0, 1)
		for k, err := range []error{m.Fill(b.s, 0, 1), m.CopyFrom(b.s, other), other.CopyFrom(b.s, m), a.CopyTo(b.s, other), slice, m.SetReleaseStream(b.s)} {
			if !errors.Is(err, interop.ErrClosed) {
				b.Errorf("use %d: %v", k, err)
			}
		}
		b.none()
		b.must(other.Close())
	})
}

func TestCase73SliceOwnsNothing(t *testing.T) {
	everywhere(t, func(b *bed) {
		g := b.register(0)
		m, err := g.Map(b.s)
		b.must(err)
		part, err := m.Slice(16, 32)
		b.must(err)
		b.d.Take()
		wantErr(b.T, part.Close(), interop.ErrArgument)
		wantErr(b.T, part.SetReleaseStream(b.s), interop.ErrArgument)
		b.none()
		b.must(m.Close())
		if part.Size() != 0 || part.DevicePtr() != 0 {
			b.Errorf("the slice outlived its owner: %v", part)
		}
	})
}

func TestCase78NoDefaultStreamToClose(t *testing.T) {
	everywhere(t, func(b *bed) {
		var s *interop.Stream
		b.d.Take()
		wantErr(b.T, s.Close(), interop.ErrZeroValue)
		wantErr(b.T, s.Synchronize(), interop.ErrNilStream)
		b.none()
	})
}

func TestCase82FailedCallsNameCallAndCode(t *testing.T) {
	everywhere(t, func(b *bed) {
		g := b.register(interop.ReadWrite)
		call := "cuGraphicsMapResources"
		if !b.shared() {
			call = "cuMemcpyHtoDAsync"
		}
		b.d.FailCall(call, 1, driver.OutOfMemory)
		_, err := g.Map(b.s)
		wantErr(b.T, err, interop.ErrOutOfMemory, call, "CUDA_ERROR_OUT_OF_MEMORY", "lower the particle count")
		b.must(g.WithMapped(b.s, func(interop.Buffer) error { return nil }))
	})
}

// collect runs what finalizers there may be.
func collect() {
	for range 3 {
		runtime.GC()
	}
}
