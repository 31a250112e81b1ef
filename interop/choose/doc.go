// SPDX-License-Identifier: Apache-2.0

// Package choose picks the driver, the device and the OpenGL sharing tier that
// this machine allows, and says in one sentence why it is not the first choice.
// It is the only package that knows all drivers.
//
// In automatic mode the first choice is CUDA on the device that draws, sharing
// its buffers with OpenGL; then CUDA with buffers copied; then the host driver.
// What the user asked for by name is taken or refused with the reason and the
// cure, never replaced.
//
//	c, err := choose.Open(choose.Options{GL: gl, Logf: log.Printf})
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//
// With a GL, Open and Close belong to the thread on which it is current.
package choose
