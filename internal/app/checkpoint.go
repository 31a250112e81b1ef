// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"particles/interop"
	"particles/sim"
)

// Checkpoints are copies of the model's state in pinned memory, taken while the run
// goes on, from which it goes on after the GPU's own state was lost. There are two
// buffers in turn, so that one is whole while the other is written. Nothing waits
// for a copy: an event tells when it is there.
const (
	checkpointEvery = time.Second
	checkpointShare = 50              // a copy may take this part of the time between two
	checkpointNews  = 2 * time.Second // a longer interval is told
	checkpointPart  = 4               // both buffers may take this part of the memory that is free
)

// checkpoints belongs to the render thread.
type checkpoints struct {
	ctx  *interop.Context
	log  *slog.Logger
	off  bool          // not wanted here
	base time.Duration // shortest interval; 0: one with every frame

	slots   [2]checkpoint
	newest  int   // the last whole one, -1: none
	writing int   // under way, -1: none
	before  *kept // what this device went on from, until it has a checkpoint of its own
	next    time.Time
	every   time.Duration
	took    time.Duration // the last copy, on the device
	told    bool
	err     error // of an event; the context may be lost
}

type checkpoint struct {
	state      sim.State
	at         time.Time
	buffer     *interop.HostBuffer
	start, end *interop.Event
}

// kept is a state apart from the context that it was saved in.
type kept struct {
	state sim.State
	at    time.Time
	bytes []byte
}

// newCheckpoints makes none yet. The host driver runs in this process and has no
// state that could be lost apart from it, so there are none there.
func newCheckpoints(ctx *interop.Context, log *slog.Logger) *checkpoints {
	return &checkpoints{ctx: ctx, log: log, off: ctx.Driver().Properties().HostMemory, base: checkpointEvery, newest: -1, writing: -1}
}

// prepare makes room for states of the size given. What has been saved is kept
// where it can be. Without enough memory there are no checkpoints, which is told once.
func (c *checkpoints) prepare(size int) {
	if c.off || c.slots[0].buffer.Size() >= size && c.slots[0].buffer.Size() <= 4*size {
		return
	}
	if err := c.release(); err != nil && c.err == nil {
		c.err = err
	}
	if free, ok := freeHostMemory(); ok && uint64(len(c.slots)*size) > free/checkpointPart {
		c.tell("no checkpoints: they would take %d MB of the %d MB of memory that are free, so after a failure of the GPU the scene would start again",
			len(c.slots)*size>>20, free>>20)
		return
	}
	for i := range c.slots {
		if err := c.slots[i].open(c.ctx, size+size/8); err != nil {
			c.tell("no checkpoints, so after a failure of the GPU the scene would start again: %v", err)
			_ = c.release() // there is nothing more to say
			return
		}
	}
	c.every, c.next = c.base, time.Time{}
}

func (c *checkpoints) tell(format string, args ...any) {
	if !c.told {
		c.told = true
		c.log.Warn(fmt.Sprintf(format, args...))
	}
}

func (p *checkpoint) open(ctx *interop.Context, size int) (err error) {
	if p.buffer, err = ctx.AllocHost(size); err != nil {
		p.buffer = nil
		return err
	}
	if p.start, err = ctx.NewEvent(interop.EventOptions{Timing: true}); err != nil {
		p.start = nil
		return err
	}
	if p.end, err = ctx.NewEvent(interop.EventOptions{Timing: true}); err != nil {
		p.end = nil
	}
	return err
}

// frame takes a checkpoint if one is due, and notices when the last has arrived. It
// reports whether work was queued. An error of the copy itself leaves the one before.
func (c *checkpoints) frame(s *interop.Stream, m *sim.Model, now time.Time) bool {
	if c.slots[0].buffer == nil {
		return false
	}
	c.poll()
	if c.writing >= 0 || now.Before(c.next) {
		return false
	}
	if c.newest >= 0 {
		last := &c.slots[c.newest].state
		if last.Steps == m.Steps() && last.Count == m.Count() { // paused
			return false
		}
	}
	i := 0
	if c.newest == 0 {
		i = 1
	}
	p := &c.slots[i]
	err := p.start.Record(s)
	if err == nil {
		p.state, err = m.Save(s, p.buffer)
	}
	if err == nil {
		err = p.end.Record(s)
	}
	c.next = now.Add(c.every)
	if err != nil {
		c.err = err
		return true
	}
	p.at, c.writing = now, i
	return true
}

// poll takes the copy that is under way for whole once the stream has passed it.
func (c *checkpoints) poll() {
	if c.writing < 0 {
		return
	}
	p := &c.slots[c.writing]
	done, err := p.end.Done()
	if err != nil {
		c.err, c.writing = err, -1
		return
	}
	if !done {
		return
	}
	c.newest, c.writing, c.before = c.writing, -1, nil
	if ms, err := p.end.Elapsed(p.start); err == nil {
		c.pace(time.Duration(float64(ms)*float64(time.Millisecond)), p.state.Bytes)
	}
}

// pace sets the interval so that copying costs little of the time.
func (c *checkpoints) pace(took time.Duration, bytes int) {
	c.took = took
	if c.base == 0 {
		return
	}
	c.every = max(c.base, checkpointShare*took)
	if c.every > max(checkpointNews, c.base) {
		c.tell("a checkpoint of %d MB takes %.0f ms, so there is one every %.0f s only", bytes>>20, took.Seconds()*1e3, c.every.Seconds())
	}
}

// forget drops what was saved: it is of another scene or of a time before a reset.
func (c *checkpoints) forget() { c.drop(); c.before = nil }

// drop takes what is in the buffers for nothing.
func (c *checkpoints) drop() { c.newest, c.writing, c.next = -1, -1, time.Time{} }

// take copies the newest whole checkpoint; nil when there is none.
func (c *checkpoints) take() *kept {
	if c.newest < 0 {
		return c.before
	}
	p := &c.slots[c.newest]
	bytes := p.buffer.Bytes()
	if len(bytes) < p.state.Bytes {
		return nil
	}
	return &kept{p.state, p.at, append([]byte(nil), bytes[:p.state.Bytes]...)}
}

func (c *checkpoints) release() error {
	c.drop()
	var errs errorList
	for i := range c.slots {
		p := &c.slots[i]
		errs.close(p.buffer)
		errs.close(p.start)
		errs.close(p.end)
		*p = checkpoint{}
	}
	return errs.err()
}

// Close gives all back. What is under way must have ended.
func (c *checkpoints) Close() error { return c.release() }

// freeHostMemory is what the system says that programs can still take, where it says so.
func freeHostMemory() (bytes uint64, ok bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if text, found := strings.CutPrefix(lines.Text(), "MemAvailable:"); found {
			kb, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64)
			return kb << 10, err == nil
		}
	}
	return 0, false
}
