package syntax

import (
	"bytes"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// exponent reports whether a number with a sign in its exponent may go on.
func exponent(s []byte) bool { return exponentMark().Match(s) }

var (
	exponentMark = lazy.Regexp(`^[+-]?[0-9.]+[eE]$`)
	hexColour    = lazy.Regexp(`^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$`)
	// decimal matches a number, with what may be spelled in another way.
	decimal = lazy.Regexp(`^([+-]?)([0-9]*)(?:\.([0-9]*?)0*)?((?:[eE][+-]?[0-9]+)?)([A-Za-z%]*)$`)
)

// styleNumber spells a number with a digit before the point and no zeros for nothing.
func styleNumber(s string) string {
	m := decimal().FindStringSubmatch(s)
	if m == nil || m[2] == "" && m[3] == "" && !strings.Contains(s, "0") {
		return s
	}
	whole := m[2]
	if whole == "" {
		whole = "0"
	}
	if m[3] != "" {
		whole += "." + m[3]
	}
	return m[1] + whole + strings.ToLower(m[4]) + m[5]
}

// quoted reads a string.
func (s *styleReader) quoted() {
	end := s.at + StringEnd(s.s[s.at:s.lineEnd()], 0)
	if end < s.at+2 || s.s[end-1] != s.s[s.at] || s.s[end-2] == '\\' {
		s.failed = true
		return
	}
	text := string(s.s[s.at:end])
	if with, ok := quotes(text, true); ok {
		text = with
	}
	s.puts(text)
	s.put(' ')
	s.at = end
}

// styleExpression spells what is put into a name.
func styleExpression(s []byte) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			end := StringEnd(s, i)
			text := string(s[i:end])
			if with, ok := quotes(text, true); ok {
				text = with
			}
			out = append(out, text...)
			i = end - 1
		case isGap(c):
			if isGap(at(s, i+1)) || len(out) == 0 || i+1 == len(s) || bytes.IndexByte([]byte("(,"), out[len(out)-1]) >= 0 || bytes.IndexByte([]byte("),"), at(s, i+1)) >= 0 {
				continue
			}
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// isGap reports whether the byte is a blank or a part of a line's end.
func isGap(c byte) bool { return IsBlank(c) || c == '\n' || c == '\r' }
