// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"fmt"
	"log"
	"unsafe"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/driver"
	"particles/interop/host"
)

// squareParams is what the kernel takes: on a GPU the C struct of the same layout.
type squareParams struct {
	out driver.DevicePtr
	n   uint32
	_   uint32
}

// square writes i*i. It stands for generated code, which also knows the PTX form.
var square = driver.Image{
	Name: "example",
	Host: map[string]driver.HostKernel{
		"square": func(params unsafe.Pointer, w driver.Work) {
			p := (*squareParams)(params)
			for i := w.Begin; i < w.End; i++ {
				*at32(p.out, i) = uint32(i * i)
			}
		},
	},
}

func at32(p driver.DevicePtr, i int) *uint32 { return (*uint32)(unsafe.Pointer(at(p, 4*i))) }

func Example() {
	ctx, err := interop.NewContext(host.New(host.Options{}), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer ctx.Close()
	stream, _ := ctx.NewStream(interop.StreamOptions{})
	defer stream.Close()
	module, _ := ctx.LoadModule(square)
	defer module.Close()
	kernel, _ := module.Kernel("square")

	gl := testenv.NewFakeGL() // an app hands in its real OpenGL here
	in, _ := ctx.OpenGL(gl)
	defer in.Close()
	const n = 1000
	slot, err := in.RegisterBuffer(gl.NewBuffer(4*n), 4*n, interop.WriteDiscard)
	if err != nil {
		log.Fatal(err)
	}

	err = slot.WithMapped(stream, func(b interop.Buffer) error {
		p := squareParams{out: b.DevicePtr(), n: n}
		return interop.Launch(kernel, stream, n, &p)
	})
	if err != nil {
		log.Fatal(err)
	}
	bytes := gl.Bytes(slot.Name()) // OpenGL has it now
	fmt.Println(in.Tier(), *(*uint32)(unsafe.Pointer(&bytes[4*31])))
	// Output: host 961
}

func ExampleBuffer_Fill() {
	ctx, err := interop.NewContext(host.New(host.Options{}), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer ctx.Close()
	stream, _ := ctx.NewStream(interop.StreamOptions{})
	defer stream.Close()
	buf, _ := ctx.Alloc(16)
	defer buf.Close()
	back, _ := ctx.AllocHost(16)
	defer back.Close()

	_ = buf.Fill(stream, 0x01020304, 4)
	tail, _ := buf.Slice(12, 4)
	_ = tail.Fill(stream, 0xff, 1)
	_ = buf.CopyToHost(stream, back, 0, 16)
	_ = stream.Synchronize() // the copy is queued until then
	fmt.Println(back.Bytes()[8:])
	// Output: [4 3 2 1 255 255 255 255]
}
