// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"particles/internal/testenv"
	"particles/interop"
	"particles/interop/host"
)

// machine is the model: what the package must answer, from a list of states.
type machine struct {
	c    *interop.Context
	gl   *testenv.FakeGL
	in   *interop.GLInterop
	ss   []*interop.Stream // nil once closed
	bufs []*modelBuffer
	old  []interop.Buffer // given back: must stay dead
}

type modelBuffer struct {
	b      *interop.GLBuffer
	m      interop.Buffer // the mapping
	mapped bool
	closed bool
}

func (m *machine) pick(t *rapid.T) *modelBuffer {
	if len(m.bufs) == 0 {
		t.Skip("nothing registered")
	}
	return rapid.SampledFrom(m.bufs).Draw(t, "buffer")
}

func (m *machine) stream(t *rapid.T) *interop.Stream {
	return rapid.SampledFrom(m.ss).Draw(t, "stream")
}

func (m *machine) here() error {
	switch m.gl.Current {
	case 0:
		return interop.ErrNoGLContext
	case 2:
		return interop.ErrWrongGLContext
	}
	return nil
}

// expect fails unless err is want; nil wants success.
func expect(t *rapid.T, err, want error) {
	t.Helper()
	if (want == nil) != (err == nil) || !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func (b *modelBuffer) dead(m *machine) {
	if b.mapped {
		m.old = append(m.old, b.m)
	}
	b.mapped = false
}

// mapWants is what mapping b on s must answer.
func (m *machine) mapWants(b *modelBuffer, s *interop.Stream) error {
	switch {
	case b.closed:
		return interop.ErrClosed
	case m.here() != nil: // before anything is looked at that belongs to the thread
		return m.here()
	case b.mapped:
		return interop.ErrAlreadyMapped
	case s == nil:
		return interop.ErrNilStream
	}
	return nil
}

func TestAnyOrderOfCallsKeepsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &recorder{Driver: host.New(host.Options{Workers: 1}), deaf: true}
		c, err := interop.NewContext(d, 0)
		expect(t, err, nil)
		m := &machine{c: c, gl: testenv.NewFakeGL(), ss: []*interop.Stream{nil}}
		for range 2 {
			s, err := c.NewStream(interop.StreamOptions{})
			expect(t, err, nil)
			m.ss = append(m.ss, s)
		}
		open := c.OpenGL
		if rapid.Bool().Draw(t, "copied") {
			open = c.OpenGLCopied
		}
		m.in, err = open(m.gl)
		expect(t, err, nil)
		t.Repeat(map[string]func(*rapid.T){
			"register": func(t *rapid.T) {
				current := m.gl.Current
				m.gl.Current = 1
				name := m.gl.NewBuffer(256)
				m.gl.Current = current
				a := rapid.SampledFrom([]interop.Access{interop.ReadWrite, interop.ReadOnly, interop.WriteDiscard}).Draw(t, "access")
				b, err := m.in.RegisterBuffer(name, 256, a)
				expect(t, err, m.here())
				if err == nil {
					m.bufs = append(m.bufs, &modelBuffer{b: b})
				}
			},
			"map": func(t *rapid.T) {
				b, s := m.pick(t), m.stream(t)
				want := m.mapWants(b, s)
				got, err := b.b.Map(s)
				expect(t, err, want)
				if err == nil {
					b.m, b.mapped = got, true
				}
			},
			"give back": func(t *rapid.T) {
				b := m.pick(t)
				if !b.mapped {
					t.Skip("not mapped")
				}
				want := m.here()
				expect(t, b.m.Close(), want)
				if want == nil {
					b.dead(m)
				}
			},
			"move to another stream": func(t *rapid.T) {
				b, s := m.pick(t), m.stream(t)
				if !b.mapped {
					t.Skip("not mapped")
				}
				var want error
				if s == nil {
					want = interop.ErrNilStream
				}
				expect(t, b.m.SetReleaseStream(s), want)
			},
			"close": func(t *rapid.T) {
				b := m.pick(t)
				want := m.here()
				if b.closed {
					want = nil
				}
				expect(t, b.b.Close(), want)
				if want == nil {
					b.dead(m)
					b.closed = true
				}
			},
			"with all": func(t *rapid.T) {
				s := m.stream(t)
				var bs []*interop.GLBuffer
				var want, here error
				twice := map[*modelBuffer]bool{}
				for range rapid.IntRange(0, 3).Draw(t, "n") {
					b := m.pick(t)
					bs = append(bs, b.b)
					if w := m.mapWants(b, nil); (want == nil || w == interop.ErrClosed) && w != interop.ErrNilStream {
						want = w // a closed one is told first
					}
					if twice[b] {
						here = interop.ErrDuplicate
					}
					twice[b] = true
				}
				switch {
				case m.here() != nil:
					want = m.here()
				case want != nil:
				case s == nil:
					want = interop.ErrNilStream
				default:
					want = here
				}
				mine := errors.New("mine")
				err := m.in.WithMappedAll(s, bs, func(ms []interop.Buffer) error {
					for i, x := range ms {
						if x.Size() != 256 || !bs[i].IsMapped() {
							t.Fatal("not mapped in the body")
						}
						m.old = append(m.old, x)
					}
					return mine
				})
				if want == nil {
					want = mine
				}
				expect(t, err, want)
			},
			"make another context current": func(t *rapid.T) {
				m.gl.Current = rapid.SampledFrom([]uintptr{0, 1, 1, 1, 2}).Draw(t, "context")
			},
			"": func(t *rapid.T) {
				st, mapped, registered := c.Stats(), 0, 0
				for _, b := range m.bufs {
					if b.mapped {
						mapped++
					}
					if !b.closed {
						registered++
					}
					if b.b.IsMapped() != b.mapped || (b.m.DevicePtr() != 0) != b.mapped {
						t.Fatalf("%v, buffer %v; the model says mapped %v", b.b, b.m, b.mapped)
					}
				}
				if st.Mappings != mapped || st.Registrations != registered {
					t.Fatalf("stats %+v; the model has %d mapped, %d registered", st, mapped, registered)
				}
				for _, b := range m.old {
					if b.DevicePtr() != 0 || b.Size() != 0 {
						t.Fatal("a buffer that was given back came to life")
					}
				}
				if m.gl.Broken != 0 {
					t.Fatalf("%d of OpenGL's rules broken", m.gl.Broken)
				}
			},
		})
		m.gl.Current = 1
		for _, s := range m.ss[1:] { // before what is given back on them
			expect(t, s.Close(), nil)
		}
		expect(t, m.in.Close(), nil)
		if st := c.Stats(); !st.Zero() {
			t.Fatalf("left %+v", st)
		}
		expect(t, c.Close(), nil)
	})
}
