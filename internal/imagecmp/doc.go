// SPDX-License-Identifier: Apache-2.0

// Package imagecmp compares pictures with reference pictures in tests.
//
// A picture matches when no channel of any pixel differs by more than Tolerance.Max and the mean over all channels differs by
// no more than Tolerance.Mean. When it does not, the worst pixel is reported and the picture, the reference and their
// difference are left in the test's artifact folder. `go test -update` writes the reference instead:
//
//	func TestScene(t *testing.T) {
//		imagecmp.Check(t, "testdata/scene.png", img, imagecmp.Default)
//	}
//
// References are kept in the testdata folder of the package that draws. Compare may be called from any goroutine, Check from the
// test's own.
package imagecmp
