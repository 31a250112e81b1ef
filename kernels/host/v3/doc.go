// SPDX-License-Identifier: Apache-2.0

// Package v3 holds the kernels' bodies compiled for x86-64-v3 (AVX2, FMA, BMI2: Haswell 2013, Zen 2017 and later): eight
// lanes. Nothing of it may run before Supported has said yes. Safe from any goroutine.
package v3
