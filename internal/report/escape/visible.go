package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may follow one another. No living script
// needs more; longer runs are used to paint over neighbouring lines.
const maxMarks = 4

// ellipsis ends a text that was cut.
const ellipsis = "…"

// Visible returns s with every character that a reader cannot see, or that
// changes how its neighbours are shown, written out as ⟨U+202E⟩, and every byte
// that is not UTF-8 as ⟨0xFF⟩. Tabs and line feeds stay.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r >= ' ' && r <= '~':
			b.WriteByte(byte(r))
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "⟨0x%02X⟩", s[i])
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case hidden(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		case unicode.In(r, unicode.Mn, unicode.Me):
			marks++
			if marks <= maxMarks {
				b.WriteRune(r)
			}
			i += size
			continue
		default:
			b.WriteRune(r)
		}
		marks = 0
		i += size
	}
	return b.String()
}

// plain reports that s is printable ASCII, tabs and line feeds only.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\n' && c != '\t' && (c < 0x20 || c > 0x7e) {
			return false
		}
	}
	return true
}

// hidden reports whether r shows nothing, or changes the order or shape of what
// stands around it.
func hidden(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return true // controls, bidi controls, zero-width, tags, private use
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return true
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true // variation selectors, Hangul fillers, grapheme joiner
	case r == '\u2800': // blank Braille pattern: looks like a space, is none
		return true
	case r != ' ' && unicode.Is(unicode.Zs, r):
		return true // no-break, en, em, ideographic and other spaces
	}
	return false
}

// Line returns s as one visible line: line feeds, tabs and runs of blanks become
// one space, and none stands at either end.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(Visible(unifyBreaks(s)), func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\t'
	}), " ")
}

// CodeLine returns one line of code as it can be shown: nothing of it is
// collapsed, tabs become four spaces, a line break within becomes visible, and
// blanks at the end go.
func CodeLine(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	s = Visible(strings.ReplaceAll(s, "\t", "    "))
	return strings.ReplaceAll(s, "\n", "⟨U+000A⟩")
}

func unifyBreaks(s string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// Clip cuts s to at most n runes, the last of which is then an ellipsis. It
// never splits a rune. n below 1 gives "".
func Clip(s string, n int) string {
	if n < 1 {
		return ""
	}
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	i := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return strings.TrimRight(s[:i], " ") + ellipsis
}

// ClipLeft is Clip at the other end: it keeps the last runes, which tell more of a
// path than the first.
func ClipLeft(s string, n int) string {
	if n < 1 {
		return ""
	}
	over := utf8.RuneCountInString(s) - n
	if over <= 0 {
		return s
	}
	i := 0
	for range over + 1 {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return ellipsis + s[i:]
}

// ClipBytes cuts s to at most n bytes, the last three of which are then an
// ellipsis. It never splits a rune.
func ClipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len(ellipsis)
	if n < 0 {
		return ""
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ") + ellipsis
}
