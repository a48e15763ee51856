package main

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// streams are the three standard streams of one run.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// isTerminal reports whether the writer is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// width is the width of the terminal in columns, or 0 when the writer is none and
// lines need no folding.
func width(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// colored reports whether to use colours on the writer (https://no-color.org).
func colored(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// remembering is a writer for those who do not ask whether they could write: it keeps
// the first error for later and takes everything from then on.
type remembering struct {
	to  io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	if r.err == nil {
		_, r.err = r.to.Write(p)
	}
	return len(p), nil
}
