package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
)

// lexeme is a token of code or a comment, with its place in the text.
type lexeme struct {
	kind     lexKind
	from, to int  // offsets
	begins   bool // no bracket is open, and a line break that counts stands before it
	outer    int  // the bracket that it stands in, an index, or -1
	match    int  // of a bracket: the other one, an index, or -1
}

// lexKind is what a lexeme is.
type lexKind byte

const (
	lexWord lexKind = iota // or a number
	lexString
	lexComment
	lexOther // a bracket, an operator, a pattern
	lexBreak // a backslash that joins the next line
)

// lexemes are those of a text, in order.
type lexemes struct {
	s   []byte
	all []lexeme
}

// bytesPerLexeme is about how long one is, blanks included.
const bytesPerLexeme = 5

// lex cuts the text into lexemes by the rules of the language's scanner; ok is false
// when a comment or a string in it never ends.
func (l *Language) lex(t *linemap.Text) (out lexemes, ok bool) {
	sc := l.scanner(t)
	out.s, out.all = sc.s, make([]lexeme, 0, len(sc.s)/bytesPerLexeme)
	var open []int
	fresh := true
	for i := 0; i < len(sc.s); {
		c := sc.s[i]
		if c == '\n' {
			fresh = true
		}
		if IsBlank(c) || c == '\n' || c == '\r' {
			i++
			continue
		}
		x, found := sc.lexeme(i)
		if !found {
			return lexemes{}, false
		}
		x.outer, x.match = -1, -1
		if len(open) > 0 {
			x.outer = open[len(open)-1]
		}
		if x.kind == lexOther && x.to == i+1 && IsBracket(c) {
			open = out.bracket(open, c, &x)
		}
		if x.kind != lexComment {
			x.begins, fresh = fresh && x.outer < 0 && x.match < 0, false
		}
		if x.kind == lexBreak {
			fresh = false
		}
		out.all = append(out.all, x)
		i = x.to
	}
	return out, true
}

// bracket notes what the bracket x opens or ends, and returns what is open then.
func (ls *lexemes) bracket(open []int, c byte, x *lexeme) []int {
	if closerOf[c] != 0 {
		return append(open, len(ls.all))
	}
	if len(open) > 0 && closerOf[ls.s[ls.all[open[len(open)-1]].from]] == c {
		x.match = open[len(open)-1]
		ls.all[x.match].match = len(ls.all)
		x.outer = ls.all[x.match].outer
		return open[:len(open)-1]
	}
	return open
}

// lexeme reads the one that begins at i; found is false when it never ends.
func (sc *scanner) lexeme(i int) (x lexeme, found bool) {
	x = lexeme{kind: lexOther, from: i}
	c := sc.s[i]
	if c == '\\' && len(bytes.Trim(sc.s[i+1:sc.ends.of(i)], "\r")) == 0 {
		x.kind, x.to = lexBreak, i+1
		return x, true
	}
	if sc.hot[c] {
		name, to := sc.next(i)
		switch {
		case to < 0:
			return x, false
		case name == CommentName || sc.lang.commentAt(sc.s, i):
			x.kind = lexComment
		case IsQuote(c) && to > i+1 && sc.s[to-1] != c:
			if sc.s[to-1] == '\\' {
				return x, false // it goes on in the next line
			}
			to = i + 1 // an apostrophe in a text
		case IsQuote(c) && to > i+1:
			x.kind = lexString
		}
		if x.to = to; to > i+1 {
			return x, true
		}
	}
	x.to = i + 1
	switch {
	case IsWordByte(c):
		x.kind = lexWord
		for x.to < len(sc.s) && (IsWordByte(sc.s[x.to]) || sc.s[x.to] == '.' && isDigit(c) && isDigit(at(sc.s, x.to+1))) {
			x.to++
		}
	case operators[[2]byte{c, at(sc.s, i+1)}]:
		x.to = i + 2
	}
	if x.kind == lexOther && x.to < len(sc.s) && sc.s[x.to] == '=' && !IsBracket(c) && c != '.' && c != ',' && c != ';' {
		x.to++
	}
	return x, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// text is what the lexeme of the index is; "" when there is none.
func (ls *lexemes) text(i int) string {
	if i < 0 || i >= len(ls.all) {
		return ""
	}
	return string(ls.s[ls.all[i].from:ls.all[i].to])
}

// next is the nearest lexeme after the index that is no comment; step -1 goes back.
func (ls *lexemes) next(i, step int) int {
	for i += step; i >= 0 && i < len(ls.all) && (ls.all[i].kind == lexComment || ls.all[i].kind == lexBreak); i += step {
	}
	return i
}
