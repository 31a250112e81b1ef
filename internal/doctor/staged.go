// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"unsafe"

	"particles/interop/cuda"
	"particles/interop/driver"
)

// staged is a driver that announces each call that may hang or crash.
type staged struct {
	driver.Driver
	stage func(string)
}

// openCUDA is cuda.Open with stages.
func openCUDA(stage func(string)) (driver.Driver, error) {
	stage("cuInit")
	d, err := cuda.Open()
	if err != nil {
		return nil, err
	}
	return &staged{Driver: d, stage: stage}, nil
}

// ParamSize lets interop check the size of launch parameters, as without the stages.
func (d *staged) ParamSize(ctx driver.Ctx, f driver.Function) int {
	if s, ok := d.Driver.(interface {
		ParamSize(driver.Ctx, driver.Function) int
	}); ok {
		return s.ParamSize(ctx, f)
	}
	return 0
}

func (d *staged) DeviceGetCount() (int, driver.Code) {
	d.stage("cuDeviceGetCount")
	return d.Driver.DeviceGetCount()
}

func (d *staged) DeviceGet(ordinal int) (driver.Device, driver.Code) {
	d.stage("cuDeviceGet")
	return d.Driver.DeviceGet(ordinal)
}

func (d *staged) DevicePrimaryCtxRetain(dev driver.Device) (driver.Ctx, driver.Code) {
	d.stage("cuDevicePrimaryCtxRetain")
	return d.Driver.DevicePrimaryCtxRetain(dev)
}

func (d *staged) DevicePrimaryCtxRelease(dev driver.Device) driver.Code {
	d.stage("cuDevicePrimaryCtxRelease")
	return d.Driver.DevicePrimaryCtxRelease(dev)
}

func (d *staged) MemGetInfo(ctx driver.Ctx) (uint64, uint64, driver.Code) {
	d.stage("cuMemGetInfo")
	return d.Driver.MemGetInfo(ctx)
}

func (d *staged) MemAlloc(ctx driver.Ctx, size int) (driver.DevicePtr, driver.Code) {
	d.stage("cuMemAlloc")
	return d.Driver.MemAlloc(ctx, size)
}

func (d *staged) MemFree(ctx driver.Ctx, p driver.DevicePtr) driver.Code {
	d.stage("cuMemFree")
	return d.Driver.MemFree(ctx, p)
}

func (d *staged) MemHostAlloc(ctx driver.Ctx, size int) (unsafe.Pointer, driver.Code) {
	d.stage("cuMemHostAlloc")
	return d.Driver.MemHostAlloc(ctx, size)
}

func (d *staged) StreamCreateWithPriority(ctx driver.Ctx, priority int) (driver.Stream, driver.Code) {
	d.stage("cuStreamCreateWithPriority")
	return d.Driver.StreamCreateWithPriority(ctx, priority)
}

func (d *staged) StreamDestroy(ctx driver.Ctx, s driver.Stream) driver.Code {
	d.stage("cuStreamDestroy")
	return d.Driver.StreamDestroy(ctx, s)
}

func (d *staged) StreamSynchronize(ctx driver.Ctx, s driver.Stream) driver.Code {
	d.stage("cuStreamSynchronize")
	return d.Driver.StreamSynchronize(ctx, s)
}

func (d *staged) ModuleLoadDataEx(ctx driver.Ctx, img driver.Image) (driver.Module, string, driver.Code) {
	d.stage("cuModuleLoadDataEx")
	return d.Driver.ModuleLoadDataEx(ctx, img)
}

func (d *staged) LaunchKernel(ctx driver.Ctx, f driver.Function, l driver.Shape, s driver.Stream, params unsafe.Pointer, size int) driver.Code {
	d.stage("cuLaunchKernel")
	return d.Driver.LaunchKernel(ctx, f, l, s, params, size)
}

func (d *staged) GLGetDevices(ctx driver.Ctx, gl driver.GL, devs []driver.Device) (int, driver.Code) {
	d.stage("cuGLGetDevices")
	return d.Driver.GLGetDevices(ctx, gl, devs)
}

func (d *staged) GraphicsGLRegisterBuffer(ctx driver.Ctx, gl driver.GL, name uint32, a driver.Access) (driver.Resource, driver.Code) {
	d.stage("cuGraphicsGLRegisterBuffer")
	return d.Driver.GraphicsGLRegisterBuffer(ctx, gl, name, a)
}

func (d *staged) GraphicsUnregisterResource(ctx driver.Ctx, r driver.Resource) driver.Code {
	d.stage("cuGraphicsUnregisterResource")
	return d.Driver.GraphicsUnregisterResource(ctx, r)
}

func (d *staged) GraphicsMapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	d.stage("cuGraphicsMapResources")
	return d.Driver.GraphicsMapResources(ctx, rs, s)
}

func (d *staged) GraphicsUnmapResources(ctx driver.Ctx, rs []driver.Resource, s driver.Stream) driver.Code {
	d.stage("cuGraphicsUnmapResources")
	return d.Driver.GraphicsUnmapResources(ctx, rs, s)
}
