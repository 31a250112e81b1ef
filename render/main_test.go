// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"particles/render/egl"
	"particles/render/gl"
)

// record is a particle as it lies in a slot.
type record struct{ x, y, z, s float32 }

// newGL makes a headless context current, in software so that pictures do not depend on the machine's GPU unless hardware
// is asked for. Any OpenGL error fails the test.
func newGL(t testing.TB, o egl.Options) {
	t.Helper()
	o.Debug = true
	ctx, err := egl.New(o)
	if err != nil {
		t.Skip(err)
	}
	runtime.LockOSThread()
	if err := ctx.MakeCurrent(); err != nil {
		t.Fatal(err)
	}
	if err := gl.Init(ctx.ProcAddr); err != nil {
		t.Fatal(err)
	}
	gl.Debug(func(m gl.Message) {
		if m.IsError() {
			t.Error(m)
		}
	})
	t.Cleanup(func() {
		gl.Debug(nil)
		if err := ctx.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
}

// newRenderer is newGL with a renderer of a size.
func newRenderer(t testing.TB, w, h int) *Renderer {
	t.Helper()
	newGL(t, egl.Options{Software: true})
	r, err := NewRenderer(w, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// publish makes one slot that holds the records.
func publish(t testing.TB, recs []record) *Slots {
	t.Helper()
	s, err := NewSlots(1, max(len(recs), 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	fill(s, 0, recs)
	return s
}

func fill(s *Slots, slot int, recs []record) {
	if len(recs) > 0 {
		gl.NamedBufferSubData(s.Buffer(slot), 0, len(recs)*RecordSize, unsafe.Pointer(&recs[0]))
	}
	s.Publish(slot, len(recs))
}

// swirl is a stand-in for a flow's particles: points of a ball of radius 1, moved for a while by a smooth divergence-free
// velocity field (of Arnold, Beltrami and Childress, with two octaves); s is the speed, about 0 to 3. Always the same.
func swirl(n int) []record {
	rng := rand.New(rand.NewPCG(1, 2))
	recs := make([]record, n)
	velocity := func(p [3]float64) (v [3]float64) {
		for _, o := range [...]struct{ k, a float64 }{{2.3, 1}, {5.1, 0.45}} {
			x, y, z := p[0]*o.k, p[1]*o.k, p[2]*o.k
			v[0] += o.a * (math.Sin(z) + 0.8*math.Cos(y))
			v[1] += o.a * (0.9*math.Sin(x) + math.Cos(z))
			v[2] += o.a * (0.8*math.Sin(y) + 0.9*math.Cos(x))
		}
		return v
	}
	for i := range recs {
		var p [3]float64
		for {
			r := 0.0
			for k := range p {
				p[k] = 2*rng.Float64() - 1
				r += p[k] * p[k]
			}
			if r <= 1 {
				break
			}
		}
		// A cloud that starts as shells shows the stirring.
		r := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		f := (math.Round(r*4) + 0.25*(r*4-math.Round(r*4))) / (4 * r)
		v := [3]float64{}
		for k := range p {
			p[k] *= f
		}
		for range 12 {
			v = velocity(p)
			for k := range p {
				p[k] += 0.02 * v[k]
			}
		}
		recs[i] = record{float32(p[0]), float32(p[1]), float32(p[2]), float32(math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]))}
	}
	return recs
}
