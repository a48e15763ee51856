package search

import (
	"errors"
	"fmt"
)

// UnsupportedError says why a search is not evaluated. It is an answer, not a
// failure: the search is unverifiable and the reason is for the reader.
type UnsupportedError struct {
	Token  string // the flag, word, path or file that is the cause; may be empty
	Reason string // a clause, without a full stop
}

func (e *UnsupportedError) Error() string {
	if e.Token == "" {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Token, e.Reason)
}

func unsupported(token, format string, args ...any) error {
	return &UnsupportedError{Token: token, Reason: fmt.Sprintf(format, args...)}
}

var (
	// ErrTooLarge is what a Source wraps when a file is over its size limit.
	ErrTooLarge = errors.New("the file is over the size limit")
	// ErrNeedsFull is returned by Delta when the changes alone do not tell: a scope
	// path appeared, vanished or became another kind of path, or what a file gives
	// depends on the files read before it. The caller runs Run on both sides.
	ErrNeedsFull = errors.New("the changes alone do not tell: evaluate both sides in full")
)
