// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"errors"
	"fmt"
)

// maxFaults is how many faults Check lists before it stops.
const maxFaults = 20

// Check says what is wrong with a trace: phases that do not fill their frame exactly, unknown names, frames that overlap
// or leave time out without a gap or a loss being noted, numbers that do not rise, slices of one track that overlap,
// times below 0, missing header or names. The last frame of a truncated file may be incomplete.
func (t *ChromeTrace) Check() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if t.Session == nil {
		fault("there is no session event")
	}
	lost := false
	for _, n := range t.Notes {
		lost = lost || n.Name == NoteDropped.String()
	}
	for i := range t.Frames {
		f := &t.Frames[i]
		if len(faults) >= maxFaults {
			break
		}
		if f.Start < 0 || f.Dur < 0 {
			fault("frame %d: starts at %d ns and lasts %d ns", f.Seq, f.Start, f.Dur)
		}
		if i > 0 {
			before := &t.Frames[i-1]
			switch {
			case f.Seq <= before.Seq:
				fault("frame %d comes after frame %d", f.Seq, before.Seq)
			case f.Start < before.End():
				fault("frame %d starts at %d ns, before frame %d ends at %d ns", f.Seq, f.Start, before.Seq, before.End())
			case f.Start > before.End() && !f.Flag("after_gap") && !lost:
				fault("%d ns between frames %d and %d are in neither, and no gap is noted", f.Start-before.End(), before.Seq, f.Seq)
			case f.Seq != before.Seq+1 && !lost:
				fault("frames between %d and %d are missing, and no loss is noted", before.Seq, f.Seq)
			}
		}
		if err := f.checkPhases(); err != nil && (!t.Truncated || i+1 < len(t.Frames)) {
			faults = append(faults, err)
		}
	}
	ends := map[TrackID]int64{}
	for _, list := range [][]ChromeSlice{t.GPU, t.Notes} {
		for i := range list {
			s := &list[i]
			switch {
			case s.Start < 0 || s.Dur < 0:
				fault("%s at %d ns lasts %d ns", s.Name, s.Start, s.Dur)
			case s.Dur > 0 && s.Start < ends[s.Track]:
				fault("%s at %d ns overlaps the slice before it, which ends at %d ns", s.Name, s.Start, ends[s.Track])
			}
			if s.Dur > 0 {
				ends[s.Track] = s.End()
			}
			if t.Tracks[s.Track] == "" {
				fault("%s at %d ns is on the unnamed track %v", s.Name, s.Start, s.Track)
			}
			if len(faults) >= maxFaults {
				return errors.Join(faults...)
			}
		}
	}
	return errors.Join(faults...)
}

// checkPhases checks that the phases follow one another from the frame's start to its end.
func (f *ChromeFrame) checkPhases() error {
	at := f.Start
	for i := range f.Phases {
		p := &f.Phases[i]
		if _, ok := ParsePhase(p.Name); !ok {
			return fmt.Errorf("frame %d: unknown phase %q", f.Seq, p.Name)
		}
		if p.Start != at || p.Dur < 0 {
			return fmt.Errorf("frame %d: phase %s starts at %d ns, the one before it ended at %d ns", f.Seq, p.Name, p.Start, at)
		}
		at = p.End()
	}
	if at != f.End() {
		return fmt.Errorf("frame %d: its phases end at %d ns and it ends at %d ns", f.Seq, at, f.End())
	}
	return nil
}
