// SPDX-License-Identifier: Apache-2.0
#version 450 core
layout(location = 0) in vec2 position; // window units, y down
layout(location = 1) in vec2 texcoord;
layout(location = 2) in vec4 colour;   // sRGB, straight alpha

layout(location = 0) uniform vec4 window; // scale x, scale y, offset x, offset y to clip space

out vec2 uv;
out vec4 tint;

void main() {
    uv = texcoord;
    tint = colour;
    gl_Position = vec4(position * window.xy + window.zw, 0.0, 1.0);
}
