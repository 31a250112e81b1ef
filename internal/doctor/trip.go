// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim"
)

// The test kernel is the flow's publishing one, which every run uses: from state
// arrays it writes records of position and speed. The particles' positions and
// velocities are small whole numbers, and the velocities' lengths too, so that
// the right result is known to the last bit without running anything.
const (
	tripCount  = 1000 // not a multiple of a block
	tripStride = 1024 // floats between the state's arrays
	poison     = float32(-12345)
)

// velocities have whole lengths: 1, 2, 2 is 3 long.
var velocities = [...][4]float32{{1, 2, 2, 3}, {2, 3, 6, 7}, {1, 4, 8, 9}, {0, 3, 4, 5}, {-2, 6, 9, 11}, {0, 0, 0, 0}}

// record is what the kernel is to write for particle i.
func record(i int) [4]float32 {
	return [4]float32{float32(i), float32(-2 * i), float32(i % 7), velocities[i%len(velocities)][3]}
}

// state is the kernel's input.
func state(b []byte) {
	put := func(array, i int, v float32) {
		binary.NativeEndian.PutUint32(b[(array*tripStride+i)*4:], math.Float32bits(v))
	}
	for i := range tripCount {
		r, v := record(i), velocities[i%len(velocities)]
		for k := range 3 {
			put(k, i, r[k])
			put(3+k, i, v[k])
		}
	}
}

// compare says how a result differs, "" when it does not.
func compare(b []byte) string {
	bad, first := 0, ""
	for i := range tripCount {
		var got [4]float32
		for k := range got {
			got[k] = math.Float32frombits(binary.NativeEndian.Uint32(b[i*sim.RecordSize+k*4:]))
		}
		if want := record(i); got != want {
			if bad++; bad == 1 {
				first = fmt.Sprintf("particle %d is %v, want %v", i, got, want)
			}
		}
	}
	switch {
	case bad == 0:
		return ""
	case bad == tripCount && first == fmt.Sprintf("particle 0 is %v, want %v", [4]float32{poison, poison, poison, poison}, record(0)):
		return "nothing was written"
	}
	return fmt.Sprintf("%d of %d particles differ; %s", bad, tripCount, first)
}

// tripper holds what a run of the kernel needs.
type tripper struct {
	stream *interop.Stream
	kernel *interop.Kernel
	input  interop.Buffer
	p      kernels.FlowPublish
}

func newTripper(ctx *interop.Context, set *kernels.Set) (t *tripper, err error) {
	t = &tripper{}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if t.kernel, err = set.Kernel("flow", "flow_publish"); err != nil {
		return t, err
	}
	if t.stream, err = ctx.NewStream(interop.StreamOptions{}); err != nil {
		return t, err
	}
	const size = 6 * tripStride * 4
	if t.input, err = ctx.Alloc(size); err != nil {
		return t, err
	}
	from, err := ctx.AllocHost(size)
	if err != nil {
		return t, err
	}
	state(from.Bytes())
	err = t.input.CopyFromHost(t.stream, from, 0, size)
	if err == nil {
		err = t.stream.Synchronize()
	}
	return t, errors.Join(err, from.Close())
}

func (t *tripper) size() int { return tripCount * sim.RecordSize }

// launch queues the kernel.
func (t *tripper) launch(out interop.Buffer) error {
	t.p = kernels.FlowPublish{
		State: t.input.DevicePtr(), Stride: tripStride, Records: out.DevicePtr(), N: tripCount, Hidden: float32(math.NaN()),
	}
	return interop.Launch(t.kernel, t.stream, tripCount, &t.p)
}

func (t *tripper) close() error {
	var errs []error
	if t.input.Size() > 0 {
		errs = append(errs, t.input.Close())
	}
	if t.stream != nil {
		errs = append(errs, t.stream.Close())
	}
	return errors.Join(errs...)
}
