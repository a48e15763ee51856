package syntax

import "github.com/rescore-app/rescore/internal/lazy"

// begin reads the start of a directive.
func (c *codeReader) begin() {
	c.put(markLine)
	c.sign()
	c.directive = true
	c.skip()
	from := c.at
	c.word()
	c.skip()
	switch word := string(c.s[from:min(c.at, len(c.s))]); {
	case len(word) == 0:
	case wordsOnly().MatchString(word):
		c.words(c.logicalRest())
	case definesMacro().MatchString(word) && IsWordByte(c.peek(0)):
		c.word()
		c.named = true
	}
}

var (
	// wordsOnly matches directives that text follows.
	wordsOnly = lazy.Regexp(`^(error|warning|pragma|region|endregion|include|include_next|import|ident)\b`)
	// definesMacro matches the directive in which a blank behind the name counts.
	definesMacro = lazy.Regexp(`^define\b`)
)

// logicalRest takes all up to the end of the line, comments excluded.
func (c *codeReader) logicalRest() []byte {
	from := c.at
	for !c.atEnd() && !(c.peek(0) == '/' && (c.peek(1) == '*' || c.peek(1) == '/') && IsBlank(at(c.s, c.at-1))) && !(c.peek(0) == '\\' && c.peek(1) == '\n') {
		c.at++
	}
	return c.s[from:c.at]
}

// endDirective marks the end of a directive.
func (c *codeReader) endDirective() {
	if c.directive {
		c.close()
		c.put(markLine)
	}
	c.directive, c.named = false, false
}
