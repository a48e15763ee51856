package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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

// writeResult writes a result to the file, or to standard output when the name
// is "" or "-". A file appears whole or not at all.
func writeResult(s streams, name string, data []byte) error {
	if name == "" || name == "-" {
		if _, err := s.out.Write(data); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return inputError(fmt.Errorf("write %s: it is a directory; name a file in it", name))
	}
	dir := filepath.Dir(name)
	tmp, err := os.CreateTemp(dir, ".rescore-*")
	if errors.Is(err, os.ErrNotExist) {
		return inputError(fmt.Errorf("write %s: there is no directory %s; make it first", name, dir))
	}
	if err != nil {
		return inputError(fmt.Errorf("write %s: %w", name, err))
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return inputError(fmt.Errorf("write %s: %w", name, err))
	}
	return nil
}
