// SPDX-License-Identifier: Apache-2.0

package ui

import "particles/sim/param"

// Change is a wish for a new value: Set tells whether there is one.
type Change[T any] struct {
	Value T
	Set   bool
}

func (c *Change[T]) to(v T) { c.Value, c.Set = v, true }

// ParamChange is a wish for a new value of a component, within its limits, or for the parameter's default.
type ParamChange struct {
	Set         *param.Set
	Index, Part int
	Value       float64
	Reset       bool // back to the default, all components
}

// Commands is what the person at the panel wants, gathered since the last Frame. It belongs to the UI, is reused and is
// valid until the next Frame. Every value is finite and within the limits of the Model it was made from.
type Commands struct {
	SelectScene Change[int]   // index in Model.Scenes
	SetParams   []ParamChange // in the order made
	ResetParams bool          // all of the model's parameters to their defaults

	SetCount Change[int]
	SetSeed  Change[uint64] // takes effect with a Reset, which comes with it
	Reset    bool           // start again from the initial state

	TogglePause bool
	SingleStep  bool // pause if running, and do one step

	SetDriver Change[string]
	SetTier   Change[string]

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
		c.TogglePause || c.SingleStep || c.SetDriver.Set || c.SetTier.Set || c.ToggleRecord || c.Screenshot || c.FrameScene ||
		c.FullScreen || c.Hide || c.ResetLayout || c.Quit
}

// clear empties the commands and keeps the memory.
func (c *Commands) clear() {
	params := c.SetParams[:0]
	*c = Commands{SetParams: params}
}

// setParam adds a wish; a later one for the same component takes the earlier one's place.
func (c *Commands) setParam(wish ParamChange) {
	for i := range c.SetParams {
		if p := &c.SetParams[i]; p.Set == wish.Set && p.Index == wish.Index && p.Part == wish.Part {
			*p = wish
			return
		}
	}
	c.SetParams = append(c.SetParams, wish)
}
