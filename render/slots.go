// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"math"

	"particles/render/gl"
)

// RecordSize is the size of one particle's record in bytes: x, y, z and the colour scalar as float32.
const RecordSize = 16

// MaxRecords is the most records that one draw call can take.
const MaxRecords = math.MaxInt32

// Slots are the buffers that frames are published into, as many as frames in flight. A slot is written only after the
// fence behind its last draw has passed; nothing here waits for that.
//
// The buffers have immutable storage and may be registered with CUDA. Whoever registered one unregisters it before
// Recreate and Close.
type Slots struct {
	slots   []slot
	records int
	last    int // newest published, -1: none
	n       int // records in it
	granted uint64
	refused uint64
	waiting bool
}

type slot struct {
	buffer, vao uint32
	fence       uintptr // 0: nothing to wait for
}

// NewSlots makes frames slots (1 or more) of so many records each.
func NewSlots(frames, records int) (*Slots, error) {
	s := &Slots{}
	if err := s.Recreate(frames, records); err != nil {
		return nil, err
	}
	return s, nil
}

// Recreate deletes all buffers, which must not be registered any more, and makes new ones. Nothing is published then.
// When there is no memory for them, the error names the size, and there are no slots until the next Recreate.
func (s *Slots) Recreate(frames, records int) error {
	if frames < 1 || records < 1 {
		return fmt.Errorf("render: %d slots of %d particles: both must be at least 1", frames, records)
	}
	if records > MaxRecords {
		return fmt.Errorf("render: %d particles: one draw takes at most %d", records, MaxRecords)
	}
	s.Close()
	size := records * RecordSize
	for gl.GetError() != gl.NoError { // so that an error found below is ours
	}
	for range frames {
		var b slot
		b.buffer, b.vao = gl.CreateBuffer(), gl.CreateVertexArray()
		gl.NamedBufferStorage(b.buffer, size, nil, gl.MapReadBit|gl.MapWriteBit|gl.DynamicStorageBit)
		s.slots = append(s.slots, b)
		if e := gl.GetError(); e != gl.NoError {
			s.Close()
			return fmt.Errorf("render: no memory for %d slots of %d particles (%d bytes each): OpenGL error %#x; ask for fewer particles or frames in flight",
				frames, records, size, e)
		}
		gl.VertexArrayVertexBuffer(b.vao, 0, b.buffer, 0, RecordSize)
		gl.VertexArrayAttrib(b.vao, 0, 0, 4, gl.Float, false, 0)
	}
	s.records = records
	return nil
}

// Len returns the number of slots.
func (s *Slots) Len() int { return len(s.slots) }

// Records returns how many records a slot holds.
func (s *Slots) Records() int { return s.records }

// Size returns a slot's size in bytes.
func (s *Slots) Size() int { return s.records * RecordSize }

// Buffer returns the name of a slot's OpenGL buffer.
func (s *Slots) Buffer(slot int) uint32 { return s.slots[slot].buffer }

// Acquire finds a slot that the GPU has finished drawing and that may be written now. ok is false when there is none:
// publish nothing this frame. A slot that was acquired and then not published stays free.
func (s *Slots) Acquire() (slot int, ok bool) {
	for i := range s.slots {
		// From the oldest to the newest; with several slots never the newest itself, which is still to be drawn.
		k := (s.last + 1 + i) % len(s.slots)
		if k == s.last && len(s.slots) > 1 {
			continue
		}
		if s.passed(k) {
			s.granted++
			s.waiting = false
			return k, true
		}
	}
	s.refused++
	s.waiting = true
	return 0, false
}

func (s *Slots) passed(k int) bool {
	f := s.slots[k].fence
	if f == 0 {
		return true
	}
	if !gl.FencePassed(f, true) {
		return false
	}
	gl.DeleteSync(f)
	s.slots[k].fence = 0
	return true
}

// Publish makes slot, which now holds n records, the one that Next returns.
func (s *Slots) Publish(slot, n int) {
	s.last, s.n = slot, min(max(n, 0), s.records)
}

// Next returns the slot to draw, the newest published, and its number of records. ok is false when nothing has been
// published yet, and with a single slot while its fence is awaited: drawing it again would put a new fence behind the old
// one each frame, and none would ever have passed in time. Then the last picture is shown again by Resolve alone.
func (s *Slots) Next() (slot, n int, ok bool) {
	if s.last < 0 || len(s.slots) == 1 && s.waiting {
		return 0, 0, false
	}
	return s.last, s.n, true
}

// Counts returns how many times a slot was had, and how many times none was free.
func (s *Slots) Counts() (granted, refused uint64) { return s.granted, s.refused }

func (s *Slots) fence(k int) {
	if f := s.slots[k].fence; f != 0 {
		gl.DeleteSync(f)
	}
	s.slots[k].fence = gl.FenceSync()
}

// Close deletes the buffers, which must not be registered any more. Again: no-op.
func (s *Slots) Close() {
	for _, b := range s.slots {
		gl.DeleteSync(b.fence)
		gl.DeleteVertexArray(b.vao)
		gl.DeleteBuffer(b.buffer)
	}
	s.slots, s.records, s.last, s.n, s.waiting = s.slots[:0], 0, -1, 0, false
}
