// SPDX-License-Identifier: Apache-2.0
//
// What an instruction set's package compiles, with PK_LANES and PK_ISA set: every module's bodies, behind two C functions.
#include "../src/table.h"

#define PK_JOIN2(a, b) a##_##b
#define PK_JOIN(a, b) PK_JOIN2(a, b)

extern "C" const char* PK_JOIN(pk_name, PK_ISA)(int i) {
    return i < (int)(sizeof pk_table / sizeof pk_table[0]) ? pk_table[i].name : nullptr;
}

extern "C" void PK_JOIN(pk_run, PK_ISA)(int i, const void* params, void* scratch, long long begin, long long end, int block, int worker) {
    const pk_work work = {begin, end, block, worker, scratch};
    pk_table[i].body(params, &work);
}
