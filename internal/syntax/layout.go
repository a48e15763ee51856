package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// Layout is a run of lines reduced to what is left when its layout is taken
// away: the canonical lines joined, with a mark wherever a line break counts.
type Layout struct {
	Text   []byte
	Lines  []Placed // the lines that are not blank
	indent [][]byte // leading white space of each stretch between two marks
}

// Placed is a line with its part of the text, marks and joining blanks excluded.
type Placed struct{ Line, From, To int }

// HardBreak marks a line break that counts.
const HardBreak = '\n'

// Layout reduces lines first to last of the document, by the rules of a language.
func (d *Document) Layout(l *Language, first, last int) Layout {
	t := d.Spelled()
	if l.joins == joinAlways {
		t = d.Text
	}
	out := Layout{Text: make([]byte, 0, len(t.Lines(first, last)))}
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
			if len(out.Text) > 0 {
				out.Text = append(out.Text, HardBreak)
			}
			out.indent = append(out.indent, Indentation(t.Line(d.Statement(n))))
		} else if n := len(out.Text); d.glues && line[0] == markGlue && out.Text[n-1] == markGlue { // one string
			out.Text, line = out.Text[:n-1], line[1:]
			out.Lines[len(out.Lines)-1].To--
		} else if !l.spacing || apart(out.Text[len(out.Text)-1], line[0]) {
			out.Text = append(out.Text, ' ')
		}
		from := len(out.Text)
		out.Text = append(out.Text, line...)
		out.Lines = append(out.Lines, Placed{n, from, len(out.Text)})
		before, hard = n, false
	}
	return out
}

// breakCounts reports whether the break between two lines may not move. A
// comment's end always counts: joining the next line to it would disable that
// line.
func (d *Document) breakCounts(l *Language, above, below int) bool {
	if l.joins == joinAlways {
		return false
	}
	before, after := l.canon(d.Text.Line(above)), l.canon(d.Text.Line(below))
	switch {
	case l.joins == joinNever, d.remarked(l, above, before):
		return true
	case l.joins == joinBrackets:
		return !d.Wrapped(below)
	case l.joins == joinProse:
		return before[0] == '#' || proseStart().Match(after)
	default:
		return before[0] == '#' || after[0] == '#' || // a directive is a line
			after[0] != '}' && statementEnd().Match(before) || bytes.HasPrefix(after, []byte("++")) || bytes.HasPrefix(after, []byte("--"))
	}
}

// remarked reports whether a comment stands at the end of the line, whose canonical
// form is given for where only that tells.
func (d *Document) remarked(l *Language, n int, canonical []byte) bool {
	if d.remarks != nil {
		return d.remarks[n]
	}
	return l.hasComment(canonical)
}

// Wrapped reports whether the line goes on with the statement before it: it is in
// brackets that hold no statements, or behind a backslash.
func (d *Document) Wrapped(line int) bool {
	if !d.BracketsKnown(line) || d.Inside(line).Name != "" {
		return false
	}
	i := d.nest.around(line)
	return i >= 0 && (d.nest.all[i].Kind != '{' || d.Lang.indent == indentShape) || d.Lang.spells != nil && d.Continued(line)
}

// statementEnd matches lines after which a break ends the statement in some
// language of the brace family.
var statementEnd = lazy.Regexp(`(^|\W)(return|throw|break|continue|yield|async);?$|(\+\+|--);?$`)

// proseStart matches lines that begin something of their own: a heading, a list
// item, a quotation, a table row, a fence, a directive, an indented code line.
var proseStart = lazy.Regexp("^([#>|:=~+*-]|```|[0-9]+[.)] |<|\\.\\. )")

// IsRemark reports whether the canonical line is a comment and nothing else.
func (l *Language) IsRemark(line []byte) bool { return l.commentStart(line) == 0 }

// hasComment reports whether the canonical line holds a line comment.
func (l *Language) hasComment(line []byte) bool { return l.commentStart(line) < len(line) }

// commentStart is where the canonical line's comment begins, or its length.
func (l *Language) commentStart(line []byte) int {
	for i := 0; i < len(line); {
		switch {
		case IsQuote(line[i]):
			i = StringEnd(line, i)
		case l.commentAt(line, i):
			return i
		default:
			i++
		}
	}
	return len(line)
}
