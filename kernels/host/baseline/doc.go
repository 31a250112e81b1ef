// SPDX-License-Identifier: Apache-2.0

// Package baseline holds the kernels' bodies compiled for every 64-bit processor of its architecture: four lanes, SSE2 on
// amd64 and NEON on arm64. Safe from any goroutine; see kernels for the choice between instruction sets.
package baseline
