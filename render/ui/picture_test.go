// SPDX-License-Identifier: Apache-2.0

package ui

import "testing"

func TestPictures(t *testing.T) {
	r := newRig(t, Options{})
	r.steps(20)
	r.save("scale1.png")
	r.over("param/angle", 0.6)
	r.steps(40)
	r.save("tip.png")
	r.find("plot/gpu")
	r.over("plot/cpu", 0.8)
	r.steps(3)
	r.save("plot.png")
	r.u.layout.open = [numSections]bool{secLook: true, secRecord: true, secDevice: true}
	r.m.Record = Record{On: true, Elapsed: 75, Bytes: 1_250_000, Path: "trace-2026-12-01-182700.json"}
	r.steps(5)
	r.m.Toasts = []Toast{{Text: "Picture saved as particles-0001.png"}}
	r.u.say(Warning, "Speed: 99 is out of range, 5 m/s taken")
	r.over("look/map", 0.5)
	r.click("look/map", 0, 0)
	r.steps(5)
	r.save("look.png")
	r.key(keyEscape, 0)
	r.key(keyF1, 0)
	r.save("help.png")
	r.key(keyF1, 0)
	r.u.layout.open = [numSections]bool{true, true, true, true}
	r.u.SetScale(2)
	r.m.Device.Reason, r.m.Device.Driver, r.m.Device.Name, r.m.Device.Tier = "", "cuda", "NVIDIA H200", "shared"
	r.m.Notes = nil
	r.m.Record.On = false
	r.resize(2560, 1440)
	r.steps(60)
	r.find("plot/gpu")
	r.save("scale2.png")
}
