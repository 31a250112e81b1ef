// SPDX-License-Identifier: Apache-2.0

package scene

import "maps"

// Scene is what a scene file says. Angles are degrees, lengths the model's own unit (metres), times seconds.
type Scene struct {
	Name        string // how it was loaded: a built-in name, or the path of the file
	Title       string // one line
	Description string // some sentences
	Model       string // name of the model
	Count       int    // particles; 0: automatic
	Seed        int64  // any value; the generator gets its bits
	Clock       Clock
	Params      map[string]float64 // the model's parameters that the scene sets, by name without the model
	Camera      Camera
	Look        Look
}

// Clock says how simulated time runs.
type Clock struct {
	Dt            float64 // simulated seconds a step
	Scale         float64 // simulated seconds a second
	StepsPerFrame int     // 0: as many steps as real time needs
}

// Camera is where the picture is taken from: an orbit around Target.
type Camera struct {
	Yaw       float64 // degrees around the vertical
	Pitch     float64 // degrees above the horizon, -89 to 89
	Distance  float64 // from Target; 0: far enough to see the whole model
	Target    [3]float64
	HasTarget bool    // the scene gives Target; without it the model's centre is looked at
	FOV       float64 // degrees, vertical
}

// Look is how particles are drawn.
type Look struct {
	ColorMap   string     // name of a colour map; empty: the program's default
	Exposure   float64    // stops (powers of two)
	PointSize  float64    // diameter of a sprite in world units; 0: automatic
	OnePixel   bool       // points of one pixel instead of sprites
	Opacity    float64    // factor on the particles' light, 0 to 1
	Background [3]float64 // sRGB, 0 to 1
	ColorRange [2]float64 // values at the ends of the colour map; both 0: the model's own range
}

// Default is a scene without a model in which everything else has its default.
func Default() Scene {
	return Scene{
		Seed:   1,
		Clock:  Clock{Dt: 1.0 / 60, Scale: 1},
		Camera: Camera{Yaw: 35, Pitch: 20, FOV: 45},
		Look:   Look{Opacity: 1, Background: [3]float64{0.035, 0.05, 0.085}},
	}
}

// Clone copies the scene with its parameters.
func (s *Scene) Clone() Scene {
	c := *s
	c.Params = maps.Clone(s.Params)
	return c
}
