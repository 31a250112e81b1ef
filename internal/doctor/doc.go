// SPDX-License-Identifier: Apache-2.0

// Package doctor finds out what this program can do on this machine, and why not
// more: which driver, device and OpenGL there are, and in which tier a kernel's
// results really reach an OpenGL buffer and come back unchanged.
//
// It works in three parts that know nothing of each other. Gathering looks at the
// machine's files and environment and runs probes, each in a child process of the
// same program with a time limit, so that a driver that hangs or crashes takes
// only the probe with it and the last stage that the probe announced names the
// call. Classify turns the gathered Facts into Findings, and Judge into a
// Verdict; both are pure, so that every case is tested with made-up facts. A
// Report holds it all and is written as text for people or JSON for bug reports.
//
//	func main() {
//		if probe != "" { // the hidden flag that the parent gives its children
//			os.Exit(doctor.Probe(os.Stdin, os.Stdout, probe))
//		}
//		r := doctor.Examine(ctx, doctor.Options{Exe: exe, Args: []string{"doctor", "--probe"}})
//		r.Write(os.Stdout)
//		os.Exit(r.Verdict.Exit)
//	}
//
// Probe must run on the goroutine that is locked to the program's main thread,
// as windows want it; everything else runs anywhere.
package doctor
