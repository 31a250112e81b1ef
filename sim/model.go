// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"fmt"

	"particles/interop"
	"particles/kernels"
	"particles/sim/param"
)

// RecordSize is the size in bytes of what Publish writes for a particle: x, y, z in metres and a scalar for the colour, all
// float32. A scalar that is NaN means: do not draw.
const RecordSize = 16

// MaxCount is the largest number of particles of a model.
const MaxCount = 1 << 30

// Model is a solver with its state on the device. All methods are called from one goroutine. Work is queued on the stream
// given, which should be the same one throughout, or ordered by events; nothing waits for it but Close and a change of the
// count that needs other memory.
type Model interface {
	Name() string
	// Params holds the live values: a change is seen by the next Step.
	Params() *param.Set
	// Count is the number of particles asked for: for the emitter, its capacity.
	Count() int
	// Drawn is the number of records that Publish writes, at most Count.
	Drawn() int
	// Alive is the newest known number of particles alive; it is read late and never waited for.
	Alive() int
	// SetCount changes the count. Particles that are alive stay as they are; a smaller count drops the last ones, or the oldest
	// for the emitter. An error leaves everything as it was.
	SetCount(s *interop.Stream, n int) error
	// Reset starts again from a seed. It must be called before the first Step.
	Reset(s *interop.Stream, seed uint64) error
	// Step queues one step of dt seconds, above 0 and at most 1.
	Step(s *interop.Stream, dt float64) error
	// Publish queues writing Drawn records of RecordSize bytes into dst.
	Publish(s *interop.Stream, dst interop.Buffer) error
	// Bounds is a ball around what there is to see, in metres.
	Bounds() (centre [3]float32, radius float32)
	// Scalar is what the records' scalar is now, with the range that the colour map should span.
	Scalar() param.Quantity
	// Time is the simulated time since Reset in seconds.
	Time() float64
	// Steps counts the steps since Reset.
	Steps() uint64
	Seed() uint64
	// SaveSize is the most bytes that Save copies at the present count.
	SaveSize() int
	// Save queues a copy of the state on the device to dst, which must have SaveSize bytes; they are there, and may be read, once
	// the stream has passed. The State is of the same moment. It allocates nothing, so that a frame may hold it.
	Save(s *interop.Stream, dst *interop.HostBuffer) (State, error)
	// Restore puts the model into a saved state, count and seed included, and queues the copies from src, which must stay as it is
	// until the stream has passed. The state may come from another driver: the model goes on from the same bits. It stands in for
	// Reset. An error (ErrState, no memory) leaves the model as it was.
	Restore(s *interop.Stream, st State, src *interop.HostBuffer) error
	// Close gives the memory back; the stream must not be working on it any more, or is waited for.
	Close() error
}

// Options says how a model is made.
type Options struct {
	Count  int // 0: DefaultCount
	Seed   uint64
	Params param.Values // values other than the defaults, by full name; those of other groups are passed over
	// Reserve is what the caller will take of the device's memory for each particle beside the model, in bytes, such as
	// what Publish writes into. A count is refused if it fits only without.
	Reserve int
}

// DefaultCount is the number of particles when none is asked for.
const DefaultCount = 100_000

// ModelInfo describes a model without a device.
type ModelInfo struct {
	param.Group
}

type constructor func(base) (Model, error)

var models = []struct {
	info ModelInfo
	make constructor
}{
	{flowInfo, newFlow},
	{emitterInfo, newEmitter},
}

// Models lists all models, for the scene files, the command line and the documentation.
func Models() []ModelInfo {
	list := make([]ModelInfo, len(models))
	for i := range models {
		list[i] = models[i].info
	}
	return list
}

// New makes a model by name. Its memory is allocated; Reset then starts it.
func New(name string, ctx *interop.Context, k *kernels.Set, o Options) (Model, error) {
	names := make([]string, len(models))
	for i := range models {
		if models[i].info.Name == name {
			b, err := newBase(&models[i].info, ctx, k, o)
			if err != nil {
				return nil, err
			}
			return models[i].make(b)
		}
		names[i] = models[i].info.Name
	}
	hint := ""
	if near := param.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(": did you mean %q?", near)
	}
	return nil, fmt.Errorf("sim: unknown model %q%s", name, hint)
}

// ErrNotReset is what Step and Publish answer before the first Reset.
var ErrNotReset = errors.New("the model was never reset, so it has no particles yet")

// base is what all models have in common.
type base struct {
	info   *ModelInfo
	ctx    *interop.Context
	code   *kernels.Set
	params *param.Set
	count  int
	seed   uint64
	time   float64
	steps  uint64
	ready  bool

	reserve int // Options.Reserve
}

func newBase(info *ModelInfo, ctx *interop.Context, k *kernels.Set, o Options) (base, error) {
	b := base{info: info, ctx: ctx, code: k, count: o.Count, seed: o.Seed, reserve: o.Reserve}
	if b.count == 0 {
		b.count = DefaultCount
	}
	if err := checkCount(b.count); err != nil {
		return b, err
	}
	var err error
	if b.params, err = param.NewSet(info.Group); err == nil {
		err = b.params.Take(o.Params)
	}
	if err != nil {
		return b, fmt.Errorf("sim: %s: %w", info.Name, err)
	}
	return b, nil
}

func checkCount(n int) error {
	if n < 1 || n > MaxCount {
		return fmt.Errorf("sim: %d particles: want 1 to %d", n, MaxCount)
	}
	return nil
}

// checkStep refuses what is no step.
func (b *base) checkStep(dt float64) error {
	if !b.ready {
		return fmt.Errorf("sim: %s: Step: %w", b.info.Name, ErrNotReset)
	}
	if !(dt > 0 && dt <= 1) {
		return fmt.Errorf("sim: %s: a step of %g s: want more than 0 and at most 1", b.info.Name, dt)
	}
	return nil
}

func (b *base) checkPublish(dst interop.Buffer, records int) error {
	if !b.ready {
		return fmt.Errorf("sim: %s: Publish: %w", b.info.Name, ErrNotReset)
	}
	if have := dst.Size(); have < records*RecordSize {
		return fmt.Errorf("sim: %s: %d records need %d bytes, the buffer has %d", b.info.Name, records, records*RecordSize, have)
	}
	return nil
}

// alloc allocates count particles of size bytes each. When it does not fit, the error tells what would.
func (b *base) alloc(count, size int) (interop.Buffer, error) {
	need := count * size // at most 2^30 times some dozens
	each := uint64(size + max(b.reserve, 0))
	free, _, err := b.ctx.MemInfo()
	if err == nil && uint64(count)*each > free {
		return interop.Buffer{}, fmt.Errorf("sim: %s: %d particles need %.1f MB, %s has %.1f MB free, enough for %d particles: %w",
			b.info.Name, count, float64(uint64(count)*each)*1e-6, b.ctx.Device().Name, float64(free)*1e-6, free/each, interop.ErrOutOfMemory)
	}
	buffer, err := b.ctx.Alloc(need)
	if err != nil {
		return buffer, fmt.Errorf("sim: %s: %d particles: %w", b.info.Name, count, err)
	}
	return buffer, nil
}

// kernels looks up all the named kernels of the model's module.
func (b *base) kernels(into map[string]**interop.Kernel) error {
	for name, k := range into {
		var err error
		if *k, err = b.code.Kernel(b.info.Name, name); err != nil {
			return err
		}
	}
	return nil
}

// room rounds a count up to what a state array has room for, so that every array begins at 256 bytes.
func room(count int) int { return (count + 63) &^ 63 }

func (b *base) Name() string       { return b.info.Name }
func (b *base) Params() *param.Set { return b.params }
func (b *base) Count() int         { return b.count }
func (b *base) Time() float64      { return b.time }
func (b *base) Steps() uint64      { return b.steps }
func (b *base) Seed() uint64       { return b.seed }
