package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// goReader reads Go by its tokens, with the semicolons that line breaks stand for. A
// comma or a semicolon before a closing bracket says nothing in it; declarations in one
// pair of parentheses are read as those without.
type goReader struct {
	program
	bare    map[int]bool   // parentheses that are left out
	instead map[int]string // what is written for a word or a sign
	before  map[int]string // what is written before it
}

// readGo is the reading of Go.
func readGo(t *linemap.Text) (*linemap.Text, bool) {
	base, ok := newReader(t)
	if !ok {
		return nil, false
	}
	r := goReader{program: program{reader: base}, bare: map[int]bool{}, instead: map[int]string{}, before: map[int]string{}}
	if !r.tokenize(lexGo, r.ended) {
		return nil, false
	}
	for i := range r.all {
		r.declare(i)
	}
	for i := range r.all {
		r.write(i)
	}
	return r.text(), true
}

// goOperator matches a sign of several bytes.
var goOperator = lazy.Regexp(`^(<<=|>>=|&\^=|\.\.\.|&&|\|\||<-|\+\+|--|==|!=|<=|>=|:=|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|&\^)`)

// lexGo cuts Go.
func lexGo(s []byte, i int) (tokenKind, int) {
	c := s[i]
	switch {
	case hasPrefixAt(s, i, "//"):
		return tokenComment, endOfLine(s, i)
	case hasPrefixAt(s, i, "/*"):
		return tokenComment, blockComment(s, i, false)
	case c == '`':
		if n := bytes.IndexByte(s[i+1:], '`'); n >= 0 {
			return tokenString, i + n + 2
		}
		return tokenString, i
	case IsQuote(c):
		return tokenString, quoted(s, i, false)
	case isDigit(c), c == '.' && isDigit(at(s, i+1)):
		return tokenNumber, goNumber(s, i)
	case startsWord(c):
		return tokenWord, wordEnd(s, i)
	}
	return tokenSign, i + max(1, len(goOperator().Find(s[i:min(len(s), i+3)])))
}

// goNumber is the offset behind the number that begins at the offset.
func goNumber(s []byte, i int) int {
	for i < len(s) && (IsWordByte(s[i]) && s[i] != '$' && s[i] != '@' || s[i] == '.') {
		i++
	}
	return i
}

// goEnd matches what a line break behind it ends the statement of, but for names and
// literals.
var goEnd = lazy.Regexp(`^([)\]}]|\+\+|--|break|continue|fallthrough|return)$`)

// goKeyword matches words that are no names.
var goKeyword = lazy.Regexp(`^(break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package|range|return|select|struct|switch|type|var)$`)

// ended reports whether a line break here ends a statement.
func (r *goReader) ended() bool {
	last := r.last
	switch r.kindOf(last) {
	case tokenNumber, tokenString:
		return true
	case tokenWord:
		return !goKeyword().MatchString(r.textOf(last)) || goEnd().MatchString(r.textOf(last))
	case tokenSign:
		return goEnd().MatchString(r.textOf(last))
	}
	return false
}

// declare finds the specifications of the declaration that begins at the token. Those of
// constants stay as they are: what one says may depend on the one before.
func (r *goReader) declare(i int) {
	word := r.textOf(i)
	if r.kindOf(i) != tokenWord || word != "var" && word != "type" && word != "import" {
		return
	}
	open := r.beside(i, 1)
	if !r.is(open, "(") {
		r.specify(word, open)
		r.instead[i] = ""
		return
	}
	end := r.all[open].match
	r.instead[i], r.bare[open], r.bare[end] = "", true, true
	starts := true
	for n := r.beside(open, 1); n < end; n = r.beside(n, 1) {
		if m := r.all[n].match; m > n {
			n = m
		}
		if starts {
			r.specify(word, n)
		}
		starts = r.kindOf(n) == tokenEnd || r.is(n, ";")
	}
}

// specify notes how the specification is written that begins at the token. A variable
// of no given type is declared alike by ":=".
func (r *goReader) specify(word string, i int) {
	if is := r.beside(i, 1); word == "var" && r.kindOf(i) == tokenWord && r.is(is, "=") {
		r.instead[is] = ":= "
		return
	}
	r.before[i] = word + " "
}

// write writes the token down. A comma or a semicolon says nothing before a bracket
// that closes.
func (r *goReader) write(i int) {
	r.goTo(i)
	x := r.all[i]
	r.puts(r.before[i])
	switch with, ok := r.instead[i]; {
	case ok:
		r.puts(with)
	case r.bare[i]:
	case x.kind == tokenComment:
		r.comment(i)
	case x.kind == tokenEnd, r.is(i, ";"), r.is(i, ","):
		switch {
		case r.idle(i):
		case x.kind == tokenEnd:
			r.puts("; ")
		default:
			r.putToken(i)
		}
	case x.kind == tokenNumber && octal().MatchString(r.textOf(i)):
		r.puts("0o" + r.textOf(i)[1:] + " ")
	default:
		r.putToken(i)
	}
}

// idle reports whether the comma or the semicolon says nothing: it stands before a
// bracket that closes what has items or statements in it.
func (r *goReader) idle(i int) bool {
	outer, next := r.all[i].outer, r.beside(i, 1)
	if outer < 0 || next >= len(r.all) || r.all[next].match != outer || r.beside(i, -1) == outer {
		return false
	}
	if r.is(i, ",") || r.is(outer, "{") {
		return true
	}
	word := r.beside(outer, -1)
	return r.bare[outer] || r.is(word, "const")
}

// octal matches a number of base eight that only its zero tells.
var octal = lazy.Regexp(`^0[0-7]+$`)

// goMark matches a comment in which something looks for a word right behind its marker.
var goMark = lazy.Regexp(`^//([a-z0-9]+:|(line|export|extern|sys|sysnb|lint|nolint|nosec|noinspection)\b|[+#])`)

// comment writes a comment down, as it is but for the blank behind its marker. Where a
// directive stands on its line counts.
func (r *goReader) comment(i int) {
	x := r.all[i]
	text := bytes.TrimRight(r.s[x.from:x.to], Blanks+"\r")
	first := i == 0 || bytes.IndexByte(r.s[r.all[i-1].to:x.from], '\n') >= 0
	switch {
	case text[1] == '*':
		r.upTo(x.to, markLine)
	case goMark().Match(text):
		if first {
			r.put(markLine)
		}
		if x.from == 0 || r.s[x.from-1] == '\n' {
			r.put(markLine)
		}
		r.put(text...)
	default:
		text = bytes.TrimPrefix(text[len("//"):], []byte{' '}) // a tab makes code of documentation
		r.puts("// ")
		r.put(text...)
	}
	r.put(markRemark)
}
