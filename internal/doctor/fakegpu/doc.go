// SPDX-License-Identifier: Apache-2.0

// Package fakegpu builds a libcuda.so.1 with a device on which the doctor's round
// trip comes out right, or wrong, or hangs, as the environment says: the head of
// testdata/gpu.c lists the variables. It stands before the stand-in of
// internal/testenv, whose variables work too. For tests only.
package fakegpu
