// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"fmt"
	"log"
	"unsafe"

	"particles/interop"
	"particles/interop/choose"
	"particles/interop/driver"
	"particles/interop/interoptest"
	"particles/kernels"
)

// The examples of docs/interop.md; a test compares.

// A kernel writes the vertices that OpenGL draws.
func Example_vertexBuffer() {
	// A program with a window hands in its own OpenGL (gl.NewSharing of render/gl,
	// or any driver.GL), and leaves Driver out to get the GPU.
	gl := interoptest.NewGL()
	vbo := gl.NewBuffer(1000 * 4) // glBufferStorage
	c, err := choose.Open(choose.Options{Driver: "host", GL: gl})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close() // the GL interop, then the context
	stream, err := c.Context.NewStream(interop.StreamOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	module, err := c.Context.LoadModule(square) // PTX for CUDA, Go or C++ functions for the host
	if err != nil {
		log.Fatal(err)
	}
	defer module.Close()
	kernel, err := module.Kernel("square")
	if err != nil {
		log.Fatal(err)
	}

	// Once: registering takes milliseconds.
	slot, err := c.GL.RegisterBuffer(vbo, 1000*4, interop.WriteDiscard)
	if err != nil {
		log.Fatal(err)
	}
	defer slot.Close() // before the OpenGL buffer is deleted

	// Each frame. The kernel runs after the OpenGL commands so far, and OpenGL
	// commands after this run after the kernel; nobody waits.
	err = slot.WithMapped(stream, func(b interop.Buffer) error {
		p := squareParams{out: b.DevicePtr(), n: 1000}
		return interop.Launch(kernel, stream, 1000, &p)
	})
	if err != nil {
		log.Fatal(err)
	}
	drawn := gl.Bytes(vbo) // glDrawArrays
	fmt.Println(*(*uint32)(unsafe.Pointer(&drawn[4*31])))
	// Output: 961
}

// A kernel draws into a texture.
func Example_texture() {
	gl := interoptest.NewGL()
	const rgba8, w, h = 0x8058, 640, 480
	texture := gl.NewTexture(driver.Texture2D, rgba8, w, h, 1, 1) // glTexStorage2D
	c, err := choose.Open(choose.Options{Driver: "host", GL: gl})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	stream, err := c.Context.NewStream(interop.StreamOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	set, err := kernels.Load(c.Context, kernels.Auto)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	kernel, err := set.Kernel("imagefill", "image_fill") // surf2Dwrite on CUDA
	if err != nil {
		log.Fatal(err)
	}

	image, err := c.GL.RegisterImage(texture, driver.Texture2D, interop.ImageSurface|interop.ImageWriteDiscard)
	if err != nil {
		log.Fatal(err)
	}
	defer image.Close()
	p := kernels.ImageFill{Width: w, Height: h, N: w * h}
	err = image.WithMapped(stream, 0, 0, func(a interop.Array) error { // layer 0, level 0
		p.Surface = a.Surface() // another one at every mapping
		return interop.Launch(kernel, stream, w*h, &p)
	})
	if err != nil {
		log.Fatal(err)
	}
	texels := gl.Texels(texture, 0, 0) // glDrawArrays with the texture bound
	fmt.Println("last texel:", texels[4*(w*h-1):])
	// Output: last texel: [255 255 160 255]
}

// One stream computes on, while another publishes what is done.
func Example_twoStreams() {
	gl := interoptest.NewGL()
	vbo := gl.NewBuffer(4096)
	c, err := choose.Open(choose.Options{Driver: "host", GL: gl})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	var compute, publish *interop.Stream
	for _, s := range []**interop.Stream{&compute, &publish} {
		if *s, err = c.Context.NewStream(interop.StreamOptions{}); err != nil {
			log.Fatal(err)
		}
		defer (*s).Close()
	}
	var stepped, copied *interop.Event
	for _, e := range []**interop.Event{&stepped, &copied} {
		if *e, err = c.Context.NewEvent(interop.EventOptions{}); err != nil {
			log.Fatal(err)
		}
		defer (*e).Close()
	}
	state, err := c.Context.Alloc(4096)
	if err != nil {
		log.Fatal(err)
	}
	defer state.Close()
	slot, err := c.GL.RegisterBuffer(vbo, 4096, interop.WriteDiscard)
	if err != nil {
		log.Fatal(err)
	}
	defer slot.Close()

	frame := func(step uint32) error {
		if err := state.Fill(compute, step, 4); err != nil { // stands for the simulation
			return err
		}
		if err := stepped.Record(compute); err != nil {
			return err
		}
		if err := publish.WaitEvent(stepped); err != nil { // the copy comes after the step
			return err
		}
		err := slot.WithMapped(publish, func(b interop.Buffer) error { return b.CopyFrom(publish, state) })
		if err != nil {
			return err
		}
		if err := copied.Record(publish); err != nil {
			return err
		}
		return compute.WaitEvent(copied) // the next step comes after the copy
	}
	for step := range uint32(10) {
		if err := frame(step); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("OpenGL has step", gl.Bytes(vbo)[0])
	// Output: OpenGL has step 9
}
