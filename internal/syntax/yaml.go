package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
)

// yamlReader reads YAML. What it does not know (tags of a document, keys that are no
// plain words, tabs that indent) and what is no YAML ends the reading.
type yamlReader struct {
	*reader
	levels []yamlLevel
	begun  bool // something of the document stands before
	marked bool // the document was begun by a mark
	failed bool
}

// yamlLevel is a mapping or a list of several lines.
type yamlLevel struct {
	column int
	list   bool
	open   bool // the last key or item has no value yet
}

// readYAML is the reading of YAML: one way to indent, to quote and to wrap.
func readYAML(t *linemap.Text) (*linemap.Text, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	y := yamlReader{reader: r}
	for !y.done() && !y.failed {
		y.statement()
	}
	return y.text(), !y.failed
}

func (y *yamlReader) fail() { y.failed = true }

// statement reads from the start of a line on, at least up to its end.
func (y *yamlReader) statement() {
	column := 0
	for y.peek(column) == ' ' {
		column++
	}
	y.at += column
	tabbed := y.skip() > 0
	switch {
	case y.atEnd():
		y.newline()
	case y.peek(0) == '#':
		y.remark()
		y.newline()
	case tabbed, column == 0 && y.peek(0) == '%':
		y.fail()
	case column == 0 && y.document():
	default:
		y.node(column)
	}
}

// document reads the mark between two documents, if one stands here.
func (y *yamlReader) document() bool {
	begins, ends := bytes.HasPrefix(y.s[y.at:], []byte("---")), bytes.HasPrefix(y.s[y.at:], []byte("..."))
	if c := y.peek(3); !begins && !ends || !IsBlank(c) && c != '\n' && c != 0 {
		return false
	}
	if y.begun || y.marked || ends {
		y.puts(string(y.s[y.at : y.at+3]))
		y.put(markAhead)
	}
	y.at += 3
	y.levels, y.begun, y.marked = nil, false, begins
	y.finish()
	return true
}

// finish reads a comment and the end of the line, before which nothing else may stand.
func (y *yamlReader) finish() {
	blank := y.skip() > 0 || y.at == 0
	if blank && y.peek(0) == '#' {
		y.remark()
	}
	if !y.atEnd() {
		y.fail()
	}
	y.newline()
}

// enter goes to the mapping or the list at the column, and marks how deep it lies.
func (y *yamlReader) enter(column int, list bool) {
	n := len(y.levels)
	for n > 0 && (y.levels[n-1].column > column || y.levels[n-1].column == column && y.levels[n-1].list && !list) {
		n--
	}
	y.levels = y.levels[:n]
	switch {
	case n > 0 && y.levels[n-1].column == column && y.levels[n-1].list == list:
	case n == 0 && y.begun || n > 0 && !y.levels[n-1].open || n >= maxReadDepth:
		y.fail()
		return
	default:
		if n > 0 {
			y.levels[n-1].open = false
		}
		y.levels = append(y.levels, yamlLevel{column: column, list: list})
	}
	y.begun = true
	y.levels[len(y.levels)-1].open = true
	y.put(bytes.Repeat([]byte{markDepth}, len(y.levels))...)
}

// value notes that a value stands at the column, where only one can.
func (y *yamlReader) value(column int) {
	for n := len(y.levels); n > 0 && y.levels[n-1].column >= column; n-- {
		y.levels = y.levels[:n-1]
	}
	y.given()
}

// given notes that the last key or item has its value.
func (y *yamlReader) given() {
	n := len(y.levels)
	if n == 0 && y.begun || n > 0 && !y.levels[n-1].open {
		y.fail()
		return
	}
	y.begun = true
	if n > 0 {
		y.levels[n-1].open = false
	}
}

// margin is the column that what belongs to the last key or item stands behind.
func (y *yamlReader) margin() int {
	if n := len(y.levels); n > 0 {
		return y.levels[n-1].column
	}
	return -1
}

// node reads items, a key and a value from the column on, which begins a line.
func (y *yamlReader) node(column int) {
	for y.peek(0) == '-' && y.parts(1) && !y.failed {
		y.enter(column, true)
		y.puts("- ")
		y.at++
		if column += 1 + y.skip(); y.atEnd() || y.peek(0) == '#' {
			y.finishFrom()
			return
		}
		if at(y.s, y.at-1) == '\t' {
			y.fail()
		}
	}
	props := y.properties()
	if y.atEnd() && len(props) > 0 {
		y.value(column)
		y.levelsOpen()
		y.put(append(props, markAhead)...)
		y.newline()
		return
	}
	if y.key(column, props) {
		return
	}
	if y.value(column); y.failed {
		return
	}
	y.put(props...)
	y.scalar()
}

// levelsOpen takes back that a value was given: its properties alone were.
func (y *yamlReader) levelsOpen() {
	if n := len(y.levels); n > 0 {
		y.levels[n-1].open = true
	} else {
		y.begun = false
	}
}

// finishFrom is finish behind blanks that were passed over.
func (y *yamlReader) finishFrom() {
	if y.peek(0) == '#' {
		y.remark()
	}
	y.newline()
}

// parts reports whether a blank or the end of the line is n bytes further on.
func (y *yamlReader) parts(n int) bool {
	c := y.peek(n)
	return IsBlank(c) || c == '\n' || c == 0 && y.at+n >= len(y.s)
}

// properties takes the anchor and the tag of a node.
func (y *yamlReader) properties() []byte {
	var out []byte
	for c := y.peek(0); c == '&' || c == '!'; c = y.peek(0) {
		from := y.at
		for !y.parts(0) && bytes.IndexByte([]byte(",[]{}"), y.peek(0)) < 0 {
			y.at++
		}
		out = append(append(out, y.s[from:y.at]...), ' ')
		if !y.parts(0) {
			y.fail()
			return out
		}
		y.skip()
	}
	return out
}

// key reads a key and what stands behind it on its line, if a key stands here.
func (y *yamlReader) key(column int, props []byte) bool {
	from, text := y.at, []byte(nil)
	switch c := y.peek(0); {
	case IsQuote(c) && c != '`':
		end := quotedEnd(y.s[:y.lineEnd()], y.at)
		if end < 0 {
			return false
		}
		text = yamlQuoted(y.s[from:end])
		y.at = end
	case y.startsPlain(false):
		text = y.plainOnLine(false)
	default:
		return false
	}
	y.skip()
	if y.peek(0) != ':' || !y.parts(1) {
		y.at = from
		return false
	}
	y.at++
	if y.enter(column, false); y.failed {
		return true
	}
	y.put(props...)
	y.put(text...)
	y.puts(": ")
	y.behindKey()
	return true
}

// behindKey reads the value on the line of its key.
func (y *yamlReader) behindKey() {
	y.skip()
	if y.atEnd() || y.peek(0) == '#' {
		y.finishFrom()
		return
	}
	props := y.properties()
	y.put(props...)
	switch {
	case y.atEnd() || y.peek(0) == '#':
		y.put(markAhead)
		y.finishFrom()
	case y.peek(0) == '-' && y.parts(1):
		y.fail()
	default:
		y.given()
		y.scalar()
	}
}

// scalar reads a value that is neither a mapping nor a list of several lines, and
// all that stands on its last line.
func (y *yamlReader) scalar() {
	switch c := y.peek(0); {
	case y.failed:
		return
	case c == '|' || c == '>':
		y.block()
		return
	case c == '"' || c == '\'':
		y.quoted()
	case c == '[' || c == '{':
		y.flow()
	case c == '*':
		y.alias()
	case y.startsPlain(false):
		y.plain(false)
	default:
		y.fail()
		return
	}
	if !y.failed {
		y.finish()
	}
}
