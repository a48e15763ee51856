package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// Touch says how a line and the strings of several lines meet.
type Touch int

const (
	TouchNone   Touch = iota // they do not
	TouchStart               // one opens on the line
	TouchInside              // the line begins inside of one
)

// Touches tells whether white space of the line may be part of a string of several
// lines. Where a string never ends, that is all that follows.
func (d *Document) Touches(line int) Touch {
	e := d.Touching(line)
	switch {
	case e.Name != "" && e.Name != CommentName && e.First < line:
		return TouchInside
	case e.Name != "" && e.Name != CommentName, d.touchingNext(line, e):
		return TouchStart
	case d.open > 0 && line >= d.open:
		return TouchInside
	}
	return TouchNone
}

// touchingNext reports whether a string opens on the line on which e ends.
func (d *Document) touchingNext(line int, e Enclosure) bool {
	if e.Name == "" || e.Last != line {
		return false
	}
	for _, o := range d.enclosures {
		if o.First == line && o.Name != CommentName {
			return true
		}
	}
	return false
}

// TextMargin is how far the first line of a text of YAML is indented. It is kept, for
// each line of the text asks for it.
func (d *Document) TextMargin(e Enclosure) int {
	margin, known := d.margins[e.First]
	if known {
		return margin
	}
	for n := e.First + 1; n <= e.Last; n++ {
		if len(bytes.TrimSpace(d.Text.Line(n))) > 0 {
			margin = d.Width(n)
			break
		}
	}
	if d.margins == nil {
		d.margins = map[int]int{}
	}
	d.margins[e.First] = margin
	return margin
}

// docQuote begins a string that is a statement of its own.
var docQuote = lazy.Regexp(`^[rRuU]?("""|''')`)

// Docstring reports whether the string is a statement of Python that does nothing.
func (d *Document) Docstring(e Enclosure) bool {
	return Family(d.Path) == "python" && d.Begins(e.First) && docQuote().Match(bytes.TrimLeft(d.Text.Line(e.First), Blanks))
}
