// SPDX-License-Identifier: Apache-2.0

package render

import (
	"math"
	"strings"
	"testing"

	"particles/render/egl"
	"particles/render/gl"
)

func TestTheNewestSlotIsDrawnAndNeverWritten(t *testing.T) {
	r := newRenderer(t, 32, 32)
	for _, frames := range []int{2, 3} {
		s, err := NewSlots(frames, 10)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := s.Next(); ok {
			t.Error("something to draw before anything was published")
		}
		cam := NewCamera(1)
		for range 20 {
			slot, ok := s.Acquire()
			if !ok {
				t.Fatal("no slot is free though the GPU is idle")
			}
			if slot == s.last {
				t.Fatal("the slot on show was handed out")
			}
			s.Publish(slot, 7)
			next, n, ok := s.Next()
			if next != slot || n != 7 || !ok {
				t.Fatalf("Next gives slot %d with %d records, want %d with 7", next, n, slot)
			}
			r.Begin(cam)
			r.DrawPoints(s, next, n)
			gl.Finish()
		}
		if granted, refused := s.Counts(); granted != 20 || refused != 0 {
			t.Errorf("granted %d, refused %d", granted, refused)
		}
		s.Close()
		s.Close()
	}
}

func TestAnAcquiredSlotThatWasNotPublishedStaysFree(t *testing.T) {
	newGL(t, egl.Options{Software: true})
	s, err := NewSlots(2, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, _ := s.Acquire()
	if b, ok := s.Acquire(); !ok || a != b {
		t.Errorf("second try gives slot %d, %v; want %d again", b, ok, a)
	}
}

func TestWithOneSlotInUseTheLastPictureStands(t *testing.T) {
	newGL(t, egl.Options{Software: true})
	s, err := NewSlots(1, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	slot, ok := s.Acquire()
	if !ok {
		t.Fatal("a new slot is not free")
	}
	s.Publish(slot, 10)
	if _, _, ok := s.Next(); !ok {
		t.Fatal("nothing to draw after publishing")
	}
	// As if the GPU were still drawing it.
	s.waiting = true
	if _, _, ok := s.Next(); ok {
		t.Error("the only slot is drawn again while its fence is awaited: the fence would never pass")
	}
	s.fence(0)
	gl.Finish()
	if _, ok := s.Acquire(); !ok {
		t.Error("the slot is not free after the GPU has finished")
	}
	if _, _, ok := s.Next(); !ok {
		t.Error("nothing to draw though the fence has passed")
	}
}

func TestSlotsKeepWithinTheirSize(t *testing.T) {
	newGL(t, egl.Options{Software: true})
	s, err := NewSlots(2, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Publish(0, 1000)
	if _, n, _ := s.Next(); n != 10 {
		t.Errorf("%d records of 10 are drawn", n)
	}
	old := s.Buffer(0)
	if err := s.Recreate(3, 50); err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 || s.Records() != 50 || s.Size() != 800 || s.Buffer(0) == 0 {
		t.Errorf("%d slots of %d records, %d bytes, buffer %d (was %d)", s.Len(), s.Records(), s.Size(), s.Buffer(0), old)
	}
	if _, _, ok := s.Next(); ok {
		t.Error("something to draw from slots that are new")
	}
	size, immutable, ok := gl.NewSharing(func() uintptr { return 1 }).BufferInfo(s.Buffer(2))
	if size != 800 || !immutable || !ok {
		t.Errorf("buffer of %d bytes, immutable %v", size, immutable)
	}
}

func TestImpossibleSlotsAreRefused(t *testing.T) {
	newGL(t, egl.Options{Software: true})
	gl.Debug(nil) // running out of memory is an OpenGL error
	for _, c := range []struct {
		frames, records int
		want            string
	}{
		{0, 10, "at least 1"},
		{2, 0, "at least 1"},
		{1, math.MaxInt32 + 1, "at most 2147483647"},
		{2, math.MaxInt32, "34359738352 bytes"},
	} {
		if c.records == math.MaxInt32 && !gl.Describe().Software {
			continue // a large GPU has the memory
		}
		if _, err := NewSlots(c.frames, c.records); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d slots of %d: error %v, want %q in it", c.frames, c.records, err, c.want)
		}
	}
	s, err := NewSlots(2, 10)
	if err != nil {
		t.Fatalf("after a refusal: %v", err)
	}
	s.Close()
}
