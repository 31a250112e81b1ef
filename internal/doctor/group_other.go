// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package doctor

// fileGroup: there are no groups to join here.
func fileGroup(string) string { return "" }
