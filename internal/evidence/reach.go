package evidence

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// disabled says what, if anything, was put before lines that stand as they did
// and keeps them from being reached: a comment or a string that opens above them,
// a condition that is never met, a return. It returns "" when nothing was.
//
// Lines that are equal do the same only in the same surroundings, and not all of
// those can be judged here. These few are the cheap ways to switch a control off
// without touching a cited line, and they can be told for certain.
func (p *pair) disabled(was, is scorecard.LineRange) string {
	if within := p.new.lang.enclosure(p.new.text, is.First); within != "" && p.old.lang.enclosure(p.old.text, was.First) == "" {
		return "the lines stand as they were, but now inside " + within
	}
	above, line := lineAbove(p.new.text, is.First)
	if before, _ := lineAbove(p.old.text, was.First); bytes.Equal(bytes.TrimSpace(before), bytes.TrimSpace(above)) {
		return ""
	}
	code := p.new.lang.canon(above)
	switch {
	case neverTrue.Match(code):
		return "the lines stand as they were, but under a condition that is never met, line " + scorecard.LineRange{First: line, Last: line}.String()
	case p.leaves(code, above, p.new.text.Line(is.First)):
		return "the lines stand as they were, but a statement before them leaves, line " + scorecard.LineRange{First: line, Last: line}.String()
	}
	return ""
}

// neverTrue matches the canonical form of a condition that never holds.
var neverTrue = regexp.MustCompile(`^(\}?(if|elif|else if|while) ?\(?(False|false|0|None|null|nil)\)?[:{]?|#if 0)$`)

// leaving matches a statement that leaves its block whatever happens.
var leaving = regexp.MustCompile(`^(return|raise|throw|continue|break)\b[^{]*$`)

// label matches lines that can be reached past a statement that leaves.
var label = regexp.MustCompile(`^(case\b|default:|else\b|elif\b|except\b|finally\b|catch\b|[})\]]|\w+:$|@|def |class |func |function |async )`)

// leaves reports whether the line above is a whole statement that leaves the
// block which next belongs to, so that next is not reached. Only languages with
// such statements are judged.
func (p *pair) leaves(code, above, next []byte) bool {
	l := p.new.lang
	if !l.spacing || !leaving.Match(code) || l.hasComment(code) || balance(code) != 0 || label.Match(l.canon(next)) {
		return false
	}
	if last := code[len(code)-1]; l.comment == "//" && last != ';' && !isAtomByte(last) && last != ')' {
		return false // goes on in the next line
	}
	return bytes.Equal(indentation(above), indentation(next))
}

// balance is how many brackets the canonical line opens less those it closes.
func balance(line []byte) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch {
		case isQuote(line[i]):
			i = stringEnd(line, i) - 1
		case strings.IndexByte("([{", line[i]) >= 0:
			n++
		case strings.IndexByte(")]}", line[i]) >= 0:
			n--
		}
	}
	return n
}

func indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeft(line, " \t\r\f\v"))]
}

// lineAbove returns the nearest line before n that is not blank, and its number.
func lineAbove(t *linemap.Text, n int) ([]byte, int) {
	for n--; n >= 1; n-- {
		if len(bytes.TrimSpace(t.Line(n))) > 0 {
			return t.Line(n), n
		}
	}
	return nil, 0
}

// enclosure names what the line begins inside of, when it is a comment or a
// string of several lines; "" in plain code and in languages that have neither.
func (l language) enclosure(t *linemap.Text, line int) string {
	if line <= 1 || l.block[0] == "" && !l.triple && !l.backtick {
		return ""
	}
	s := t.Lines(1, line-1)
	for i := 0; i < len(s); {
		within, to := l.opens(s, i)
		if to < 0 {
			return within
		}
		i = to
	}
	return ""
}

// opens looks at one place in the text: it returns the offset just past what
// begins there, or -1 and its name when that does not end within the text.
func (l language) opens(s []byte, i int) (within string, to int) {
	rest := s[i:]
	switch {
	case l.comment != "" && bytes.HasPrefix(rest, []byte(l.comment)):
		return "", endOfLine(s, i)
	case l.block[0] != "" && bytes.HasPrefix(rest, []byte(l.block[0])):
		return "a comment", past(s, i+len(l.block[0]), l.block[1])
	case l.triple && (bytes.HasPrefix(rest, []byte(`"""`)) || bytes.HasPrefix(rest, []byte(`'''`))):
		return "a string", past(s, i+3, string(rest[:3]))
	case l.backtick && s[i] == '`':
		return "a string", past(s, i+1, "`")
	case l.spacing && (s[i] == '"' || s[i] == '\''):
		return "", i + stringEnd(s[i:endOfLine(s, i)], 0)
	}
	return "", i + 1
}

func endOfLine(s []byte, i int) int {
	if n := bytes.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// past returns the offset just past the end mark, or -1.
func past(s []byte, i int, end string) int {
	n := bytes.Index(s[i:], []byte(end))
	if n < 0 {
		return -1
	}
	return i + n + len(end)
}
