#version 450 core
// SPDX-License-Identifier: Apache-2.0

// A point of one pixel that carries all the light of its sprite.

flat in vec3 color;
layout(location = 0) out vec4 light;

void main() { light = vec4(color, 0.0); }
