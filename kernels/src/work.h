// SPDX-License-Identifier: Apache-2.0
//
// A piece of a launch, as a host body is told of it; driver.Work is the Go twin. C, since cgo reads it too.
#pragma once

struct pk_work {
    long long begin, end;  // indices; begin is a multiple of block
    int block;             // of the launch
    int worker;            // who does it, from 0: no two pieces at once have the same
    void* scratch;         // shared_bytes of the launch, the worker's own, with anything in it
};
