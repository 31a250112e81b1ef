// SPDX-License-Identifier: Apache-2.0

// Package fonts embeds the typeface of the panel: Inter 4.0 beta 7 (https://rsms.me/inter), unmodified, as packaged by
// Debian (fonts-inter), under the SIL Open Font License 1.1 in OFL.txt. The slices are shared and must not be written to.
package fonts

import _ "embed"

// Regular is the text face, an OpenType file with CFF outlines.
//
//go:embed Inter-Regular.otf
var Regular []byte

// SemiBold is the face of headings.
//
//go:embed Inter-SemiBold.otf
var SemiBold []byte

// License is the text that must go with the fonts.
//
//go:embed OFL.txt
var License string
