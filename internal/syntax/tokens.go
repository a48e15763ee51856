package syntax

import "bytes"

// token is a word, a literal, a sign or a comment of a program, with its place.
type token struct {
	kind     tokenKind
	from, to int // offsets
	line     int // on which it begins, from 0
	outer    int // the bracket that it stands in, an index, or -1
	match    int // of a bracket: the other one, an index, or -1
}

// tokenKind is what a token is.
type tokenKind byte

const (
	tokenSign tokenKind = iota // a bracket or an operator
	tokenWord
	tokenNumber
	tokenString  // or a character
	tokenComment // of either kind
	tokenEnd     // a line break that ends a statement; it has no text
)

// program is a text as tokens, of which a reader writes down what they say.
type program struct {
	*reader
	all  []token
	open []int // the brackets that are open where the tokens end
	last int   // the last token that is no comment, or -1
}

// maxTokens bounds how many tokens a program has that is read. An ordinary source of
// four MiB has about as many; each takes 48 bytes while it is read.
const maxTokens = 1 << 20

// lexer returns the kind and the end of the token that begins at the offset, where no
// white space stands; it ends there when it never ends or is none.
type lexer func(s []byte, at int) (tokenKind, int)

// tokenize cuts the text into tokens; ends, if given, is asked at each line break
// whether it ends a statement. It is false when a token never ends, brackets do not
// match or there are too many tokens.
func (p *program) tokenize(next lexer, ends func() bool) bool {
	line := 0
	p.last = -1
	for i := 0; i < len(p.s); {
		switch c := p.s[i]; {
		case c == '\n':
			if ends != nil && ends() {
				p.add(token{kind: tokenEnd, from: i, to: i, line: line})
			}
			line++
			i++
			continue
		case IsBlank(c), c == '\r':
			i++
			continue
		}
		kind, to := next(p.s, i)
		if to <= i || len(p.all) >= maxTokens {
			return false
		}
		broken := bytes.Count(p.s[i:to], []byte{'\n'})
		if kind == tokenComment && broken > 0 && ends != nil && ends() {
			p.add(token{kind: tokenEnd, from: i, to: i, line: line})
		}
		if !p.add(token{kind: kind, from: i, to: to, line: line}) {
			return false
		}
		line += broken
		i = to
	}
	return len(p.open) == 0
}

// add notes the token with the brackets around it; it is false for one that closes
// what is not open.
func (p *program) add(x token) bool {
	x.outer, x.match = -1, -1
	if n := len(p.open); n > 0 {
		x.outer = p.open[n-1]
	}
	if x.kind == tokenSign && x.to == x.from+1 {
		switch c := p.s[x.from]; {
		case closerOf[c] != 0:
			p.open = append(p.open, len(p.all))
		case IsBracket(c):
			if x.outer < 0 || closerOf[p.s[p.all[x.outer].from]] != c {
				return false
			}
			x.match = x.outer
			p.all[x.match].match = len(p.all)
			x.outer = p.all[x.match].outer
			p.open = p.open[:len(p.open)-1]
		}
	}
	if x.kind != tokenComment {
		p.last = len(p.all)
	}
	p.all = append(p.all, x)
	return true
}

// is reports whether the token of the index is a sign or a word of that text.
func (p *program) is(i int, text string) bool {
	return i >= 0 && i < len(p.all) && p.all[i].kind <= tokenWord && string(p.s[p.all[i].from:p.all[i].to]) == text
}

// textOf is what the token of the index is; "" when there is none.
func (p *program) textOf(i int) string {
	if i < 0 || i >= len(p.all) {
		return ""
	}
	return string(p.s[p.all[i].from:p.all[i].to])
}

// kindOf is the kind of the token of the index; a comment when there is none.
func (p *program) kindOf(i int) tokenKind {
	if i < 0 || i >= len(p.all) {
		return tokenComment
	}
	return p.all[i].kind
}

// beside is the nearest token past the index that is no comment; step -1 goes back.
func (p *program) beside(i, step int) int {
	for i += step; i >= 0 && i < len(p.all) && p.all[i].kind == tokenComment; i += step {
	}
	return i
}

// goTo lets what is put next be a part of the token's line.
func (p *program) goTo(i int) { p.at, p.line = p.all[i].from, p.all[i].line }

// putToken writes the token down as it is, and a blank behind it.
func (p *program) putToken(i int) {
	p.goTo(i)
	p.upTo(p.all[i].to, markLine)
	p.put(' ')
}

// hasPrefixAt reports whether the text goes on with the prefix at the offset.
func hasPrefixAt(s []byte, at int, prefix string) bool {
	return bytes.HasPrefix(s[at:], []byte(prefix))
}

// blockComment is where the comment ends that opens at the offset, or the offset.
func blockComment(s []byte, at int, nests bool) int {
	depth := 1
	for i := at + 2; i+1 < len(s); i++ {
		switch {
		case s[i] == '*' && s[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		case nests && s[i] == '/' && s[i+1] == '*':
			depth++
			i++
		}
	}
	return at
}

// quoted is where the string ends that opens at the offset, or the offset. Only one that
// spans lines may hold a line break.
func quoted(s []byte, at int, spans bool) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			if !spans {
				return at
			}
		case s[at]:
			return i + 1
		}
	}
	return at
}

// wordEnd is the offset behind the word or number that goes on at the offset.
func wordEnd(s []byte, at int) int {
	for at < len(s) && IsWordByte(s[at]) && s[at] != '$' && s[at] != '@' {
		at++
	}
	return at
}

// startsWord reports whether a word may begin with the byte.
func startsWord(c byte) bool { return IsWordByte(c) && c != '$' && c != '@' && !isDigit(c) }

// numberEnd is the offset behind the number that begins at the offset. A dot before
// another dot or a name is none of it.
func numberEnd(s []byte, start int) int {
	end := wordEnd(s, start)
	if at(s, end) == '.' && at(s, end+1) != '.' && !startsWord(at(s, end+1)) {
		end = wordEnd(s, end+1)
	}
	return end
}
