// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"fmt"
	"strconv"
	"strings"
)

// UUIDText is the device's UUID as nvidia-smi -L and CUDA_VISIBLE_DEVICES have it:
// "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6". It stays the same when ordinals
// change: after a reboot, in a container, with CUDA_VISIBLE_DEVICES set.
func (d Device) UUIDText() string {
	u := d.UUID
	return fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
}

// FindDevice picks the device that text means: its ordinal ("0"), or its UUID
// ("GPU-8932f937-..."), of which a beginning is enough when it fits one device only.
// Upper and lower case are the same. The error lists what there is.
func FindDevice(devs []Device, text string) (Device, error) {
	const op = "FindDevice"
	if n, err := strconv.Atoi(text); err == nil {
		for _, d := range devs {
			if d.Ordinal == n {
				return d, nil
			}
		}
		return Device{}, argErr(op, "no device %d; this machine has %d, numbered from 0%s", n, len(devs), list(devs))
	}
	want := strings.ToLower(text)
	if !strings.HasPrefix(want, "gpu-") {
		return Device{}, argErr(op, "device %q; a number from 0, or a UUID that begins with GPU-%s", text, list(devs))
	}
	var found []Device
	for _, d := range devs {
		if strings.HasPrefix(strings.ToLower(d.UUIDText()), want) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Device{}, argErr(op, "no device with UUID %s%s", text, list(devs))
	}
	return Device{}, argErr(op, "%d devices have a UUID that begins with %s; give more of it%s", len(found), text, list(devs))
}

func list(devs []Device) string {
	s := ""
	for _, d := range devs {
		s += fmt.Sprintf("; device %d is %s, %s", d.Ordinal, d.UUIDText(), d.Name)
	}
	return s
}
