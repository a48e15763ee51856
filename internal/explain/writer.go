package explain

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Widths in columns.
const (
	defaultWidth = 80 // where there is no terminal
	minWidth     = 40
	maxHang      = 9 // of the lines that continue one with a long beginning
)

// writer builds the text.
type writer struct {
	strings.Builder
	width int
}

func newWriter(width int) *writer {
	if width <= 0 {
		width = defaultWidth
	}
	return &writer{width: max(width, minWidth)}
}

// line writes one line that is not broken.
func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.Builder, format+"\n", args...) }

// para writes text behind its beginning and breaks it at blanks; the lines that
// continue it are set in by the beginning, or by its blanks where it is long. A word
// that is too long stands in a line of its own.
func (w *writer) para(begin, text string) {
	hang := utf8.RuneCountInString(begin)
	if hang > maxHang {
		hang = len(begin) - len(strings.TrimLeft(begin, " ")) + 2
	}
	w.WriteString(begin)
	at, open := utf8.RuneCountInString(begin), false
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case open && at+1+n > w.width:
			w.WriteString("\n" + strings.Repeat(" ", hang))
			at = hang
		case open:
			w.WriteByte(' ')
			at++
		}
		w.WriteString(word)
		at, open = at+n, true
	}
	w.WriteByte('\n')
}

func (w *writer) list(head string, items []string) {
	if len(items) == 0 {
		return
	}
	w.line("\n%s", head)
	for _, s := range items {
		w.para("  - ", s)
	}
}
