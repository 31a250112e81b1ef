// SPDX-License-Identifier: Apache-2.0

package interop

// Tier is how a kernel's results get into an OpenGL buffer.
type Tier uint8

// The tiers. The zero Tier means that there is no OpenGL.
const (
	TierNone   Tier = iota
	TierShared      // the GL buffer's own memory, on the GPU that draws
	TierCopied      // a device buffer, copied through pinned memory when the mapping ends
	TierHost        // the GL buffer's memory, mapped for the CPU
)

// String is the name in logs, on the command line and in trace headers.
func (t Tier) String() string {
	switch t {
	case TierShared:
		return "shared"
	case TierCopied:
		return "copied"
	case TierHost:
		return "host"
	}
	return "none"
}

// Access is what kernels do with a mapped OpenGL buffer, and, or-ed to it,
// Mutable.
type Access uint8

// The accesses, and what each promises to driver and package. A broken promise is
// not seen by anybody: the data is wrong.
const (
	// ReadWrite promises nothing: kernels see what OpenGL left, and OpenGL sees
	// what they write. In the copied tier the buffer crosses the bus both ways.
	ReadWrite Access = 0
	// ReadOnly promises that no kernel writes while mapped. Nothing is copied back.
	ReadOnly Access = 1
	// WriteDiscard promises that kernels write every byte that is read later, and
	// read none before: what the buffer held is undefined while mapped, and OpenGL
	// need not finish with it first. Right for what a frame publishes.
	WriteDiscard Access = 2

	// Mutable allows storage made by glBufferData, which a later glBufferData
	// silently replaces. Each map then asks OpenGL for the size and answers
	// ErrSizeChanged when it is another; new storage of the same size cannot be
	// seen, so register again after every glBufferData.
	Mutable Access = 0x80
)

// String is the name of the access.
func (a Access) String() string {
	s := "unknown access"
	switch a &^ Mutable {
	case ReadWrite:
		s = "read-write"
	case ReadOnly:
		s = "read-only"
	case WriteDiscard:
		s = "write-discard"
	}
	if a&Mutable != 0 {
		s += ", mutable"
	}
	return s
}

func (a Access) valid() bool  { return a&^Mutable <= WriteDiscard }
func (a Access) reads() bool  { return a&^Mutable != WriteDiscard }
func (a Access) writes() bool { return a&^Mutable != ReadOnly }
