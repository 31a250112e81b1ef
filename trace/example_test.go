// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"bytes"
	"fmt"

	"particles/trace"
)

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

func Example() {
	rec := trace.New(trace.Options{})
	var file buffer // an *os.File in a program
	recording, err := trace.Start(rec, &file, trace.Header{Scene: "ribbons"}, trace.StartOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		rec.Begin()
		rec.Mark(trace.Poll)
		rec.Mark(trace.Draw)
		rec.Mark(trace.Swap)
		rec.End(trace.FrameInfo{Steps: 1})
	}
	if err := recording.Stop(); err != nil {
		fmt.Println(err)
		return
	}
	back, err := trace.ReadChrome(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(back.Frames), "frames of", back.Session["scene"], back.Check())
	// Output: 3 frames of ribbons <nil>
}
