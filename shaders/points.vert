#version 450 core
// SPDX-License-Identifier: Apache-2.0

// One particle a vertex, for sprites and for one-pixel points. Kept lean: in software the frame is bound by this stage.
//
// A sprite's light is proportional to its area, so a particle too far away or too small to cover its least size is
// drawn at that size and dimmed: the picture's brightness does not depend on resolution, distance or the least size.

layout(location = 0) in vec4 particle; // world position, colour scalar; a NaN scalar: not drawn

uniform mat4 viewProj;
uniform float pixels; // sprite diameter in pixels at distance 1
uniform vec2 limits;  // least and most diameter in pixels; equal for one-pixel points
uniform vec2 scale;   // colour index = clamp(s*x + y, 0, 255)
uniform vec2 light;   // light of a sprite that has its true size; the same for an area of one pixel squared, 0: not used
uniform samplerBuffer colors; // 256 linear colours

flat out vec3 color;

const vec4 outside = vec4(2.0, 2.0, 2.0, 1.0);

void main() {
	gl_Position = viewProj * vec4(particle.xyz, 1.0);
	float w = gl_Position.w;
	// By bits, since compilers may take isnan for false. A NaN position gives a NaN w, which is not greater than 0.
	if ((floatBitsToUint(particle.w) & 0x7fffffffu) > 0x7f800000u || !(w > 0.0)) {
		gl_Position = outside;
		gl_PointSize = 1.0;
		color = vec3(0.0);
		return;
	}
	float size = pixels / w;
	float drawn = clamp(size, limits.x, limits.y);
	float ratio = size / drawn;
	gl_PointSize = drawn;
	float l = light.y > 0.0 ? light.y * size * size : light.x * min(ratio * ratio, 1.0);
	int i = int(clamp(particle.w * scale.x + scale.y, 0.0, 255.0));
	color = l * texelFetch(colors, i).rgb;
}
