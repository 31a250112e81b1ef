// SPDX-License-Identifier: Apache-2.0

package v3

// #cgo CXXFLAGS: -O3 -std=gnu++17 -Wall -fno-exceptions -fno-rtti -march=x86-64-v3
// #cgo noescape flow_step_v3
// #cgo nocallback flow_step_v3
// #cgo noescape flow_spawn_v3
// #cgo nocallback flow_spawn_v3
// #cgo noescape flow_publish_v3
// #cgo nocallback flow_publish_v3
// #cgo noescape emitter_step_v3
// #cgo nocallback emitter_step_v3
// #cgo noescape emitter_spawn_v3
// #cgo nocallback emitter_spawn_v3
// #cgo noescape emitter_publish_v3
// #cgo nocallback emitter_publish_v3
// #cgo noescape emitter_count_v3
// #cgo nocallback emitter_count_v3
// #cgo noescape emitter_repack_v3
// #cgo nocallback emitter_repack_v3
// #cgo noescape image_fill_v3
// #cgo nocallback image_fill_v3
// void flow_step_v3(const void *params, long long begin, long long end);
// void flow_spawn_v3(const void *params, long long begin, long long end);
// void flow_publish_v3(const void *params, long long begin, long long end);
// void emitter_step_v3(const void *params, long long begin, long long end);
// void emitter_spawn_v3(const void *params, long long begin, long long end);
// void emitter_publish_v3(const void *params, long long begin, long long end);
// void emitter_count_v3(const void *params, long long begin, long long end);
// void emitter_repack_v3(const void *params, long long begin, long long end);
// void image_fill_v3(const void *params, long long begin, long long end);
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
				C.flow_step_v3(p, C.longlong(begin), C.longlong(end))
			},
			"flow_spawn": func(p unsafe.Pointer, begin, end int) {
				C.flow_spawn_v3(p, C.longlong(begin), C.longlong(end))
			},
			"flow_publish": func(p unsafe.Pointer, begin, end int) {
				C.flow_publish_v3(p, C.longlong(begin), C.longlong(end))
			},
		},
		"emitter": {
			"emitter_step": func(p unsafe.Pointer, begin, end int) {
				C.emitter_step_v3(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_spawn": func(p unsafe.Pointer, begin, end int) {
				C.emitter_spawn_v3(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_publish": func(p unsafe.Pointer, begin, end int) {
				C.emitter_publish_v3(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_count": func(p unsafe.Pointer, begin, end int) {
				C.emitter_count_v3(p, C.longlong(begin), C.longlong(end))
			},
			"emitter_repack": func(p unsafe.Pointer, begin, end int) {
				C.emitter_repack_v3(p, C.longlong(begin), C.longlong(end))
			},
		},
		"imagefill": {
			"image_fill": func(p unsafe.Pointer, begin, end int) {
				C.image_fill_v3(p, C.longlong(begin), C.longlong(end))
			},
		},
	}
}
