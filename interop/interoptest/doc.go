// SPDX-License-Identifier: Apache-2.0

// Package interoptest helps to test programs that use interop, without a GPU.
package interoptest
