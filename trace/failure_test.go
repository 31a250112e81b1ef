// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFullDiskEndsTheRecordingWithAMessage(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("needs /dev/full: %v", err)
	}
	rec, now := clockRecorder(Options{})
	r, err := Start(rec, f, Header{}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	feed(rec, 5, now, func(int, Phase) int64 { return 1000 })
	<-r.Done()
	feed(rec, 5, now, func(int, Phase) int64 { return 1000 })
	err = r.Stop()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("%v, want ENOSPC", err)
	}
	for _, want := range []string{"/dev/full", "no space left", "0 bytes", "free some space"} {
		if !strings.Contains(r.Message(), want) {
			t.Errorf("%q does not say %q", r.Message(), want)
		}
	}
	if rec.Frames() != 10 {
		t.Errorf("the recorder counted %d frames, want 10", rec.Frames())
	}
}

// shortFile is a disk with room for so many bytes; a write that does not fit is cut, as the kernel does.
type shortFile struct {
	*os.File
	room int
}

func (s *shortFile) Write(p []byte) (int, error) {
	n, err := s.File.Write(p[:min(len(p), s.room)])
	s.room -= n
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return n, err
}

func TestAfterACutWriteTheFileIsWholeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	rec, now := clockRecorder(Options{})
	r, err := Start(rec, &shortFile{f, 3 * flushBytes / 2}, Header{}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Active() {
		feed(rec, 100, now, func(int, Phase) int64 { return 1000 })
		time.Sleep(time.Millisecond)
	}
	if err := r.Stop(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("%v, want ENOSPC", err)
	}
	ct := readTrace(t, path)
	if ct.Truncated || len(ct.Frames) == 0 {
		t.Errorf("truncated %v, %d frames", ct.Truncated, len(ct.Frames))
	}
	if st, err := os.Stat(path); err != nil || st.Size() != r.Bytes() {
		t.Errorf("%v: %d bytes, %d said", err, st.Size(), r.Bytes())
	}
}

type closeFails struct{ bytes.Buffer }

func (*closeFails) Close() error { return syscall.EDQUOT }

func TestErrorOfCloseIsTold(t *testing.T) {
	rec := New(Options{})
	r, err := Start(rec, &closeFails{}, Header{}, StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(); !errors.Is(err, syscall.EDQUOT) || r.Message() == "" {
		t.Errorf("%v, message %q", err, r.Message())
	}
}

const writerChild = "TRACE_TEST_WRITER_CHILD"

// runWriterChild records frames into the file named by the environment and prints each frame's number, until killed.
func runWriterChild() {
	f, err := os.Create(os.Getenv(writerChild))
	if err != nil {
		panic(err)
	}
	rec := New(Options{})
	if _, err := Start(rec, f, Header{Scene: "child"}, StartOptions{}); err != nil {
		panic(err)
	}
	out := bufio.NewWriterSize(os.Stdout, 0)
	for {
		seq := rec.Begin()
		for p := range Phase(NumPhases) {
			if p == Swap {
				time.Sleep(2 * time.Millisecond)
			}
			rec.Mark(p)
		}
		rec.End(FrameInfo{Steps: 1})
		fmt.Fprintf(out, "%d %d\n", seq, rec.Now())
		if out.Flush() != nil {
			return
		}
	}
}

func TestFileOfAKilledProgramOpens(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "killed.json")
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), writerChild+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var seq uint64
	ends := map[uint64]int64{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		a, b, _ := strings.Cut(lines.Text(), " ")
		seq, _ = strconv.ParseUint(a, 10, 64)
		ends[seq], _ = strconv.ParseInt(b, 10, 64)
		if ends[seq] > int64(time.Second) {
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed: an error by intention
	ct := readTrace(t, path)
	if !ct.Truncated || len(ct.Frames) == 0 || ct.Session["scene"] != "child" {
		t.Fatalf("truncated %v, %d frames, session %v", ct.Truncated, len(ct.Frames), ct.Session)
	}
	// The last flush was at most FlushEvery before the kill, on a machine that gives the writer its turn. Allow far more,
	// but not so much that a file written only now and then would pass.
	last := ct.Frames[len(ct.Frames)-1].Seq
	lost := time.Duration(0)
	if last < seq { // the file may hold frames whose line did not get through
		lost = time.Duration(ends[seq] - ends[last])
	}
	t.Logf("last frame seen %d, last in the file %d: %v lost", seq, last, lost)
	if lost > 8*FlushEvery {
		t.Errorf("%v of frames lost", lost)
	}
}
