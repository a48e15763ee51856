package evidence

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// layout is a run of lines reduced to what is left when its layout is taken
// away: the canonical lines joined, with a mark wherever a line break counts.
type layout struct {
	text   []byte
	lines  []placed // the lines that are not blank
	indent [][]byte // leading white space of each stretch between two marks
}

// placed is a line with its part of the text, marks and joining blanks excluded.
type placed struct{ line, from, to int }

// hardBreak marks a line break that counts.
const hardBreak = '\n'

// layoutOf reduces lines first to last of the text.
func (l language) layoutOf(t *linemap.Text, first, last int) layout {
	out := layout{text: make([]byte, 0, len(t.Lines(first, last)))}
	depth, hard, fenced := 0, true, false
	var before []byte // canonical form of the line before
	for n := first; n <= last; n++ {
		raw := t.Line(n)
		line := l.canon(raw)
		if len(line) == 0 {
			hard = hard || l.joins == joinProse // a blank line parts paragraphs
			continue
		}
		if l.joins == joinProse && bytes.HasPrefix(line, []byte("```")) {
			fenced = !fenced
		}
		hard = hard || fenced || l.breakCounts(before, line, depth)
		if hard {
			if len(out.text) > 0 {
				out.text = append(out.text, hardBreak)
			}
			out.indent = append(out.indent, indentation(raw))
		} else if !l.spacing || apart(out.text[len(out.text)-1], line[0]) {
			out.text = append(out.text, ' ')
		}
		from := len(out.text)
		out.text = append(out.text, line...)
		out.lines = append(out.lines, placed{n, from, len(out.text)})
		depth += l.nesting(line)
		before, hard = line, false
	}
	return out
}

// breakCounts reports whether the break between two lines may not move. A
// comment's end always counts: joining the next line to it would disable that
// line.
func (l language) breakCounts(before, after []byte, depth int) bool {
	switch {
	case l.joins == joinAlways:
		return false
	case l.joins == joinNever, l.hasComment(before):
		return true
	case l.joins == joinBrackets:
		return depth <= 0
	case l.joins == joinProse:
		return before[0] == '#' || proseStart().Match(after)
	default:
		return before[0] == '#' || after[0] == '#' || // a directive is a line
			statementEnd().Match(before) || bytes.HasPrefix(after, []byte("++")) || bytes.HasPrefix(after, []byte("--"))
	}
}

// statementEnd matches lines after which a break ends the statement in some
// language of the brace family.
var statementEnd = lazy.Regexp(`(^|\W)(return|throw|break|continue|yield|async)$|(\+\+|--)$`)

// proseStart matches lines that begin something of their own: a heading, a list
// item, a quotation, a table row, a fence, a directive, an indented code line.
var proseStart = lazy.Regexp("^([#>|:=~+*-]|```|[0-9]+[.)] |<|\\.\\. )")

// hasComment reports whether the canonical line holds a line comment.
func (l language) hasComment(line []byte) bool { return l.commentStart(line) < len(line) }

// commentStart is where the canonical line's comment begins, or its length.
func (l language) commentStart(line []byte) int {
	for i := 0; i < len(line); {
		switch {
		case isQuote(line[i]):
			i = stringEnd(line, i)
		case l.commentAt(line, i):
			return i
		default:
			i++
		}
	}
	return len(line)
}

// nesting is how many brackets the canonical line opens less those it closes.
func (l language) nesting(line []byte) int {
	if l.joins != joinBrackets {
		return 0
	}
	n := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case isQuote(c):
			i = stringEnd(line, i) - 1
		case l.commentAt(line, i):
			return n
		case c == '(' || c == '[' || c == '{' && l.indent == indentShape:
			n++ // a brace holds statements, but for a language without blocks in braces
		case c == ')' || c == ']' || c == '}' && l.indent == indentShape:
			n--
		}
	}
	return n
}

// sameLayout reports whether two runs of lines differ in layout alone.
func (l language) sameLayout(a, b layout) bool {
	return bytes.Equal(a.text, b.text) && l.sameIndent(a.indent, b.indent)
}

// sameIndent compares leading white space, stretch by stretch, as far as it
// means anything. A block may move as a whole, by any constant, and may be
// indented by another unit (tabs for blanks, two for four); its shape may not
// change, for in such languages the shape is the program: a check that slips out
// of its condition has equal words and another meaning.
func (l language) sameIndent(a, b [][]byte) bool {
	switch {
	case len(a) != len(b):
		return false
	case l.indent == indentFree, l.joins == joinProse:
		return true
	case l.indent == indentExact:
		return slices.EqualFunc(a, b, bytes.Equal)
	default:
		return shifted(a, b) || shifted(b, a) || sameShape(a, b)
	}
}

// shifted reports whether every line of b is that of a behind one and the same
// prefix.
func shifted(a, b [][]byte) bool {
	for i := range a {
		grown := len(b[i]) - len(a[i])
		if grown < 0 || grown != len(b[0])-len(a[0]) || !bytes.Equal(b[i][:grown], b[0][:grown]) || !bytes.Equal(b[i][grown:], a[i]) {
			return false
		}
	}
	return true
}

// tabWidth is the distance of tab stops, as Python's grammar has it.
const tabWidth = 8

// shape gives each line its depth below the first, counted in steps rather than
// blanks; nil when steps cannot be counted, because a line lies outside the
// first or falls back to a level that none before it had.
func shape(indents [][]byte) []int {
	var levels, out []int
	for i, indent := range indents {
		w := width(indent)
		fell := false
		for len(levels) > 0 && levels[len(levels)-1] > w {
			levels, fell = levels[:len(levels)-1], true
		}
		if i > 0 && len(levels) == 0 || fell && levels[len(levels)-1] != w {
			return nil
		}
		if len(levels) == 0 || levels[len(levels)-1] < w {
			levels = append(levels, w)
		}
		out = append(out, len(levels))
	}
	return out
}

// sameShape reports whether both have a shape and it is the same.
func sameShape(a, b [][]byte) bool {
	x := shape(a)
	return x != nil && slices.Equal(x, shape(b))
}

func width(indent []byte) int {
	w := 0
	for _, c := range indent {
		if c == '\t' {
			w += tabWidth - w%tabWidth
		} else {
			w++
		}
	}
	return w
}
