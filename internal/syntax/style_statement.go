package syntax

import "bytes"

// statement tells what begins here by what ends it.
func (s *styleReader) statement() styleKind {
	kind, end := s.kindUpTo(min(len(s.s), s.at+maxStatement))
	s.looked += end - s.at
	s.failed = s.failed || s.looked > maxLooks*len(s.s) // one statement ends before what was looked at for another
	return kind
}

// kindUpTo looks for what ends the statement up to the offset, and returns where it is.
func (s *styleReader) kindUpTo(end int) (kind styleKind, i int) {
	first, round := s.peek(0), 0
	for i = s.at; i < end; i++ {
		switch c := s.s[i]; {
		case c == '\\':
			i++
		case c == '"' || c == '\'':
			i += StringEnd(s.s[i:min(end, s.ends.of(i))], 0) - 1
		case c == '/' && at(s.s, i+1) == '*':
			if n := bytes.Index(s.s[i+2:max(end, i+2)], []byte("*/")); n >= 0 {
				i += n + 3
			} else {
				s.looked += end - i
			}
		case c == '/' && at(s.s, i+1) == '/' && s.slashes && IsBlank(at(s.s, i-1)):
			i = s.ends.of(i)
		case c == '(':
			round++
		case c == ')':
			round--
		case c == '#' && at(s.s, i+1) == '{':
			if to := s.filled(i); to >= 0 {
				i = to - 1
			} else {
				s.looked += maxStatement
			}
		case c == '{' && round == 0:
			if first == '@' {
				return styleAt, i
			}
			return styleSelector, i
		case (c == ';' || c == '}') && round == 0:
			return styleDeclaration, i
		}
	}
	return styleDeclaration, i
}

// Bounds of what is looked at to find the ends of statements.
const (
	maxStatement = 1 << 14 // bytes for one
	maxLooks     = 4       // bytes for each byte of the sheet
)

// filled is the offset behind what is put into a name at the offset, or -1.
func (s *styleReader) filled(i int) int {
	depth := 0
	for j := i + 1; j < min(len(s.s), i+maxStatement); j++ {
		switch s.s[j] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return -1
}
