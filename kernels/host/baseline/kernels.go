// SPDX-License-Identifier: Apache-2.0

package baseline

// #cgo CXXFLAGS: -O3 -std=gnu++17 -Wall -fno-exceptions -fno-rtti
// #cgo noescape flow_step_baseline
// #cgo nocallback flow_step_baseline
// #cgo noescape flow_spawn_baseline
// #cgo nocallback flow_spawn_baseline
// #cgo noescape flow_publish_baseline
// #cgo nocallback flow_publish_baseline
// #cgo noescape emitter_step_baseline
// #cgo nocallback emitter_step_baseline
// #cgo noescape emitter_spawn_baseline
// #cgo nocallback emitter_spawn_baseline
// #cgo noescape emitter_publish_baseline
// #cgo nocallback emitter_publish_baseline
// #cgo noescape emitter_count_baseline
// #cgo nocallback emitter_count_baseline
// #cgo noescape emitter_repack_baseline
// #cgo nocallback emitter_repack_baseline
// #cgo noescape image_fill_baseline
// #cgo nocallback image_fill_baseline
// void flow_step_baseline(const void *params, long long begin, long long end);
// void flow_spawn_baseline(const void *params, long long begin, long long end);
// void flow_publish_baseline(const void *params, long long begin, long long end);
// void emitter_step_baseline(const void *params, long long begin, long long end);
// void emitter_spawn_baseline(const void *params, long long begin, long long end);
// void emitter_publish_baseline(const void *params, long long begin, long long end);
// void emitter_count_baseline(const void *params, long long begin, long long end);
// void emitter_repack_baseline(const void *params, long long begin, long long end);
// void image_fill_baseline(const void *params, long long begin, long long end);
import "C"

import (
	"unsafe"

	"particles/interop/driver"
	_ "particles/kernels/src" // so that an edit of a header builds this package again
)

// Kernels gives the bodies by module and kernel.
func Kernels() map[string]map[string]driver.HostKernel {
	return map[string]map[string]driver.HostKernel{
		"flow": {
			"flow_step": func(p unsafe.Pointer, begin, end int) {
				C.flow_step_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"flow_spawn": func(p unsafe.Pointer, begin, end int) {
				C.flow_spawn_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"flow_publish": func(p unsafe.Pointer, begin, end int) {
				C.flow_publish_baseline(p, C.longlong(begin), C.longlong(end))
			},
		},
		"emitter": {
			"emitter_step": func(p unsafe.Pointer, begin, end int) {
				C.emitter_step_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_spawn": func(p unsafe.Pointer, begin, end int) {
				C.emitter_spawn_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_publish": func(p unsafe.Pointer, begin, end int) {
				C.emitter_publish_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_count": func(p unsafe.Pointer, begin, end int) {
				C.emitter_count_baseline(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_repack": func(p unsafe.Pointer, begin, end int) {
				C.emitter_repack_baseline(p, C.longlong(begin), C.longlong(end))
			},
		},
		"imagefill": {
			"image_fill": func(p unsafe.Pointer, begin, end int) {
				C.image_fill_baseline(p, C.longlong(begin), C.longlong(end))
			},
		},
	}
}
