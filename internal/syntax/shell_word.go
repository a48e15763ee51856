package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// part reads the next byte of a word, or what begins with it.
func (s *shellReader) part(c byte) {
	switch {
	case c == '\\' && s.peek(1) == '\n':
		s.at++
		s.newline()
	case c == '\\':
		s.put(c)
		if s.at++; !s.atEnd() {
			s.put(s.peek(0))
			s.at++
		}
	case c == '\'':
		escapes := at(s.s, s.at-1) == '$'
		s.exact(delimiter{open: "'", end: "'", escapes: escapes}.past(s.s, s.at, new(int)))
	case c == '"':
		s.quoted()
	case c == '$':
		s.value()
	case c == '`':
		s.ticked()
	default:
		s.put(c)
		s.at++
	}
}

// counted reads what is counted and not said: of its white space that counts which
// parts two words or two signs.
func (s *shellReader) counted() {
	n := bytes.Index(s.s[s.at:s.lineEnd()], []byte("))"))
	for n > 0 && at(s.s, s.at+n+2) == ')' {
		n++
	}
	if n < 0 || bytes.IndexByte(s.s[s.at:s.at+n], '`') >= 0 {
		s.failed = true
		return
	}
	text := s.s[s.at : s.at+n+2]
	s.at += n + 2
	if bytes.ContainsAny(text, `"'\`) {
		s.put(text...)
		return
	}
	for i, c := range text {
		if !IsBlank(c) {
			s.put(c)
			continue
		}
		before := text[i-1]
		if IsBlank(before) {
			continue // only the first of several is looked at
		}
		after := bytes.TrimLeft(text[i:], Blanks)[0]
		if IsWordByte(before) && IsWordByte(after) || ofSign(before) && ofSign(after) {
			s.put(' ')
		}
	}
}

func ofSign(c byte) bool { return bytes.IndexByte([]byte("+-&|<>=!*/%^"), c) >= 0 }

// tickEscape matches a backslash that means another thing between backticks.
var tickEscape = lazy.Regexp("\\\\[$`\\\\\"\n]")

// ticked reads commands between backticks as those behind a dollar.
func (s *shellReader) ticked() {
	n := bytes.IndexByte(s.s[s.at+1:], '`')
	if n < 0 || n > maxHole || tickEscape().Match(s.s[s.at+1:s.at+1+n]) {
		s.failed = true
		return
	}
	s.mark("$( ")
	s.nested('`')
	s.puts(")")
}

// exact takes all up to the offset, to the byte.
func (s *shellReader) exact(end int) {
	if end < 0 {
		s.failed = true
		return
	}
	s.upTo(end, markLine)
}

// value reads what a dollar begins.
func (s *shellReader) value() {
	s.put('$')
	s.at++
	switch {
	case s.peek(0) == '(' && s.peek(1) == '(':
		s.counted()
	case s.peek(0) == '(':
		s.mark("( ")
		s.nested(')')
		s.puts(")")
	case s.peek(0) == '{':
		end := s.braceEnd()
		s.exact(end)
	}
}

// braceEnd is the offset behind the value in braces that begins here, or -1.
func (s *shellReader) braceEnd() int {
	depth := 0
	for i := s.at; i < min(len(s.s), s.at+maxHole); i++ {
		switch s.s[i] {
		case '\\':
			i++
		case '\'', '"', '`', '(', '\n':
			return -1
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// quoted reads a string in double quotes.
func (s *shellReader) quoted() {
	s.mark(`"`)
	for !s.failed && !s.done() {
		switch c := s.peek(0); c {
		case '"':
			s.mark(`"`)
			return
		case '\\':
			s.exact(min(len(s.s), s.at+2))
		case '$':
			s.value()
		case '`':
			if s.failed = s.failed || s.end == c; !s.failed {
				s.ticked()
			}
		case '\n':
			s.put(markLine)
			s.newline()
		default:
			s.put(c)
			s.at++
		}
	}
	s.failed = true
}

// maxTag bounds the length of the word that ends a here-document.
const maxTag = 256

// hereTag reads the word that ends a here-document.
func (s *shellReader) hereTag(tabs bool) {
	s.skip()
	m := shellTag().FindSubmatch(append([]byte("<<"), s.s[s.at:min(s.lineEnd(), s.at+maxTag)]...))
	if m == nil {
		s.failed = true
		return
	}
	word := m[0][2:]
	s.put(word...)
	s.put(' ')
	s.at += len(word)
	if !s.atEnd() && !IsBlank(s.peek(0)) && bytes.IndexByte([]byte(";&|)>"), s.peek(0)) < 0 {
		s.failed = true
	}
	s.texts = append(s.texts, hereText{string(m[1]) + string(m[2]) + string(m[3]), tabs})
}

// hereTexts reads the here-documents that begin with this line.
func (s *shellReader) hereTexts() {
	for _, text := range s.texts {
		for {
			if s.done() {
				s.failed = true
				return
			}
			line := WithoutCR(s.s[s.at:s.lineEnd()])
			if text.tabs {
				line = bytes.TrimLeft(line, "\t")
			}
			s.put(markLine)
			s.put(line...)
			s.at = s.lineEnd()
			if string(line) == text.end {
				s.put(markRemark)
				break
			}
			s.newline()
		}
	}
	s.texts = nil
}
