package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
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

// layoutOf reduces lines first to last of the document, by the rules of a language.
func (d *Document) layoutOf(l *language, first, last int) layout {
	t := d.spelled()
	if l.joins == joinAlways {
		t = d.text
	}
	out := layout{text: make([]byte, 0, len(t.Lines(first, last)))}
	hard, fenced := true, false
	before := 0 // the line before that says something
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
		hard = hard || fenced || d.breakCounts(l, before, n)
		if hard {
			if len(out.text) > 0 {
				out.text = append(out.text, hardBreak)
			}
			out.indent = append(out.indent, indentation(t.Line(d.statement(n))))
		} else if n := len(out.text); d.glues && line[0] == markGlue && out.text[n-1] == markGlue { // one string
			out.text, line = out.text[:n-1], line[1:]
			out.lines[len(out.lines)-1].to--
		} else if !l.spacing || apart(out.text[len(out.text)-1], line[0]) {
			out.text = append(out.text, ' ')
		}
		from := len(out.text)
		out.text = append(out.text, line...)
		out.lines = append(out.lines, placed{n, from, len(out.text)})
		before, hard = n, false
	}
	return out
}

// breakCounts reports whether the break between two lines may not move. A
// comment's end always counts: joining the next line to it would disable that
// line.
func (d *Document) breakCounts(l *language, above, below int) bool {
	if l.joins == joinAlways {
		return false
	}
	before, after := l.canon(d.text.Line(above)), l.canon(d.text.Line(below))
	switch {
	case l.joins == joinNever, d.remarked(l, above, before):
		return true
	case l.joins == joinBrackets:
		return !d.wrapped(below)
	case l.joins == joinProse:
		return before[0] == '#' || proseStart().Match(after)
	default:
		return before[0] == '#' || after[0] == '#' || // a directive is a line
			after[0] != '}' && statementEnd().Match(before) || bytes.HasPrefix(after, []byte("++")) || bytes.HasPrefix(after, []byte("--"))
	}
}

// remarked reports whether a comment stands at the end of the line, whose canonical
// form is given for where only that tells.
func (d *Document) remarked(l *language, n int, canonical []byte) bool {
	if d.remarks != nil {
		return d.remarks[n]
	}
	return l.hasComment(canonical)
}

// wrapped reports whether the line goes on with the statement before it: it is in
// brackets that hold no statements, or behind a backslash.
func (d *Document) wrapped(line int) bool {
	if !d.bracketsKnown(line) || d.inside(line).name != "" {
		return false
	}
	i := d.nest.around(line)
	return i >= 0 && (d.nest.all[i].kind != '{' || d.lang.indent == indentShape) || d.lang.spells != nil && d.continued(line)
}

// statementEnd matches lines after which a break ends the statement in some
// language of the brace family.
var statementEnd = lazy.Regexp(`(^|\W)(return|throw|break|continue|yield|async);?$|(\+\+|--);?$`)

// proseStart matches lines that begin something of their own: a heading, a list
// item, a quotation, a table row, a fence, a directive, an indented code line.
var proseStart = lazy.Regexp("^([#>|:=~+*-]|```|[0-9]+[.)] |<|\\.\\. )")

// isRemark reports whether the canonical line is a comment and nothing else.
func (l *language) isRemark(line []byte) bool { return l.commentStart(line) == 0 }

// hasComment reports whether the canonical line holds a line comment.
func (l *language) hasComment(line []byte) bool { return l.commentStart(line) < len(line) }

// commentStart is where the canonical line's comment begins, or its length.
func (l *language) commentStart(line []byte) int {
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
