// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

// step is one operation of a random program: what, on which objects.
type step struct{ op, a, b int }

// world is what a random program has made. It does only what is allowed, so that
// every error comes from a call that was made to fail.
type world struct {
	c    *interop.Context
	gl   makesThings
	in   *interop.GLInterop
	ss   []*interop.Stream
	bufs []interop.Buffer
	regs []*glThing
	imgs []*imgThing
	free []func() error // events, modules, host buffers, one-step mappings
	k    *interop.Kernel
}

// makesThings is an OpenGL that the program makes its buffers and textures in.
type makesThings interface {
	driver.GL
	makeBuffer() uint32
	makeTexture() uint32
}

// inMemory is interoptest's.
type inMemory struct{ *interoptest.GL }

func (g inMemory) makeBuffer() uint32 { return g.NewBuffer(thingSize) }

func (g inMemory) makeTexture() uint32 {
	return g.NewTexture(driver.Texture2DArray, glRGBA8, 8, 8, 3, 2)
}

type glThing struct {
	b      *interop.GLBuffer
	m      interop.Buffer
	mapped bool
	bad    bool // an unmap of it failed
}

type imgThing struct {
	i      *interop.GLImage
	a      interop.Array
	mapped bool
	bad    bool
}

const thingSize = 256

var everyImage = driver.Image{Name: "every", PTX: []byte(nopPTX), Host: map[string]driver.HostKernel{"nop": func(unsafe.Pointer, driver.Work) {}}}

// open makes the world; what a failure leaves is closed by close.
func (w *world) open(d driver.Driver, copied bool) (err error) {
	if w.c, err = interop.NewContext(d, 0); err != nil {
		return err
	}
	for range 2 {
		s, err := w.c.NewStream(interop.StreamOptions{})
		if err != nil {
			return err
		}
		w.ss = append(w.ss, s)
	}
	m, err := w.c.LoadModule(everyImage)
	if err != nil {
		return err
	}
	w.free = append(w.free, m.Close)
	if w.k, err = m.Kernel("nop"); err != nil {
		return err
	}
	if w.gl == nil {
		w.gl = inMemory{interoptest.NewGL()}
	}
	open := w.c.OpenGL
	if copied {
		open = w.c.OpenGLCopied
	}
	w.in, err = open(w.gl)
	return err
}

func pick[T any](list []T, i int) (x T, ok bool) {
	if len(list) == 0 {
		return x, false
	}
	return list[i%len(list)], true
}

func (w *world) launch(s *interop.Stream) error {
	var p [2]uint64
	return w.k.Launch(s, 10, unsafe.Pointer(&p), 16)
}

// closeMapping gives a mapping back, and notes when that failed.
func (g *glThing) closeMapping() error {
	err := g.m.Close()
	g.mapped, g.bad = false, errors.Is(poisonOf(err), errUnmap)
	return err
}

var errUnmap = errors.New("unmap failed")

// poisonOf is errUnmap when err holds a failed unmap, else nil.
func poisonOf(err error) error {
	var e *interop.Error
	if errors.As(err, &e) && e.Op == "cuGraphicsUnmapResources" {
		return errUnmap
	}
	return nil
}

var ops = []struct {
	name string
	do   func(w *world, s step) error
}{
	{"alloc", func(w *world, s step) error {
		b, err := w.c.Alloc(thingSize)
		if err == nil {
			w.bufs = append(w.bufs, b)
		}
		return err
	}},
	{"free", func(w *world, s step) error {
		if b, ok := pick(w.bufs, s.a); ok {
			return b.Close() // stays in the list, closed
		}
		return nil
	}},
	{"fill and copy", func(w *world, s step) error {
		a, ok := pick(w.bufs, s.a)
		b, _ := pick(w.bufs, s.b)
		if !ok || a.Size() == 0 || b.Size() == 0 {
			return nil
		}
		st, _ := pick(w.ss, s.b)
		return errors.Join(a.Fill(st, 7, []int{1, 2, 4}[s.a%3]), b.CopyFrom(st, a))
	}},
	{"host memory", func(w *world, s step) error {
		h, err := w.c.AllocHost(thingSize)
		if err != nil {
			return err
		}
		st, _ := pick(w.ss, s.a)
		if b, ok := pick(w.bufs, s.a); ok && b.Size() != 0 {
			err = errors.Join(b.CopyFromHost(st, h, 0, 64), b.CopyToHost(st, h, 64, 64), st.Synchronize())
		}
		return errors.Join(err, h.Close())
	}},
	{"events", func(w *world, s step) error {
		a, b := w.ss[s.a%len(w.ss)], w.ss[s.b%len(w.ss)]
		e, err := w.c.NewEvent(interop.EventOptions{Timing: true})
		if err != nil {
			return err
		}
		err = e.Record(a)
		if err == nil {
			_, done := e.Done()
			err = errors.Join(done, b.WaitEvent(e), e.Synchronize())
		}
		if err == nil {
			_, err = e.Elapsed(e)
		}
		return errors.Join(err, e.Close())
	}},
	{"stream", func(w *world, s step) error {
		st, err := w.c.NewStream(interop.StreamOptions{})
		if err != nil {
			return err
		}
		_, err = st.Query()
		if s.a%2 == 0 { // it carries a mapping when it is closed
			m, e := w.in.MapBuffer(st, w.gl.makeBuffer(), thingSize, interop.ReadWrite)
			if e != nil {
				return errors.Join(err, e, st.Close())
			}
			return errors.Join(err, st.Close(), m.Close())
		}
		return errors.Join(err, st.Close())
	}},
	{"module", func(w *world, s step) error {
		m, err := w.c.LoadModule(everyImage)
		if err != nil {
			return err
		}
		_, err = m.Kernel("nop")
		return errors.Join(err, m.Close())
	}},
	{"register", func(w *world, s step) error {
		b, err := w.in.RegisterBuffer(w.gl.makeBuffer(), thingSize, interop.Access(s.a%3))
		if err == nil {
			w.regs = append(w.regs, &glThing{b: b})
		}
		return err
	}},
	{"map", func(w *world, s step) error {
		g, ok := pick(w.regs, s.a)
		if !ok || g.mapped {
			return nil
		}
		m, err := g.b.Map(w.ss[s.b%len(w.ss)])
		if g.bad {
			if !errors.Is(err, interop.ErrPoisoned) {
				return fmt.Errorf("a poisoned buffer answers %w", err)
			}
			return nil
		}
		g.m, g.mapped, g.bad = m, err == nil, poisonOf(err) != nil
		return err
	}},
	{"give back", func(w *world, s step) error {
		if g, ok := pick(w.regs, s.a); ok && g.mapped {
			return g.closeMapping()
		}
		return nil
	}},
	{"move", func(w *world, s step) error {
		if g, ok := pick(w.regs, s.a); ok && g.mapped {
			return errors.Join(w.launch(w.ss[s.a%len(w.ss)]), g.m.SetReleaseStream(w.ss[s.b%len(w.ss)]))
		}
		return nil
	}},
	{"unregister", func(w *world, s step) error {
		i := slices.IndexFunc(w.regs, func(g *glThing) bool { return g == w.regs[s.a%len(w.regs)] })
		if i < 0 {
			return nil
		}
		g := w.regs[i]
		err := g.b.Close()
		if err != nil && g.b.Handle() != 0 { // still registered: can be repeated
			g.mapped, g.bad = false, g.bad || poisonOf(err) != nil
			return err
		}
		w.regs = slices.Delete(w.regs, i, i+1)
		return err
	}},
	{"with", func(w *world, s step) error {
		g, ok := pick(w.regs, s.a)
		if !ok || g.mapped || g.bad {
			return nil
		}
		st := w.ss[s.b%len(w.ss)]
		err := g.b.WithMapped(st, func(b interop.Buffer) error { return errors.Join(w.launch(st), b.Fill(st, 1, 1)) })
		g.bad = poisonOf(err) != nil
		return err
	}},
	{"with all", func(w *world, s step) error {
		var bs []*interop.GLBuffer
		for _, g := range w.regs {
			if !g.mapped && !g.bad {
				bs = append(bs, g.b)
			}
		}
		st := w.ss[s.b%len(w.ss)]
		err := w.in.WithMappedAll(st, bs, func([]interop.Buffer) error { return w.launch(st) })
		for _, g := range w.regs {
			g.bad = g.bad || poisonOf(err) != nil && slices.Contains(bs, g.b) && g.b.Tier() != interop.TierCopied
		}
		return err
	}},
	{"one step", func(w *world, s step) error {
		m, err := w.in.MapBuffer(w.ss[s.b%len(w.ss)], w.gl.makeBuffer(), thingSize, interop.ReadWrite)
		if err != nil {
			return err
		}
		if s.a%2 == 0 {
			return m.Close()
		}
		w.free = append(w.free, m.Close)
		return nil
	}},
	{"register image", func(w *world, s step) error {
		use := []interop.ImageUse{interop.ImageReadWrite, interop.ImageSurface, interop.ImageSurface | interop.ImageWriteDiscard, interop.ImageReadOnly}[s.a%4]
		i, err := w.in.RegisterImage(w.gl.makeTexture(), driver.Texture2DArray, use)
		if err == nil {
			w.imgs = append(w.imgs, &imgThing{i: i})
		}
		return err
	}},
	{"with image", func(w *world, s step) error {
		g, ok := pick(w.imgs, s.a)
		if !ok || g.mapped || g.bad {
			return nil
		}
		st := w.ss[s.b%len(w.ss)]
		b, has := pick(w.bufs, s.a)
		err := g.i.WithMapped(st, s.b%3, 0, func(a interop.Array) error {
			if has && b.Size() == a.Bytes() {
				return errors.Join(w.launch(st), a.CopyTo(st, b))
			}
			return w.launch(st)
		})
		g.bad = poisonOf(err) != nil
		return err
	}},
	{"map image", func(w *world, s step) error {
		g, ok := pick(w.imgs, s.a)
		if !ok || g.mapped {
			return nil
		}
		a, err := g.i.Map(w.ss[s.b%len(w.ss)], 0, s.b%2)
		if g.bad {
			if !errors.Is(err, interop.ErrPoisoned) {
				return fmt.Errorf("a poisoned image answers %w", err)
			}
			return nil
		}
		g.a, g.mapped, g.bad = a, err == nil, poisonOf(err) != nil
		return err
	}},
	{"give image back", func(w *world, s step) error {
		g, ok := pick(w.imgs, s.a)
		if !ok || !g.mapped {
			return nil
		}
		err := g.a.Close()
		g.mapped, g.bad = false, poisonOf(err) != nil
		return err
	}},
	{"unregister image", func(w *world, s step) error {
		if len(w.imgs) == 0 {
			return nil
		}
		i := s.a % len(w.imgs)
		g := w.imgs[i]
		err := g.i.Close()
		if err != nil && g.i.Handle() != 0 {
			g.mapped, g.bad = false, g.bad || poisonOf(err) != nil
			return err
		}
		w.imgs = slices.Delete(w.imgs, i, i+1)
		return err
	}},
	{"synchronize", func(w *world, s step) error { return errors.Join(w.c.Synchronize(), w.ss[s.a%len(w.ss)].Synchronize()) }},
}
