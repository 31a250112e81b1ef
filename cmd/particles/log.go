// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// handler writes log records for people: "particles: text (key value, key value)", one line each.
type handler struct {
	mu    sync.Mutex
	out   io.Writer
	attrs string
}

// Enabled hides debugging.
func (h *handler) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

// Handle writes one record.
func (h *handler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString("particles: ")
	switch {
	case r.Level >= slog.LevelError:
		b.WriteString("error: ")
	case r.Level >= slog.LevelWarn:
		b.WriteString("warning: ")
	}
	b.WriteString(r.Message)
	list := h.attrs
	r.Attrs(func(a slog.Attr) bool {
		list += attr(a)
		return true
	})
	if list != "" {
		b.WriteString(" (" + strings.TrimPrefix(list, ", ") + ")")
	}
	b.WriteByte('\n')
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.out, b.String())
	return err
}

func attr(a slog.Attr) string { return fmt.Sprintf(", %s %v", a.Key, a.Value) }

// WithAttrs adds to every record.
func (h *handler) WithAttrs(list []slog.Attr) slog.Handler {
	n := &handler{out: h.out, attrs: h.attrs}
	for _, a := range list {
		n.attrs += attr(a)
	}
	return n
}

// WithGroup is not needed: names are unique.
func (h *handler) WithGroup(string) slog.Handler { return h }
