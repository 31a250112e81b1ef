// SPDX-License-Identifier: Apache-2.0

package testenv

import (
	"sync"
	"testing"

	"particles/interop"
	"particles/interop/cuda"
	"particles/interop/driver"
	"particles/interop/host"
)

var openCUDA = sync.OnceValues(func() (*cuda.Driver, error) {
	d, err := cuda.Open()
	if err != nil {
		return nil, err
	}
	if n, code := d.DeviceGetCount(); code != driver.Success {
		return nil, interop.NewError(d, "cuDeviceGetCount", code, "")
	} else if n == 0 {
		return nil, interop.NewError(d, "cuDeviceGetCount", driver.NoDevice, "")
	}
	return d, nil
})

// OpenCUDA gives the CUDA driver, or why there is none.
func OpenCUDA(testing.TB) (driver.Driver, error) {
	d, err := openCUDA()
	if err != nil {
		return nil, err
	}
	return d, nil
}

// CUDA gives the CUDA driver, or skips where there is no NVIDIA GPU.
func CUDA(t testing.TB) driver.Driver {
	t.Helper()
	d, err := openCUDA()
	if err != nil {
		Missing(t, "gpu", "needs an NVIDIA GPU: %v", err)
	}
	return d
}

// Host gives a host driver of the test's own.
func Host(testing.TB) driver.Driver { return host.New(host.Options{}) }

// Drivers runs f as a subtest on every driver that this machine has: "host"
// always, "cuda" with an NVIDIA GPU.
func Drivers(t *testing.T, f func(t *testing.T, d driver.Driver)) {
	t.Run("host", func(t *testing.T) { f(t, Host(t)) })
	t.Run("cuda", func(t *testing.T) { f(t, CUDA(t)) })
}

// Context makes a context on the driver's first device, and closes it at the
// test's end: what the test left open fails it.
func Context(t testing.TB, d driver.Driver) *interop.Context {
	t.Helper()
	c, err := interop.NewContext(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}
