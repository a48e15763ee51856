package evidence

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
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
	if p.bothRead() && !bytes.Equal(p.old.ReadingShallow(was.First, was.Last), p.new.ReadingShallow(is.First, is.Last)) {
		return "the cited lines keep their words, but white space that counts changed"
	}
	if p.old.Lang.HasScalars() && !p.bothRead() && !p.shiftedAlone(was, is) {
		return "the cited lines keep their words, but white space changed in a file that cannot be read as YAML"
	}
	a, b := p.old.saying(was), p.new.saying(is)
	if p.old.Lexed() && p.new.Lexed() {
		return p.relaidTexts(a, b)
	}
	if !bytes.Equal(squeezed(p.old.Spelled(), a), squeezed(p.new.Spelled(), b)) {
		if p.old.Doubtful(a) || p.new.Doubtful(b) {
			return "the cited lines keep their words, but were joined to or parted from others beside a comment or a quote"
		}
		return ""
	}
	for len(a) > 0 && len(b) > 0 {
		n, m := together(p.old.Spelled(), a, p.new.Spelled(), b)
		switch {
		case n == 1 && m == 1:
			if why := p.relaidLine(a[0], b[0]); why != "" {
				return why
			}
		case p.old.Doubtful(a[:n]) || p.new.Doubtful(b[:m]):
			return fmt.Sprintf("the cited lines keep their words, but lines were joined or parted beside a comment, a quote or a string, line %d", b[0])
		}
		a, b = a[n:], b[m:]
	}
	return ""
}

// relaidLine compares two lines of equal words.
func (p *pair) relaidLine(was, is int) string {
	old, new := syntax.WithoutCR(p.old.Spelled().Line(was)), syntax.WithoutCR(p.new.Spelled().Line(is))
	begins := p.old.Touches(was) == syntax.TouchStart && p.new.Touches(is) == syntax.TouchStart
	switch {
	case p.old.Touches(was) == syntax.TouchNone && p.new.Touches(is) == syntax.TouchNone:
		if bytes.HasSuffix(old, []byte{'\\'}) != bytes.HasSuffix(new, []byte{'\\'}) {
			return fmt.Sprintf("the cited lines keep their words, but a blank behind a backslash came or went, line %d", is)
		}
	case !bytes.Equal(old, new) && !(begins && bytes.Equal(bytes.TrimLeft(old, syntax.Blanks), bytes.TrimLeft(new, syntax.Blanks))) && !p.sameInText(was, is):
		return fmt.Sprintf("the cited lines keep their words, but white space changed inside a string of several lines, line %d", is)
	}
	return ""
}

// saying lists the lines that are not blank, and those inside strings.
func (d *document) saying(r scorecard.LineRange) []int {
	var out []int
	for n := max(1, r.First); n <= min(r.Last, d.Text.Len()); n++ {
		if len(d.Plain().Line(n)) > 0 || d.Touches(n) == syntax.TouchInside {
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
	return bytes.ReplaceAll(bytes.ReplaceAll(syntax.WithoutCR(t.Line(n)), []byte{' '}, nil), []byte{'\t'}, nil)
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
	l := p.old.Lang
	if !l.ShapedIndent() || l.Prose() || p.readAlike(was, is) {
		return ""
	}
	a, b := p.old.saying(was), p.new.saying(is)
	if len(a) == 0 || len(b) == 0 {
		return ""
	}
	differs := func(old, new, from, to int) bool {
		return cmp.Compare(p.old.Width(old), p.old.Width(from)) != cmp.Compare(p.new.Width(new), p.new.Width(to))
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
	for n := last + 1; n <= p.old.Text.Len(); n++ {
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
	if d.Lang.BracketsJoin() {
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
	line := p.old.Plain().Line(n)
	if len(line) == 0 || !p.old.Begins(n) || !p.new.Begins(to) || p.old.Lang.IsRemark(line) || p.old.Inside(n).Name != "" || p.new.Inside(to).Name != "" {
		return 0
	}
	return to
}
