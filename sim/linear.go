// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

var linearInfo = ModelInfo{
	Group: param.Group{
		Name: "linear", Title: "Linear flow",
		Doc: "Particles in a plane with x' = A x: nodes, saddles, spirals and centres, by the eigenvalues of A (Strogatz, Nonlinear Dynamics and Chaos, ch. 5).",
		Specs: []param.Spec{{
			Name: "matrix", Label: "A", Unit: "1/s", Kind: param.Matrix, Rows: 2, Cols: 2, Defaults: []float64{-0.1, -1, 1, -0.1}, Min: -3, Max: 3,
			Doc: "The matrix A by rows. Drag a cell up and down.",
		}},
	},
	Arrays:  []Array{{Name: "x", Size: 4, Buffer: 0}, {Name: "y", Size: 4, Buffer: 1}},
	Kernels: []string{"linear_step", "linear_publish"},
	make:    func(m *Model) (solver, error) { return &linear{Model: m}, nil },
}

// linear is the model of kernels/src/linear.h.
type linear struct {
	*Model
	p   kernels.LinearStep
	out kernels.LinearPublish
}

func (l *linear) spawn(s *interop.Stream, from, to int) error { return l.advance(s, from, to, 0, 1) }

func (l *linear) step(s *interop.Stream, dt float64) error {
	err := l.advance(s, 0, l.count, dt, 0)
	if err == nil {
		l.passed(dt)
	}
	return err
}

func (l *linear) advance(s *interop.Stream, from, to int, dt, restart float64) error {
	l.p = kernels.LinearStep{
		X: l.mem.at(0, from), Y: l.mem.at(1, from), N: uint32(to - from), Restart: float32(restart),
		Key: uint32(key(l.seed, purposeStep+uint64(from)<<8, l.steps)),
	}
	for i, v := range exponential(l.params.Parts(0), dt) {
		l.p.Exp[i] = float32(v)
	}
	return interop.Launch(l.kernels[0], s, to-from, &l.p)
}

// exponential is e^(A t) of a 2 x 2 matrix: the Taylor series of a small part, squared.
func exponential(a []float64, t float64) [4]float64 {
	const halvings = 8
	h := t / (1 << halvings)
	e, term := [4]float64{1, 0, 0, 1}, [4]float64{1, 0, 0, 1}
	for n := 1.0; n <= 6; n++ {
		term = multiply(term, [4]float64{a[0] * h / n, a[1] * h / n, a[2] * h / n, a[3] * h / n})
		for i := range e {
			e[i] += term[i]
		}
	}
	for range halvings {
		e = multiply(e, e)
	}
	return e
}

func multiply(a, b [4]float64) [4]float64 {
	return [4]float64{a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3], a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3]}
}

func (l *linear) publish(s *interop.Stream, dst interop.DevicePtr, n int) error {
	l.out = kernels.LinearPublish{X: l.mem.at(0, 0), Y: l.mem.at(1, 0), Records: dst, N: uint32(n)}
	for i, v := range l.params.Parts(0) {
		l.out.A[i] = float32(v)
	}
	return interop.Launch(l.kernels[1], s, n, &l.out)
}

func (l *linear) bounds() (centre [3]float32, radius float32) { return centre, 1 }

func (l *linear) attributes(into []param.Quantity) ([]param.Quantity, int) {
	sum := 0.0
	for _, v := range l.params.Parts(0) {
		sum += v * v
	}
	return append(into, param.Quantity{Name: "speed", Unit: "m/s", Max: max(math.Sqrt(sum), 1e-3)}), 0
}

func (l *linear) own(*fields) {}
