#version 450 core
// SPDX-License-Identifier: Apache-2.0

// A soft round sprite with the profile (1 - r^2)^2, whose sum over a disc of diameter d pixels is pi/12 d^2.

flat in vec3 color;
layout(location = 0) out vec4 light;

void main() {
	vec2 p = gl_PointCoord * 2.0 - 1.0;
	float f = max(1.0 - dot(p, p), 0.0);
	light = vec4(color * (f * f), 0.0);
}
