// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/interoptest"
)

// threadGL is an OpenGL that is current on one thread only, as real ones are.
type threadGL struct {
	*testenv.FakeGL
	home int
}

func (g *threadGL) CurrentContext() uintptr {
	if syscall.Gettid() == g.home {
		return 1
	}
	return 0
}

// While one thread maps its own buffers and image, another calls everything there is. Each of its calls is refused for its thread, and
// none leaves a trace: the first thread always gets the memory that it asked for. Run it with the race detector.
func TestCallsFromAnotherThreadLeaveNoTrace(t *testing.T) {
	for _, shared := range []bool{true, false} {
		t.Run(fmt.Sprintf("shared %v", shared), func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			d := interoptest.New(interoptest.Options{Shared: shared})
			c := testenv.Context(t, d)
			gl := &threadGL{testenv.NewFakeGL(), syscall.Gettid()}
			open := c.OpenGL
			if !shared {
				open = c.OpenGLCopied
			}
			in, err := open(gl)
			must(t, err)
			s, err := c.NewStream(interop.StreamOptions{})
			must(t, err)
			var bs [4]*interop.GLBuffer
			for i := range bs {
				bs[i], err = in.RegisterBuffer(gl.NewBuffer(256*(i+1)), 256*(i+1), 0)
				must(t, err)
			}
			tex := gl.NewTexture(driver.Texture2D, glRGBA8, 8, 8, 1, 2)
			image, err := in.RegisterImage(tex, driver.Texture2D, interop.ImageSurface)
			must(t, err)
			extra := gl.NewBuffer(64)

			var stop atomic.Bool
			refused, done := map[string]int{}, make(chan error, 1)
			ready := make(chan struct{})
			go func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				close(ready)
				body := func(interop.Buffer) error { return errors.New("the body ran") }
				for n := 0; !stop.Load() || n < 100; n++ {
					other := bs[2+n%2]
					_, m := other.Map(s)
					_, a := image.Map(s, 0, 1)
					_, r := in.RegisterBuffer(extra, 64, 0)
					_, ri := in.RegisterImage(tex, driver.Texture2D, 0)
					_, mb := in.MapBuffer(s, extra, 64, 0)
					for name, err := range map[string]error{
						"GLBuffer.Map": m, "GLBuffer.WithMapped": other.WithMapped(s, body), "GLBuffer.Close": other.Close(),
						"WithMappedAll": in.WithMappedAll(s, []*interop.GLBuffer{other, bs[0]}, func([]interop.Buffer) error { return errors.New("the body ran") }),
						"GLImage.Map":   a, "GLImage.WithMapped": image.WithMapped(s, 0, 1, func(interop.Array) error { return errors.New("the body ran") }),
						"GLImage.Close": image.Close(), "RegisterBuffer": r, "RegisterImage": ri, "MapBuffer": mb, "GLInterop.Close": in.Close(),
					} {
						if !errors.Is(err, interop.ErrNoGLContext) {
							done <- fmt.Errorf("%s from another thread: %v", name, err)
							return
						}
						refused[name]++
					}
				}
				done <- nil
			}()
			<-ready
			for i := range 2000 {
				b := bs[i%4]
				must(t, b.WithMapped(s, func(m interop.Buffer) error {
					if m.Size() != b.Size() || m.DevicePtr() == 0 || !b.IsMapped() {
						return fmt.Errorf("asked for %v, got %v", b, m)
					}
					return m.Fill(s, uint32(i)&255, 1)
				}))
				must(t, in.WithMappedAll(s, bs[:2], func(ms []interop.Buffer) error {
					if len(ms) != 2 || ms[0].Size() != 256 || ms[1].Size() != 512 {
						return fmt.Errorf("the batch is %v", ms)
					}
					return nil
				}))
				must(t, image.WithMapped(s, 0, 0, func(a interop.Array) error {
					if w, h, _ := a.Size(); w != 8 || h != 8 || a.Surface() == 0 {
						return fmt.Errorf("level 0 is %v", a)
					}
					return nil
				}))
			}
			stop.Store(true)
			if err := <-done; err != nil {
				t.Error(err)
			}
			if len(refused) != 11 {
				t.Errorf("refused: %v", refused)
			}
			for _, b := range bs {
				must(t, b.WithMapped(s, func(interop.Buffer) error { return nil })) // a retry says nothing of "already mapped"
			}
			must(t, in.Close())
			must(t, s.Close())
		})
	}
}
