// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"slices"
	"strings"

	"particles/interop/driver"
)

// hasNVIDIA tells whether the machine seems to have an NVIDIA GPU, whatever its driver says.
func (s *System) hasNVIDIA() bool {
	return slices.Contains(s.GPUs, "NVIDIA") || s.Module != "" || slices.ContainsFunc(s.Nodes, func(n Node) bool {
		return strings.HasPrefix(n.Path, "/dev/nvidia")
	})
}

// driver finds what keeps the NVIDIA driver from starting.
func (l *list) driver() {
	c, s := &l.f.CUDA, &l.f.System
	if l.ending("The NVIDIA driver", "", c.Probe, onCPUFlag) && c.Kind == "" {
		return
	}
	switch c.Kind {
	case CUDANoLibrary:
		l.noLibrary()
	case CUDATooOld:
		l.add("driver-too-old", Warn, "The NVIDIA driver is too old",
			fmt.Sprintf("its library %s lacks %s", orText(c.Library, "libcuda.so.1"), some(c.Missing)), "update the NVIDIA driver to 525 or newer (CUDA 12)")
	case CUDAUnsupported:
		l.add("build-without-cuda", Warn, "This build has no CUDA support", fmt.Sprintf("it was made for %s without cgo, or for another system than Linux", l.f.Program.OS),
			"use a Linux build made with CGO_ENABLED=1")
	case CUDAInit:
		l.initFailed(c.Init)
	case CUDAOpen:
		if c.Init != nil {
			l.initFailed(c.Init)
		} else if len(c.Devices) == 0 {
			l.noDevice("the driver starts, but lists no device")
		}
	}
	if s.WSL {
		l.wsl()
	}
}

const onCPUFlag = "run with --driver host"

func (l *list) noLibrary() {
	c, s := &l.f.CUDA, &l.f.System
	const what = "No NVIDIA driver was found"
	why := "libcuda.so.1, the driver's library, is not on this system"
	switch {
	case c.Detail != "":
		l.add("driver-unloadable", Warn, "The NVIDIA driver's library cannot be loaded", c.Detail, "install the NVIDIA driver again, for this processor ("+l.f.Program.Arch+")")
	case s.WSL:
		l.add("driver-missing", Warn, what, why+", nor in /usr/lib/wsl/lib, where Windows puts it for Linux programs",
			"install the NVIDIA driver in Windows (not in Linux), then restart WSL: wsl --shutdown")
	case s.Container != "":
		severity := Warn
		why += "; this seems to be a container (" + s.Container + ")"
		if !s.hasNVIDIA() {
			severity = Note
			why += ", and no NVIDIA GPU is seen"
		}
		l.add("driver-missing", severity, what, why,
			"where the host has an NVIDIA GPU, start the container with it: --gpus all with the NVIDIA container toolkit, and NVIDIA_DRIVER_CAPABILITIES=all")
	case slices.Contains(s.Modules, "nouveau") && s.hasNVIDIA():
		l.add("driver-missing", Warn, what, why+"; the NVIDIA GPU is driven by nouveau, which has no CUDA",
			"install NVIDIA's driver from the distribution's packages, and reboot")
	case s.hasNVIDIA():
		l.add("driver-missing", Warn, what, why+", although there is an NVIDIA GPU", "install the NVIDIA driver (525 or newer) to use the GPU")
	case len(s.GPUs) > 0:
		l.add("driver-missing", Note, what, why+", and no NVIDIA GPU is seen, only "+strings.Join(unique(s.GPUs), ", "),
			"nothing: kernels run on the CPU; with an NVIDIA GPU, install its driver")
	default:
		l.add("driver-missing", Note, what, why+", and no GPU is seen", "nothing: kernels run on the CPU; with an NVIDIA GPU, install its driver")
	}
}

// initFailed explains a refusal to start.
func (l *list) initFailed(f *Failure) {
	c, s := &l.f.CUDA, &l.f.System
	answer := f.String()
	switch driver.Code(f.Code) {
	case driver.NoDevice:
		l.noDevice(answer)
	case driver.SystemDriverMismatch:
		why := answer + ": the loaded kernel module and the driver's library are of different versions"
		if s.Module != "" && c.Release != "" && s.Module != c.Release {
			why += fmt.Sprintf(" (module %s, library %s)", s.Module, c.Release)
		}
		do := "reboot; it is the way a driver update ends"
		if s.Container != "" {
			do = "the container brings a libcuda of its own: remove it, so that the host's is used; else reboot the host"
		}
		l.add("driver-mismatch", Warn, "The NVIDIA driver's module and library do not match", why, do)
	case driver.CompatNotSupportedOnDevice:
		l.add("driver-compat", Warn, "A forward-compatibility library is in use that this GPU does not support",
			answer+": libcuda comes from a cuda-compat package"+in(c.Library)+", which works on data-centre GPUs only",
			"take the cuda-compat folder out of LD_LIBRARY_PATH (or remove the package), so that the driver's own library is used; or update the driver")
	case driver.Unknown:
		l.unknownError(answer)
	case driver.StubLibrary:
		l.add("driver-stub", Warn, "A toolkit's stub stands in for the driver's library", answer+": the library"+in(c.Library)+" is for linking only",
			"take the toolkit's stubs folder out of LD_LIBRARY_PATH")
	case driver.SystemNotReady:
		l.add("driver-not-ready", Warn, "A service of the driver is not running", answer+": machines with NVSwitch need the fabric manager",
			"start it (systemctl start nvidia-fabricmanager), or reboot")
	case driver.DeviceUnavailable:
		l.busy(answer, "The GPU")
	case driver.OutOfMemory:
		l.add("memory-out", Warn, "The GPU's memory is full", answer, "close other programs that use the GPU (nvidia-smi lists them)")
	case driver.OperatingSystem:
		l.add("driver-refused", Warn, "The system refuses the driver its devices", answer+l.denied(), "check the permissions on /dev/nvidia*; in a container pass the devices through")
	default:
		l.add("driver-failed", Warn, "The NVIDIA driver does not start", answer, "look for NVRM and Xid in the kernel log (dmesg), reboot, and update the driver")
	}
}

func (l *list) unknownError(answer string) {
	s := &l.f.System
	do := "close programs that use the GPU and reload the module: sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm; or reboot"
	why := answer + ", which tells no reason; it is common after suspend and resume"
	switch {
	case s.WSL:
		do = "restart WSL: wsl --shutdown, and update the NVIDIA driver in Windows"
	case s.Container != "":
		do = "start the container again; if that does not help, reload nvidia_uvm on the host or reboot it"
	case len(s.Modules) > 0 && !slices.Contains(s.Modules, "nvidia_uvm"):
		why = answer + ", and the kernel module nvidia_uvm is not loaded"
		do = "load it: sudo modprobe nvidia_uvm; or reboot"
	}
	l.add("driver-unknown-error", Warn, "The NVIDIA driver answers 'unknown error'", why, do)
}

// noDevice explains a driver without a device.
func (l *list) noDevice(answer string) {
	c, s := &l.f.CUDA, &l.f.System
	visible, set := s.Environment["CUDA_VISIBLE_DEVICES"]
	switch {
	case set && len(c.Unhidden) > 0:
		l.add("devices-hidden", Warn, "CUDA_VISIBLE_DEVICES hides every GPU",
			fmt.Sprintf("it is %q; without it there are: %s", visible, strings.Join(c.Unhidden, ", ")), "unset CUDA_VISIBLE_DEVICES, or name a device in it: CUDA_VISIBLE_DEVICES=0")
	case l.denied() != "":
		l.add("no-device", Warn, "The driver finds no device", answer+l.denied(), "make /dev/nvidia* readable and writable for this user (the driver's installer does), or join the group that owns them")
	case s.Container != "":
		l.add("no-device", Warn, "The driver finds no device", answer+"; this seems to be a container ("+s.Container+")", "start it with the GPU: --gpus all, or NVIDIA_VISIBLE_DEVICES=all")
	default:
		l.add("no-device", Warn, "The driver finds no device", answer, "check that nvidia-smi lists a GPU; an eGPU must be plugged in and switched on")
	}
}

// denied names a device file of the driver that may not be opened.
func (l *list) denied() string {
	for _, n := range l.f.System.Nodes {
		if n.Access == "denied" && strings.HasPrefix(n.Path, "/dev/nvidia") {
			return "; " + n.Path + " may not be opened"
		}
	}
	return ""
}

func (l *list) busy(answer, name string) {
	l.add("device-busy", Warn, name+" is held by another program", answer+": it runs in an exclusive compute mode",
		"close the other program (nvidia-smi lists it), or set the mode: sudo nvidia-smi -c DEFAULT")
}

func (l *list) wsl() {
	l.add("wsl", Note, "This is Linux under Windows (WSL2)", "CUDA works there, but sharing buffers with OpenGL does not, so they are copied",
		"nothing to repair; if OpenGL is missing or older than 4.5, update WSL (wsl --update) and Mesa, or use --headless")
}

// ending tells of a probe that did not end well, and whether it did not.
// meanwhile is what works without it.
func (l *list) ending(who, where string, e Ending, meanwhile string) bool {
	stage := orText(e.Stage, "its start")
	var f Finding
	switch e.State {
	case Hung:
		f = Finding{
			ID: "hang", Severity: Bad, What: who + " hangs", Why: fmt.Sprintf("its last step was %s, which did not come back within %s", stage, e.Limit),
			Do: "look for NVRM and Xid in the kernel log (dmesg), close other GPU programs, reboot; meanwhile " + meanwhile,
		}
	case Crashed:
		why := fmt.Sprintf("its last step was %s, and there the process ended: %s", stage, e.Reason)
		if line, _, _ := strings.Cut(e.Output, "\n"); line != "" && !strings.Contains(e.Reason, line) && !strings.HasPrefix(line, e.Reason) {
			why += " (" + line + ")"
		}
		f = Finding{
			ID: "crash", Severity: Bad, What: who + " crashes", Why: why,
			Do: "update or reinstall the driver, and report this with the output of particles doctor --json; meanwhile " + meanwhile,
		}
	default:
		return false
	}
	if where != "" {
		l.addAt(where, f.ID, f.Severity, f.What, f.Why, f.Do)
	} else {
		l.all = append(l.all, f)
	}
	return true
}

func orText(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// in is " (path)", "" without a path.
func in(path string) string {
	if path == "" {
		return ""
	}
	return " (" + path + ")"
}

func unique(s []string) []string {
	var out []string
	for _, v := range s {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// some lists the first few.
func some(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
