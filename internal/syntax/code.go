package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// codeReader reads languages in which white space only parts words, but for lines
// that begin with a hash where there are directives.
type codeReader struct {
	*reader
	directives bool // a hash at the start of a line makes it one
	joins      bool // strings that stand beside each other are one
	fresh      bool // nothing but white space stands before on the line
	directive  bool
	named      bool   // the name that a directive gives was just read
	string     []byte // what ends the string before, while another may go on with it
	ended      int    // the line on which that string ended
	failed     bool
}

// readC is the reading of C and its kin.
func readC(t *linemap.Text) (*linemap.Text, bool) { return readCode(t, true, true) }

// readJava is the reading of Java.
func readJava(t *linemap.Text) (*linemap.Text, bool) { return readCode(t, false, false) }

func readCode(t *linemap.Text, directives, joins bool) (*linemap.Text, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	c := codeReader{reader: r, directives: directives, joins: joins, fresh: true}
	for !c.done() && !c.failed {
		c.token()
	}
	c.close()
	c.endDirective()
	return c.text(), !c.failed
}

// token reads what begins here: white space, a comment or a token.
func (c *codeReader) token() {
	b, next := c.peek(0), c.peek(1)
	switch {
	case IsBlank(b):
		c.skip()
	case b == '\n':
		c.endDirective()
		c.newline()
		c.fresh = true
	case b == '\\' && next == '\n':
		c.splice()
	case b == '/' && next == '*':
		c.close()
		c.comment()
	case b == '/' && next == '/':
		c.close()
		c.lineComments()
	default:
		if !(c.joins && b == '"') {
			c.close()
		}
		c.named = c.named && b == '('
		if c.named && IsBlank(at(c.s, c.at-1)) {
			c.put(markBlank)
		}
		c.named = false
		switch {
		case b == '#' && c.fresh && c.directives:
			c.begin()
		case IsQuote(b):
			c.literal()
		case IsWordByte(b), b == '.' && isDigit(next):
			c.word()
		default:
			c.operator()
		}
		c.fresh = false
	}
}

// splice passes over a line break that joins two lines. It must not join two words.
func (c *codeReader) splice() {
	before := at(c.s, c.at-1)
	c.at++
	c.newline()
	if after := c.peek(0); !IsBlank(before) && before != '\n' && !IsBlank(after) && after != '\n' {
		c.failed = true
	}
}

// comment reads one of several lines, as the words in it. What adorns its lines is
// none of them.
func (c *codeReader) comment() {
	end := bytes.Index(c.s[c.at+2:], []byte("*/"))
	if end < 0 {
		c.failed = true
		return
	}
	end += c.at + 2
	mark := c.at + 2
	for mark < end && (c.s[mark] == '*' || c.s[mark] == '!') {
		mark++
	}
	c.put(c.s[c.at:mark]...)
	c.put(' ')
	for c.at = mark; c.at < end; {
		stop := min(end, c.lineEnd())
		c.words(c.s[c.at:stop])
		if c.at = stop; c.at < end {
			c.newline()
			c.skip()
			for c.at < end && c.peek(0) == '*' && c.at+1 < end {
				c.at++
			}
		}
	}
	c.puts("*/")
	c.put(markRemark)
	c.at = end + 2
}

// words writes the words of a comment down.
func (c *codeReader) words(text []byte) {
	for _, word := range bytes.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\\' && c.directive }) {
		c.put(word...)
		c.put(' ')
	}
}

// lineComments reads comments up to the end of their lines, as many as follow each
// other: where the lines break between their words says nothing.
func (c *codeReader) lineComments() {
	mark := lineMark().Find(c.s[c.at:c.lineEnd()])
	if bytes.HasSuffix(c.out[c.line], []byte("} ")) && endsNamespace().Match(WithoutCR(c.s[c.at:c.lineEnd()])) {
		c.rest()
		return
	}
	c.put(mark...)
	c.put(' ')
	for {
		c.at += len(mark)
		line := c.rest()
		if c.words(line); bytes.HasSuffix(line, []byte{'\\'}) {
			c.failed = true // it goes on in the next line
			return
		}
		from, n := c.at, c.line
		for !c.done() && !c.directive && (c.peek(0) == '\n' || IsBlank(c.peek(0))) {
			if c.skip(); c.peek(0) == '\n' {
				c.newline()
			}
		}
		if next := lineMark().Find(c.s[c.at:c.lineEnd()]); c.directive || next == nil || !bytes.Equal(next, mark) {
			c.at, c.line = from, n
			c.put(markRemark)
			return
		}
	}
}

var (
	// lineMark matches what begins a comment to the end of a line, or what a tool looks for.
	lineMark = lazy.Regexp(`^//([a-z]+:|[/!]?<?)`)
	// endsNamespace matches a comment that says which namespace a bracket ends.
	endsNamespace = lazy.Regexp(`^//[ \t]*(?i:namespace\b[\w:\t ]*|(end|close)\b[\w:\t ]*\bnamespace\b[\w:\t ]*|(anonymous|unnamed) namespace|extern "C")$`)
)

func (c *codeReader) sign() {
	c.put(c.peek(0))
	c.at++
}

// word reads a word or a number.
func (c *codeReader) word() {
	from := c.at
	if IsQuote(at(c.s, from-1)) { // it may be a part of the literal
		c.out[c.line] = bytes.TrimSuffix(c.out[c.line], []byte{' '})
	}
	number := isDigit(c.peek(0)) || c.peek(0) == '.'
	for IsWordByte(c.peek(0)) || number && (c.peek(0) == '.' || c.peek(0) == '\'' && IsWordByte(c.peek(1))) {
		c.at++
	}
	c.put(c.s[from:c.at]...)
	if !IsQuote(c.peek(0)) || !stringPrefix().Match(c.s[from:c.at]) {
		c.put(' ')
	}
}

// operator reads a sign of as many bytes as one can have. Those that end what angle
// brackets hold are read one by one.
func (c *codeReader) operator() {
	n := len(longOperator().Find(c.s[c.at:min(len(c.s), c.at+3)]))
	for range max(n, 1) {
		c.sign()
	}
	c.put(' ')
}

// longOperator matches a sign of several bytes.
var longOperator = lazy.Regexp(`^(<<=|<=>|\.\.\.|->\*|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|##|::|\.\*|@[A-Za-z_]?)`)

// literal reads a string or a character.
func (c *codeReader) literal() {
	quote := c.peek(0)
	before := c.s[max(0, c.at-maxPrefix):c.at]
	prefix := IsWordByte(at(before, len(before)-1)) && prefixed().Match(before)
	eol := c.lineEnd()
	if quote == '`' || bytes.HasPrefix(c.s[c.at:], []byte(`"""`)) && !c.joins || prefix && bytes.HasSuffix(before, []byte{'R'}) && quote == '"' {
		c.failed = true // a text of several lines
		return
	}
	end := c.at + StringEnd(c.s[c.at:eol], 0)
	if end < c.at+2 || c.s[end-1] != quote {
		c.failed = true
		return
	}
	content := c.s[c.at+1 : end-1]
	c.at = end
	switch {
	case c.joins && quote == '"' && c.string != nil && !prefix && !numeric().Match(c.string):
	case quote == '"':
		c.close()
		c.put(quote)
	default:
		c.put(quote)
	}
	c.put(content...)
	if quote == '"' && c.joins && !prefix {
		c.string, c.ended = append([]byte{'"'}, content...), c.line
		return
	}
	c.put(quote, ' ')
}

// maxPrefix is how many bytes before a string are looked at.
const maxPrefix = 4

var (
	// stringPrefix matches what may stand before a string and change what it is.
	stringPrefix = lazy.Regexp(`^(L|u8?|U)?R?$`)
	// prefixed matches text that such a prefix ends.
	prefixed = lazy.Regexp(`(^|[^\w$@\x80-\xff])(L|u8|u|U|R|LR|uR|UR|u8R)$`)
)

// numeric matches a string that ends in the number of a character.
var numeric = lazy.Regexp(`(\\x[0-9A-Fa-f]*|\\[0-7]{1,3})$`)

// close ends the string that nothing goes on with.
func (c *codeReader) close() {
	if c.string != nil {
		c.out[c.ended] = append(c.out[c.ended], '"', ' ')
		c.string = nil
	}
}
