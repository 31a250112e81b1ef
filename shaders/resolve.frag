#version 450 core
// SPDX-License-Identifier: Apache-2.0

// From light to a picture: background, exposure, tone curve, sRGB, dither.

uniform sampler2D hdr;
uniform vec2 size;       // of the target in pixels
uniform float exposure;  // factor on the particles' light
uniform vec4 background; // linear, shown as given at the centre; a: how fast it falls off

layout(location = 0) out vec4 picture;

// Each channel saturates like film (1 - exp(-x)); before that, light that would overflow one channel spills into
// the others, so that dense places run to white through their own hue instead of sticking at a primary.
vec3 tone(vec3 c) {
	float peak = max(max(c.r, c.g), c.b);
	float luma = dot(c, vec3(0.2126, 0.7152, 0.0722));
	c = mix(c, vec3(0.5 * (peak + luma)), 0.5 * peak / (peak + 4.0));
	return 1.0 - exp(-c);
}

vec3 encode(vec3 c) { // IEC 61966-2-1
	return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

// Interleaved gradient noise (Jimenez, "Next generation post processing in Call of Duty", 2014): fixed in place, even.
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }

void main() {
	ivec2 at = ivec2(gl_FragCoord.xy);
	vec2 p = (2.0 * gl_FragCoord.xy - size) / size;
	float vignette = 1.0 / (1.0 + background.a * dot(p, p));
	vec3 c = tone(texelFetch(hdr, at, 0).rgb * exposure);
	vec3 b = background.rgb * vignette * vignette * (1.0 + 0.35 * p.y);
	c = b + c * (1.0 - b);
	vec3 n = fract(noise(gl_FragCoord.xy) + vec3(0.0, 1.0 / 3.0, 2.0 / 3.0)) - 0.5; // a step wide, another in each channel
	picture = vec4(encode(c) + n / 255.0, 1.0);
}
