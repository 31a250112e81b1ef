// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// header writes the names of the tracks and the event "session".
func (c *chrome) header(h *Header) {
	program := h.Program
	if program == "" {
		program = "particles"
	}
	if h.Version != "" {
		program += " " + h.Version
	}
	device := h.Device
	if device == "" {
		device = "device"
	}
	stream, gl := h.StreamName, "GL queue"
	if stream == "" {
		stream = "stream"
	}
	if h.GLSoftware {
		gl = "GL queue (software renderer: CPU times)"
	}
	c.meta("process_name", pidApp, tidRender, "name", program)
	c.meta("thread_name", pidApp, tidRender, "name", "render")
	c.meta("thread_name", pidApp, tidNotes, "name", "notes")
	c.meta("thread_name", pidApp, tidGC, "name", "Go garbage collector")
	c.meta("process_name", pidGPU, 1, "name", "GPU 0 "+device)
	c.meta("process_sort_index", pidGPU, 1, "sort_index", 1)
	c.meta("thread_name", pidGPU, int(Stream)+1, "name", stream)
	c.meta("thread_name", pidGPU, int(GL)+1, "name", gl)
	c.event(map[string]any{
		"name": "session", "ph": "I", "s": "g", "pid": pidApp, "tid": tidRender, "ts": 0, "args": h.args(),
	})
}

func (c *chrome) meta(name string, pid, tid int, key string, value any) {
	c.event(map[string]any{"name": name, "ph": "M", "pid": pid, "tid": tid, "args": map[string]any{key: value}})
}

// event writes any event; for the few that are not written each frame.
func (c *chrome) event(e map[string]any) {
	b, err := json.Marshal(e)
	if err != nil {
		return // cannot happen: only strings and finite numbers are put in
	}
	c.open()
	c.buf = append(c.buf, b[1:]...)
}

// args flattens the header. Numbers that a reader's float64 cannot hold go as text.
func (h *Header) args() map[string]any {
	a := map[string]any{
		"units":   "ts and dur are microseconds since the first recorded frame, on the monotonic clock",
		"start":   h.Start.Format(time.RFC3339Nano),
		"seed":    strconv.FormatUint(h.Seed, 10),
		"count":   h.Count,
		"gpu_err": "err_us bounds the error of the stamps of its frame's spans on its track",
	}
	for k, v := range map[string]string{
		"program": h.Program, "version": h.Version, "commit": h.Commit, "driver": h.Driver, "driver_version": h.DriverVersion,
		"device": h.Device, "interop": h.Interop, "reason": h.Reason, "gl_vendor": h.GLVendor, "gl_renderer": h.GLRenderer,
		"gl_version": h.GLVersion, "scene": h.Scene, "model": h.Model, "os": h.Machine.OS, "kernel": h.Machine.Kernel,
		"arch": h.Machine.Arch, "cpu": h.Machine.CPU, "go": h.Machine.Go,
	} {
		if v != "" {
			a[k] = v
		}
	}
	for k, v := range map[string]float64{
		"cores": float64(h.Machine.Cores), "maxprocs": float64(h.Machine.MaxProcs), "memory_bytes": float64(h.Machine.Memory),
		"clock_err_us": float64(h.ClockErr) / 1e3,
	} {
		if v != 0 && finite(v) {
			a[k] = v
		}
	}
	if h.Width > 0 && h.Height > 0 {
		a["size"] = fmt.Sprintf("%dx%d", h.Width, h.Height)
	}
	if h.GLSoftware {
		a["gl_software"] = true
	}
	if len(h.Params) > 0 {
		params := make(map[string]any, len(h.Params))
		for k, v := range h.Params {
			if n, ok := v.(float64); ok && !finite(n) {
				v = strconv.FormatFloat(n, 'g', -1, 64)
			}
			params[k] = v
		}
		a["params"] = params
	}
	if len(h.Extra) > 0 {
		a["extra"] = h.Extra
	}
	return a
}

func finite(v float64) bool { return v-v == 0 }
