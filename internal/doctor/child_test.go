// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestAProbesEndIsToldApart(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how    string
		want   Ending
		reason string
		output string
		found  int
	}{
		{"well", Ending{State: Done}, "", "", 2},
		{"done, then dies", Ending{State: Crashed, Stage: "cuThat"}, "exit status 3", "", 1},
		{"hangs", Ending{State: Hung, Stage: "cuThat", Limit: "10s"}, "", "", 1},
		{"exits", Ending{State: Crashed, Stage: "cuThat"}, "X Error of failed request:  BadAlloc", "X Error", 1},
		{"panics", Ending{State: Crashed, Stage: "cuThat"}, "panic: at the driver", "panic", 1},
		{"dies", Ending{State: Crashed, Stage: "cuThat"}, "signal: killed", "", 1},
		{"floods", Ending{State: Crashed, Stage: "cuThat"}, "exit status 1", "again and again", 1},
		{"returns", Ending{State: Crashed, Stage: "cuThat"}, "it ended early", "", 1},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			limit := testLimit
			if c.want.Limit != "" {
				limit = 10 * time.Second
			}
			child := &child{exe: exe, env: append(os.Environ(), probeVariable+"=behave"), limit: limit}
			var facts struct{ Found int }
			got := child.run(context.Background(), c.how, &facts)
			if got.Reason != c.reason || !strings.Contains(got.Output, c.output) || strings.Count(got.Output, "\n") > 12 {
				t.Errorf("reason %q, output %q, want %q and %q", got.Reason, got.Output, c.reason, c.output)
			}
			got.Reason, got.Output = "", ""
			if got != c.want || facts.Found != c.found {
				t.Errorf("%+v, facts %+v, want %+v and %d", got, facts, c.want, c.found)
			}
		})
	}
}

func TestAProbeThatCannotStartIsACrash(t *testing.T) {
	c := &child{exe: "/nonexistent/particles", limit: testLimit}
	if e := c.run(context.Background(), probeCUDA, &CUDA{}); e.State != Crashed || !strings.Contains(e.Reason, "did not start") {
		t.Errorf("%+v", e)
	}
}

func TestAnUnknownProbeIsRefused(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{exe: exe, env: append(os.Environ(), probeVariable+"=probe"), limit: testLimit}
	if e := c.run(context.Background(), "nonsense", &CUDA{}); e.State != Crashed || e.Reason != "exit status 2" {
		t.Errorf("%+v", e)
	}
}

func TestOtherLinesAreNoMessages(t *testing.T) {
	for _, line := range []string{"", "libEGL warning: something", wireMark, wireMark + "{", "particles-doctor: x"} {
		if m, ok := parseLine(line); ok {
			t.Errorf("%q was taken for %+v", line, m)
		}
	}
}
