// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"unsafe"

	"particles/render/gl"
)

// ReadImage resolves the light of the last draw into Target and returns that as an opaque picture, first row on top. It
// comes from a framebuffer object, so it is bit for bit the same in each run on one machine. It waits for the GPU. The error
// of a renderer of size 0 by 0 says so.
func (r *Renderer) ReadImage() (*image.NRGBA, error) {
	r.Resolve(r.ldrFBO)
	return r.ReadTarget()
}

// ReadTarget returns what Target holds, with all that was drawn over the picture, as ReadImage does.
func (r *Renderer) ReadTarget() (*image.NRGBA, error) {
	if r.w == 0 {
		return nil, fmt.Errorf("render: no picture: its size is 0 x 0 (is the window minimised?)")
	}
	img := image.NewNRGBA(image.Rect(0, 0, r.w, r.h))
	gl.BindFramebuffer(r.ldrFBO)
	gl.PixelStore(gl.PackAlignment, 4)
	gl.ReadPixels(0, 0, r.w, r.h, gl.RGBA, gl.UnsignedByte, unsafe.Pointer(&img.Pix[0]))
	flip(img)
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img, nil
}

// flip turns the rows around: OpenGL's first is the lowest.
func flip(img *image.NRGBA) {
	row := make([]byte, img.Stride)
	for a, b := 0, img.Rect.Dy()-1; a < b; a, b = a+1, b-1 {
		top, bottom := img.Pix[a*img.Stride:(a+1)*img.Stride], img.Pix[b*img.Stride:(b+1)*img.Stride]
		copy(row, top)
		copy(top, bottom)
		copy(bottom, row)
	}
}

// ReadLight returns the light of the last draw before exposure and tone mapping: red, green, blue and 0 for each pixel,
// rows from the bottom. For measurements and tests. It waits for the GPU.
func (r *Renderer) ReadLight() []float32 {
	if r.w == 0 {
		return nil
	}
	light := make([]float32, r.w*r.h*4)
	gl.BindFramebuffer(r.hdrFBO)
	gl.ReadPixels(0, 0, r.w, r.h, gl.RGBA, gl.Float, unsafe.Pointer(&light[0]))
	return light
}

// WritePNG writes a picture as PNG, fast rather than small: a screenshot must not hold up the frames for long. It may run
// on another goroutine than the one that draws.
func WritePNG(w io.Writer, img *image.NRGBA) error {
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	return enc.Encode(w, img)
}
