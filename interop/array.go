// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"

	"particles/interop/driver"
)

// Surface is what a kernel loads and stores texels through; it goes into its
// parameter struct as an unsigned 64-bit integer. On CUDA it is a CUsurfObject,
// for surf2Dwrite; on the host it is the address of a driver.HostSurface.
type Surface = driver.Surface

// Array is a mapped level of an OpenGL texture. It has no address: kernels reach
// its texels through Surface, and CopyFrom and CopyTo move whole levels. Like a
// Buffer it is a small value that copies freely, and once the mapping has been
// given back every copy answers ErrClosed and surface 0. Surface may be asked from
// any goroutine at any time, the rest only while nobody maps the image anew.
type Array struct {
	i   *GLImage
	gen uint64
}

// Surface is for a kernel's parameters; 0 once given back, and for an image
// registered without ImageSurface.
func (a Array) Surface() Surface {
	if a.i == nil {
		return 0
	}
	s := a.i.surf.Load()
	if a.i.reg.gen.Load() != a.gen {
		return 0
	}
	return Surface(s)
}

// Handle is the driver's CUarray, for what this package does not cover; 0 once
// given back. It may be another at every mapping.
func (a Array) Handle() driver.Array {
	if a.check("") != nil {
		return 0
	}
	return a.i.arr
}

// Size is in texels; depth is that of a 3-D texture, else 1. All are 0 once
// given back.
func (a Array) Size() (width, height, depth int) {
	if a.check("") != nil {
		return 0, 0, 0
	}
	d := a.i.desc
	return d.Width, d.Height, max(d.Depth, 1)
}

// TexelBytes is the size of one texel; 0 once given back.
func (a Array) TexelBytes() int {
	if a.check("") != nil {
		return 0
	}
	return a.i.desc.TexelBytes()
}

// Bytes is the size of all texels, as CopyFrom and CopyTo want it; 0 once given back.
func (a Array) Bytes() int {
	if a.check("") != nil {
		return 0
	}
	return a.i.desc.Size()
}

// CopyFrom queues on s a copy of all of src into the array. src holds the rows
// one after the other without gaps, the first row first, and has the array's Bytes.
func (a Array) CopyFrom(s *Stream, src Buffer) error { return a.copy("Array.CopyFrom", s, src, true) }

// CopyTo queues on s a copy of the array into dst, as CopyFrom the other way.
func (a Array) CopyTo(s *Stream, dst Buffer) error { return a.copy("Array.CopyTo", s, dst, false) }

func (a Array) copy(op string, s *Stream, b Buffer, toArray bool) error {
	if err := a.check(op); err != nil {
		return err
	}
	if err := b.ready(op, s); err != nil {
		return err
	}
	if toArray && !a.i.use.writes() {
		return argErr(op, "%s was registered read-only", a.i.reg.describe())
	}
	c, d := a.i.reg.in.ctx, a.i.desc
	if b.m.ctx != c {
		return stateErr(op, "buffer", ErrWrongContext)
	}
	if b.size != d.Size() {
		return argErr(op, "a buffer of %d bytes for %dx%dx%d texels of %d bytes, which are %d",
			b.size, d.Width, d.Height, max(d.Depth, 1), d.TexelBytes(), d.Size())
	}
	code := c.drv.Memcpy3DAsync(c.h, driver.Copy3D{
		Array: a.i.arr, ToArray: toArray, Device: b.DevicePtr(),
		WidthBytes: d.Width * d.TexelBytes(), Height: d.Height, Depth: max(d.Depth, 1),
	}, s.h)
	if code != driver.Success {
		return c.fail("cuMemcpy3DAsync", code, a.i.reg.describe())
	}
	return nil
}

// Close gives the mapping back on its stream, once; closing again, also a copy of
// a, does nothing. It must be called on the OpenGL thread, and else refuses with
// the mapping intact.
func (a Array) Close() error {
	if a.i == nil {
		return stateErr("Array.Close", "array", ErrZeroValue)
	}
	return mapping{&a.i.reg, a.gen}.end("Array.Close")
}

// String tells size and surface, or the state.
func (a Array) String() string {
	if a.i == nil {
		return "Array(zero)"
	}
	w, h, d := a.Size()
	if w == 0 {
		return "Array(closed)"
	}
	return fmt.Sprintf("Array(%dx%dx%d of %d bytes, surface %#x)", w, h, d, a.TexelBytes(), uint64(a.Surface()))
}

func (a Array) check(op string) error {
	if a.i == nil {
		return stateErr(op, "array", ErrZeroValue)
	}
	if a.i.reg.gen.Load() != a.gen {
		return stateErr(op, "array", ErrClosed)
	}
	return nil
}
