// SPDX-License-Identifier: Apache-2.0
#version 450 core
// Stacked columns of frame times, oldest left. Each frame has `stride` floats in `times`, each the top of its part in
// milliseconds (running sums); a frame whose first value is negative is left empty.
layout(std430, binding = 0) readonly buffer Times { float times[]; };

layout(location = 0) uniform vec4 area;    // width and height in pixels, frames shown, milliseconds at the top
layout(location = 1) uniform vec4 layout_;  // stride, first part, parts, frame under the mouse or -1
layout(location = 2) uniform vec4 lines;   // milliseconds of two budget lines and the p99 line; 0: none. w: pixel scale
layout(location = 3) uniform vec4 palette[8];

out vec4 colour;

const vec3 background = vec3(0.067, 0.078, 0.098);

// over puts a horizontal line of the UI's pixel scale at `ms` over c; dash > 0 breaks it up.
vec3 over(vec3 c, float ms, vec3 line, float alpha, float dash, float perPixel) {
    if (ms <= 0.0) return c;
    float y = ms / perPixel;
    float d = abs(gl_FragCoord.y - y);
    float a = clamp(0.5 * lines.w + 0.5 - d, 0.0, 1.0) * alpha;
    if (dash > 0.0 && mod(gl_FragCoord.x, 2.0 * dash) > dash) a = 0.0;
    return mix(c, line, a);
}

void main() {
    float perPixel = area.w / area.y;
    float ms = gl_FragCoord.y * perPixel;
    float column = gl_FragCoord.x * area.z / area.x;
    int frame = clamp(int(column), 0, int(area.z) - 1);
    int base = frame * int(layout_.x) + int(layout_.y);

    vec3 c = background;
    if (times[base] >= 0.0) {
        float bottom = 0.0;
        for (int part = 0; part < int(layout_.z); part++) {
            float top = times[base + part];
            // Coverage of this pixel row by the part, so that thin parts fade rather than flicker.
            float cover = clamp((min(top, ms + 0.5 * perPixel) - max(bottom, ms - 0.5 * perPixel)) / perPixel, 0.0, 1.0);
            c = mix(c, palette[part].rgb, cover);
            bottom = max(bottom, top);
        }
        if (bottom > area.w && gl_FragCoord.y > area.y - 2.0 * lines.w) c = vec3(0.93, 0.42, 0.38); // goes on above
    }
    if (frame == int(layout_.w)) c = mix(c, vec3(1.0), 0.28);
    c = over(c, lines.x, vec3(0.85, 0.88, 0.93), 0.55, 0.0, perPixel);
    c = over(c, lines.y, vec3(0.85, 0.88, 0.93), 0.35, 0.0, perPixel);
    c = over(c, lines.z, vec3(0.96, 0.72, 0.36), 0.90, 4.0 * lines.w, perPixel);
    colour = vec4(c, 1.0);
}
