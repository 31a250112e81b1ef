// SPDX-License-Identifier: Apache-2.0

// Package keepfile creates output files without losing what had the name before: an earlier file is kept under a
// numbered name (out.json becomes out.1.json). Two programs that do so at once lose nothing either.
//
//	f, kept, err := keepfile.Create("out.json")
//	if kept != "" {
//		fmt.Println("the earlier file is now", kept)
//	}
//
// Functions may be called from any goroutine.
package keepfile
