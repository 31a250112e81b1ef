// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"strings"

	"particles/interop/driver"
)

// devices finds what keeps kernels from running on the GPUs that there are.
func (l *list) devices() {
	c, s := &l.f.CUDA, &l.f.System
	for i := range c.Devices {
		l.device(&c.Devices[i])
	}
	if visible, set := s.Environment["CUDA_VISIBLE_DEVICES"]; set && len(c.Devices) > 0 && len(c.Unhidden) > len(c.Devices) {
		l.add("some-devices-hidden", Note, fmt.Sprintf("CUDA_VISIBLE_DEVICES hides %d of %d GPUs", len(c.Unhidden)-len(c.Devices), len(c.Unhidden)),
			fmt.Sprintf("it is %q; without it there are: %s", visible, strings.Join(c.Unhidden, ", ")), "unset it if a hidden one should be used or draws")
	}
	if len(c.Devices) > 1 {
		l.several()
	}
}

func (l *list) device(d *Device) {
	if strings.Contains(d.Name, " MIG ") {
		l.add("mig", Warn, d.Name+" is a slice of a GPU (MIG), which has no graphics", "OpenGL cannot draw on a slice, so nothing can be shared with it",
			"compute on the slice in the copied tier, or use a whole GPU")
	}
	if d.Watchdog {
		l.add("watchdog", Note, fmt.Sprintf("Kernels on %s have a time limit", d.Name), "the GPU also drives a display, and the system ends a kernel that keeps it from drawing for seconds (702)",
			"nothing at ordinary counts; if a run ends with 702, lower the particle count")
	}
	switch {
	case d.Context != nil:
		l.contextFailed(d)
	case d.Kernels != nil:
		l.kernelsRefused(d)
	case d.Run != nil && d.Run.Op == "":
		l.add("wrong-result", Bad, fmt.Sprintf("%s computes wrong results", d.Name), d.Run.Text,
			"update the driver; if it stays, the GPU or its memory may be faulty: run with --driver host")
	case d.Run != nil:
		l.add("kernel-failed", Bad, fmt.Sprintf("A kernel fails on %s", d.Name), detailed(d.Run),
			"look for Xid in the kernel log (dmesg), reboot, update the driver; meanwhile run with --driver host")
	}
}

func (l *list) contextFailed(d *Device) {
	answer := d.Context.String()
	switch driver.Code(d.Context.Code) {
	case driver.Unknown:
		l.unknownError(answer)
	case driver.DeviceUnavailable:
		l.busy(answer, d.Name)
	case driver.OutOfMemory:
		l.add("memory-out", Warn, "The memory of "+d.Name+" is full", answer, "close other programs that use the GPU (nvidia-smi lists them)")
	default:
		l.initFailed(d.Context)
	}
}

// kernelsRefused explains why the driver does not take the kernels.
func (l *list) kernelsRefused(d *Device) {
	c, f := &l.f.CUDA, d.Kernels
	needs, has := l.f.Program.needs(), cudaVersion(c.Version)
	switch code := driver.Code(f.Code); {
	case code == driver.UnsupportedPTXVersion, code == driver.InvalidPTX && c.Version != 0 && c.Version < needs.cuda:
		l.add("driver-too-old", Warn, "The NVIDIA driver is too old for the kernels",
			fmt.Sprintf("it knows CUDA %s, and the kernels are PTX %s of CUDA %s (%s)", has, needs.ptx, cudaVersion(needs.cuda), f),
			fmt.Sprintf("update the NVIDIA driver to %s or newer", orText(driverFor(needs.cuda), "525")))
	case code == driver.NoBinaryForGPU, code == driver.InvalidPTX && older(d.Capability, needs.capability):
		what := d.Name + " is too old for the kernels"
		why := fmt.Sprintf("its compute capability is %s, the oldest supported is %s (%s)", d.Capability, needs.capability, f)
		do := "nothing short of another GPU: run with --driver host"
		if !older(d.Capability, needs.capability) {
			what = "The driver has no kernel image for " + d.Name
			why = fmt.Sprintf("its compute capability is %s, and kernels are made for %s and newer, so the driver should compile them (%s)", d.Capability, needs.capability, f)
			do = "update the NVIDIA driver: it may be older than the GPU; meanwhile run with --driver host"
		}
		l.add("no-kernel-image", Warn, what, why, do)
	case code == driver.JITCompilerNotFound:
		l.add("jit-missing", Warn, "The driver's compiler is missing", f.String()+": libnvidia-ptxjitcompiler.so.1 is not installed",
			"install it in the driver's own version (Debian: libnvidia-ptxjitcompiler1); in a container NVIDIA_DRIVER_CAPABILITIES must hold compute")
	case code == driver.JITCompilationDisabled:
		l.add("jit-disabled", Warn, "Compiling for the GPU is switched off", f.String()+": the kernels are PTX, which the driver compiles",
			"unset CUDA_DISABLE_PTX_JIT and CUDA_FORCE_JIT")
	case code == driver.OutOfMemory:
		l.add("memory-out", Warn, "The memory of "+d.Name+" is full", f.String(), "close other programs that use the GPU (nvidia-smi lists them)")
	default:
		l.add("kernels-refused", Warn, d.Name+" refuses the kernels", detailed(f), "update the NVIDIA driver; meanwhile run with --driver host")
	}
}

// several says which GPU was chosen.
func (l *list) several() {
	c := &l.f.CUDA
	var names []string
	for _, d := range c.Devices {
		names = append(names, fmt.Sprintf("%d %s", d.Ordinal, d.Name))
	}
	chosen := ""
	for _, s := range []struct {
		where string
		s     *Surface
	}{{"window", &l.f.Window}, {"headless", &l.f.Headless}} {
		t := s.s.trip("auto")
		if t == nil || t.Driver != "cuda" {
			continue
		}
		why := "the first that works"
		for _, o := range s.s.Drawing {
			if o == t.Ordinal {
				why = "the one that draws"
			}
		}
		chosen += fmt.Sprintf("; %s: device %d, %s", s.where, t.Ordinal, why)
	}
	do := "nothing; another one is chosen with CUDA_VISIBLE_DEVICES=N"
	l.add("several-gpus", Note, fmt.Sprintf("There are %d CUDA devices", len(c.Devices)), strings.Join(names, ", ")+orText(chosen, "; none was chosen"), do)
}

// memory compares what is free with what the default scene takes.
func (l *list) memory() {
	need := l.f.Host.Need
	for _, d := range l.f.CUDA.Devices {
		if !d.OK || need == 0 {
			continue
		}
		if d.Free < need {
			l.add("memory-low", Warn, fmt.Sprintf("%s has too little free memory for the default scene", d.Name),
				fmt.Sprintf("%s of %s are free, the scene %s with %d particles takes %s", bytesText(d.Free), bytesText(d.Memory), l.f.Host.Scene, l.f.Host.Count, bytesText(need)),
				fmt.Sprintf("close other programs that use the GPU, or start with --count %d", fitting(d.Free, need, l.f.Host.Count)))
		}
	}
}

// fitting is a count that takes at most three quarters of what is free.
func fitting(free, need uint64, count int) int {
	n := int(float64(count) * 0.75 * float64(free) / float64(need))
	for unit := 1; ; unit *= 10 {
		if n/unit < 100 {
			return max(n/unit*unit, 1000)
		}
	}
}

// detailed is a failure with the first line of its detail.
func detailed(f *Failure) string {
	line, _, _ := strings.Cut(f.Detail, "\n")
	if line == "" {
		return f.String()
	}
	return f.String() + ": " + line
}

func bytesText(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}
