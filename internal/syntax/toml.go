package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
)

// tomlReader reads TOML: keys and values without the white space between them, one
// statement after another.
type tomlReader struct {
	*reader
	open   []byte // brackets of a value
	begun  bool   // a statement stands on the line
	header bool   // of a table
	failed bool
}

// readTOML is the reading of TOML.
func readTOML(t *linemap.Text) (*linemap.Text, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	s := tomlReader{reader: r}
	for !s.done() && !s.failed {
		s.token()
	}
	if s.begun {
		s.put(markLine)
	}
	return s.text(), !s.failed && len(s.open) == 0
}

func (s *tomlReader) token() {
	switch c := s.peek(0); {
	case IsBlank(c):
		s.skip()
	case c == '\n':
		if s.begun && len(s.open) == 0 {
			s.put(markLine)
			s.begun = false
		}
		s.newline()
	case c == '#':
		s.remark()
	case c == '"' || c == '\'':
		s.begun = true
		s.quoted(c)
	case c == ',':
		s.at++
		if end := at(bytes.TrimLeft(s.s[s.at:min(len(s.s), s.at+maxGap)], " \t\r\n"), 0); end != ']' || len(s.open) == 0 {
			s.puts(", ")
		}
	default:
		if !s.begun {
			s.begun, s.header = true, c == '['
			if s.header {
				s.put(markAhead)
			}
		}
		s.sign(c)
	}
}

// sign reads a bracket, a sign, or a word.
func (s *tomlReader) sign(c byte) {
	switch {
	case c == '[' || c == '{':
		if s.open = append(s.open, c); len(s.open) > maxReadDepth {
			s.failed = true
		}
	case c == ']' || c == '}':
		if len(s.open) == 0 || closerOf[s.open[len(s.open)-1]] != c {
			s.failed = true
			return
		}
		s.open = s.open[:len(s.open)-1]
	case c != '=' && !(c == '.' && !s.number()):
		s.word()
		return
	}
	s.at++
	s.put(c)
	if c == '=' {
		s.put(' ')
	}
	if s.header && (c == '[' || c == ']') && s.peek(0) == c {
		s.put(markOpening) // two of them that touch
	}
}

// number reports whether the point at which the reader stands is one of a number.
func (s *tomlReader) number() bool { return isDigit(at(s.s, s.at-1)) && isDigit(s.peek(1)) }

// word reads a key or a value without quotes. Words that touch are one, and a key in
// parts may have white space beside its points.
func (s *tomlReader) word() {
	from := s.at
	for !s.atEnd() && !IsBlank(s.peek(0)) && bytes.IndexByte([]byte(`,=[]{}#"'`), s.peek(0)) < 0 && (s.peek(0) != '.' || s.number()) {
		s.at++
	}
	if s.at == from {
		s.failed = true
		return
	}
	s.put(s.s[from:s.at]...)
	if after := bytes.TrimLeft(WithoutCR(s.s[s.at:s.lineEnd()]), Blanks); len(after) > 0 && bytes.IndexByte([]byte(`,=[]{}#.`), after[0]) < 0 {
		s.put(markBlank)
	}
}

// quoted reads a string, to the byte.
func (s *tomlReader) quoted(c byte) {
	mark := bytes.Repeat([]byte{c}, 3)
	if !bytes.HasPrefix(s.s[s.at:], mark) {
		end := quotedEnd(s.s[:s.lineEnd()], s.at)
		if c == '\'' {
			end = s.at + 2 + bytes.IndexByte(s.s[s.at+1:s.lineEnd()], c)
		}
		if end < s.at+2 {
			s.failed = true
			return
		}
		s.put(s.s[s.at:end]...)
		s.at = end
		return
	}
	end := delimiter{open: string(mark), end: string(mark), escapes: c == '"'}.past(s.s, s.at, new(int))
	for end > 0 && end < len(s.s) && s.s[end] == c {
		end++ // quotes before the mark that ends it are content
	}
	if end < 0 {
		s.failed = true
		return
	}
	s.upTo(end, markEmpty)
}
