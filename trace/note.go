// SPDX-License-Identifier: Apache-2.0

package trace

// NoteKind says what happened.
type NoteKind uint8

// Kinds of notes.
const (
	NoteMark    NoteKind = iota // free text
	NoteParam                   // something a person can set changed: Text is its full name, Value or Exact the new value
	NoteResize                  // the window changed: Value x Value2 pixels
	NoteScene                   // another scene: Text is its name
	NoteReset                   // the model started again; Exact is the seed
	NoteCount                   // the number of particles changed to Value
	NoteTier                    // the way to OpenGL changed: Text says to what
	NoteGap                     // a pause from T to End: Text says why
	NoteDropped                 // Value frames are missing from the file, the ring was full
	NoteGC                      // a pause of the garbage collector, from T to End
	NoteSuspend                 // the machine slept for Value seconds
	NoteLimit                   // the file reached its size limit
	numNoteKinds
)

var noteNames = [numNoteKinds]string{
	"mark", "parameter", "resize", "scene", "reset", "count", "tier", "gap", "dropped", "gc", "suspend", "limit",
}

// String gives the name used in files.
func (k NoteKind) String() string {
	if int(k) < len(noteNames) {
		return noteNames[k]
	}
	return "unknown"
}

// Note is something that happened at a time, and is shown beside the frames.
type Note struct {
	Kind          NoteKind
	T             int64 // ns, recorder's clock; Annotate fills it in
	End           int64 // ns, for kinds that last; else 0
	Text          string
	Value, Value2 float64
	Exact         string // the value as text, where a float64 cannot hold it (a seed, a choice, a list); "" Value is exact
}

// Annotate writes a note at the present time into the recording, if there is one. A note that finds no room is dropped.
func (r *Recorder) Annotate(n Note) {
	n.T, n.End = r.Now(), 0
	r.note(n)
}

func (r *Recorder) note(n Note) {
	if s := r.attached; s != nil {
		s.notes.push(&n)
	} else if s := r.pending.Load(); s != nil {
		s.notes.push(&n)
	}
}
