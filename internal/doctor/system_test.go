// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"particles/kernels"
	"particles/kernels/ptx"
)

// fakeMachine makes a file system and an environment; a file's text "DIR" makes a folder.
func fakeMachine(t *testing.T, files, env map[string]string) machine {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if text == "DIR" {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return machine{root: root, lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
}

func TestSystemReadsTheMachinesFiles(t *testing.T) {
	m := fakeMachine(t, map[string]string{
		"/proc/sys/kernel/osrelease":                     "6.1.0-18-amd64\n",
		"/proc/driver/nvidia/version":                    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version:  gcc version 12.2.0\n",
		"/sys/bus/pci/devices/0000:00:02.0/class":        "0x030000\n",
		"/sys/bus/pci/devices/0000:00:02.0/vendor":       "0x8086\n",
		"/sys/bus/pci/devices/0000:01:00.0/class":        "0x030200\n",
		"/sys/bus/pci/devices/0000:01:00.0/vendor":       "0x10de\n",
		"/sys/bus/pci/devices/0000:02:00.0/class":        "0x020000\n",
		"/sys/bus/pci/devices/0000:02:00.0/vendor":       "0x8086\n",
		"/sys/module/nvidia":                             "DIR",
		"/sys/module/nvidia_uvm":                         "DIR",
		"/dev/nvidiactl":                                 "",
		"/dev/nvidia0":                                   "",
		"/dev/dri/renderD128":                            "DIR",
		"/etc/ld.so.conf.d/nvidia.conf":                  "# a comment\n/opt/nvidia/lib\n",
		"/opt/nvidia/lib/libEGL_nvidia.so.0":             "",
		"/own/libGLX_nvidia.so.0":                        "",
		"/usr/share/glvnd/egl_vendor.d/10_nvidia.json":   "{}",
		"/usr/share/glvnd/egl_vendor.d/50_mesa.json.bak": "{}",
		"/run/.containerenv":                             "",
	}, map[string]string{"LD_LIBRARY_PATH": "relative:/own", "HOME": "/home/someone"})
	s := m.system()
	if s.Kernel != "6.1.0-18-amd64" || s.WSL || s.Container != "Podman" || s.Module != "535.183.01" {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(s.GPUs, []string{"Intel", "NVIDIA"}) || !slices.Equal(s.Modules, []string{"nvidia", "nvidia_uvm"}) {
		t.Errorf("GPUs %v, modules %v", s.GPUs, s.Modules)
	}
	if s.EGLNVIDIA != "/opt/nvidia/lib/libEGL_nvidia.so.0" || s.GLXNVIDIA != "/own/libGLX_nvidia.so.0" {
		t.Errorf("libraries %q, %q", s.EGLNVIDIA, s.GLXNVIDIA)
	}
	if !slices.Equal(s.VendorFiles, []string{"/usr/share/glvnd/egl_vendor.d/10_nvidia.json"}) {
		t.Errorf("vendor files %v", s.VendorFiles)
	}
	want := []Node{{Path: "/dev/nvidiactl", Access: "ok"}, {Path: "/dev/nvidia0", Access: "ok"}, {Path: "/dev/dri/renderD128", Access: "is a directory"}}
	if !slices.Equal(s.Nodes, want) {
		t.Errorf("device files %+v, want %+v", s.Nodes, want)
	}
}

func TestWSLIsKnownByItsKernelAndItsVariable(t *testing.T) {
	for text, env := range map[string]map[string]string{
		"5.15.153.1-microsoft-standard-WSL2": nil,
		"6.1.0":                              {"WSL_DISTRO_NAME": "Debian"},
	} {
		if m := fakeMachine(t, map[string]string{"/proc/sys/kernel/osrelease": text}, env); !m.system().WSL {
			t.Errorf("kernel %s, environment %v: not taken for WSL", text, env)
		}
	}
	if m := fakeMachine(t, nil, nil); m.system().WSL {
		t.Error("an empty machine was taken for WSL")
	}
}

func TestVendorFilesFollowTheirVariables(t *testing.T) {
	files := map[string]string{"/a/x.json": "{}", "/b/y.json": "{}", "/usr/share/glvnd/egl_vendor.d/50_mesa.json": "{}"}
	for _, c := range []struct {
		name, value string
		want        []string
	}{
		{"__EGL_VENDOR_LIBRARY_FILENAMES", "/a/x.json:/none.json", []string{"/a/x.json"}},
		{"__EGL_VENDOR_LIBRARY_FILENAMES", "/none.json", nil},
		{"__EGL_VENDOR_LIBRARY_DIRS", "/a:/b", []string{"/a/x.json", "/b/y.json"}},
		{"OTHER", "", []string{"/usr/share/glvnd/egl_vendor.d/50_mesa.json"}},
	} {
		if got := fakeMachine(t, files, map[string]string{c.name: c.value}).system().VendorFiles; !slices.Equal(got, c.want) {
			t.Errorf("%s=%s: %v, want %v", c.name, c.value, got, c.want)
		}
	}
}

func TestTheEnvironmentIsFitForABugReport(t *testing.T) {
	set := map[string]string{
		"HOME": "/home/someone", "XAUTHORITY": "/home/someone/.Xauthority", "SSH_CONNECTION": "192.0.2.7 50022 198.51.100.4 22",
		"CUDA_VISIBLE_DEVICES": "", "SECRET_TOKEN": "x",
	}
	got := environment(func(n string) (string, bool) { v, ok := set[n]; return v, ok })
	want := map[string]string{"XAUTHORITY": "~/.Xauthority", "SSH_CONNECTION": "set", "CUDA_VISIBLE_DEVICES": ""}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRemoteSessionsAreKnown(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"DISPLAY": ":0"}, ""},
		{map[string]string{"DISPLAY": "unix:0"}, ""},
		{map[string]string{"DISPLAY": "/private/tmp/x/org.xquartz:0"}, ""},
		{map[string]string{"DISPLAY": "localhost:10.0"}, "X forwarding"},
		{map[string]string{"DISPLAY": ":1", "VNCDESKTOP": "host:1"}, "VNC"},
		{map[string]string{"DISPLAY": ":10", "XRDP_SESSION": "1"}, "xrdp"},
		{map[string]string{"DISPLAY": ":1", "SSH_CONNECTION": "set"}, "SSH"},
		{map[string]string{"SSH_CONNECTION": "set"}, ""},
		{map[string]string{"DISPLAY": ":1", "VNCDESKTOP": "host:1", "LD_PRELOAD": "libdlfaker.so:libvglfaker.so"}, "VirtualGL"},
		{map[string]string{"VGL_ISACTIVE": "1"}, "VirtualGL"},
	} {
		if got := remote(c.env); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

func TestReleasesAreReadFromFiles(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01": "535.183.01",
		"/usr/local/cuda/compat/libcuda.so.580.65.06":     "580.65.06",
		"/usr/lib/wsl/lib/libcuda.so.1.1":                 "",
		"/usr/lib/libcuda.so.1":                           "",
		"":                                                "",
	} {
		if got := libraryRelease(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	// The open kernel modules word it otherwise.
	if got := moduleRelease("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (x)\n"); got != "580.65.06" {
		t.Errorf("open module: %q", got)
	}
}

func TestTheCommittedPTXIsUnderstood(t *testing.T) {
	p := program(&Options{Version: "test"})
	if len(p.PTX) != len(kernels.Modules) {
		t.Fatalf("%d modules, want %d", len(p.PTX), len(kernels.Modules))
	}
	for _, m := range p.PTX {
		if m.Version == "" || m.Target == "" || m.Compiler == "" {
			t.Errorf("%+v", m)
		}
		if ptxCUDA[m.Version] == 0 {
			t.Errorf("PTX %s is not in the table of versions", m.Version)
		}
	}
	n := p.needs()
	if digits := strings.ReplaceAll(n.capability, ".", ""); n.cuda == 0 || !slices.Contains(ptx.Options, "--gpu-architecture=compute_"+digits) {
		t.Errorf("needs %+v, compiled with %v", n, ptx.Options)
	}
}

func TestVersionsAreComparedAsNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"9.0", "12.0", true}, {"12.0", "9.0", false}, {"5.0", "5.0", false}, {"3.5", "5.0", true}, {"8.6", "8.9", true}, {"10.0", "10.3", true}} {
		if older(c.a, c.b) != c.want {
			t.Errorf("older(%s, %s) is %v", c.a, c.b, !c.want)
		}
	}
	n := (&Program{PTX: []Module{{Version: "7.8", Target: "sm_100a"}, {Version: "8.7", Target: "sm_90"}}}).needs()
	if n != (needs{ptx: "8.7", cuda: 12080, capability: "10.0"}) {
		t.Errorf("needs %+v", n)
	}
	if v := cudaVersion(12080); v != "12.8" {
		t.Errorf("12080 is %s", v)
	}
}
