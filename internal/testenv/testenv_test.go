// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"testing"

	"particles/interop"
	"particles/interop/driver"
)

func TestContextWorksOnEveryDriver(t *testing.T) {
	Drivers(t, func(t *testing.T, d driver.Driver) {
		c := Context(t, d)
		if c.Device().Driver != d.Properties().Name || c.Device().TotalMem == 0 {
			t.Errorf("device %+v", c.Device())
		}
	})
}

func TestFakeCUDAIsADriverWithOneDevice(t *testing.T) {
	devs, err := interop.Devices(FakeCUDA(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(devs) != 1 || devs[0].Name != "Stand-in GPU 0" || devs[0].CCMajor != 9 {
		t.Errorf("devices %+v", devs)
	}
}

func TestEGLContextIsCurrent(t *testing.T) {
	g := EGL(t)
	name := g.NewBuffer(t, 64)
	if g.CurrentContext() == 0 {
		t.Error("no current context")
	}
	if b := g.Bytes(name, 64); len(b) != 64 {
		t.Error("no bytes")
	}
	g.NoErrors(t)
}

func TestFakeGLCountsBrokenRules(t *testing.T) {
	g := NewFakeGL()
	b := g.NewBuffer(16)
	if g.MapBuffer(b, 16, false, true, true) == nil {
		t.Fatal("not mapped")
	}
	if g.MapBuffer(b, 16, false, true, true) != nil || g.Broken != 1 {
		t.Errorf("mapped twice, %d broken", g.Broken)
	}
	if !g.UnmapBuffer(b) || g.UnmapBuffer(b) || g.Broken != 2 {
		t.Errorf("unmapped twice, %d broken", g.Broken)
	}
}
