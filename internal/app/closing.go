// SPDX-License-Identifier: Apache-2.0

package app

import (
	"errors"
	"io"
	"reflect"
)

// errorList gathers the errors of closing several things, all of which are tried.
type errorList struct{ errs []error }

// close closes c unless it is nil, and keeps its error.
func (l *errorList) close(c io.Closer) {
	if c == nil || (reflect.ValueOf(c).Kind() == reflect.Pointer && reflect.ValueOf(c).IsNil()) {
		return
	}
	l.add(c.Close())
}

func (l *errorList) add(err error) {
	if err != nil {
		l.errs = append(l.errs, err)
	}
}

func (l *errorList) err() error { return errors.Join(l.errs...) }

// joinClose closes what was half made and gives the first error with what closing added.
func joinClose(err error, c io.Closer) error {
	return errors.Join(err, c.Close())
}
