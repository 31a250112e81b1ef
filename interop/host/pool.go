// SPDX-License-Identifier: Apache-2.0

package host

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"particles/interop/driver"
)

// A piece should be long against waking a worker and short against a frame, so
// that another goroutine's turn on a core comes soon.
const (
	minPiece = 50 * time.Microsecond
	maxPiece = 200 * time.Microsecond
)

// function is a kernel, with what its launches have cost so far.
type function struct {
	name string
	run  driver.HostKernel
	cost atomic.Uint64 // nanoseconds per index, a float64's bits; 0 unknown
}

func (f *function) perIndex() float64 { return math.Float64frombits(f.cost.Load()) }

// learn takes in a launch: half its cost, half what was known.
func (f *function) learn(busy time.Duration, n int) {
	c := float64(busy) / float64(n)
	if old := f.perIndex(); old > 0 {
		c = (old + c) / 2
	}
	f.cost.Store(math.Float64bits(max(c, 1e-3)))
}

// pieceSize cuts n indices for so many workers: pieces of minPiece to maxPiece,
// about four a worker, multiples of block.
func (f *function) pieceSize(n, block, workers int) int {
	var piece float64
	if c := f.perIndex(); c > 0 {
		total := c * float64(n)
		t := min(max(total/float64(4*workers), float64(minPiece)), float64(maxPiece))
		piece = t / c
	} else { // the first launch: many small ones
		piece = float64(n) / float64(16*workers)
	}
	if piece >= float64(n) {
		return n
	}
	p := int(piece)
	p += block - 1
	return max(p-p%block, block)
}

// job is the launch that a stream is running; one a stream, reused.
type job struct {
	f        *function
	params   unsafe.Pointer
	shape    driver.Shape
	piece    int
	priority int
	next     atomic.Int64 // index of the next piece
	busy     atomic.Int64 // nanoseconds spent in pieces
	failed   atomic.Pointer[failure]

	users int // workers in it; guarded by pool.mu
	left  chan struct{}
	own   scratch // of whoever runs the stream
}

// failure is what a kernel panicked with.
type failure struct {
	kernel string
	value  any
}

// scratch is a worker's own memory for the kernels that ask for some.
type scratch []uint64 // so that it is aligned for any element

func (s *scratch) bytes(n int) []byte {
	if n == 0 {
		return nil
	}
	if words := (n + 7) / 8; len(*s) < words {
		*s = make([]uint64, words)
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&(*s)[0])), n)
}

// work runs pieces until none is left.
func (j *job) work(worker int, own *scratch) {
	w := driver.Work{Block: j.shape.Block, Worker: worker, Scratch: own.bytes(j.shape.SharedBytes)}
	for {
		w.Begin = int(j.next.Add(int64(j.piece))) - j.piece
		if w.Begin >= j.shape.N {
			return
		}
		w.End = min(w.Begin+j.piece, j.shape.N)
		j.do(w)
	}
}

func (j *job) do(w driver.Work) {
	start := time.Now()
	defer func() {
		if v := recover(); v != nil {
			j.failed.CompareAndSwap(nil, &failure{j.f.name, v})
			j.next.Store(int64(j.shape.N)) // no more pieces
		}
		j.busy.Add(int64(time.Since(start)))
	}()
	j.f.run(j.params, w)
}

// pool is the workers that all streams of a context share.
type pool struct {
	workers int // cores to use, the stream's own goroutine counted
	mu      sync.Mutex
	wake    sync.Cond
	jobs    []*job // with pieces left, greatest priority (smallest number) first
	closed  bool
	wg      sync.WaitGroup
}

func newPool(workers int) *pool {
	p := &pool{workers: workers, jobs: make([]*job, 0, 64)}
	p.wake.L = &p.mu
	for i := range workers - 1 {
		p.wg.Go(func() { p.worker(i + 1) }) // 0 is whoever runs the stream
	}
	return p
}

func (p *pool) worker(i int) {
	var own scratch
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.jobs) == 0 {
			if p.closed {
				return
			}
			p.wake.Wait()
		}
		j := p.jobs[0]
		j.users++
		p.mu.Unlock()
		j.work(i, &own)
		p.mu.Lock()
		p.drop(j)
		if j.users--; j.users == 0 {
			select {
			case j.left <- struct{}{}:
			default:
			}
		}
	}
}

// run works through the job with the pool's help and returns when it is done.
func (p *pool) run(j *job) {
	j.next.Store(0)
	j.busy.Store(0)
	if j.piece >= j.shape.N {
		j.work(0, &j.own)
		return
	}
	p.insert(j)
	if pieces := (j.shape.N + j.piece - 1) / j.piece; pieces > p.workers {
		p.wake.Broadcast()
	} else {
		for range pieces - 1 {
			p.wake.Signal()
		}
	}
	j.work(0, &j.own)
	p.mu.Lock()
	p.drop(j)
	for j.users > 0 {
		p.mu.Unlock()
		<-j.left
		p.mu.Lock()
	}
	p.mu.Unlock()
	select { // a wake-up that nobody waited for
	case <-j.left:
	default:
	}
}

// insert puts a job before those of smaller priority.
func (p *pool) insert(j *job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := len(p.jobs)
	for i > 0 && p.jobs[i-1].priority > j.priority {
		i--
	}
	p.jobs = append(p.jobs, nil)
	copy(p.jobs[i+1:], p.jobs[i:])
	p.jobs[i] = j
}

// drop takes a job without pieces off the list, if it is still there.
func (p *pool) drop(j *job) {
	for i, x := range p.jobs {
		if x == j {
			p.jobs = append(p.jobs[:i], p.jobs[i+1:]...)
			return
		}
	}
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.wake.Broadcast()
	p.wg.Wait()
}
