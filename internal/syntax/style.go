package syntax

import (
	"bytes"
	"strings"

	"github.com/rescore-app/rescore/internal/linemap"
)

// styleReader reads style sheets. White space parts the values of a list and the
// parts of a selector, and means nothing beside brackets, commas and most signs.
type styleReader struct {
	*reader
	slashes bool // a comment to the end of a line may begin with two slashes
	kind    styleKind
	round   int   // brackets that are open in the statement
	commas  int   // right inside the innermost of them
	outer   []int // the commas of those around it
	square  bool  // inside of square brackets
	begun   bool  // the statement has a token
	own     bool  // the property is one that the sheet makes up
	colon   bool  // the colon of the declaration was read
	loose   bool  // the token before has white space behind it for nothing
	blank   bool  // white space stands before the next token
	looked  int   // bytes that were looked at to find the ends of statements
	failed  bool
}

// styleKind is what a statement of a style sheet is.
type styleKind byte

const (
	styleSelector    styleKind = iota // what a block belongs to
	styleAt                           // the same, with a word behind an at sign
	styleDeclaration                  // a property and its value, or any that no block follows
)

// readStyle is the reading of CSS.
func readStyle(t *linemap.Text) (*linemap.Text, bool) { return readSheet(t, false) }

// readSass is the reading of SCSS.
func readSass(t *linemap.Text) (*linemap.Text, bool) { return readSheet(t, true) }

func readSheet(t *linemap.Text, slashes bool) (*linemap.Text, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	s := styleReader{reader: r, slashes: slashes, loose: true}
	for !s.done() && !s.failed {
		s.token()
	}
	return s.text(), !s.failed && !s.begun
}

func (s *styleReader) token() {
	c, next := s.peek(0), s.peek(1)
	switch {
	case IsBlank(c):
		s.skip()
		s.blank = true
		return
	case c == '\n':
		s.newline()
		s.blank = true
		return
	case c == '/' && next == '*':
		s.comment()
		return
	case c == '/' && next == '/' && s.slashes:
		s.remark()
		s.blank = true
		return
	}
	if !s.begun && c != '}' && c != ';' {
		s.kind, s.own = s.statement(), c == '-' && next == '-'
		s.begun, s.colon, s.square, s.round, s.commas, s.outer = true, false, false, 0, 0, nil
	}
	switch c {
	case '{', '}', ';':
		s.end(c)
	default:
		s.part(c)
	}
}

// comment reads one as the lines in it.
func (s *styleReader) comment() {
	end := bytes.Index(s.s[s.at+2:], []byte("*/"))
	if end < 0 {
		s.failed = true
		return
	}
	if s.blank && !s.loose {
		s.put(markBlank)
		s.loose = true
	}
	for end += s.at + 4; s.at < end; {
		stop := min(end, s.lineEnd())
		s.put(bytes.Trim(WithoutCR(s.s[s.at:stop]), Blanks)...)
		if s.at = stop; s.at < end {
			s.put(' ')
			s.newline()
			s.skip()
		}
	}
	s.put(markRemark)
	s.blank = true
}

// end reads what ends a statement or a block. The last declaration needs no mark.
func (s *styleReader) end(c byte) {
	if s.round != 0 || c == '{' && s.kind == styleDeclaration {
		s.failed = true
		return
	}
	if c != '{' && s.begun {
		s.puts("; ")
	}
	if s.begun = false; c != ';' {
		s.put(c, ' ')
	}
	s.at++
	s.loose, s.blank = true, false
}

// part reads a token inside a statement.
func (s *styleReader) part(c byte) {
	blank := s.blank && !s.loose && !s.freeBefore(c)
	if s.blank = false; blank {
		s.put(markBlank)
	}
	s.loose = s.freeBehind(c)
	from := s.at
	switch {
	case c == '"' || c == '\'':
		s.quoted()
		return
	case s.square && bytes.HasSuffix(s.out[s.line], []byte("= ")) && ofName(c):
		s.attribute()
		return
	case ofName(c) || c == '\\' || (c == '-' || c == '+' || c == '.') && (ofName(s.peek(1)) || s.peek(1) == '.'):
		s.name()
		return
	case c == ':' && s.kind == styleDeclaration && s.round == 0:
		s.colon = true
	case s.square && s.peek(1) == '=' && bytes.IndexByte([]byte("~|^*"), c) >= 0:
		s.at++ // one sign
	case c == '[' || c == ']':
		s.square = c == '[' && s.kind == styleSelector
	case c == '(' || c == ')' || c == ',':
		if s.bracket(c) {
			s.at++
			return
		}
	}
	s.at++
	s.put(s.s[from:s.at]...)
	s.put(' ')
}

// bracket counts the brackets, and the commas in them, and reports whether the byte is
// a comma behind the last of several values in SCSS, which says nothing.
func (s *styleReader) bracket(c byte) bool {
	switch {
	case c == '(' && s.round >= maxReadDepth, c == ')' && s.round == 0:
		s.failed = true
	case c == '(':
		s.round++
		s.outer, s.commas = append(s.outer, s.commas), 0
	case c == ')':
		s.round--
		s.commas, s.outer = s.outer[s.round], s.outer[:s.round]
	default:
		if s.slashes && s.round > 0 && s.commas > 0 && at(bytes.TrimLeft(s.s[s.at+1:min(len(s.s), s.at+maxGap)], " \t\r\n"), 0) == ')' {
			return true
		}
		s.commas++
	}
	return false
}

// maxGap is how much white space is looked over for the end of a list.
const maxGap = 256

// attribute reads the value of an attribute, which means the same in quotes.
func (s *styleReader) attribute() {
	from := s.at
	for ofName(s.peek(0)) {
		s.at++
	}
	s.puts(`"` + string(s.s[from:s.at]) + `" `)
}

// freeBefore reports whether white space before the sign means nothing.
func (s *styleReader) freeBefore(c byte) bool {
	switch c {
	case ',', ')', '!':
		return true
	case '>', '~', '+':
		return s.kind == styleSelector
	case ':':
		return s.kind == styleDeclaration && !s.colon || s.round > 0 && (s.kind == styleAt || s.slashes && s.kind == styleDeclaration)
	}
	return false
}

// freeBehind reports whether white space behind the sign means nothing.
func (s *styleReader) freeBehind(c byte) bool {
	return c == '(' || c != ')' && s.freeBefore(c)
}

// ofName reports whether the byte may be a part of a name or a number.
func ofName(c byte) bool {
	return IsWordByte(c) || c == '-' || c == '#' || c == '%' || c == '.' || c == '&'
}

// named passes over a name, with what is put into it, and returns it.
func (s *styleReader) named() string {
	var out []byte
	for from := s.at; !s.atEnd(); {
		c := s.peek(0)
		if c == '#' && s.peek(1) == '{' {
			end := s.filled(s.at)
			if end < 0 {
				s.failed = true
				break
			}
			out = append(append(append(out, "#{"...), styleExpression(s.s[s.at+2:end-1])...), '}')
			s.line += bytes.Count(s.s[s.at:end], []byte{'\n'})
			s.at = end
			continue
		}
		if s.at > from && !ofName(c) && c != '\\' && at(s.s, s.at-1) != '\\' && !(c == '+' && exponent(s.s[from:s.at])) {
			break
		}
		out = append(out, c)
		s.at++
	}
	return string(out)
}

// name reads a name, a number or a colour, and all of an address.
func (s *styleReader) name() {
	from := s.at
	first := s.line
	name := s.named()
	last := s.line
	if s.peek(0) == '(' && strings.EqualFold(name, "url") {
		if n := bytes.IndexByte(s.s[s.at:s.lineEnd()], ')'); n >= 0 && bytes.IndexByte([]byte(`"'`), at(bytes.TrimLeft(s.s[s.at+1:], Blanks), 0)) < 0 {
			s.at += n + 1
			s.put(s.s[from:s.at]...)
			s.put(' ')
			return
		}
	}
	if s.kind != styleSelector || s.round > 0 {
		name = styleNumber(name)
	}
	if m := hexColour(); s.kind == styleDeclaration && s.colon && !s.own && m.MatchString(name) {
		name = strings.ToLower(name)
	}
	s.line = first
	s.puts(name)
	s.line = last // of what is put into it
	s.put(' ')
}
