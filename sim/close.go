// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"io"
)

// joinClose closes what an error leaves behind, and adds what that says.
func joinClose(err error, c io.Closer) error { return errors.Join(err, c.Close()) }
