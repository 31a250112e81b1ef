// SPDX-License-Identifier: Apache-2.0
#version 450 core
// Colours stay sRGB-encoded and are blended so, as ImGui's palette and font atlas expect: GL_FRAMEBUFFER_SRGB is off.
layout(binding = 0) uniform sampler2D image; // the atlas answers (1, 1, 1, coverage)

in vec2 uv;
in vec4 tint;
out vec4 colour;

void main() {
    colour = tint * texture(image, uv);
}
