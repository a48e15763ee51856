package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// touch says how a line and the strings of several lines meet.
type touch int

const (
	apartFrom touch = iota
	atStart         // one opens on the line
	inString        // the line begins inside of one
)

// touches tells whether white space of the line may be part of a string of several
// lines. Where a string never ends, that is all that follows.
func (d *Document) touches(line int) touch {
	e := d.touching(line)
	switch {
	case e.name != "" && e.name != commentName && e.first < line:
		return inString
	case e.name != "" && e.name != commentName, d.touchingNext(line, e):
		return atStart
	case d.open > 0 && line >= d.open:
		return inString
	}
	return apartFrom
}

// touchingNext reports whether a string opens on the line on which e ends.
func (d *Document) touchingNext(line int, e enclosure) bool {
	if e.name == "" || e.last != line {
		return false
	}
	for _, o := range d.enclosures {
		if o.first == line && o.name != commentName {
			return true
		}
	}
	return false
}

// textMargin is how far the first line of a text of YAML is indented.
func (d *Document) textMargin(e enclosure) int {
	for n := e.first + 1; n <= e.last; n++ {
		if len(bytes.TrimSpace(d.text.Line(n))) > 0 {
			return d.width(n)
		}
	}
	return 0
}

// docQuote begins a string that is a statement of its own.
var docQuote = lazy.Regexp(`^[rRuU]?("""|''')`)

// docstring reports whether the string is a statement of Python that does nothing.
func (d *Document) docstring(e enclosure) bool {
	return family(d.path) == "python" && d.begins(e.first) && docQuote().Match(bytes.TrimLeft(d.text.Line(e.first), blanks))
}
