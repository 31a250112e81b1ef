// SPDX-License-Identifier: Apache-2.0

package app

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"particles/internal/testenv"
)

// TestARealCheckpointIsTheStateOfItsStep, and what it costs on this GPU is in the log.
func TestARealCheckpointIsTheStateOfItsStep(t *testing.T) {
	testenv.CUDA(t)
	for _, count := range []int{100_000, 1_000_000, 10_000_000} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			r := openRun(t, "ribbons", func(o *Options) { o.Driver, o.Tier, o.Scene.Count = "cuda", "auto", count })
			frames := func() time.Duration {
				r.drawFrames(t, 20)
				start := time.Now()
				r.drawFrames(t, 100)
				return time.Since(start) / 100
			}
			r.engine.saves.next = time.Now().Add(time.Hour)
			without := frames()
			r.engine.saves.base, r.engine.saves.every, r.engine.saves.next = 0, 0, time.Time{}
			with := frames()
			for r.engine.saves.writing >= 0 {
				r.engine.saves.poll()
			}
			r.engine.saves.next = time.Time{}
			r.engine.saves.newest = -1
			if !r.engine.saves.frame(r.engine.stream, r.engine.model, time.Now()) {
				t.Fatal("no checkpoint was taken")
			}
			now := r.now(t)
			r.engine.saves.poll()
			k := r.engine.saves.take()
			if k == nil || k.state != now.state || !bytes.Equal(k.bytes, now.bytes) {
				t.Error("the checkpoint is not the state of its step")
			}
			t.Logf("%d particles: a frame takes %v, with a checkpoint in each %v; a copy %v for %d MB", count, without, with, r.engine.saves.took, len(now.bytes)>>20)
		})
	}
}
