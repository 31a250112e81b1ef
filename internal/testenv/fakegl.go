// SPDX-License-Identifier: Apache-2.0

package testenv

import "particles/interop/interoptest"

// FakeGL is an OpenGL in memory.
type FakeGL = interoptest.GL

// NewFakeGL makes an OpenGL with a current context.
func NewFakeGL() *FakeGL { return interoptest.NewGL() }
