// SPDX-License-Identifier: Apache-2.0

package ui

// Change is a wish for a new value: Set tells whether there is one.
type Change[T any] struct {
	Value T
	Set   bool
}

func (c *Change[T]) to(v T) { c.Value, c.Set = v, true }

// ParamChange is a wish for a parameter's new value, within the limits the Model gave.
type ParamChange struct {
	Key   string
	Value float64
}

// Commands is what the person at the panel wants, gathered since the last Frame. It belongs to the UI, is reused and is
// valid until the next Frame. Every value is finite and within the limits of the Model it was made from.
type Commands struct {
	SelectScene Change[int]   // index in Model.Scenes
	SetParams   []ParamChange // in the order made; a reset to the default comes as a value too
	ResetParams bool          // all parameters to their defaults

	SetCount Change[int]
	SetSeed  Change[uint64] // takes effect with a Reset, which comes with it
	Reset    bool           // start again from the initial state

	TogglePause bool
	SingleStep  bool // pause if running, and do one step
	SetDt       Change[float64]
	SetScale    Change[float64]
	SetSteps    Change[int] // steps a frame, 0: real time

	SetVsync          Change[bool]
	SetFrameCap       Change[float64] // frames a second, 0: no cap
	SetFramesInFlight Change[int]
	SetPriority       Change[int]
	SetDriver         Change[string]
	SetTier           Change[string]

	SetExposure  Change[float64]
	SetPointSize Change[float64]
	SetOnePixel  Change[bool]
	SetColorMap  Change[int]
	SetScalarLo  Change[float64] // may be at or beyond the other end: the application decides
	SetScalarHi  Change[float64]

	ToggleRecord bool
	Screenshot   bool
	FrameScene   bool // camera: show everything
	FullScreen   bool // toggle
	Hide         bool // toggle
	ResetLayout  bool // already done by the UI; for the application to drop what it stored
	Quit         bool
}

// Any reports whether there is any command.
func (c *Commands) Any() bool {
	return len(c.SetParams) > 0 || c.SelectScene.Set || c.ResetParams || c.SetCount.Set || c.SetSeed.Set || c.Reset ||
		c.TogglePause || c.SingleStep || c.SetDt.Set || c.SetScale.Set || c.SetSteps.Set || c.SetVsync.Set ||
		c.SetFrameCap.Set || c.SetFramesInFlight.Set || c.SetPriority.Set || c.SetDriver.Set || c.SetTier.Set ||
		c.SetExposure.Set || c.SetPointSize.Set || c.SetOnePixel.Set || c.SetColorMap.Set || c.SetScalarLo.Set ||
		c.SetScalarHi.Set || c.ToggleRecord || c.Screenshot || c.FrameScene || c.FullScreen || c.Hide || c.ResetLayout ||
		c.Quit
}

// clear empties the commands and keeps the memory.
func (c *Commands) clear() {
	params := c.SetParams[:0]
	*c = Commands{SetParams: params}
}

// setParam adds a wish; a later one for the same parameter takes the earlier one's place.
func (c *Commands) setParam(key string, v float64) {
	for i := range c.SetParams {
		if c.SetParams[i].Key == key {
			c.SetParams[i].Value = v
			return
		}
	}
	c.SetParams = append(c.SetParams, ParamChange{Key: key, Value: v})
}
