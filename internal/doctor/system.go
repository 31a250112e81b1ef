// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// machine is where gathering looks: the real file system, or a test's.
type machine struct {
	root   string // before every path
	lookup func(string) (string, bool)
}

func (m machine) path(p string) string { return filepath.Join(m.root, p) }

func (m machine) read(p string) string {
	b, err := os.ReadFile(m.path(p))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (m machine) exists(p string) bool {
	_, err := os.Stat(m.path(p))
	return err == nil
}

// glob lists matches, without the root.
func (m machine) glob(pattern string) []string {
	found, _ := filepath.Glob(m.path(pattern)) // the patterns are well formed
	for i, f := range found {
		found[i] = strings.TrimPrefix(f, strings.TrimSuffix(m.root, "/"))
	}
	return found
}

// system gathers System.
func (m machine) system() System {
	env := environment(m.lookup)
	s := System{
		Kernel:      m.read("/proc/sys/kernel/osrelease"),
		Container:   m.container(),
		Module:      moduleRelease(m.read("/proc/driver/nvidia/version")),
		GPUs:        m.gpus(),
		Nodes:       m.nodes(),
		Environment: env,
	}
	s.WSL = env["WSL_DISTRO_NAME"] != "" || strings.Contains(strings.ToLower(s.Kernel), "microsoft")
	for _, name := range []string{"nvidia", "nvidia_uvm", "nvidia_drm", "nouveau"} {
		if m.exists("/sys/module/" + name) {
			s.Modules = append(s.Modules, name)
		}
	}
	if runtime.GOOS == "linux" {
		dirs := m.libraryDirs()
		s.GLXNVIDIA = m.library(dirs, "libGLX_nvidia.so.0")
		s.EGLNVIDIA = m.library(dirs, "libEGL_nvidia.so.0")
	}
	s.VendorFiles = m.vendorFiles(env)
	return s
}

var releasePattern = regexp.MustCompile(`\b[0-9]{3,}\.[0-9]+(\.[0-9]+)?\b`)

// moduleRelease reads /proc/driver/nvidia/version: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  ...".
func moduleRelease(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return releasePattern.FindString(line)
}

// libraryRelease reads the driver's release from its library's file: "libcuda.so.535.183.01".
func libraryRelease(path string) string {
	_, release, _ := strings.Cut(filepath.Base(path), ".so.")
	return releasePattern.FindString(release)
}

func (m machine) container() string {
	switch {
	case m.exists("/.dockerenv"):
		return "Docker"
	case m.exists("/run/.containerenv"):
		return "Podman"
	}
	if v, ok := m.lookup("container"); ok && v != "" {
		return v
	}
	if _, ok := m.lookup("KUBERNETES_SERVICE_HOST"); ok {
		return "Kubernetes"
	}
	return ""
}

// pciVendors names the vendors of GPUs, by their PCI numbers.
var pciVendors = map[string]string{"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel", "0x1af4": "virtual (virtio)", "0x15ad": "virtual (VMware)", "0x1234": "virtual (QEMU)"}

// gpus lists the vendors of the display controllers (PCI class 03) that the system sees.
func (m machine) gpus() []string {
	var list []string
	for _, dir := range m.glob("/sys/bus/pci/devices/*") {
		if !strings.HasPrefix(m.read(dir+"/class"), "0x03") {
			continue
		}
		vendor := m.read(dir + "/vendor")
		if name, ok := pciVendors[vendor]; ok {
			vendor = name
		}
		list = append(list, vendor)
	}
	return list
}

// nodes tries the device files that CUDA and OpenGL open.
func (m machine) nodes() []Node {
	var list []Node
	for _, pattern := range []string{"/dev/nvidiactl", "/dev/nvidia[0-9]*", "/dev/nvidia-uvm", "/dev/dri/renderD*", "/dev/dri/card*", "/dev/dxg"} {
		for _, p := range m.glob(pattern) {
			n := Node{Path: p, Access: "ok"}
			f, err := os.OpenFile(m.path(p), os.O_RDWR, 0)
			switch {
			case err == nil:
				_ = f.Close() // nothing was written
			case errors.Is(err, fs.ErrPermission):
				n.Access = "denied"
				n.Group = fileGroup(m.path(p))
			default:
				var e *fs.PathError
				if errors.As(err, &e) {
					err = e.Err
				}
				n.Access = err.Error()
			}
			list = append(list, n)
		}
	}
	return list
}

// libraryDirs lists the folders that the loader looks into, as far as files tell.
func (m machine) libraryDirs() []string {
	var dirs []string
	if v, ok := m.lookup("LD_LIBRARY_PATH"); ok {
		dirs = append(dirs, strings.Split(v, ":")...)
	}
	for _, file := range append([]string{"/etc/ld.so.conf"}, m.glob("/etc/ld.so.conf.d/*.conf")...) {
		for line := range strings.Lines(m.read(file)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "/") {
				dirs = append(dirs, line)
			}
		}
	}
	triple := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	dirs = append(dirs, "/usr/lib/"+triple, "/lib/"+triple, "/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib")
	return slices.DeleteFunc(dirs, func(d string) bool { return !filepath.IsAbs(d) })
}

func (m machine) library(dirs []string, name string) string {
	for _, d := range dirs {
		if p := filepath.Join(d, name); m.exists(p) {
			return p
		}
	}
	return ""
}

// vendorFiles lists GLVND's files that name EGL drivers, as its loader finds them.
func (m machine) vendorFiles(env map[string]string) []string {
	if v := env["__EGL_VENDOR_LIBRARY_FILENAMES"]; v != "" {
		return slices.DeleteFunc(strings.Split(v, ":"), func(f string) bool { return !m.exists(f) })
	}
	dirs := []string{"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"}
	if v := env["__EGL_VENDOR_LIBRARY_DIRS"]; v != "" {
		dirs = strings.Split(v, ":")
	}
	var files []string
	for _, d := range dirs {
		files = append(files, m.glob(filepath.Join(d, "*.json"))...)
	}
	return files
}
