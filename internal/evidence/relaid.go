package evidence

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// relaid says what, if anything, makes it doubtful that lines with the same words
// differ in layout alone. It returns "" when nothing does.
//
// It is stricter than the rules of layout, because those read lines one by one: a
// white space inside a string of several lines is text, a blank behind a
// backslash parts lines, and a line that was joined to another may have become
// part of its comment.
func (p *pair) relaid(was, is scorecard.LineRange) string {
	if p.readAlike(was, is) {
		return ""
	}
	if p.bothRead() && !bytes.Equal(p.old.readShallow(was.First, was.Last), p.new.readShallow(is.First, is.Last)) {
		return "the cited lines keep their words, but white space that counts changed"
	}
	if p.old.lang.HasScalars() && !p.bothRead() && !p.shiftedAlone(was, is) {
		return "the cited lines keep their words, but white space changed in a file that cannot be read as YAML"
	}
	a, b := p.old.saying(was), p.new.saying(is)
	if p.old.lexed() && p.new.lexed() {
		return p.relaidTexts(a, b)
	}
	if !bytes.Equal(squeezed(p.old.spelled(), a), squeezed(p.new.spelled(), b)) {
		if p.old.doubtful(a) || p.new.doubtful(b) {
			return "the cited lines keep their words, but were joined to or parted from others beside a comment or a quote"
		}
		return ""
	}
	for len(a) > 0 && len(b) > 0 {
		n, m := together(p.old.spelled(), a, p.new.spelled(), b)
		switch {
		case n == 1 && m == 1:
			if why := p.relaidLine(a[0], b[0]); why != "" {
				return why
			}
		case p.old.doubtful(a[:n]) || p.new.doubtful(b[:m]):
			return fmt.Sprintf("the cited lines keep their words, but lines were joined or parted beside a comment, a quote or a string, line %d", b[0])
		}
		a, b = a[n:], b[m:]
	}
	return ""
}

// relaidLine compares two lines of equal words.
func (p *pair) relaidLine(was, is int) string {
	old, new := withoutCR(p.old.spelled().Line(was)), withoutCR(p.new.spelled().Line(is))
	begins := p.old.touches(was) == atStart && p.new.touches(is) == atStart
	switch {
	case p.old.touches(was) == apartFrom && p.new.touches(is) == apartFrom:
		if bytes.HasSuffix(old, []byte{'\\'}) != bytes.HasSuffix(new, []byte{'\\'}) {
			return fmt.Sprintf("the cited lines keep their words, but a blank behind a backslash came or went, line %d", is)
		}
	case !bytes.Equal(old, new) && !(begins && bytes.Equal(bytes.TrimLeft(old, blanks), bytes.TrimLeft(new, blanks))) && !p.sameInText(was, is):
		return fmt.Sprintf("the cited lines keep their words, but white space changed inside a string of several lines, line %d", is)
	}
	return ""
}

// saying lists the lines that are not blank, and those inside strings.
func (d *document) saying(r scorecard.LineRange) []int {
	var out []int
	for n := max(1, r.First); n <= min(r.Last, d.text.Len()); n++ {
		if len(d.plainText().Line(n)) > 0 || d.touches(n) == inString {
			out = append(out, n)
		}
	}
	return out
}

func squeezed(t *linemap.Text, lines []int) []byte {
	var out []byte
	for _, n := range lines {
		out = append(out, squeezedLine(t, n)...)
	}
	return out
}

func squeezedLine(t *linemap.Text, n int) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(withoutCR(t.Line(n)), []byte{' '}, nil), []byte{'\t'}, nil)
}

// together returns how many lines of each side hold the same words, at least one.
func together(t *linemap.Text, a []int, u *linemap.Text, b []int) (n, m int) {
	n, m = 1, 1
	x, y := len(squeezedLine(t, a[0])), len(squeezedLine(u, b[0]))
	for x != y {
		switch {
		case x < y && n < len(a):
			x += len(squeezedLine(t, a[n]))
			n++
		case y < x && m < len(b):
			y += len(squeezedLine(u, b[m]))
			m++
		default:
			return len(a), len(b)
		}
	}
	return n, m
}

// nested says whether the cited lines lie in another way to what stands around
// them, in a language where indentation is the program. The nearest lines before
// and after them that stayed tell: what was deeper than them has to be deeper.
func (p *pair) nested(was, is scorecard.LineRange) string {
	l := p.old.lang
	if !l.ShapedIndent() || l.Prose() || p.readAlike(was, is) {
		return ""
	}
	a, b := p.old.saying(was), p.new.saying(is)
	if len(a) == 0 || len(b) == 0 {
		return ""
	}
	differs := func(old, new, from, to int) bool {
		return cmp.Compare(p.old.width(old), p.old.width(from)) != cmp.Compare(p.new.width(new), p.new.width(to))
	}
	first, at, last, end := a[0], b[0], p.old.lastStatement(a), p.new.lastStatement(b)
	if _, begins := p.old.lineDepths()[first]; !begins && l.BracketsJoin() {
		return "" // inside brackets indentation means nothing
	}
	for n := first - 1; n >= 1; n-- {
		if to := p.neighbour(n); to > 0 && to < at {
			if differs(first, at, n, to) {
				return fmt.Sprintf("the cited lines stand as they were, but are indented in another way to the line before them, line %d", to)
			}
			break
		}
	}
	for n := last + 1; n <= p.old.text.Len(); n++ {
		if to := p.neighbour(n); to > end {
			if differs(first, at, n, to) || differs(last, end, n, to) {
				return fmt.Sprintf("the cited lines stand as they were, but are indented in another way to the line after them, line %d", to)
			}
			break
		}
	}
	return ""
}

// lastStatement is the last of the lines that begins a statement: what continues
// one inside brackets may be indented in any way.
func (d *document) lastStatement(lines []int) int {
	if d.lang.BracketsJoin() {
		for i := len(lines) - 1; i > 0; i-- {
			if _, begins := d.lineDepths()[lines[i]]; begins {
				return lines[i]
			}
		}
		return lines[0]
	}
	return lines[len(lines)-1]
}

// neighbour is where the old line went that can be measured against, or 0: one in
// plain code, neither blank nor a comment.
func (p *pair) neighbour(n int) int {
	to := p.plainMap().ToNew(n)
	if to == 0 {
		return 0
	}
	line := p.old.plainText().Line(n)
	if len(line) == 0 || !p.old.begins(n) || !p.new.begins(to) || p.old.lang.isRemark(line) || p.old.inside(n).name != "" || p.new.inside(to).name != "" {
		return 0
	}
	return to
}
