// SPDX-License-Identifier: Apache-2.0

// Code generated from the headers of kernels/src by `make kernels`; DO NOT EDIT.

#pragma once
#include "emitter.h"
#include "flow.h"
#include "imagefill.h"
#include "reduce.h"

static_assert(sizeof(EmitterForces) == 24 && __builtin_offsetof(EmitterForces, gravity) == 0 && __builtin_offsetof(EmitterForces, drag) == 4 && __builtin_offsetof(EmitterForces, quadratic) == 8 && __builtin_offsetof(EmitterForces, ground) == 12 && __builtin_offsetof(EmitterForces, restitution) == 16 && __builtin_offsetof(EmitterForces, friction) == 20, "its Go twin");
static_assert(sizeof(EmitterPublish) == 40 && __builtin_offsetof(EmitterPublish, state) == 0 && __builtin_offsetof(EmitterPublish, stride) == 8 && __builtin_offsetof(EmitterPublish, records) == 16 && __builtin_offsetof(EmitterPublish, n) == 24 && __builtin_offsetof(EmitterPublish, colour) == 28 && __builtin_offsetof(EmitterPublish, hidden) == 32, "its Go twin");
static_assert(sizeof(EmitterRepack) == 56 && __builtin_offsetof(EmitterRepack, from) == 0 && __builtin_offsetof(EmitterRepack, to) == 8 && __builtin_offsetof(EmitterRepack, from_stride) == 16 && __builtin_offsetof(EmitterRepack, to_stride) == 24 && __builtin_offsetof(EmitterRepack, n) == 32 && __builtin_offsetof(EmitterRepack, kept) == 36 && __builtin_offsetof(EmitterRepack, from_last) == 40 && __builtin_offsetof(EmitterRepack, to_last) == 44 && __builtin_offsetof(EmitterRepack, from_capacity) == 48 && __builtin_offsetof(EmitterRepack, to_capacity) == 52, "its Go twin");
static_assert(sizeof(EmitterSpawn) == 96 && __builtin_offsetof(EmitterSpawn, state) == 0 && __builtin_offsetof(EmitterSpawn, stride) == 8 && __builtin_offsetof(EmitterSpawn, n) == 16 && __builtin_offsetof(EmitterSpawn, serial0) == 20 && __builtin_offsetof(EmitterSpawn, serial1) == 24 && __builtin_offsetof(EmitterSpawn, key0) == 28 && __builtin_offsetof(EmitterSpawn, key1) == 32 && __builtin_offsetof(EmitterSpawn, rest) == 36 && __builtin_offsetof(EmitterSpawn, interval) == 40 && __builtin_offsetof(EmitterSpawn, speed) == 44 && __builtin_offsetof(EmitterSpawn, speed_spread) == 48 && __builtin_offsetof(EmitterSpawn, cone) == 52 && __builtin_offsetof(EmitterSpawn, life) == 56 && __builtin_offsetof(EmitterSpawn, life_spread) == 60 && __builtin_offsetof(EmitterSpawn, radius) == 64 && __builtin_offsetof(EmitterSpawn, height) == 68 && __builtin_offsetof(EmitterSpawn, forces) == 72, "its Go twin");
static_assert(sizeof(EmitterStep) == 64 && __builtin_offsetof(EmitterStep, state) == 0 && __builtin_offsetof(EmitterStep, stride) == 8 && __builtin_offsetof(EmitterStep, n) == 16 && __builtin_offsetof(EmitterStep, dt) == 20 && __builtin_offsetof(EmitterStep, e) == 24 && __builtin_offsetof(EmitterStep, p) == 28 && __builtin_offsetof(EmitterStep, r) == 32 && __builtin_offsetof(EmitterStep, forces) == 36, "its Go twin");
static_assert(sizeof(FlowPublish) == 32 && __builtin_offsetof(FlowPublish, state) == 0 && __builtin_offsetof(FlowPublish, stride) == 8 && __builtin_offsetof(FlowPublish, records) == 16 && __builtin_offsetof(FlowPublish, n) == 24 && __builtin_offsetof(FlowPublish, hidden) == 28, "its Go twin");
static_assert(sizeof(FlowField) == 216 && __builtin_offsetof(FlowField, octave) == 0 && __builtin_offsetof(FlowField, octaves) == 192 && __builtin_offsetof(FlowField, c0) == 196 && __builtin_offsetof(FlowField, c1) == 200 && __builtin_offsetof(FlowField, wind) == 204, "its Go twin");
static_assert(sizeof(FlowStep) == 304 && __builtin_offsetof(FlowStep, state) == 0 && __builtin_offsetof(FlowStep, stride) == 8 && __builtin_offsetof(FlowStep, n) == 16 && __builtin_offsetof(FlowStep, key0) == 20 && __builtin_offsetof(FlowStep, key1) == 24 && __builtin_offsetof(FlowStep, death) == 28 && __builtin_offsetof(FlowStep, field) == 32 && __builtin_offsetof(FlowStep, a) == 248 && __builtin_offsetof(FlowStep, b) == 252 && __builtin_offsetof(FlowStep, e) == 256 && __builtin_offsetof(FlowStep, half) == 260 && __builtin_offsetof(FlowStep, margin) == 272 && __builtin_offsetof(FlowStep, pick) == 276 && __builtin_offsetof(FlowStep, source) == 284 && __builtin_offsetof(FlowStep, source_centre) == 288 && __builtin_offsetof(FlowStep, source_radius) == 300, "its Go twin");
static_assert(sizeof(ImageFill) == 24 && __builtin_offsetof(ImageFill, surface) == 0 && __builtin_offsetof(ImageFill, width) == 8 && __builtin_offsetof(ImageFill, height) == 12 && __builtin_offsetof(ImageFill, n) == 16 && __builtin_offsetof(ImageFill, phase) == 20, "its Go twin");
static_assert(sizeof(NoiseOctave) == 32 && __builtin_offsetof(NoiseOctave, frequency) == 0 && __builtin_offsetof(NoiseOctave, weight) == 4 && __builtin_offsetof(NoiseOctave, key) == 8 && __builtin_offsetof(NoiseOctave, slice) == 20 && __builtin_offsetof(NoiseOctave, unused) == 28, "its Go twin");
static_assert(sizeof(ReduceAll) == 24 && __builtin_offsetof(ReduceAll, groups) == 0 && __builtin_offsetof(ReduceAll, result) == 8 && __builtin_offsetof(ReduceAll, n) == 16 && __builtin_offsetof(ReduceAll, length) == 20, "its Go twin");
static_assert(sizeof(ReduceGroups) == 40 && __builtin_offsetof(ReduceGroups, values) == 0 && __builtin_offsetof(ReduceGroups, below) == 8 && __builtin_offsetof(ReduceGroups, results) == 16 && __builtin_offsetof(ReduceGroups, n) == 24 && __builtin_offsetof(ReduceGroups, length) == 28 && __builtin_offsetof(ReduceGroups, stride) == 32 && __builtin_offsetof(ReduceGroups, chunk) == 36, "its Go twin");
static_assert(sizeof(ReduceResult) == 32 && __builtin_offsetof(ReduceResult, sum) == 0 && __builtin_offsetof(ReduceResult, least) == 8 && __builtin_offsetof(ReduceResult, most) == 12 && __builtin_offsetof(ReduceResult, count) == 16 && __builtin_offsetof(ReduceResult, bad) == 20 && __builtin_offsetof(ReduceResult, first_bad) == 24 && __builtin_offsetof(ReduceResult, unused) == 28, "its Go twin");
static_assert(sizeof(HostSurface) == 40 && __builtin_offsetof(HostSurface, texels) == 0 && __builtin_offsetof(HostSurface, width) == 8 && __builtin_offsetof(HostSurface, height) == 12 && __builtin_offsetof(HostSurface, depth) == 16 && __builtin_offsetof(HostSurface, texel) == 20 && __builtin_offsetof(HostSurface, row_bytes) == 24 && __builtin_offsetof(HostSurface, slice_size) == 32, "its Go twin");

static const struct {
    const char* name;
    void (*body)(const void* p, const pk_work* work);
} pk_table[] = {
    {"emitter/emitter_step", emitter_step_host},
    {"emitter/emitter_spawn", emitter_spawn_host},
    {"emitter/emitter_publish", emitter_publish_host},
    {"emitter/emitter_repack", emitter_repack_host},
    {"flow/flow_step", flow_step_host},
    {"flow/flow_spawn", flow_spawn_host},
    {"flow/flow_publish", flow_publish_host},
    {"imagefill/image_fill", image_fill_host},
    {"reduce/reduce_groups", reduce_groups_host},
    {"reduce/reduce_all", reduce_all_host},
};
