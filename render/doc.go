// SPDX-License-Identifier: Apache-2.0

// Package render draws particles: an additive point pass into a floating-point target, then a resolve to a picture. It
// also holds the orbit camera, the slots that particles are published into, and GPU timers. It knows OpenGL buffers by
// name and nothing of simulation or CUDA.
//
// # Records
//
// A particle is 16 bytes: x, y, z in world units (y points up) and a colour scalar s in the model's own unit, all float32. A NaN
// s is not drawn. The colour is that of the colour map at (s - Look.ScalarLo) / (Look.ScalarHi - Look.ScalarLo).
//
// # Threads and ownership
//
// Everything here but Camera and Look runs on the thread where the OpenGL context is current. The caller closes what it
// makes before it destroys the context. Calls of the frame path (all but New..., Resize to another size, SetLook with
// another colour map, Recreate, ReadImage and Close) allocate nothing and never wait for the GPU.
//
// # A frame
//
//	r.Resize(w, h)                       // every frame; does something only when the size changed
//	r.SetLook(look)
//	timers.Begin(seq)                    // stamp 0
//	if slot, ok := slots.Acquire(); ok {
//		// publish: map slots.Buffer(slot), let a kernel write n records, give it back
//		slots.Publish(slot, n)
//	}
//	timers.Stamp()
//	if slot, n, ok := slots.Next(); ok { // the newest published, or nothing new to draw
//		r.Begin(&camera)
//		r.DrawPoints(slots, slot, n)     // puts the slot's fence
//	}
//	r.Resolve(0)                         // 0: the window, r.Target(): for ReadImage and headless
//	timers.Stamp()
//	// the panel is drawn here
//	timers.End()                         // last stamp
//	// swap
package render
