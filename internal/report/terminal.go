package report

import (
	"strings"
	"unicode/utf8"
)

// paint is how a piece of text stands out on a terminal.
type paint string

const (
	bold   paint = "\x1b[1m"
	dim    paint = "\x1b[2m"
	red    paint = "\x1b[31m"
	green  paint = "\x1b[32m"
	yellow paint = "\x1b[33m"
	reset        = "\x1b[0m"
)

const (
	minWidth     = 40
	defaultWidth = 80
)

// terminal collects wrapped lines. Texts must have passed package escape: it
// writes the only control sequences there are.
type terminal struct {
	b     strings.Builder
	width int
	color bool
}

func newTerminal(width int, color bool) *terminal {
	if width <= 0 {
		width = defaultWidth
	}
	return &terminal{width: max(width, minWidth), color: color}
}

// painted returns s in the colour, or s alone without colours.
func (t *terminal) painted(p paint, s string) string {
	if !t.color || s == "" {
		return s
	}
	return string(p) + s + reset
}

// blank writes an empty line.
func (t *terminal) blank() { t.b.WriteByte('\n') }

// head writes a headline.
func (t *terminal) head(s string) {
	t.blank()
	t.raw(t.painted(bold, s))
}

// raw writes a line as it is, but for what a continuous-integration log would
// take for a command.
func (t *terminal) raw(s string) {
	t.b.WriteString(defuse(s))
	t.b.WriteByte('\n')
}

// para writes s, wrapped between the margins. lead stands before the first line,
// and its width in blanks before the others.
func (t *terminal) para(lead, s string) {
	indent := utf8.RuneCountInString(lead)
	for i, line := range wrap(s, t.width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.raw(strings.TrimRight(lead+line, " "))
	}
}

// wrap breaks s at blanks into lines of at most width runes; a longer word gets
// a line of its own.
func wrap(s string, width int) []string {
	width = max(width, minWidth/2)
	var lines []string
	line, n := "", 0
	for word := range strings.FieldsSeq(s) {
		w := utf8.RuneCountInString(word)
		if n > 0 && n+1+w > width {
			lines = append(lines, line)
			line, n = "", 0
		}
		if n > 0 {
			line += " "
			n++
		}
		line += word
		n += w
	}
	return append(lines, line)
}

// defuse breaks what the runners of continuous integration read as a command of
// theirs when it appears in a log: "::" at the start of a line, "##[" anywhere.
func defuse(s string) string {
	s = strings.ReplaceAll(s, "##[", "## [")
	trimmed := strings.TrimLeft(s, " \t")
	if strings.HasPrefix(trimmed, "::") {
		return s[:len(s)-len(trimmed)] + ": :" + trimmed[2:]
	}
	return s
}

// String returns what was written.
func (t *terminal) String() string { return t.b.String() }
