package demo

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// style is how a piece of text looks in the terminal.
type style uint8

const (
	plain style = 0
	bold  style = 1 << iota
	code
	faint
	good
	bad
	open
)

// codes are the ANSI sequences of the styles, in the order they are written.
var codes = []struct {
	style style
	seq   string
}{
	{bold, "1"}, {faint, "2"}, {code, "36"}, {good, "32"}, {bad, "31"}, {open, "33"},
}

// span is text in one style. It holds no line break.
type span struct {
	text  string
	style style
}

// paint writes spans for the terminal. Control characters of the text are spelled
// out, so that nothing shown can steer the terminal.
func paint(spans []span, color bool) string {
	var b strings.Builder
	for _, s := range spans {
		text := printable(s.text)
		if !color || s.style == plain {
			b.WriteString(text)
			continue
		}
		var seqs []string
		for _, c := range codes {
			if s.style&c.style != 0 {
				seqs = append(seqs, c.seq)
			}
		}
		b.WriteString("\x1b[" + strings.Join(seqs, ";") + "m" + text + "\x1b[0m")
	}
	return b.String()
}

// printable replaces control and invisible formatting characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsControl(r):
			return '\uFFFD'
		}
		return r
	}, s)
}

// widthOf is the number of columns that the spans take.
func widthOf(spans []span) int {
	n := 0
	for _, s := range spans {
		n += uniseg.StringWidth(printable(s.text))
	}
	return n
}

// words splits spans at spaces. A word may hold several styles.
func words(spans []span) [][]span {
	var out [][]span
	var word []span
	for _, s := range spans {
		for i, part := range strings.Split(s.text, " ") {
			if i > 0 && len(word) > 0 {
				out, word = append(out, word), nil
			}
			if part != "" {
				word = append(word, span{part, s.style})
			}
		}
	}
	if len(word) > 0 {
		out = append(out, word)
	}
	return out
}

// wrap breaks spans into lines of at most width columns. A longer word stands on
// a line of its own, whole, so that a path can be copied.
func wrap(spans []span, width int) [][]span {
	var out [][]span
	var line []span
	used := 0
	for _, w := range words(spans) {
		n := widthOf(w)
		if used > 0 && used+1+n > width {
			out, line, used = append(out, line), nil, 0
		}
		if used > 0 {
			// A space between two words of one style keeps that style.
			joint := plain
			if last := line[len(line)-1].style; last == w[0].style {
				joint = last
			}
			line = join(line, span{" ", joint})
			used++
		}
		line = join(line, w...)
		used += n
	}
	if len(line) > 0 || len(out) == 0 {
		out = append(out, line)
	}
	return out
}

// join appends spans to a line; neighbours of one style become one span.
func join(line []span, more ...span) []span {
	for _, s := range more {
		if last := len(line) - 1; last >= 0 && line[last].style == s.style {
			line[last].text += s.text
			continue
		}
		line = append(line, s)
	}
	return line
}

// indent puts a prefix before the first line and as many columns before the others.
func indent(lines [][]span, first string) [][]span {
	rest := strings.Repeat(" ", uniseg.StringWidth(first))
	for i, l := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		if len(l) > 0 {
			lines[i] = append([]span{{prefix, plain}}, l...)
		}
	}
	return lines
}
